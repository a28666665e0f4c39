import { expect, test } from "bun:test";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";

useDesk();

const invoice = {
  as: "make",
  wallet_type: "managed",
  vendor_name: "Globex",
  vendor_email: "ap@globex.example",
  due_date: "2030-01-31",
  merchant_name: "Mine",
  merchant_email: "mine@shop.example",
  merchant_address: "1 Main Street",
  description: "Screws",
};
const make = (quantity: string, unit_price: string, language: string) =>
  owner.post("/desk/invoices/new", { ...invoice, quantity, unit_price }, { "accept-language": language });

test.each([
  ["1.000", "0,50", "de", null],
  ["1,000", "0.50", "en", null],
  ["10,5", "1,10", "de", "11.55"],
  ["1,125", "8,00", "de", "9.00"],
  ["1.125", "8.00", "en", "9.00"],
  ["1.5", "2.00", "de", "3.00"],
  ["٣", "1", "ar", "3.00"],
  ["1", "18,50", "en", "18.50"],
  ["1", "1.234,50", "en", "1234.50"],
  ["1", "1,234.50", "de", "1234.50"],
  ["1.234,5", "1", "de", "1234.50"],
  ["2,5", "10", "en", "25.00"],
  ["1", "1,234", "en", null],
  ["1", "1.500", "de", null],
  ["1", "1.500", "es", null],
  ["1", "18,", "en", null],
  ["٢", "١٨٫٥٠", "en", "37.00"],
])(
  "%s at %s in %s comes to what whoever typed it meant, or is refused",
  async (quantity, price, language, total) => {
    const answer = await make(quantity, price, language);
    expect(answer.status).toBe(total === null ? 422 : 303);
    if (total !== null)
      expect(String(InvoiceStore.newestOf(till.db, invoice.merchant_email)?.total)).toBe(
        `${Number(total) * 1e6}`,
      );
  },
);

test("a copy is written with the mark of whoever copies", async () => {
  const made = await make("1.125", "8.50", "en");
  const number = new URL(made.headers.get("location") ?? "", till.baseUrl).pathname.split("/").at(-1);
  const copy = await (
    await owner.get(`/desk/invoices/new?like=${number}`, { "accept-language": "de" })
  ).text();
  expect(copy).toContain('value="1,125"');
  expect(copy).toContain('value="8,50"');
});

test("a draft means what whoever typed it meant, and is written with the mark of whoever looks", async () => {
  const typed = { quantity: "1,125", unit_price: "1.234,50", discount: "2,125%", line_tax_rate: "1,125" };
  const draft = { ...invoice, ...typed, as: "draft", currency: "EUR", rate: "0,808" };
  const kept = await owner.post("/desk/invoices/new", draft, { "accept-language": "de" });
  const list = async (language: string) =>
    (await owner.get("/desk/invoices?kind=drafts", { "accept-language": language })).text();
  // 1,388.81 less 29.51, and 15.29 of tax.
  expect(await list("de")).toContain("1.374,59");
  expect(await list("en")).toContain("1,374.59");
  const shown = async (language: string, { headers }: Response = kept) => {
    const { pathname, search } = new URL(headers.get("location") ?? "", till.baseUrl);
    return (await owner.get(pathname + search, { "accept-language": language })).text();
  };
  for (const value of ["1.125", "1234.50", "2.125%", "0.808"])
    expect(await shown("en")).toContain(`value="${value}"`);
  for (const value of Object.values(typed)) expect(await shown("de")).toContain(`value="${value}"`);

  // What its own reader refuses stays refused: others would take 1.5 for it.
  const unread = { ...invoice, as: "draft", quantity: "-1.5", unit_price: "1,500" };
  const other = await owner.post("/desk/invoices/new", unread, { "accept-language": "en" });
  const german = await shown("de", other);
  for (const value of ["-1,5", "?1,500"]) expect(german).toContain(`value="${value}"`);
});

test("a number that cannot be read is said to be none while it is typed, and not taken for nothing", async () => {
  const edit = async (changes: Record<string, string>) =>
    (await owner.post("/desk/invoices/new/edit", { ...invoice, quantity: "1", ...changes })).text();
  const said = 'id="line-fault-1" class="fault">Enter an amount such as 40.00';
  expect(await edit({ unit_price: "1,850" })).toContain(said);
  expect(await edit({ unit_price: "18,50" })).not.toContain(said);
  expect(await edit({ unit_price: "" })).not.toContain(said);
  const preview = async (price: string) =>
    (await owner.get(`/desk/links/preview?currency=&expected_amount=${price}`)).text();
  expect(await preview("18,50")).toContain("18.50");
  for (const price of ["1,850", ""]) expect(await preview(price)).toContain("… USDC");
});

test("what could mean thousands is refused in every other field too, and comes back as it was typed", async () => {
  const german = { "accept-language": "de" };
  const dinars = { currency: "KWD", rate: "0,308" };
  const bill = { ...invoice, quantity: "1", unit_price: "40,00" };
  const link = { business_name: "Mine", merchant_email: "mine@shop.example", expected_amount: "40,00" };
  const { invoice_number: number } = await till.createInvoice({ currency: "EUR", rate: "0.8" });
  for (const [path, fields] of [
    ["invoices/new", { ...bill, as: "repeat", unit_price: "1.500" }],
    ["invoices/new", { ...bill, currency: "EUR", rate: "1.500" }],
    ["invoices/new", { ...bill, line_tax_rate: "1.500" }],
    ["invoices/new", { ...bill, discount: "1.500 %" }],
    ["invoices/new", { ...bill, ...dinars, line_discount: "1.500" }],
    ["links/new", { ...link, ...dinars, expected_amount: "1.500" }],
    ["links/new", { ...link, currency: "EUR", rate: "1.500" }],
    ["links/new", { ...link, tax_rate: "1.500" }],
    [`invoices/${number}/quote`, { rate: "1.500" }],
  ] as const) {
    const answer = await owner.post(`/desk/${path}`, fields, german);
    expect([path, fields, answer.status]).toEqual([path, fields, 422]);
    expect(await answer.text()).toContain('value="1.500');
  }
  const made = await owner.post("/desk/links/new", { ...link, ...dinars, expected_amount: "1,500" }, german);
  const slug = new URL(made.headers.get("location") ?? "", till.baseUrl).pathname.split("/").at(-1);
  expect((await till.api("GET", `/api/links/${slug}`)).body).toMatchObject({
    currency: "KWD",
    amount: "1.500",
  });
});
