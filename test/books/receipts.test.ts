import { afterAll, beforeAll, expect, test } from "bun:test";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { solidTextOf } from "../document/poppler.ts";
import { walk } from "../support/desk/walk.ts";
import { pay, rowsOf } from "../support/till/moves.ts";
import { callTill } from "../support/till/run-till.ts";
import { dayClock, linkRequest, startTestTill, type TestTill } from "../support/till/till.ts";

/** The numbered receipts of links with tax in the books: each a row, with its taxes, on the day of its issue. */

let till: TestTill;
const now = dayClock();
const slugs: string[] = [];
beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, {}, { now });
  const inEuros = { expected_amount: undefined, currency: "EUR", rate: "0.5" };
  for (const changes of [
    { ...inEuros, amount: "119.00", tax_rate: "19" },
    { tax_rate: "7", expected_amount: "10.70" },
    { ...inEuros, amount: "11.90", tax_rate: "19" },
    {},
  ]) {
    const { slug } = (await till.api("POST", "/api/links", { ...linkRequest, ...changes })).body;
    await till.api("POST", `/api/links/${slug}/mark`, { as: "paid" });
    slugs.push(slug);
  }
  // Its sale is taken back.
  await till.api("POST", `/api/links/${slugs[2]}/mark`, { as: "unpaid" });
});
afterAll(() => till.stop());

async function exported(...args: string[]): Promise<Record<string, string>[]> {
  const env = { TILL_DATA_DIR: till.config.dataDir };
  const { stdout, exitCode } = await callTill(["export", ...args, "--format", "json"], { env });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

test("each is a row, and says whether it counts", async () => {
  const rows = await exported("receipts");
  expect(rows).toMatchObject([
    {
      receipt_number: "R-0001",
      payment_link: slugs[0],
      currency: "EUR",
      total_amount: "119.00",
      tax_amount: "19.00",
      expected_usdc: "238.00",
      counts: true,
    },
    { receipt_number: "R-0002", currency: "USDC", total_amount: "10.70", tax_amount: "0.70", counts: true },
    { receipt_number: "R-0003", status: "pending", counts: false },
  ]);
  expect(await exported("receipts", "--to", "2020-01-01")).toEqual([]);
});

test("their taxes stand beside those of invoices, and add up to the receipts that count", async () => {
  expect(await exported("taxes")).toMatchObject([
    { invoice_number: null, receipt_number: "R-0001", taxable_amount: "100.00", tax_amount: "19.00" },
    { receipt_number: "R-0002", taxable_amount: "10.00", tax_amount: "0.70", counts: true },
    { receipt_number: "R-0003", counts: false },
  ]);
  expect(await exported("tax-sums")).toMatchObject([
    {
      tax_rate: "19.00",
      currency: "EUR",
      receipts: 1,
      invoices: 0,
      taxable_amount: "100.00",
      tax_amount: "19.00",
    },
    { tax_rate: "7.00", currency: "USDC", receipts: 1, tax_amount: "0.70" },
  ]);
});

test("in the file for Xero too", async () => {
  const rows = await exported("xero", "--account", "200", "--tax-type", "standard 19.00=USt");
  expect(rows).toMatchObject([{ "*InvoiceNumber": "R-0001", "*UnitAmount": "100.00", TaxAmount: "19.00" }]);
});

const dayMs = 86_400_000;

test("a refund takes back its part, tax by tax, on the day on which it is made", async () => {
  const mixed = {
    ...{ ...linkRequest, expected_amount: undefined, currency: "EUR", rate: "0.5" },
    line_items: [
      { description: "Coat", quantity: 1, unit_price: "119.00", tax_rate: "19" },
      { description: "Book", quantity: 1, unit_price: "10.70", tax_rate: "7" },
    ],
    prices_include_tax: true,
  };
  const { slug } = (await till.api("POST", "/api/links", mixed)).body;
  await till.api("POST", `/api/links/${slug}/mark`, { as: "paid" });
  const index = LinkStore.bySlug(till.db, slug)?.deposit.index ?? -1;
  // The money came after all.
  till.db.run("UPDATE receivable SET received_amount = expected_amount WHERE deposit_index = ?", [index]);
  expect((await till.api("POST", `/api/links/${slug}/mark`, { as: "unpaid" })).status).toBe(200);

  const today = new Date(now()).toISOString().slice(0, 10);
  const tomorrow = new Date(now() + dayMs).toISOString().slice(0, 10);
  for (const [at, amount] of ["100.00", "59.40", "100.00"].entries()) {
    const asked = { link: slug, amount, elsewhere: true, reason: `Part ${at + 1}` };
    const made = await till.api("POST", "/api/refunds", asked);
    expect(made.status).toBe(201);
    till.db.run("UPDATE refund SET taken_back = json_set(taken_back, '$.issueDate', ?) WHERE id = ?", [
      new Date(now() + (at + 1) * dayMs).toISOString().slice(0, 10),
      made.body.id,
    ]);
  }
  const of = (rows: Record<string, unknown>[]) => rows.filter((row) => row["receipt_number"] === "R-0004");
  const on = (day: string) => ({ days: { from: day, to: day } });
  const taxes = async (days: object) => of((await rowsOf(till.db, "taxes", days)).rows);
  const amounts = (rows: Record<string, unknown>[]) =>
    rows.map(
      (row) => `${row["issue_date"]} ${row["tax_rate"]} ${row["taxable_amount"]} ${row["tax_amount"]}`,
    );
  expect(amounts(await taxes(on(today)))).toEqual([
    `${today} 19.00 100.00 19.00`,
    `${today} 7.00 10.00 0.70`,
  ]);
  // 100 of 259.40 USDC are 50.00 of 129.70 EUR: 45.88 and 4.12.
  const first = await taxes(on(tomorrow));
  expect(amounts(first)).toEqual([`${tomorrow} 19.00 -38.55 -7.33`, `${tomorrow} 7.00 -3.85 -0.27`]);
  expect(first).toMatchObject(
    Array(2).fill({ refund_id: expect.stringContaining("rfd_"), credit_note_number: null, counts: true }),
  );
  const sums = (await rowsOf(till.db, "tax-sums", { days: { from: tomorrow, to: null } })).rows;
  expect(sums).toMatchObject([
    {
      tax_rate: "19.00",
      currency: "EUR",
      taxable_amount: "-100.00",
      tax_amount: "-19.00",
      receipts: 0,
      refunds: 3,
    },
    { tax_rate: "7.00", currency: "EUR", taxable_amount: "-10.00", tax_amount: "-0.70", refunds: 3 },
  ]);
  expect(of((await rowsOf(till.db, "receipts")).rows)).toMatchObject([
    { counts: true, refunded_usdc: "259.40", expected_usdc: "259.40" },
  ]);
  const codes = { account: "200", taxTypes: { "standard 19.00": "USt", "standard 7.00": "USt7" } };
  const { rows: xero } = await rowsOf(till.db, "xero", { ...on(tomorrow), codes });
  expect(xero).toMatchObject([
    {
      Reference: "R-0004",
      "*UnitAmount": "-38.55",
      TaxAmount: "-7.33",
      Total: "-50.00",
      "*Description": "Credit of R-0004: Part 1",
    },
    { "*UnitAmount": "-3.85", TaxAmount: "-0.27" },
  ]);
  const { rows: datev } = await rowsOf(till.db, "datev", {
    days: { from: tomorrow, to: tomorrow },
    datev: {
      usdc: "1460",
      debtor: "10000",
      transit: "",
      consultant: "29098",
      client: "55003",
      month: "1",
      taxes: { "standard 19.00": "8400", "standard 7.00": "8300" },
    },
  });
  expect(
    datev.map((row) => [
      row["Umsatz (ohne Soll/Haben-Kz)"],
      row["Soll/Haben-Kennzeichen"],
      row["Belegfeld 1"],
    ]),
  ).toEqual([
    ["45,88", "H", "R-0004"],
    ["4,12", "H", "R-0004"],
  ]);
  const pdf = await till.api(
    "GET",
    `/api/refunds/${(await till.api("GET", "/api/refunds")).body.data[0].id}/pdf`,
  );
  expect(pdf.status).toBe(200);
});

test("a receipt and the page of its link show what was sold, whatever is given back of it", async () => {
  const sold = { ...linkRequest, expected_amount: "10.00", tax_rate: "19" };
  const { slug, deposit_address } = (await till.api("POST", "/api/links", sold)).body;
  await till.api("POST", `/api/links/${slug}/mark`, { as: "paid" });
  const index = LinkStore.bySlug(till.db, slug)?.deposit.index ?? -1;
  pay(till.db, index, 10_500_000n, now());
  till.db.run("UPDATE receivable SET received_amount = 10500000 WHERE address = ?", [deposit_address]);
  expect((await till.api("POST", `/api/links/${slug}/mark`, { as: "unpaid" })).status).toBe(200);
  const receipt = async () => {
    const pdf = await fetch(`${till.localUrl}/api/links/${slug}/receipt`);
    return solidTextOf(Buffer.from(await pdf.arrayBuffer()));
  };
  const page = walk(till);
  expect(await receipt()).toContain("Theamountduewas10.00USDC,sothisisanoverpaymentof0.50USDC.");
  const refund = (more: object) => till.api("POST", "/api/refunds", { link: slug, ...more });
  const { body } = await refund({ amount: "4.00" });
  expect(body.status).toBe("requested");
  expect(await receipt()).toContain("Theamountduewas10.00USDC,sothisisanoverpaymentof0.50USDC.");
  await page.open(`/pay/${slug}`);
  expect(page.text()).toContain("The amount due was 10.00 USDC, so you overpaid by 0.50 USDC.");
  await till.api("POST", `/api/refunds/${body.id}/cancel`);
  expect((await refund({ amount: "0.50", elsewhere: true })).status).toBe(201);
  expect((await refund({ amount: "4.00" })).status).toBe(201);
  expect(await receipt()).not.toContain("overpayment");
  expect((await refund({ amount: "6.00", elsewhere: true })).status).toBe(201);
  expect(await receipt()).toMatch(/Total10\.00/);
});

test("what was taken back stays as it was: whatever else is paid, given back or marked, and where a part came in cash", async () => {
  const sold = { ...linkRequest, expected_amount: "10.00", tax_rate: "19" };
  const { slug } = (await till.api("POST", "/api/links", sold)).body;
  const index = LinkStore.bySlug(till.db, slug)?.deposit.index ?? -1;
  const receive = (amount: number) =>
    till.db.run("UPDATE receivable SET received_amount = ? WHERE deposit_index = ?", [amount, index]);
  receive(4_000_000);
  // The other 6 in cash.
  await till.api("POST", `/api/links/${slug}/mark`, { as: "paid" });
  const number = LinkStore.bySlug(till.db, slug)?.receiptNumber;
  const refund = async (amount: string) =>
    (await till.api("POST", "/api/refunds", { link: slug, amount, elsewhere: true })).status;
  const rows = async () =>
    (await rowsOf(till.db, "taxes", { timeZone: "Pacific/Kiritimati" })).rows
      .filter((row) => row["receipt_number"] === number && row["refund_id"] !== null)
      .map((row) => `${row["taxable_amount"]} ${row["tax_amount"]}`);
  expect(await refund("3.00")).toBe(201);
  expect(await rows()).toEqual(["-2.52 -0.48"]);
  expect(await refund("1.00")).toBe(201);
  receive(9_000_000);
  // 8.40 and 1.60 for 10: 6 of 10 were kept.
  expect(await rows()).toEqual(["-2.52 -0.48", "-0.84 -0.16"]);
  const unmarked = await till.api("POST", `/api/links/${slug}/mark`, { as: "unpaid" });
  expect([unmarked.status, unmarked.body.code]).toEqual([409, "mark_refused"]);
  expect(unmarked.body.detail).toContain("given back");

  const [last] = (await till.api("GET", "/api/refunds")).body.data;
  const pdf = await fetch(`${till.localUrl}/api/refunds/${last.id}/pdf`);
  const text = await solidTextOf(Buffer.from(await pdf.arrayBuffer()));
  expect(text).toContain("Includestax19%on0.84");
  expect(text).toContain("0.16USDC");
});
