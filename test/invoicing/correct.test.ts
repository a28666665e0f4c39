import { afterAll, beforeAll, expect, test } from "bun:test";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import { solidTextOf } from "../document/poppler.ts";
import { createRandom } from "../support/random.ts";
import { businessRequest, startTestTill, type TestTill } from "../support/till/till.ts";

let till: TestTill;
beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
});
afterAll(() => till.stop());

const patch = (id: string | undefined, body: object, headers = {}) =>
  till.api("PATCH", `/api/invoices/${id}`, body, headers);
const get = async (id: string | undefined) => (await till.api("GET", `/api/invoices/${id}`)).body;
const file = async (path: string) => (await fetch(`${till.localUrl}/api/${path}`)).bytes();
const pdf = async (id: string | undefined) => Bun.hash(await file(`invoices/${id}/pdf`));

/** What the database keeps beside the invoices, and the same worked out from them. */
function sums() {
  const of = (sql: string) => till.db.query<Record<string, unknown>, []>(sql).all();
  const open = "status IN ('draft', 'sent', 'partial')";
  return {
    owed: of("SELECT due_date, issue_date, invoices, amount FROM owed ORDER BY 1, 2"),
    owedNow:
      of(`SELECT due_date, issue_date, count(*) AS invoices, sum(max(0, due_amount - received_amount)) AS amount
      FROM invoice JOIN receivable USING (deposit_index) WHERE ${open} GROUP BY 1, 2 ORDER BY 1, 2`),
    customers: of("SELECT key, invoices, open_amount, paid_amount, last_sequence FROM customer ORDER BY key"),
    customersNow: of(`SELECT lower(vendor_email) AS key, count(*) AS invoices,
      sum((${open}) * max(0, due_amount - received_amount)) AS open_amount,
      sum(iif(marked_paid_at IS NULL, received_amount, max(due_amount, received_amount))) AS paid_amount,
      max(sequence) AS last_sequence
      FROM invoice JOIN receivable USING (deposit_index) GROUP BY 1 ORDER BY 1`),
  };
}

test("what is not the bill is corrected, with an event that says from what to what, and the documents follow", async () => {
  const { invoice_id: id, invoice_number: number } = await till.createInvoice({ reference: "PO-1" });
  const before = await get(id);
  const oldPdf = await pdf(id);
  const asked = {
    customer_email: "Books@globex.example",
    due_date: "2030-02-28",
    reference: null,
    language: "de",
    reminders: [3, 0],
  };
  const answer = await patch(id, asked, { "idempotency-key": "one" });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    vendor_email: "Books@globex.example",
    due_date: "2030-02-28",
    language: "de",
    reminders: [0, 3],
    total_amount: before.total_amount,
  });
  expect(answer.body.reference).toBeUndefined();
  expect(answer.body.corrected_at).toMatch(/^20/);
  expect((await patch(id, asked, { "idempotency-key": "one" })).body).toEqual(answer.body);
  expect(await pdf(id)).not.toBe(oldPdf);
  const events = (await till.api("GET", `/api/events?invoice=${number}&type=invoice.corrected`)).body.data;
  expect(events).toHaveLength(1);
  expect(events[0].data.corrections).toContainEqual({
    field: "due_date",
    from: "2030-01-31",
    to: "2030-02-28",
  });
  // The same again is no correction.
  expect((await patch(id, { due_date: "2030-02-28" })).body.corrected_at).toBe(answer.body.corrected_at);
  const page = await (await fetch(before.invoice_url)).text();
  expect(page).toContain("28. Februar 2030");
  expect(page).toContain("Korrigiert am");
});

test("each PDF that was read before follows: what is corrected, and what was given back", async () => {
  const made = await till.createInvoice({ ...businessRequest, reference: "PO-1" });
  const { invoice_id: id, slug } = made;
  till.db.run("UPDATE receivable SET received_amount = due_amount WHERE deposit_index = ?", [
    InvoiceStore.bySlug(till.db, slug ?? "")?.deposit.index ?? 0,
  ]);
  const lines = [{ line: 2, quantity: 1 }];
  const note = (await till.api("POST", `/api/invoices/${id}/credit-notes`, { reason: "Less", lines })).body;
  const owes = async () => (await solidTextOf(await file(`invoices/${id}/pdf`))).includes("owesyou");
  expect(await owes()).toBe(true);
  const asked = { invoice: id, elsewhere: true };
  const refund = (await till.api("POST", "/api/refunds", asked)).body;
  expect(refund.status).toBe("confirmed");
  expect(await owes()).toBe(false);
  const documents = [`invoices/${id}`, `credit-notes/${note.id}`, `refunds/${refund.id}`].flatMap((each) => [
    `${each}/pdf`,
    ...(each.startsWith("refunds") ? [] : [`${each}/e-invoice?format=factur-x`]),
  ]);
  const all = () => Promise.all(documents.map(async (path) => Bun.hash(await file(path))));
  let before = await all();
  for (const change of [{ language: "de" }, { reference: "PO-2" }]) {
    await patch(id, change);
    const after = await all();
    expect(documents.filter((_, at) => after[at] === before[at])).toEqual([]);
    before = after;
  }
});

test("the bill itself, what is void, and the due date of what is paid stay", async () => {
  const { invoice_id: id } = await till.createInvoice();
  const wrong = await patch(id, { notes: "x", total: 1, due_date: "2020-01-01", language: "xx" });
  expect(wrong.status).toBe(400);
  const said = Object.fromEntries(
    wrong.body.errors.map((e: { field: string; message: string }) => [e.field, e.message]),
  );
  expect(said["notes"]).toContain("credit or void the invoice, and make it anew");
  expect(said["total"]).toContain("not a known field");
  expect(Object.keys(said).sort()).toEqual(["due_date", "language", "notes", "total"]);
  await till.api("POST", `/api/invoices/${id}/mark`, { as: "paid" });
  expect((await patch(id, { due_date: "2030-05-05" })).body.code).toBe("correction_refused");
  expect((await patch(id, { reference: "PO-9" })).status).toBe(200);
  const { invoice_id: gone } = await till.createInvoice();
  await till.api("POST", `/api/invoices/${gone}/void`, { reason: "No" });
  expect((await patch(gone, { reference: "PO-9" })).body.code).toBe("is_void");
});

test("reminders that wait are withdrawn when the due date moves, and the sums of days and customers follow", async () => {
  const random = createRandom(3);
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, i) => till.createInvoice({ vendor_email: `c${i % 3}@x.example` })),
  );
  const index = InvoiceStore.bySlug(till.db, made[0]?.["slug"] ?? "")?.deposit.index ?? 0;
  const reminder = { depositIndex: index, kind: "reminder", occasion: "0.2030-01-31" } as const;
  const queue = () => MailStore.insertOnce(till.db, { ...reminder, createdAt: Date.now() + 3_600_000 });
  queue();
  await patch(made[0]?.["invoice_id"], { due_date: "2031-01-01" });
  const waiting = till.db
    .query("SELECT 1 FROM mail WHERE deposit_index = ? AND kind = 'reminder' AND state = 'queued'")
    .get(index);
  expect(waiting).toBeNull();
  // For the new date it is made once more.
  expect(queue()).toBe(true);
  for (let round = 0; round < 30; round += 1) {
    const { invoice_id: id } = random.pick(made);
    const action = random.pick(["email", "due", "receive", "mark"]);
    if (action === "email") await patch(id, { vendor_email: `C${random.between(0, 4)}@x.example` });
    if (action === "due") await patch(id, { due_date: `2031-0${random.between(1, 9)}-15` });
    if (action === "mark")
      await till.api("POST", `/api/invoices/${id}/mark`, { as: random.pick(["paid", "unpaid"]) });
    const { owed, owedNow, customers, customersNow } = sums();
    expect(owed).toEqual(owedNow);
    expect(customers).toEqual(customersNow);
  }
});

test("an invoice is found by its new reference and email at once, and by the old ones no longer", async () => {
  const { invoice_id: id, invoice_number: number } = await till.createInvoice({ reference: "Aprikose" });
  const found = async (words: string) =>
    (await (await fetch(`${till.baseUrl}/desk/invoices?q=${words}`)).text()).includes(String(number));
  expect(await found("aprikose")).toBe(true);
  await patch(id, { reference: "Birnbaum", vendor_email: "zz@quitte.example" });
  expect([await found("aprikose"), await found("birnbaum"), await found("quitte")]).toEqual([
    false,
    true,
    true,
  ]);
});
