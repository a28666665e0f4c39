import { describe, expect, test } from "bun:test";
import { solidTextOf } from "../../document/poppler.ts";
import { brokenRules } from "../../domain/einvoice/rules.ts";
import { patient } from "../../support/mail/patience.ts";
import { shared } from "../../support/per-file.ts";
import { businessRequest, invoiceRequest, startTestTill, until } from "../../support/till/till.ts";

patient();
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const taxed = {
  line_items: [
    { description: "Design", quantity: 10, unit_price: "100.00", unit: "h", tax_rate: "19" },
    { description: "Books", quantity: 3, unit_price: "33.33", tax_rate: "7" },
  ],
  discount_percent: "10",
};

async function issue(changes: object = taxed) {
  const { body } = await till.api("POST", "/api/invoices", {
    ...invoiceRequest,
    send_now: false,
    ...changes,
  });
  return body as { invoice_id: string; invoice_number: string; slug: string; total_amount: string };
}
type Issued = Awaited<ReturnType<typeof issue>>;
const record = async ({ invoice_id }: Issued) => (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
const credit = ({ invoice_id }: Issued, body: object) =>
  till.api("POST", `/api/invoices/${invoice_id}/credit-notes`, { reason: "Sent back", ...body });
/** Opens its page, and waits until that is noted. */
async function look({ slug, invoice_id }: Issued) {
  await fetch(`${till.baseUrl}/i/${slug}`, { headers: { accept: "text/html" } });
  await until(
    async () => JSON.stringify((await till.api("GET", `/api/invoices/${invoice_id}/timeline`)).body),
    (timeline) => timeline.includes('"opened"'),
  );
}
const cents = (text: string) => BigInt(text.replace(".", ""));

describe("a credit note", () => {
  test("takes lines back, lowers what is due, and the last one takes what is left", async () => {
    const invoice = await issue();
    const before = await record(invoice);
    const first = await credit(invoice, {
      lines: [
        { line: 1, quantity: 4 },
        { line: 2, quantity: 1 },
      ],
    });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      credit_note_number: expect.stringMatching(/^CN-\d{4}$/),
      invoice_number: invoice.invoice_number,
      reason: "Sent back",
      return_usdc: "0.00",
      tax_breakdown: [
        { tax_rate: "19.00", taxable_amount: "360.00", tax_amount: "68.40" },
        { tax_rate: "7.00", taxable_amount: "30.00", tax_amount: "2.10" },
      ],
      total_amount: "460.50",
    });
    const lowered = await record(invoice);
    expect(lowered).toMatchObject({
      status: "draft",
      credited_amount: "460.50",
      total_amount: before.total_amount,
    });
    expect(cents(lowered.due_amount)).toBe(cents(before.total_amount) - 46_050n);

    const rest = await credit(invoice, {});
    expect(cents(rest.body.total_amount)).toBe(cents(before.total_amount) - 46_050n);
    expect(rest.body.line_items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([6, 2]);
    expect(await record(invoice)).toMatchObject({ status: "void", void_reason: "Sent back" });
    expect((await credit(invoice, {})).body.code).toBe("is_void");
    const { body } = await till.api("GET", `/api/invoices/${invoice.invoice_id}/credit-notes`);
    expect(body.data).toEqual([first.body, rest.body]);
  });

  test("takes null as absent, in its lines too", async () => {
    const { status, body } = await credit(await issue(), {
      lines: [{ line: 1, quantity: null }],
      amounts: null,
    });
    expect(status).toBe(201);
    expect(body.line_items).toMatchObject([{ line: 1, quantity: 10 }]);
  });

  test("credits amounts with their tax", async () => {
    const invoice = await issue();
    const { body } = await credit(invoice, { amounts: [{ amount: "11.90", tax_rate: "19" }] });
    expect(body).toMatchObject({ total_amount: "11.90", tax_amount: "1.90", line_items: [] });
    const untaxed = await issue({});
    const one = await credit(untaxed, { amounts: [{ amount: "5.00" }] });
    expect(one.body).toMatchObject({ total_amount: "5.00", line_items: [] });
  });

  test("never credits more than there is, and says what is left", async () => {
    const invoice = await issue();
    const faulty = async (body: object) => (await credit(invoice, body)).body.errors?.[0];
    expect(await faulty({ lines: [{ line: 1, quantity: 11 }] })).toMatchObject({
      field: "lines[0].quantity",
      message: expect.stringContaining("at most 10"),
    });
    expect(await faulty({ lines: [{ line: 3 }] })).toMatchObject({ field: "lines[0].line" });
    expect(await faulty({ amounts: [{ amount: "1.00" }] })).toMatchObject({ field: "amounts[0].tax_rate" });
    expect(await faulty({ amounts: [{ amount: "5000.00", tax_rate: "19" }] })).toMatchObject({
      field: "amounts[0].amount",
      message: expect.stringContaining("1071.00"),
    });
    expect(await faulty({ lines: [{ line: 1 }], amounts: [{ amount: "1.00" }] })).toMatchObject({
      field: "amounts",
    });
    expect(await faulty({ reason: "" })).toMatchObject({ field: "reason" });
    // What an amount has taken, the lines have no more.
    await credit(invoice, { amounts: [{ amount: "1.00", tax_rate: "19" }] });
    expect(await faulty({ lines: [{ line: 1 }] })).toMatchObject({ field: "lines" });
  });

  test("is the same for a repeated request, and has a number without gaps", async () => {
    const invoice = await issue({});
    const numbers = await Promise.all(
      Array.from({ length: 20 }, () => credit(invoice, { amounts: [{ amount: "0.01" }] })),
    );
    const sequences = numbers
      .map(({ body }) => Number(body.credit_note_number.slice(3)))
      .sort((a, b) => a - b);
    expect(sequences).toEqual(sequences.map((_, at) => (sequences[0] ?? 0) + at));
    const path = `/api/invoices/${invoice.invoice_id}/credit-notes`;
    const again = () =>
      till.api(
        "POST",
        path,
        { reason: "Twice", amounts: [{ amount: "0.02" }] },
        { "idempotency-key": "credit-1" },
      );
    expect((await again()).body).toEqual((await again()).body);
  });

  test("is found by its id and its number, in a list and as a PDF", async () => {
    const invoice = await issue();
    await look(invoice);
    const { body } = await credit(invoice, { lines: [{ line: 2 }] });
    for (const name of [body.id, body.credit_note_number])
      expect((await till.api("GET", `/api/credit-notes/${name}`)).body).toEqual(body);
    const list = await till.api("GET", `/api/credit-notes?limit=1&invoice=${invoice.invoice_number}`);
    expect(list.body).toEqual({ data: [body], has_more: false });
    const page = await fetch(`${till.baseUrl}/i/${invoice.slug}`, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain(`href="${body.pdf_url}"`);
    const pdf = await fetch(body.pdf_url);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
  });
});

test("the PDF of a credit note names its currency, and only what is to be returned is in USDC", async () => {
  const { body } = await credit(await issue({ ...taxed, currency: "EUR", rate: "0.8" }), {
    lines: [{ line: 2 }],
  });
  const text = await solidTextOf(new Uint8Array(await (await fetch(body.pdf_url)).arrayBuffer()));
  expect(text).toContain("Amount(EUR)");
  expect(text).not.toContain("USDC");
});

test("the page of an invoice says that what was credited is in its currency: it may stand below what that is in USDC", async () => {
  const invoice = await issue({ ...taxed, currency: "EUR", rate: "0.8" });
  const { body } = await credit(invoice, { lines: [{ line: 2 }] });
  const page = (await till.api("GET", `/i/${invoice.slug}`, undefined, { accept: "text/html" })).body;
  expect(page).toContain(`>Credit note ${body.credit_note_number} (EUR)<`);
});

describe("an invoice that is voided", () => {
  test("has a credit note when it has tax and somebody has seen it", async () => {
    const invoice = await issue();
    await look(invoice);
    const voided = await till.api("POST", `/api/invoices/${invoice.invoice_id}/void`, { reason: "Wrong" });
    expect(voided.body).toMatchObject({ status: "void", credited_amount: invoice.total_amount });
    const { body } = await till.api("GET", `/api/invoices/${invoice.invoice_id}/credit-notes`);
    expect(body.data).toMatchObject([{ total_amount: invoice.total_amount, reason: "Wrong" }]);
  });

  test("has one when its mail is just being sent", async () => {
    const invoice = await issue();
    till.db
      .query(
        `INSERT INTO mail (id, deposit_index, kind, state, attempts, created_at)
         SELECT 'mail_sending', deposit_index, 'invoice', 'sending', 1, 1 FROM invoice WHERE id = ?`,
      )
      .run(invoice.invoice_id);
    await till.api("POST", `/api/invoices/${invoice.invoice_id}/void`, { reason: "Wrong" });
    const { body } = await till.api("GET", `/api/invoices/${invoice.invoice_id}/credit-notes`);
    expect(body.data).toMatchObject([{ total_amount: invoice.total_amount }]);
  });

  test("says in its mail which credit note that brings", async () => {
    const invoice = await issue({ ...taxed, send_now: true });
    await till.api("POST", `/api/invoices/${invoice.invoice_id}/void`, { reason: "Wrong" });
    const { body } = await till.api("GET", `/api/invoices/${invoice.invoice_id}/credit-notes`);
    const number = body.data[0].credit_note_number;
    const mail = await until(
      () =>
        till.mail.list().find(({ subject }) => subject.startsWith(`Void: invoice ${invoice.invoice_number}`)),
      (found) => found !== undefined,
    );
    expect(mail?.text).toContain(`Credit note: ${number}\n`);
  });

  test("has none without tax, or when nobody has seen it", async () => {
    const unseen = await issue();
    const untaxed = await issue({});
    await look(untaxed);
    for (const invoice of [unseen, untaxed]) {
      await till.api("POST", `/api/invoices/${invoice.invoice_id}/void`, { reason: "Wrong" });
      const { body } = await till.api("GET", `/api/invoices/${invoice.invoice_id}/credit-notes`);
      expect(body.data).toEqual([]);
    }
  });
});

describe("the e-invoice of a credit note", () => {
  test("is of type 381, names the invoice, and adds up to the note, of lines and of amounts", async () => {
    const invoice = await issue(businessRequest);
    const { issue_date } = await record(invoice);
    const ofLines = await credit(invoice, { lines: [{ line: 1, quantity: 0.5 }] });
    const ofAmounts = await credit(invoice, {
      amounts: [{ amount: "1.00", tax_rate: ofLines.body.tax_breakdown[0].tax_rate }],
    });
    for (const { body } of [ofLines, ofAmounts]) {
      const ask = (format: string) =>
        fetch(`${till.baseUrl}/api/credit-notes/${body.id}/e-invoice?format=${format}`);
      const answer = await ask("cii");
      expect(answer.headers.get("content-disposition")).toBe(
        `attachment; filename="${body.credit_note_number}-cii.xml"`,
      );
      const cii = await answer.text();
      expect(brokenRules(cii)).toEqual([]);
      expect(cii).toContain("<ram:TypeCode>381<");
      expect(cii).toContain(`<ram:IssuerAssignedID>${invoice.invoice_number}<`);
      expect(cii).toContain(issue_date.replaceAll("-", ""));
      expect(cii).toContain(`<ram:GrandTotalAmount>${body.total_amount}<`);
      const ubl = await (await ask("ubl")).text();
      expect(ubl).toContain("<CreditNote ");
      expect(ubl).toContain(`<cbc:PayableAmount currencyID="EUR">${body.total_amount}<`);
      const hybrid = Buffer.from(await (await ask("factur-x")).arrayBuffer());
      expect(hybrid.includes("pdfaid:part")).toBe(true);
      expect((await ask("pdf")).status).toBe(400);
    }
  });

  test("names what its invoice lacks", async () => {
    const { body } = await credit(await issue({}), {});
    const answer = await till.api("GET", `/api/credit-notes/${body.id}/e-invoice?format=cii`);
    expect(answer.body).toMatchObject({
      code: "e_invoice_incomplete",
      errors: [{ field: "currency" }, {}, {}, {}],
    });
  });

  test("comes with its mail, where TILL_E_INVOICE says so", async () => {
    await using mailing = await startTestTill(
      { rpcUrl: "http://127.0.0.1:9" },
      { TILL_E_INVOICE: "ubl", TILL_MAIL_ATTACH_PDF: "true" },
    );
    const { body } = await mailing.api("POST", "/api/invoices", { ...businessRequest, send_now: false });
    const path = `/api/invoices/${body.invoice_id}/credit-notes`;
    await mailing.api("POST", path, { reason: "Sent back", send_now: true });
    const mail = await until(
      () => mailing.mail.list().find(({ subject }) => subject.includes("CN-0001")),
      (found) => found !== undefined,
    );
    expect(mail?.attachments.map(({ name }) => name)).toEqual(["CN-0001.pdf", "CN-0001-ubl.xml"]);
  });
});
