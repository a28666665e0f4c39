import { beforeAll, describe, expect, test } from "bun:test";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { createLog } from "../../../src/lib/log.ts";
import { startTill } from "../../../src/till/till.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { patient } from "../../support/mail/patience.ts";
import { shared } from "../../support/per-file.ts";
import { callTill } from "../../support/till/run-till.ts";
import { startTestTill } from "../../support/till/till.ts";

const pattern = "2026/RE.{000}";

patient();
const chain = shared(startTestChain);
const till = shared(() =>
  startTestTill(chain, { TILL_INVOICE_NUMBER: pattern, TILL_MAIL_ATTACH_PDF: "true" }),
);
/** Of the merchant; a number can be guessed. */
let key: { authorization: string };

beforeAll(async () => {
  key = { authorization: `Bearer ${createApiKey(till.db, "test", Date.now()).key}` };
});

const get = (path: string) => till.api("GET", path, undefined, key);

async function create(changes: object = {}) {
  const body = { merchant_email: "a@acme.example", merchant_name: "Acme", merchant_address: "1 Main Street" };
  const customer = { vendor_email: "ap@globex.example", vendor_name: "Globex", due_date: "2030-01-31" };
  const line_items = [{ description: "Design", quantity: 1, unit_price: "10.00" }];
  const request = { ...body, ...customer, line_items, wallet_type: "managed", send_now: false, ...changes };
  return (await till.api("POST", "/api/invoices", request, key)).body;
}

describe("by TILL_INVOICE_NUMBER", () => {
  test("invoices are numbered without gaps", async () => {
    const made = await Promise.all([create(), create(), create()]);
    expect(made.map(({ invoice_number }) => invoice_number).sort()).toEqual([
      "2026/RE.001",
      "2026/RE.002",
      "2026/RE.003",
    ]);
  });

  test("an invoice is found by its number, in any case and as people shorten it", async () => {
    const { invoice_id, invoice_number } = await create();
    const sequence = Number(invoice_number.split(".")[1]);
    for (const text of [invoice_number, invoice_number.toLowerCase(), `2026/re.${sequence}`]) {
      const name = encodeURIComponent(text);
      expect((await get(`/api/invoices/${name}`)).body.id).toBe(invoice_id);
      expect((await get(`/api/invoices/${name}/status`)).body.status).toBe("draft");
      const { data } = (await get(`/api/invoices?invoice_number=${name}`)).body;
      expect(data.map((invoice: { id: string }) => invoice.id)).toEqual([invoice_id]);
    }
    for (const text of ["2026/RE.999", "INV-0001", "1", "2026-RE.001"])
      expect([text, (await get(`/api/invoices/${encodeURIComponent(text)}`)).status]).toEqual([text, 404]);
    expect((await get("/api/invoices?invoice_number=INV-0001")).body.errors).toEqual([
      { field: "invoice_number", message: "must be an invoice number such as 2026/RE.001" },
    ]);
  });

  test("a person names it on the command line, as it is or shorter", async () => {
    const { invoice_id, invoice_number } = await create();
    const env = { TILL_BASE_URL: till.baseUrl, TILL_API_KEY: key.authorization.slice("Bearer ".length) };
    const shown = (word: string) => callTill(["show", word, "--json"], { env });
    for (const word of [invoice_number, invoice_number.toLowerCase().replace(".0", ".")])
      expect(JSON.parse((await shown(word)).stdout)).toMatchObject({ id: invoice_id });
    expect(await shown("2026/RE.999")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("knows no invoice, link or credit note"),
    });
  });

  test("who has no key finds nothing by a number, and by an id what payers need", async () => {
    const { invoice_id, invoice_number } = await create();
    for (const end of ["status", "pdf", "receipt", "receipt.json"]) {
      const path = `/api/invoices/${encodeURIComponent(invoice_number)}/${end}`;
      expect((await till.api("GET", path)).status).toBe(401);
    }
    expect((await till.api("GET", `/api/invoices/${invoice_id}/status`)).status).toBe(200);
  });

  test("a PDF has a name that every system takes, and page, mail and PDF say the number", async () => {
    const vendor_email = "numbers@globex.example";
    const { invoice_number, pdf_url, slug } = await create({ vendor_email, send_now: true });
    const file = invoice_number.replace("/", "-");
    const pdf = await fetch(pdf_url);
    expect(pdf.headers.get("content-disposition")).toBe(`inline; filename="${file}.pdf"`);
    const mail = till.mail.list().find(({ to }) => to.includes(vendor_email));
    expect(mail?.attachments.map(({ name }) => name)).toEqual([`${file}.pdf`]);
    for (const text of [mail?.subject, mail?.text, (await till.api("GET", `/i/${slug}`)).body])
      expect(text).toContain(invoice_number);
  });
});

test("Till does not start with another pattern once there is an invoice, and says what to do", async () => {
  await create();
  await till.pause();
  const log = createLog({ format: "text", level: "error", write: () => {} });
  const start = (text: string) => {
    const [, before = "", zeros = ""] = /^(.*)\{(0+)\}$/.exec(text) ?? [];
    const invoiceNumber = { before, digits: zeros.length, after: "" };
    return startTill({ config: { ...till.config, invoiceNumber }, log });
  };
  try {
    for (const text of ["INV-{0000}", "2027/RE.{000}", "2026/RE.{0000}", "2026/re.{000}"])
      await expect(start(text)).rejects.toThrow(
        /would make \S+ of invoice 2026\/RE\.001\. .* set it to what it was then, or not at all/,
      );
  } finally {
    await till.resume();
  }
  expect((await create()).invoice_number).toMatch(/^2026\/RE\.\d{3}$/);
});
