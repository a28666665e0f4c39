import { expect, test } from "bun:test";
import { solidTextOf } from "../../document/poppler.ts";
import { startScriptedServer } from "../../mail/scripted-server.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, startTestTill, type TestTill, until } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };

const till = shared(() => startTestTill(node, {}, { now: () => Date.now() + laterMs }));
/** Added to the clock of Till. */
let laterMs = 0;

const inEuros = {
  ...invoiceRequest,
  currency: "EUR",
  rate: "0.5",
  send_now: false,
  line_items: [{ description: "Gestaltung", quantity: 10, unit_price: "100.00", tax_rate: "19" }],
};
const twoHours = { reason: "Two hours\nwere not done", lines: [{ line: 1, quantity: 2 }] };

async function credited(of: TestTill, invoice: object, credit: object) {
  const { body } = await of.api("POST", "/api/invoices", invoice);
  const note = await of.api("POST", `/api/invoices/${body.invoice_id}/credit-notes`, credit);
  expect(note.status).toBe(201);
  return { invoice: body, note: note.body };
}
const mailsOf = (number: string) =>
  till.mail.list().filter(({ subject }) => subject.startsWith(`Credit note ${number} `));

test("is mailed when it is asked for, each time, in the currency of its invoice", async () => {
  const { invoice, note } = await credited(till, inEuros, { ...twoHours, send_now: false });
  const number = note.credit_note_number;
  expect(note.sent_at).toBeNull();
  for (const name of [note.id.toUpperCase(), number.toLowerCase()])
    expect(await till.api("POST", `/api/credit-notes/${name}/send`)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  const [mail, again] = mailsOf(number);
  expect(mail?.to).toContain(invoiceRequest.vendor_email);
  expect(again?.messageId).not.toBe(mail?.messageId);
  const text = mail?.text.replaceAll(/[\u2066-\u2069]/g, "") ?? "";
  expect(text).toContain("Two hours\nwere not done");
  expect(text).toContain(`For invoice: ${invoice.invoice_number}\n`);
  expect(text).toContain("Credited: 238.00 EUR\n");
  expect(text).toContain(`1,904.00 USDC is left to pay on invoice ${invoice.invoice_number}.`);
  const pdf = await solidTextOf(new Uint8Array(await (await fetch(note.pdf_url)).arrayBuffer()));
  const lowers = `This reduces the amount due on invoice ${invoice.invoice_number}. No refund is due.`;
  expect(pdf).toContain(lowers.replaceAll(" ", ""));
  const sentAt = async () => (await till.api("GET", `/api/credit-notes/${number}`)).body.sent_at;
  const before = await sentAt();
  laterMs += 1_000;
  await till.api("POST", `/api/credit-notes/${number}/send`);
  expect(Date.parse(await sentAt())).toBeGreaterThan(Date.parse(before));
});

test("is mailed once under an Idempotency-Key, also when the answer was lost, and of a void invoice", async () => {
  const { invoice, note } = await credited(till, inEuros, { reason: "Cancelled", send_now: false });
  expect((await till.api("GET", `/api/invoices/${invoice.invoice_id}`)).body.status).toBe("void");
  const send = (key: string, path = `/api/credit-notes/${note.id}/send`) =>
    till.api("POST", path, undefined, { "idempotency-key": key });
  expect((await send("credit-send")).body).toEqual({ ok: true });
  expect((await send("credit-send")).body).toEqual({ ok: true });
  till.db.run("UPDATE idempotency SET answer_status = NULL, answer_body = NULL");
  expect((await send("credit-send")).body).toEqual({ ok: true });
  expect(mailsOf(note.credit_note_number)).toHaveLength(1);
  const other = await send("credit-send", `/api/invoices/${invoice.invoice_id}/send`);
  expect(other.body.code).toBe("idempotency_conflict");
  expect((await send("credit-send-2", "/api/credit-notes/CN-9999/send")).status).toBe(404);
});

test("says of one that was paid in EUR what is owed back, in its mail and its PDF", async () => {
  const { body } = await till.api("POST", "/api/invoices", inEuros);
  await till.api("POST", `/api/invoices/${body.invoice_id}/mark`, { as: "paid" });
  const path = `/api/invoices/${body.invoice_id}/credit-notes`;
  const note = (await till.api("POST", path, { ...twoHours, send_now: true })).body;
  const [mail] = await until(
    () => mailsOf(note.credit_note_number),
    (mails) => mails.length > 0,
  );
  const back = "You have already paid 476.00 USDC of the credited amount";
  expect(mail?.text.replaceAll(/[\u2066-\u2069]/g, "")).toContain(
    `Nothing is left to pay on invoice ${body.invoice_number}. ${back}`,
  );
  const pdf = await solidTextOf(new Uint8Array(await (await fetch(note.pdf_url)).arrayBuffer()));
  for (const part of [
    "Amount (EUR)",
    "Gestaltung",
    "200.00",
    "38.00",
    "238.00",
    "Two hours were not done",
    back,
  ])
    expect(pdf).toContain(part.replaceAll(" ", ""));
});

test("says that the mail server refuses the customer, and what to do", async () => {
  const server = await startScriptedServer({ RCPT: { say: "550 5.1.1 no such user\r\n" } }, []);
  const refused = await startTestTill(node, { TILL_SMTP_URL: `smtp://localhost:${server.port}` });
  try {
    const { note } = await credited(refused, inEuros, { ...twoHours, send_now: false });
    const { status, body } = await refused.api("POST", `/api/credit-notes/${note.id}/send`);
    expect([status, body.ok, body.code]).toEqual([200, false, "mail_refused"]);
    expect(body.detail).toContain("550 5.1.1 no such user. Give the customer the PDF of the credit note.");
  } finally {
    await refused.stop();
    await server.stop();
  }
});

test("counts among the mails of its invoice at a public Till without keys, also when it is made", async () => {
  await using open = await startTestTill(node, {
    TILL_BASE_URL: "https://pay.example.com",
    TILL_TRUST_PROXY: "127.0.0.1",
    TILL_OPEN_API: "true",
    TILL_LIMIT_MAILS_INVOICE: "2",
  });
  const post = (path: string, body?: object) =>
    open.api("POST", path, body, { "x-forwarded-for": "192.0.2.1" });
  const invoice = (await post("/api/invoices", inEuros)).body;
  const credit = (body: object) => post(`/api/invoices/${invoice.invoice_id}/credit-notes`, body);
  const cent = { reason: "Sorry", amounts: [{ amount: "0.01" }] };
  const { body: note } = await credit({ ...cent, send_now: true });
  expect((await post(`/api/credit-notes/${note.id}/send`)).body).toEqual({ ok: true });
  const refused = await credit({ ...cent, send_now: true });
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(refused.body.detail).toContain("TILL_LIMIT_MAILS_INVOICE");
  expect((await post(`/api/credit-notes/${note.id}/send`)).status).toBe(429);
  expect((await credit({ ...cent, send_now: false })).status).toBe(201);
  expect((await credit(cent)).status).toBe(201);
});
