import { beforeAll, describe, expect, test } from "bun:test";
import { shared } from "../support/per-file.ts";
import { storeInvoice } from "../support/till/records.ts";
import { startTestTill } from "../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
beforeAll(async () => {
  await till.createInvoice({ vendor_name: "Hotel Linde", vendor_email: "einkauf@linde.example" });
  await till.createInvoice({ vendor_name: "Café Morgenrot", vendor_email: "AP@morgenrot.example" });
  await till.createInvoice({ vendor_name: "Morgenrot GmbH", vendor_email: "ap@Morgenrot.example" });
});

const list = async (query = "") => (await till.api("GET", `/api/customers${query}`)).body;
const pageOf = async (path: string) => await (await fetch(`${till.baseUrl}/desk/${path}`)).text();

/** Money comes in, or goes again, as the watcher writes it down. */
const receive = (number: string | undefined, micro: number, status: string) => {
  const { sequence, deposit } = till.db
    .query<{ sequence: bigint; deposit: bigint }, [string]>(
      "SELECT sequence, deposit_index AS deposit FROM invoice WHERE number = ?",
    )
    .get(number ?? "") as { sequence: bigint; deposit: bigint };
  till.db.query("UPDATE receivable SET received_amount = ? WHERE deposit_index = ?").run(micro, deposit);
  till.db.query("UPDATE invoice SET status = ? WHERE sequence = ?").run(status, sequence);
};

/** What the invoices say themselves, added up anew. */
const addedUp = () =>
  till.db
    .query(
      `SELECT lower(vendor_email) AS key, count(*) AS invoices, max(sequence) AS last_sequence,
         sum(CASE WHEN status IN ('draft', 'sent', 'partial') THEN max(0, expected_amount - received_amount) ELSE 0 END)
           AS open_amount,
         sum(CASE WHEN marked_paid_at IS NULL THEN received_amount ELSE max(expected_amount, received_amount) END)
           AS paid_amount
       FROM invoice JOIN receivable USING (deposit_index) GROUP BY 1 ORDER BY 1`,
    )
    .all();
const kept = () =>
  till.db
    .query("SELECT key, invoices, last_sequence, open_amount, paid_amount FROM customer ORDER BY key")
    .all();

describe("customers", () => {
  test("are known by their mail address in any case, and called as on the newest invoice", async () => {
    const { data } = await list();
    expect(data).toEqual([
      {
        email: "ap@Morgenrot.example",
        name: "Morgenrot GmbH",
        invoices: 2,
        open_amount: "3000.00",
        paid_amount: "0.00",
        last_invoice_number: "INV-0003",
        last_issue_date: expect.any(String),
      },
      expect.objectContaining({ name: "Hotel Linde", invoices: 1, open_amount: "1500.00" }),
    ]);
  });

  test("are listed page by page, by address, and by how words of them begin", async () => {
    const first = await list("?limit=1");
    expect(first.has_more).toBe(true);
    const next = await list(`?limit=1&starting_after=${first.data[0].email}`);
    expect(next.data.map(({ name }: { name: string }) => name)).toEqual(["Hotel Linde"]);
    expect(next.has_more).toBe(false);
    expect((await list("?email=AP@MORGENROT.example")).data.length).toBe(1);
    expect((await list("?email=nobody@linde.example")).data).toEqual([]);
    expect((await list("?search=lind%20hot")).data.length).toBe(1);
    // A name that no invoice has last is forgotten.
    expect((await list("?search=caf%C3%A9")).data).toEqual([]);
    expect((await list("?search=%22")).data).toEqual([]);
    const refused = await till.api("GET", "/api/customers?starting_after=nobody@linde.example&open=1");
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual(["open"]);
  });

  test("owe and have paid what their invoices say, whatever becomes of these", async () => {
    const numbers = ["INV-0001", "INV-0002", "INV-0003"];
    const amounts = [0, 10_000, 700_000_000, 1_500_000_000, 1_900_000_000];
    const statusFor = (micro: number) => {
      if (micro === 0) return "sent";
      if (micro < 1_500_000_000) return "partial";
      return micro > 1_500_000_000 ? "excess" : "paid";
    };
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let step = 0; step < 60; step++) {
      const number = numbers[random(3)];
      const what = random(4);
      if (what === 0) await till.api("POST", `/api/invoices/${number}/mark`, { as: "paid" });
      else if (what === 1) await till.api("POST", `/api/invoices/${number}/mark`, { as: "unpaid" });
      else {
        const micro = amounts[random(amounts.length)] ?? 0;
        const { marked_paid_at } = (await till.api("GET", `/api/invoices/${number}`)).body;
        receive(number, micro, marked_paid_at === undefined ? statusFor(micro) : "paid");
      }
      expect(kept()).toEqual(addedUp());
    }
    receive("INV-0001", 0, "sent");
    await till.api("POST", "/api/invoices/INV-0001/mark", { as: "unpaid" });
    await till.api("POST", "/api/invoices/INV-0001/void", { reason: "Twice" });
    expect(kept()).toEqual(addedUp());
  });

  test("have a page at the desk, found by the address too", async () => {
    expect(await pageOf("customers")).toContain("Hotel Linde");
    expect(await pageOf("customers?q=linde")).not.toContain("Morgenrot");
    expect(await pageOf("customers?q=xyz")).toContain("Nobody found for “xyz”");
    const shown = await pageOf("customers/ap@morgenrot.example");
    expect(shown).toContain("INV-0002");
    expect(shown).toContain("INV-0003");
    expect(shown).not.toContain("INV-0001");
    expect(shown).toMatch(/\/desk\/invoices\/new\?customer=\d+/);
    expect((await fetch(`${till.baseUrl}/desk/customers/nobody`)).status).toBe(404);
  });

  test("can be taken away as a file: all that the list shows, on all its pages", async () => {
    // As many again as are read at a time.
    for (let i = 0; i < 230; i++)
      storeInvoice(till.db, { vendorName: `=Guest ${i}`, vendorEmail: `guest${i}@linde.example` });
    expect(await pageOf("customers?q=linde")).toContain('href="/desk/customers.csv?q=linde"');
    const rowsOf = async (path: string) => (await pageOf(path)).trim().split("\r\n");
    const [head, first, ...rest] = await rowsOf("customers.csv");
    expect(head).toBe(
      "email,name,currency,invoices,open_amount,paid_amount,last_invoice_number,last_issue_date",
    );
    expect(first).toStartWith("guest229@linde.example,'=Guest 229,USDC,1,100.00,0.00,INV-");
    expect(new Set([first, ...rest]).size).toBe(232);
    expect(await rowsOf("customers.csv?q=morgenrot")).toHaveLength(2);
  });
});
