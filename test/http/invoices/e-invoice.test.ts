import { describe, expect, test } from "bun:test";
import { hybridOf } from "../../../src/document/invoice/invoice-document.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import { brokenRules } from "../../domain/einvoice/rules.ts";
import { patient } from "../../support/mail/patience.ts";
import { shared } from "../../support/per-file.ts";
import { businessRequest, invoiceRequest, startTestTill } from "../../support/till/till.ts";

patient();
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

async function idOf(changes: object): Promise<string> {
  const { body } = await till.api("POST", "/api/invoices", { ...invoiceRequest, ...changes });
  return body.invoice_id;
}
const ask = (id: string, format: string) =>
  fetch(`${till.baseUrl}/api/invoices/${id}/e-invoice?format=${format}`);

describe("GET /api/invoices/{id}/e-invoice", () => {
  test("answers CII that adds up to the invoice, and UBL of the same", async () => {
    const id = await idOf(businessRequest);
    const record = (await till.api("GET", `/api/invoices/${id}`)).body;
    const cii = await ask(id, "cii");
    expect(cii.headers.get("content-type")).toBe("application/xml");
    expect(cii.headers.get("content-disposition")).toBe(
      `attachment; filename="${record.invoice_number}-cii.xml"`,
    );
    const xml = await cii.text();
    expect(brokenRules(xml)).toEqual([]);
    expect(xml).toContain(`<ram:DuePayableAmount>${record.total_amount}<`);
    expect(xml).toContain(`${record.expected_usdc} USDC on Base (Anvil)`);
    const ubl = await (await ask(id, "ubl")).text();
    expect(ubl).toContain(`<cbc:PayableAmount currencyID="EUR">${record.total_amount}<`);
    expect(ubl).toContain(record.deposit_address);
  });

  test("says the same when the invoice was credited or is void since", async () => {
    const id = await idOf(businessRequest);
    const { config, db, baseUrl } = till;
    // PDFs are kept by their XML, so the bytes alone would not tell.
    const said = async () => {
      const invoice = InvoiceStore.byId(db, id);
      if (invoice === null) throw new Error("There is no such invoice");
      const xml = await (await ask(id, "cii")).text();
      return hybridOf(invoice, xml, { baseUrl, network: config.network, look: config });
    };
    const before = await said();
    const part = { reason: "Less", lines: [{ line: 1, quantity: 1 }] };
    expect((await till.api("POST", `/api/invoices/${id}/credit-notes`, part)).status).toBe(201);
    expect(await said()).toEqual(before);
    expect((await till.api("POST", `/api/invoices/${id}/void`, { reason: "Wrong" })).status).toBe(200);
    expect(await said()).toEqual(before);
  });

  test("names all that is missing at once, by the fields of the request", async () => {
    const answer = await ask(await idOf({}), "ubl");
    expect(answer.status).toBe(409);
    const { code, errors } = (await answer.json()) as {
      code: string;
      errors: { field: string; message: string }[];
    };
    expect(code).toBe("e_invoice_incomplete");
    expect(errors.map(({ field }) => field)).toEqual([
      "currency",
      "line_items",
      "merchant_details.country",
      "vendor_details.country",
      "merchant_details.electronic_address",
      "vendor_details.electronic_address",
      "buyer_reference",
    ]);
    expect(errors[2]?.message).toBe("is required, of ISO 3166-1 (BT-40)");
  });

  test("counts USDC as USD only for a merchant who does", async () => {
    const id = await idOf({
      ...businessRequest,
      currency: undefined,
      rate: undefined,
      discount_percent: undefined,
      prices_include_tax: false,
      merchant_details: { country: "US", tax_id: "12-3456789" },
      merchant_email: "parity@acme.example",
      line_items: [{ description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "8.88" }],
    });
    expect((await ask(id, "cii")).status).toBe(409);
    await till.api("PUT", "/api/merchants/parity@acme.example", { usd_parity: true });
    expect(await (await ask(id, "cii")).text()).toContain("<ram:InvoiceCurrencyCode>USD<");
  });

  test("refuses another format, and an invoice that there is not", async () => {
    expect((await ask(await idOf(businessRequest), "pdf")).status).toBe(400);
    expect((await ask("INV-9999", "cii")).status).toBe(404);
  });
});

describe("TILL_E_INVOICE", () => {
  const names = { invoice: /^INV-0001\.pdf$/, xml: /-ubl\.xml$/ };
  for (const [setting, request, expected] of [
    ["factur-x", businessRequest, ["application/pdf"]],
    ["ubl", businessRequest, ["application/pdf", "application/xml"]],
    ["ubl", invoiceRequest, ["application/pdf"]],
  ] as const)
    test(`${setting} attaches what the invoice can be: ${expected.join(", ")}`, async () => {
      await using mailing = await startTestTill(
        { rpcUrl: "http://127.0.0.1:9" },
        { TILL_E_INVOICE: setting, TILL_MAIL_ATTACH_PDF: "true" },
      );
      await mailing.api("POST", "/api/invoices", { ...request, send_now: true });
      const attachments = mailing.mail.list()[0]?.attachments ?? [];
      expect(attachments.map(({ mediaType }) => mediaType)).toEqual([...expected]);
      expect(attachments[0]?.name).toMatch(names.invoice);
      if (attachments[1]) expect(attachments[1].name).toMatch(names.xml);
      const hasXml = Buffer.from(attachments[0]?.bytes ?? []).includes("pdfaid:part");
      expect(hasXml).toBe(setting === "factur-x");
    });
});

describe("the desk's page of an invoice", () => {
  test("leads to the e-invoice, or says what is missing", async () => {
    const id = await idOf(businessRequest);
    const page = await (await fetch(`${till.baseUrl}/desk/invoices/${id}`)).text();
    expect(page).toContain("e-invoice?format=factur-x");
    const file = await fetch(`${till.baseUrl}/desk/invoices/${id}/e-invoice?format=ubl`);
    expect(file.headers.get("content-type")).toBe("application/xml");
    const lacking = await (await fetch(`${till.baseUrl}/desk/invoices/${await idOf({})}`)).text();
    expect(lacking).not.toContain("e-invoice?format=");
    expect(lacking).toContain("A tax rate or kind of tax on each line");
  });
});
