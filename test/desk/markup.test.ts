import { afterAll, beforeAll, expect, test } from "bun:test";
import { KindGuard, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { MerchantDetails } from "../../src/http/customers.ts";
import { CommentRequest } from "../../src/invoicing/request/closing.ts";
import { CreditRequest } from "../../src/invoicing/request/credit.ts";
import { InvoiceRequest } from "../../src/invoicing/request/invoice.ts";
import { LinkRequest } from "../../src/invoicing/request/link/link-schema.ts";
import { parse } from "../pages/dom.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { listDeskRoutes } from "../support/desk/routes.ts";
import { invoiceRequest, linkRequest, type TestTill } from "../support/till/till.ts";

/**
 * Puts markup into every text that a request or a form of the desk takes, and looks for it on every page and in every
 * mail. The fields are read from the schemas and from the forms: a new one is in it by itself.
 */

/** Would be an element, leave an attribute, be half of an entity, or be worked out, where it is taken for more than text. */
const markup = (n: number) => `<b ${n}>"{7*6}'&lt;`;
const asElement = /<b \d+>/g;
/** What programs read: JSON, which nothing ends early when it can be read to the end of its element. */
const facts = /<script type="application\/ld\+json">(.*?)<\/script>/gs;
const outOfAttribute = /"\{7\*6\}/g;
/** As text, or in an attribute, escaped once. */
const asText = /&lt;b (\d+)(?:>|&gt;)(?:"|&quot;)\{7\*6\}(?:'|&#x27;|&#39;)&amp;lt;/g;

/** The least that a field has to hold to be marked: `unit` has 20 characters. */
const markLength = 18;
let marks = 0;
/** Which field has which mark. */
const fields = new Map<number, string>();

function mark(name: string): string {
  marks += 1;
  fields.set(marks, name);
  return markup(marks);
}

/** These are no free text: each has a form of its own, which the request tests try. */
const ofOwnForm = /country$|vat_id$|phone$|electronic_address$/;

const isFreeText = (schema: TSchema) =>
  KindGuard.IsString(schema) && /^text of/.test(schema["wants"]) && (schema["maxLength"] ?? 0) >= markLength;

/** A request with every text of its schema marked, and the rest as in `usual`. */
function marked(schema: TObject, usual: Record<string, unknown>, path = ""): Record<string, unknown> {
  const request: Record<string, unknown> = { ...usual };
  for (const [name, field] of Object.entries<TSchema>(schema.properties)) {
    const at = path + name;
    if (isFreeText(field) && !ofOwnForm.test(name)) request[name] = mark(at);
    else if (KindGuard.IsObject(field) && /_details$|^details$/.test(name))
      request[name] = marked(field, {}, `${at}.`);
    else if (KindGuard.IsArray(field) && KindGuard.IsObject(field.items) && Array.isArray(usual[name]))
      request[name] = usual[name].map((each, i) => marked(field.items as TObject, each, `${at}[${i}].`));
  }
  return request;
}

let till: TestTill;
let owner: Visitor;
/** What stands in the paths of the desk, for each kind of thing. */
let things: readonly (readonly [RegExp, string])[];
let pages: string[];

const seen = new Set<number>();
const broken: string[] = [];

/** Looks at one document, and remembers which marks it shows. */
function look(where: string, page: string): void {
  const html = page.replaceAll(facts, (_, json: string) => String(JSON.parse(json)));
  for (const pattern of [asElement, outOfAttribute])
    for (const [found] of html.matchAll(pattern)) broken.push(`${where}: ${found}`);
  for (const [, n] of html.matchAll(asText)) seen.add(Number(n));
}

beforeAll(async () => {
  till = await startDesk();
  const id = await addPerson(till, mark("person"), "owner");
  owner = visitor(till, id);
  await till.api("PUT", "/api/merchants/owner@corner.example", marked(MerchantDetails, {}));
  // A reason says why there is no tax.
  const line_items = [{ ...invoiceRequest.line_items[0], tax_category: "exempt" }];
  const asked = marked(InvoiceRequest, { ...invoiceRequest, line_items });
  const invoice = await till.createInvoice({ ...asked, send_now: true });
  const number = invoice["invoice_number"] ?? "";
  // Addresses in parts stand in the place of these.
  const { merchant_details, vendor_details, ...plain } = InvoiceRequest.properties;
  const another = {
    ...invoiceRequest,
    line_items,
    merchant_email: "b@acme.example",
    vendor_email: "b@globex.example",
  };
  const other = await till.createInvoice(marked(Type.Object(plain), another));
  const post = async (path: string, body: unknown) => {
    const answer = await till.api("POST", path, body);
    expect({ path, status: answer.status, ...answer.body.errors }).toEqual({ path, status: answer.status });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };
  await post(
    `/api/invoices/${number}/credit-notes`,
    marked(CreditRequest, { lines: [{ line: 1, quantity: 1 }] }),
  );
  await post(`/api/invoices/${number}/comments`, marked(CommentRequest, {}));
  const exempt = marked(LinkRequest, { ...linkRequest, tax_category: "exempt" });
  const link = await post("/api/links", exempt);
  const again = await post("/api/links", { ...exempt, reusable: true });
  await post(`/api/links/${link.slug}/comments`, marked(CommentRequest, {}));
  things = [
    [/\/invoices\/:name\/void/, `/invoices/${other["invoice_number"]}/void`],
    [/\/invoices\/:name/, `/invoices/${number}`],
    [/\/credit-notes\/:name/, "/credit-notes/CN-0001"],
    [/\/links\/:slug/, `/links/${again.slug}`],
    [/\/customers\/:name/, "/customers/1"],
    [/\/people\/:id/, `/people/${id}`],
    [/\/keys\/:id/, "/keys/1"],
  ];
  const filled = (path: string) => things.reduce((text, [name, value]) => text.replace(name, value), path);
  pages = listDeskRoutes(till)
    .filter(({ method, path }) => method === "GET" && !/\.(csv|css|js)$|e-invoice$|:file/.test(path))
    .map(({ path }) => filled(path));
  pages.push(`/desk/invoices/${other["invoice_number"]}`, `/i/${other["slug"]}`, `/desk/links/${link.slug}`);
  pages.push(`/i/${invoice["slug"]}`, `/i/${invoice["slug"]}/payment`);
  pages.push(`/pay/${link.slug}`, `/pay/${link.slug}/payment`, `/pay/${again.slug}`);
});
afterAll(() => till.stop());

/** Fills every text of a page's forms with marks and sends them; looks at what comes back. */
async function submitAll(path: string): Promise<void> {
  const page = parse(await (await owner.get(path)).text());
  for (const form of page.querySelectorAll("main form[method=post]")) {
    const texts = form.querySelectorAll("input[type=text], input:not([type]), textarea");
    if (texts.length === 0) continue;
    const sent: Record<string, string> = {};
    for (const field of form.querySelectorAll("input, select, textarea")) {
      const name = field.getAttribute("name");
      const type = field.getAttribute("type");
      if (!name || ((type === "radio" || type === "checkbox") && !field.hasAttribute("checked"))) continue;
      sent[name] = field.getAttribute("value") ?? "";
    }
    for (const field of texts) {
      const name = field.getAttribute("name");
      if (name) sent[name] = mark(`${path} ${name}`);
    }
    if ("proof" in sent) sent["proof"] = password;
    const action = form.getAttribute("action") ?? path;
    const answer = await owner.post(action, sent);
    look(`POST ${action}`, await answer.text());
  }
}

test("a text is only text, in whatever field and on whatever page", async () => {
  const lookAround = async () => {
    for (const path of pages) look(path, await (await owner.get(path)).text());
  };
  await lookAround();
  for (const path of pages) if (path.startsWith("/desk")) await submitAll(path);
  await lookAround();
  for (const { html } of till.mail.list()) if (html) look("mail", html);
  expect(broken).toEqual([]);
  const shown = new Set([...seen].map((n) => fields.get(n)));
  // Of a saved merchant the details in parts are shown in place of the first two; the shop's money goes to Till's wallet.
  const hidden = ["name", "address", "/desk/first/wallet wallet", "/desk/settings/shops/connect wallet"];
  // The words of a wallet are compared, and never shown again.
  const isKept = (name: string) => !shown.has(name) && !name.startsWith("/desk/money/words ");
  expect([...new Set(fields.values())].filter(isKept)).toEqual(hidden);
  expect(till.logged.filter((line) => /error/i.test(line))).toEqual([]);
});
