import { afterAll, beforeAll, expect, test } from "bun:test";
import * as Refund from "../../src/domain/payment/refund.ts";
import * as Standing from "../../src/domain/payment/standing.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { createRandom } from "../support/random.ts";
import { sign } from "../support/till/moves.ts";
import { linkRequest, startTestTill, type TestTill } from "../support/till/till.ts";

let till: TestTill;
beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
});
afterAll(() => till.stop());

const rounds = Number(process.env["TEST_REFUND_ROUNDS"] ?? 40);

/** The books of one deposit, as the database sums them up and as its refunds do. */
function books(index: number) {
  const row = till.db
    .query<Record<string, bigint>, [number]>(
      `SELECT received_amount, to_refund, refunded_amount, refunding_amount, credited_amount, return_amount,
         elsewhere_amount, refunded_elsewhere_amount,
         (SELECT coalesce(sum(amount), 0) FROM refund WHERE deposit_index = receivable.deposit_index
            AND state = 'confirmed' AND way = 'elsewhere') AS given_elsewhere,
         (SELECT coalesce(sum(amount), 0) FROM refund WHERE deposit_index = receivable.deposit_index
            AND state = 'confirmed') AS given,
         (SELECT coalesce(sum(amount), 0) FROM refund WHERE deposit_index = receivable.deposit_index
            AND state IN ('requested', 'approved', 'sent')) AS giving,
         (SELECT coalesce(sum(amount), 0) FROM refund WHERE deposit_index = receivable.deposit_index
            AND state <> 'cancelled' AND way <> 'elsewhere') AS onchain
       FROM receivable WHERE deposit_index = ?`,
    )
    .get(index);
  if (row === null) throw new Error("no deposit");
  return row;
}

/** Money that came, without a chain: as credited, but for its consequences. */
const receive = (index: number, micro: bigint) =>
  till.db.run("UPDATE receivable SET received_amount = ? WHERE deposit_index = ?", [micro, index]);

test.each([["invoice"], ["link"]] as const)(
  "of one %s never more goes back than came, whoever asks at the same moment, and the books follow",
  async (kind) => {
    const random = createRandom(7);
    for (let history = 0; history < 3; history += 1) {
      const isInvoice = kind === "invoice";
      const made = isInvoice
        ? await till.createInvoice()
        : (await till.api("POST", "/api/links", linkRequest)).body;
      const name = isInvoice ? made["invoice_number"] : made["slug"];
      const read = () =>
        isInvoice ? InvoiceStore.bySlug(till.db, made["slug"] ?? "") : LinkStore.bySlug(till.db, name);
      const index = read()?.deposit.index ?? 0;
      const path = isInvoice ? `/api/invoices/${name}` : `/api/links/${name}`;
      let received = 0n;
      for (let round = 0; round < rounds; round += 1) {
        const deed = random.pick(["receive", "ask", "ask", "ask", "cancel", "mark", "credit", "void"]);
        if (deed === "receive") {
          received += BigInt(random.between(0, 900_000_000));
          receive(index, received);
        }
        if (deed === "ask")
          await Promise.all(
            Array.from({ length: 4 }, () =>
              till.api("POST", "/api/refunds", {
                [kind]: name,
                amount: Usdc.formatExact(Usdc.fromMicro(BigInt(random.between(1, 400_000_000)))),
                ...(random.chance(0.3) ? { elsewhere: true } : {}),
              }),
            ),
          );
        if (deed === "cancel") {
          const { data } = (await till.api("GET", "/api/refunds?status=requested")).body;
          if (data.length > 0)
            await till.api("POST", `/api/refunds/${random.pick<{ id: string }>(data).id}/cancel`);
        }
        if (deed === "mark") await till.api("POST", `${path}/mark`, { as: random.pick(["paid", "unpaid"]) });
        if (deed === "credit" && isInvoice && random.chance(0.25))
          await till.api("POST", `${path}/credit-notes`, {
            reason: "Less",
            lines: [{ line: 1, quantity: 1 }],
          });
        if (deed === "void" && random.chance(0.1)) await till.api("POST", `${path}/void`, { reason: "No" });

        const record = read();
        if (record === null) throw new Error("it is gone");
        const row = books(index);
        const standing = Standing.of(record);
        expect([round, row["to_refund"]]).toEqual([round, standing.toRefund]);
        expect([row["refunded_amount"], row["refunding_amount"]]).toEqual([row["given"], row["giving"]]);
        expect(row["refunded_elsewhere_amount"]).toBe(row["given_elsewhere"] as bigint);
        // Never more than came, on the chain and in all; and what is left to give is what is not given yet.
        const room = received - (row["onchain"] ?? 0n);
        const inAll =
          received + (row["elsewhere_amount"] ?? 0n) - (row["given"] ?? 0n) - (row["giving"] ?? 0n);
        expect(room).toBeGreaterThanOrEqual(0n);
        expect(inAll).toBeGreaterThanOrEqual(0n);
        const left = Refund.amountOf(standing, { amount: null, way: "till", kind });
        const amount = left.ok ? left.amount : 0n;
        expect(amount).toBeLessThanOrEqual(room < inAll ? room : inAll);
        // What is owed goes back in USDC as far as it came in USDC, whatever went back in another way before.
        const { toRefund } = standing;
        if (toRefund > 0n) expect(amount).toBe(toRefund < room ? toRefund : room);
      }
    }
  },
  60_000,
);

test("a refund that is cancelled leaves a link as it was, and one that was paid in part is void", async () => {
  const { body } = await till.api("POST", "/api/links", linkRequest);
  const link = () => LinkStore.bySlug(till.db, body.slug);
  const index = link()?.deposit.index ?? 0;
  receive(index, 25_000_000n);
  const before = books(index);
  const made = await till.api("POST", "/api/refunds", { link: body.slug, amount: "10.00" });
  expect(books(index)).toMatchObject({
    credited_amount: 10_000_000n,
    return_amount: 10_000_000n,
    to_refund: 0n,
  });
  await till.api("POST", `/api/refunds/${made.body.id}/cancel`);
  expect(books(index)).toEqual(before);

  const { body: part } = await till.api("POST", "/api/links", linkRequest);
  receive(LinkStore.bySlug(till.db, part.slug)?.deposit.index ?? 0, 5_000_000n);
  expect((await till.api("POST", "/api/refunds", { link: part.slug, amount: "6.00" })).status).toBe(400);
  expect(LinkStore.bySlug(till.db, part.slug)?.status).not.toBe("void");
  sign(till.db, LinkStore.bySlug(till.db, part.slug)?.deposit.index ?? 0, 20_000_000n, 1);
  const waits = await till.api("POST", "/api/refunds", { link: part.slug });
  expect([waits.status, waits.body.detail]).toEqual([409, expect.stringContaining("on its way")]);
  expect(LinkStore.bySlug(till.db, part.slug)?.status).not.toBe("void");
  till.db.run("DELETE FROM relay");
  const all = await till.api("POST", "/api/refunds", { link: part.slug });
  expect(all.body).toMatchObject({ amount: "5.00", status: "requested" });
  expect(LinkStore.bySlug(till.db, part.slug)?.status).toBe("void");
});

test.each([
  ["in cash and then", [true, false]],
  ["on the chain and then", [false, true]],
] as const)("what was paid in two ways goes back %s the other way", async (_, ways) => {
  const one = [{ description: "Chair", quantity: 1, unit_price: "100.00" }];
  const { invoice_id: id, invoice_number: number, slug } = await till.createInvoice({ line_items: one });
  receive(InvoiceStore.bySlug(till.db, slug ?? "")?.deposit.index ?? 0, 40_000_000n);
  await till.api("POST", `/api/invoices/${id}/mark`, { as: "paid" });
  await till.api("POST", `/api/invoices/${id}/credit-notes`, { reason: "Cancelled" });
  for (const elsewhere of ways) {
    const asked = { invoice: number, amount: elsewhere ? "60.00" : "40.00", elsewhere };
    expect((await till.api("POST", "/api/refunds", asked)).status).toBe(201);
  }
  for (const elsewhere of ways)
    expect((await till.api("POST", "/api/refunds", { invoice: number, elsewhere })).status).toBe(409);
});

test("an invoice that was marked as paid elsewhere and then paid on the chain as well owes all of that back", async () => {
  const { invoice_id: id, slug } = await till.createInvoice();
  await till.api("POST", `/api/invoices/${id}/mark`, { as: "paid" });
  receive(InvoiceStore.bySlug(till.db, slug ?? "")?.deposit.index ?? 0, 1_500_000_000n);
  const owed = (await till.api("GET", "/api/owed")).body.data;
  expect(owed).toContainEqual(expect.objectContaining({ id, amount: "1500.00" }));
  await till.api("POST", `/api/invoices/${id}/mark`, { as: "unpaid" });
  const { data } = (await till.api("GET", "/api/owed")).body;
  expect(data.filter((each: { id: string }) => each.id === id)).toEqual([]);
});

test("mails about refunds count as those of their invoice or link, where anybody may call", async () => {
  const open = await startTestTill(
    { rpcUrl: "http://127.0.0.1:9" },
    { TILL_BASE_URL: "https://pay.example.com", TILL_OPEN_API: "true", TILL_LIMIT_MAILS_MERCHANT: "7" },
    { isDev: false },
  );
  try {
    const paid = async () => {
      const { slug } = (await open.api("POST", "/api/links", linkRequest)).body;
      open.db.run("UPDATE receivable SET received_amount = 25000000");
      return slug;
    };
    const first = await paid();
    let strangers = 0;
    const begin = (link: string, more: object) => {
      strangers += 1;
      return open.api("POST", "/api/refunds", { link, email: `stranger${strangers}@example.com`, ...more });
    };
    // Cancelled, there is as much to give back as before; and a millionth is as good an occasion.
    for (let mails = 0; mails < 2; mails += 1) {
      const { status, body } = await begin(first, { amount: "1.00", ask: true });
      expect(status).toBe(201);
      await open.api("POST", `/api/refunds/${body.id}/cancel`);
    }
    for (let mails = 2; mails < 5; mails += 1)
      expect((await begin(first, { amount: "0.000001", elsewhere: true })).status).toBe(201);
    for (const how of ["ask", "elsewhere"]) {
      const refused = await begin(first, { amount: "1.00", [how]: true });
      expect([refused.status, refused.body.detail]).toEqual([
        429,
        expect.stringContaining("TILL_LIMIT_MAILS_INVOICE"),
      ]);
    }
    const { data } = (await open.api("GET", "/api/refunds")).body;
    expect(data).toHaveLength(5);
    // Nobody is mailed of one whose customer has not said anything.
    expect((await begin(first, { amount: "1.00" })).status).toBe(201);
    const second = await paid();
    expect((await begin(second, { ask: true, amount: "1.00" })).status).toBe(201);
    expect((await begin(second, { ask: true, amount: "1.00" })).status).toBe(201);
    const third = await begin(await paid(), { ask: true, amount: "1.00" });
    expect(third.body.detail).toContain("TILL_LIMIT_MAILS_MERCHANT");
  } finally {
    await open.stop();
  }
});
