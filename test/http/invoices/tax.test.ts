import { describe, expect, test } from "bun:test";
import { tables } from "../../../src/books/tables.ts";
import { solidTextOf } from "../../document/poppler.ts";
import { brokenRules } from "../../domain/einvoice/rules.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { invoiceRequest, startTestTill } from "../../support/till/till.ts";

/** So many invoices of every shape are compared everywhere; a night compares more. */
const rounds = Number(process.env["TEST_TAXED_INVOICES"] ?? 10);

/** So many of them are printed at most: a PDF takes a fifth of a second. */
const printedMax = Number(process.env["TEST_TAXED_PDFS"] ?? 3);

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const design = { description: "Design", quantity: 10, unit_price: "120.00" };
const billion = { ...design, quantity: 1, unit_price: "1000000000.00" };
const returned = { ...design, quantity: -1, unit_price: "999999999.00" };
const create = (changes: object) => till.api("POST", "/api/invoices", { ...invoiceRequest, ...changes });
const recordOf = async (created: { body: { invoice_id: string } }) =>
  (await till.api("GET", `/api/invoices/${created.body.invoice_id}`)).body;

describe("an invoice with tax", () => {
  test("says how its total comes about", async () => {
    const created = await create({
      discount_amount: "50.00",
      line_items: [
        { ...design, unit: "h", discount_percent: "10", tax_rate: "19" },
        { description: "Book", quantity: 2, unit_price: "24.90", tax_rate: "7.0" },
        {
          description: "Course",
          quantity: 1,
          unit_price: "300",
          tax_category: "exempt",
          tax_reason: "Education",
        },
      ],
    });
    expect(created.body).toMatchObject({ total_amount: "1581.18" });
    expect(await recordOf(created)).toMatchObject({
      subtotal_amount: "1429.80",
      discount_amount: "50.00",
      tax_amount: "201.38",
      total_amount: "1581.18",
      prices_include_tax: false,
      tax_breakdown: [
        { tax_category: "standard", tax_rate: "19.00", taxable_amount: "1042.23", tax_amount: "198.02" },
        { tax_category: "standard", tax_rate: "7.00", taxable_amount: "48.06", tax_amount: "3.36" },
        { tax_category: "exempt", tax_rate: "0.00", tax_reason: "Education", tax_amount: "0.00" },
      ],
      line_items: [
        { unit: "h", discount_percent: "10.00", line_total: "1080.00", tax_rate: "19.00" },
        { line_total: "49.80" },
        { tax_category: "exempt", tax_reason: "Education" },
      ],
    });
  });

  test("takes null for what is not said", async () => {
    const line = { ...design, unit: null, tax_rate: null, tax_reason: null, discount_percent: null };
    expect((await create({ line_items: [line], discount_amount: null })).status).toBe(201);
  });
});

const one = (changes: object) => ({ line_items: [{ ...design, ...changes }] });
const refused: Record<string, [request: object, field: string]> = {
  "a rate above 100": [one({ tax_rate: "101" }), "line_items[0].tax_rate"],
  "a rate as a number": [one({ tax_rate: 19 }), "line_items[0].tax_rate"],
  "the standard category without a rate": [one({ tax_category: "standard" }), "line_items[0].tax_rate"],
  "a rate where none is charged": [
    one({ tax_rate: "19", tax_category: "reverse_charge" }),
    "line_items[0].tax_rate",
  ],
  "an exemption without its reason": [one({ tax_category: "exempt" }), "line_items[0].tax_reason"],
  "a reason for tax": [one({ tax_rate: "19", tax_reason: "Because" }), "line_items[0].tax_reason"],
  "a reason without a category": [one({ tax_reason: "Because" }), "line_items[0].tax_category"],
  "an unknown category": [one({ tax_category: "luxury" }), "line_items[0].tax_category"],
  "tax on some of the lines": [
    { line_items: [{ ...design, tax_rate: "19" }, design] },
    "line_items[1].tax_rate",
  ],
  "two reasons for one category": [
    {
      line_items: [
        { ...design, tax_category: "exempt", tax_reason: "Education" },
        { ...design, tax_category: "exempt", tax_reason: "Health" },
      ],
    },
    "line_items[1].tax_reason",
  ],
  "two discounts": [
    one({ discount_percent: "10", discount_amount: "1.00" }),
    "line_items[0].discount_amount",
  ],
  "a discount of more than the line": [one({ discount_amount: "1200.01" }), "line_items[0].discount_amount"],
  "a discount of more than all": [{ discount_amount: "1500.01" }, "discount_amount"],
  "a discount of nothing": [{ discount_percent: "0" }, "discount_percent"],
  "a discount of all": [{ discount_percent: "100" }, "line_items"],
  "prices with a tax that no line has": [{ prices_include_tax: true }, "prices_include_tax"],
  "more than the highest total before a discount": [
    { line_items: [billion, billion], discount_percent: "99.99" },
    "line_items",
  ],
  "a line of more than that, whatever its discount": [
    one({ ...billion, quantity: 9_500, discount_percent: "99.9999" }),
    "line_items[0].unit_price",
  ],
  "a line of more than that beside what takes it back": [
    { line_items: [{ ...billion, quantity: 2 }, returned, returned] },
    "line_items[0].unit_price",
  ],
  "a line that takes back more than that": [
    { line_items: [billion, billion, { ...returned, quantity: -2 }] },
    "line_items[2].unit_price",
  ],
  "more than the highest total with tax": [
    one({ quantity: 1, unit_price: "1000000000.00", tax_rate: "1" }),
    "line_items",
  ],
};

describe("a creation is refused", () => {
  for (const [what, [request, field]] of Object.entries(refused)) {
    test(`for ${what}`, async () => {
      const { status, body } = await create(request);
      expect(status).toBe(400);
      expect(body.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
    });
  }
});

/** Records of CSV as a program reads them, by the names of their columns. */
function csvRows(text: string): Record<string, string>[] {
  const [head = [], ...rows] = text
    .replace("\ufeff", "")
    .trim()
    .split("\r\n")
    .map((line) => [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)].map(([, cell = ""]) => cell));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""])));
}

const cent = (amount = "") => Math.round(Number(amount) * 100);

test(`the sums of ${rounds} invoices agree on the API, the page, the PDF, at the desk, in XML and every export`, async () => {
  const random = createRandom(11);
  const cents = (max: number) => (random.between(1, max) / 100).toFixed(2);
  const taxes = [
    { tax_rate: "19" },
    { tax_rate: "7.5" },
    { tax_category: "zero" },
    { tax_category: "export" },
    { tax_category: "exempt", tax_reason: "Education" },
  ];
  const taxTypes = ["standard 19.00", "standard 7.50", "zero", "export", "exempt"];
  const codes = { account: "200", taxTypes: Object.fromEntries(taxTypes.map((name) => [name, `X ${name}`])) };
  const { merchant_email: email } = invoiceRequest;
  expect((await till.api("PUT", `/api/merchants/${email}`, { usd_parity: true })).status).toBeLessThan(300);
  const exported = async (name: string) => {
    const table = tables.find((each) => each.name === name);
    const days = { from: "0000", to: "9999" };
    const selection = { db: till.db, timeZone: "UTC", baseUrl: null, days, codes, onGap: () => {} };
    const rows = (await Array.fromAsync(table?.rows(selection as never) ?? [])) as Record<string, string>[];
    return Map.groupBy(rows, (row) => row["invoice_number"] ?? row["*InvoiceNumber"] ?? "");
  };
  const earlier = new Map<string, number>();
  for (const row of (await exported("tax-sums")).get("") ?? [])
    earlier.set(`${row["currency"]} ${row["tax_category"]} ${row["tax_rate"]}`, cent(row["tax_amount"]));
  const parties = {
    merchant_details: {
      street: "1 Main Street",
      city: "Berlin",
      postal_code: "10115",
      country: "DE",
      vat_id: "DE136695976",
    },
    vendor_details: {
      street: "Rue 2",
      city: "Bruxelles",
      postal_code: "1000",
      country: "BE",
      vat_id: "BE0203201340",
    },
  };
  const records = [];
  for (let round = 0; round < rounds; round++) {
    const line = () => ({
      description: "Work",
      quantity: random.between(1, 50) / 4,
      unit_price: cents(100_000),
      ...(random.chance(0.3) ? { discount_percent: String(random.between(1, 60)) } : {}),
      ...random.pick(taxes),
    });
    const created = await create({
      line_items: Array.from({ length: random.between(1, 12) }, line),
      prices_include_tax: random.chance(0.4),
      ...(random.chance(0.5) ? { discount_percent: String(random.between(1, 30)) } : {}),
      ...(random.chance(0.4) ? { currency: "EUR", rate: `0.${random.between(5_000, 9_999)}` } : {}),
      send_now: true,
      ...parties,
    });
    expect(created.status).toBe(201);
    records.push(await recordOf(created));
  }
  const [invoices, taxRows, xero] = [
    await exported("invoices"),
    await exported("taxes"),
    await exported("xero"),
  ];
  const desk = Map.groupBy(
    csvRows(await (await fetch(`${till.baseUrl}/desk/invoices.csv`)).text()),
    (row) => row["invoice_number"] ?? "",
  );
  const sums = new Map<string, number>();
  const printed = new Set(records.filter((_, at) => at % Math.ceil(rounds / printedMax) === 0));
  for (const record of records) {
    const shown = [record.subtotal_amount, record.tax_amount, record.total_amount];
    const number = record.invoice_number;
    const ofRow = (row: Record<string, string> | undefined) => [
      row?.["subtotal_amount"],
      row?.["tax_amount"],
      row?.["total_amount"],
      row?.["currency"],
      row?.["expected_usdc"],
    ];
    const currency = record.currency ?? "USDC";
    const wanted = [...shown, currency, record.expected_usdc ?? record.total_amount];
    expect(ofRow(invoices.get(number)?.[0])).toEqual(wanted);
    expect(ofRow(desk.get(number)?.[0])).toEqual(wanted);

    const breakdown: Record<string, string>[] = record.tax_breakdown;
    const amounts = breakdown.map((each) => [each["taxable_amount"], each["tax_amount"]]);
    const rows = taxRows.get(number) ?? [];
    expect(rows.map((each) => [each["taxable_amount"], each["tax_amount"]])).toEqual(amounts);
    const forXero = xero.get(number) ?? [];
    expect(forXero.map((each) => [each["*UnitAmount"], each["TaxAmount"]])).toEqual(amounts);
    expect(new Set(forXero.map((each) => each["Currency"]))).toEqual(new Set([record.currency ?? "USD"]));
    const inXero = forXero.map((each) => cent(each["*UnitAmount"]) + cent(each["TaxAmount"]));
    expect(inXero.reduce((sum, each) => sum + each, 0)).toBe(cent(record.total_amount));
    for (const each of breakdown) {
      const key = `${currency} ${each["tax_category"]} ${each["tax_rate"]}`;
      sums.set(key, (sums.get(key) ?? 0) + cent(each["tax_amount"]));
    }

    // A seller in the euro area has to tell the tax in euros.
    if (currency === "EUR") {
      const answer = await fetch(`${till.baseUrl}/api/invoices/${record.id}/e-invoice?format=cii`);
      expect([number, answer.status]).toEqual([number, 200]);
      const xml = await answer.text();
      expect(brokenRules(xml)).toEqual([]);
      expect(xml).toContain(`<ram:DuePayableAmount>${record.total_amount}<`);
      const inXml = [...xml.matchAll(/<ram:CalculatedAmount>([\d.]+)<.*?<ram:BasisAmount>([\d.]+)</gs)].map(
        ([, tax, taxable]) => `${taxable} ${tax}`,
      );
      expect(inXml.sort()).toEqual(amounts.map((pair) => pair.join(" ")).sort());
    }
    const people = (amount: string) => Number(amount).toLocaleString("en", { minimumFractionDigits: 2 });
    const page = await fetch(`${till.baseUrl}/i/${record.slug}`).then((answer) => answer.text());
    const seen = [
      ...(currency === "USDC" ? shown : []),
      ...breakdown.map((each) => each["taxable_amount"] ?? ""),
    ];
    const paper = printed.has(record)
      ? await fetch(`${till.baseUrl}/api/invoices/${record.id}/pdf`)
          .then((answer) => answer.bytes())
          .then(solidTextOf)
      : null;
    for (const amount of seen.filter((each) => each !== record.tax_amount)) {
      const isShown = [page, ...(paper === null ? [] : [paper])].map((text) => text.includes(people(amount)));
      expect([number, amount, isShown.every((is) => is)]).toEqual([number, amount, true]);
    }
  }
  const taxSums = [...((await exported("tax-sums")).get("") ?? [])]
    .map((row) => [`${row["currency"]} ${row["tax_category"]} ${row["tax_rate"]}`, cent(row["tax_amount"])])
    .filter(([key]) => sums.has(String(key)));
  const before = [...taxSums].map(([key, sum]) => [key, Number(sum) - (earlier.get(String(key)) ?? 0)]);
  expect(Object.fromEntries(before)).toEqual(Object.fromEntries(sums));
}, 3_600_000);
