import { afterAll, beforeAll, expect, test } from "bun:test";
import { KindGuard, type TObject, type TSchema } from "@sinclair/typebox";
import { InvoiceRequest } from "../../src/invoicing/request/invoice.ts";
import { solidTextOf } from "../document/poppler.ts";
import { parse } from "../pages/dom.ts";
import { addPerson, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { callTill } from "../support/till/run-till.ts";
import { businessRequest, type TestTill, until } from "../support/till/till.ts";

/**
 * Gives an invoice a word of its own in every free text that a request takes, and looks for each wherever an invoice is
 * shown. The fields are read from the schema: a new one is looked for by itself, and has to be shown or to stand here.
 */

/** A mail says what it is about; the rest is in the PDF that comes with it. */
const inPdfAlone = [
  ...["line_items.description", "line_items.unit", "merchant_address", "merchant_details", "vendor_address"],
  ...["vendor_details", "payment_terms", "buyer_reference", "purchase_order"],
];

/** Where a text is left out on purpose. */
const leftOut: Record<string, readonly string[]> = {
  // Addresses in parts stand in the place of these.
  page: ["merchant_address", "vendor_address"],
  PDF: ["merchant_address", "vendor_address"],
  "mail, text": inPdfAlone,
  "mail, HTML": inPdfAlone,
  // A unit is a code there, or "one".
  "e-invoice, CII": ["line_items.unit", "merchant_address", "vendor_address"],
  "e-invoice, UBL": ["line_items.unit", "merchant_address", "vendor_address"],
  // The reader is the merchant.
  "desk, invoice": ["merchant_address", "merchant_details", "vendor_address"],
  // Those come from the shop's profile, and these belong to one order.
  "desk, duplicate": ["merchant_details", "purchase_order", "reference"],
  // Lines have a table of their own.
  "till export invoices": ["line_items", "merchant_address", "merchant_details", "vendor_details"],
};

/** Each has a form of its own, which the tests of requests try. */
const ofOwnForm = /country$|vat_id$|tax_id$|phone$|electronic_address$/;
const isFreeText = (name: string, schema: TSchema) =>
  KindGuard.IsString(schema) && /^text of/.test(schema["wants"]) && !ofOwnForm.test(name);

const words = new Map<string, string>();
function withWords(schema: TObject, usual: Record<string, unknown>, path = ""): Record<string, unknown> {
  const request: Record<string, unknown> = { ...usual };
  for (const [name, field] of Object.entries<TSchema>(schema.properties)) {
    const at = path + name;
    if (isFreeText(name, field)) {
      const word = `Zq${words.size + 10}w`;
      words.set(at, word);
      request[name] = word;
    } else if (KindGuard.IsObject(field) && /_details$/.test(name))
      request[name] = withWords(field, usual[name] as Record<string, unknown>, `${at}.`);
    else if (KindGuard.IsArray(field) && KindGuard.IsObject(field.items))
      request[name] = (usual[name] as Record<string, unknown>[]).map((each) =>
        withWords(field.items as TObject, each, `${at}.`),
      );
  }
  return request;
}

let till: TestTill;
let owner: Visitor;
let invoice: Record<string, string>;
beforeAll(async () => {
  till = await startDesk();
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
  const [line] = businessRequest.line_items;
  // A reason says why there is no tax.
  const line_items = [{ ...line, tax_rate: undefined, tax_category: "exempt" }];
  invoice = await till.createInvoice({
    ...withWords(InvoiceRequest, { ...businessRequest, line_items }),
    send_now: true,
  });
});
afterAll(() => till.stop());

const body = async (path: string) =>
  (await fetch(`${till.baseUrl}${path}`, { headers: { accept: "text/html" } })).text();
/** What somebody reads on a page, or finds in its fields. */
function readable(html: string): string {
  const page = parse(html).documentElement;
  const values = [...page.querySelectorAll("input")].map((field) => field.getAttribute("value"));
  return [page.textContent, ...values].join("\n");
}
const mail = () =>
  until(
    () => till.mail.list().find(({ to }) => to.includes(businessRequest.vendor_email)),
    (each) => each !== undefined,
  );
async function run(...args: string[]): Promise<string> {
  const env = { TILL_BASE_URL: till.baseUrl, TILL_DATA_DIR: till.config.dataDir };
  const { stdout, stderr } = await callTill(args, { env });
  return stdout + stderr;
}
const number = () => invoice["invoice_number"] ?? "";

const places: Record<string, () => Promise<string>> = {
  record: async () => JSON.stringify((await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`)).body),
  page: async () => readable(await body(`/i/${invoice["slug"]}`)),
  PDF: async () =>
    solidTextOf(await (await fetch(`${till.baseUrl}/api/invoices/${invoice["invoice_id"]}/pdf`)).bytes()),
  "mail, text": async () => (await mail())?.text ?? "",
  "mail, HTML": async () => readable((await mail())?.html ?? ""),
  "e-invoice, CII": () => body(`/api/invoices/${invoice["invoice_id"]}/e-invoice?format=cii`),
  "e-invoice, UBL": () => body(`/api/invoices/${invoice["invoice_id"]}/e-invoice?format=ubl`),
  "desk, invoice": async () => readable(await (await owner.get(`/desk/invoices/${number()}`)).text()),
  "desk, duplicate": async () =>
    readable(await (await owner.get(`/desk/invoices/new?like=${number()}`)).text()),
  "till show": () => run("show", number()),
  "till export invoices": () => run("export", "invoices", "--format", "json"),
};

test.each(Object.keys(places))(
  "%s has every text of an invoice, but for what is left out on purpose",
  async (place) => {
    const text = await places[place]?.();
    const absent = [...words].filter(([, word]) => !text?.includes(word)).map(([name]) => name);
    const out = leftOut[place] ?? [];
    expect(
      absent.filter((name) => !out.some((each) => name === each || name.startsWith(`${each}.`))),
    ).toEqual([]);
    // Nothing is called left out that is not.
    expect(
      out.filter((each) => !absent.some((name) => name === each || name.startsWith(`${each}.`))),
    ).toEqual([]);
  },
);
