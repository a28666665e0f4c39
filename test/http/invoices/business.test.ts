import { describe, expect, test } from "bun:test";
import { shared } from "../../support/per-file.ts";
import { callTill } from "../../support/till/run-till.ts";
import { invoiceRequest, startTestTill } from "../../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const create = (changes: object) => till.api("POST", "/api/invoices", { ...invoiceRequest, ...changes });
const recordOf = async (created: { body: { invoice_id: string } }) =>
  (await till.api("GET", `/api/invoices/${created.body.invoice_id}`)).body;
const item = { description: "Design", quantity: 1, unit_price: "119.00" };

const trade = {
  merchant_details: { street: "1 Main Street", postal_code: "10115", city: "Berlin", country: "DE" },
  vendor_details: { city: "Paris", country: "FR", vat_id: "FR40303265045" },
  payment_terms: "14 days",
  delivery_from: "2026-10-01",
  delivery_to: "2026-10-31",
  buyer_reference: "04011000-12345-34",
  purchase_order: "PO-7",
};

describe("an invoice to a business", () => {
  test("says who sells to whom and on what terms", async () => {
    expect(await recordOf(await create(trade))).toMatchObject(trade);
    const { vendor_details, ...rest } = trade;
    const named = await recordOf(await create({ ...rest, customer_details: vendor_details }));
    expect(named).toMatchObject(trade);
    const both = { vendor_details, customer_details: { ...vendor_details } };
    expect(await recordOf(await create(both))).toMatchObject({ vendor_details });
    const { body } = await create({ vendor_details, customer_details: { city: "Rome" } });
    expect(body.errors[0].field).toBe("customer_details");
    const nowhere = await create({ customer_details: { country: "XX" } });
    expect(nowhere.body.errors[0].field).toBe("customer_details.country");
    const inWords = await create({ customer_details: { country: "Germany" } });
    expect(inWords.body.errors).toEqual(nowhere.body.errors);
  });

  test("is shown by till show with every word of the record", async () => {
    const { body } = await create({
      ...{ ...trade, notes: "Thank you", reference: "A-1", vendor_address: "2 Side Street" },
      line_items: [item],
      webhook_url: "https://shop.example/",
    });
    const record = await recordOf({ body });
    const env = { TILL_BASE_URL: till.baseUrl };
    const { stdout } = await callTill(["show", body.invoice_number], { env });
    const isShown = (value: string) => value.split("\n").every((line) => stdout.includes(line));
    // For programs, and moments, which it writes in the merchant's time zone.
    const isLeftOut = (name: string) => name === "x402_url" || name.endsWith("_at");
    const missing = Object.entries(record).filter(
      ([name, value]) => typeof value === "string" && !isLeftOut(name) && !isShown(value),
    );
    expect(missing).toEqual([]);
  });

  test("names every fault at once", async () => {
    const { status, body } = await create({
      merchant_details: { planet: "Mars", city: "" },
      delivery_date: "2026-10-01",
      delivery_to: "2026-10-31",
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      "delivery_date",
      "delivery_from",
      "merchant_details.city",
      "merchant_details.planet",
    ]);
  });
});

describe("an invoice in a currency", () => {
  test("needs a rate that is one, and a currency that there is", async () => {
    for (const [changes, field] of [
      [{ currency: "EUR", rate: "0" }, "rate"],
      [{ currency: "EUR", rate: "-1" }, "rate"],
      [{ currency: "JPY", rate: "150", discount_amount: "1.5" }, "discount_amount"],
      [{ currency: "HRK", rate: "7" }, "currency"],
      [{ currency: "XYZ", rate: "1" }, "currency"],
      [{ rate: "1" }, "rate"],
    ] as const) {
      const { status, body } = await create(changes);
      expect([status, body.errors[0].field]).toEqual([400, field]);
    }
  });

  test.each([
    ["JPY", "150", "333", ["999", "100", "1099", "7.33"]],
    ["KWD", "0.308", "1.255", ["3.765", "0.377", "4.142", "13.45"]],
  ] as const)("in %s has its digits", async (currency, rate, unit_price, [subtotal, tax, total, usdc]) => {
    const line_items = [{ description: "Tea", quantity: 3, unit_price, tax_rate: "10" }];
    const record = await recordOf(await create({ currency, rate, line_items }));
    expect(record).toMatchObject({ currency, subtotal_amount: subtotal, tax_amount: tax });
    expect(record).toMatchObject({ total_amount: total, expected_usdc: usdc });
    expect(record.line_items[0]).toMatchObject({ unit_price, line_total: subtotal });
  });

  test("takes back an item, at a price of six decimals and a tax of four, but no more than there is", async () => {
    const taxed = { description: "Bulbs", tax_rate: "8.875", unit_price: "19.990001" };
    const line_items = [
      { ...taxed, quantity: 3 },
      { ...taxed, quantity: -1 },
    ];
    const record = await recordOf(await create({ line_items }));
    // 59.970003 and −19.990001, each in cents; 39.98 × 0.08875 = 3.548225.
    expect(record).toMatchObject({ subtotal_amount: "39.98", tax_amount: "3.55", total_amount: "43.53" });
    expect(record.line_items).toMatchObject([
      { quantity: 3, unit_price: "19.990001", line_total: "59.97", tax_rate: "8.875" },
      { quantity: -1, line_total: "-19.99" },
    ]);
    const other = { ...taxed, tax_rate: "4", quantity: -1 };
    const { status, body } = await create({ line_items: [{ ...taxed, quantity: 3 }, other] });
    expect([status, body.errors[0].field]).toEqual([400, "line_items"]);
    expect(body.errors[0].message).toContain("tax rate 4.00");
  });
});
