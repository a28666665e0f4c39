import { describe, expect, test } from "bun:test";
import * as PartyStore from "../../../src/store/tables/invoicing/party.ts";
import { solidTextOf } from "../../document/poppler.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill } from "../../support/till/till.ts";

/** Tax on payment links: what is asked for, what the answers say, and the number of the receipt. */

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const post = (changes: object) => till.api("POST", "/api/links", { ...linkRequest, ...changes });
const inLines = { expected_amount: undefined };
const design = { description: "Design", quantity: 1, unit_price: "119.00", tax_rate: "19" };
const book = { description: "Book", quantity: 3, unit_price: "9.99", tax_rate: "7" };

async function made(changes: object) {
  const { status, body } = await post(changes);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
}

describe("a link with tax", () => {
  test("has the total of its lines as its price, with the tax in them unless told", async () => {
    const incl = await made({ ...inLines, line_items: [design, book] });
    // 119.00 is 100.00 and 19.00; 29.97 / 1.07 is 28.009…
    expect(incl).toMatchObject({
      expected_amount: "148.97",
      subtotal_amount: "148.97",
      tax_amount: "20.96",
      prices_include_tax: true,
      tax_breakdown: [
        { tax_rate: "19.00", taxable_amount: "100.00", tax_amount: "19.00" },
        { tax_rate: "7.00", taxable_amount: "28.01", tax_amount: "1.96" },
      ],
      line_items: [{ line_total: "119.00" }, { quantity: 3, line_total: "29.97" }],
    });
    const excl = await made({ ...inLines, line_items: [design, book], prices_include_tax: false });
    // 22.61 on 119.00, and 2.0979 on 29.97.
    expect(excl).toMatchObject({ expected_amount: "173.68", subtotal_amount: "148.97", tax_amount: "24.71" });
    const record = (await till.api("GET", `/api/links/${excl.slug}`)).body;
    expect(record).toMatchObject({ expected_amount: "173.68", tax_amount: "24.71" });
    expect(record.receipt_number).toBeUndefined();
  });

  test("has one price, with its tax in it or on top", async () => {
    expect(await made({ expected_amount: "25.00", tax_rate: "19" })).toMatchObject({
      expected_amount: "25.00",
      tax_breakdown: [{ tax_rate: "19.00", taxable_amount: "21.01", tax_amount: "3.99" }],
    });
    expect(await made({ expected_amount: "25.00", tax_rate: "7", prices_include_tax: false })).toMatchObject({
      expected_amount: "26.75",
      tax_amount: "1.75",
    });
    const exempt = { tax_category: "exempt", tax_reason: "Small business, § 19 UStG" };
    expect(await made({ expected_amount: "25.00", ...exempt })).toMatchObject({
      tax_amount: "0.00",
      tax_breakdown: [{ ...exempt, taxable_amount: "25.00" }],
    });
    expect(
      await made({
        expected_amount: undefined,
        amount: "119.00",
        currency: "EUR",
        rate: "0.5",
        tax_rate: "19",
      }),
    ).toMatchObject({ expected_amount: "238.00", amount: "119.00", tax_amount: "19.00" });
  });

  test("may have lines without tax, and then has no number", async () => {
    const { tax_rate: _, ...plain } = design;
    const link = await made({ ...inLines, line_items: [plain] });
    expect(link).toMatchObject({ expected_amount: "119.00", line_items: [{ description: "Design" }] });
    expect(link.tax_amount).toBeUndefined();
    const paid = await till.api("POST", `/api/links/${link.slug}/mark`, { as: "paid" });
    expect([paid.status, paid.body.receipt_number]).toEqual([200, undefined]);
  });

  test.each([
    [{ line_items: [design] }, { expected_amount: "must be left out with line_items" }],
    [
      { ...inLines, currency: "EUR", amount: "1.00", line_items: [design] },
      { amount: "must be left out with line_items" },
    ],
    [
      { ...inLines, line_items: [design], tax_rate: "19", quantity_max: 2 },
      {
        tax_rate: "must be left out with line_items",
        quantity_max: "must be left out without reusable: true",
      },
    ],
    [
      { ...inLines, line_items: [design], reusable: true },
      { line_items: "must be left out with reusable: true" },
    ],
    [
      { ...inLines, line_items: [{ ...design, tax_rate: undefined }], prices_include_tax: true },
      { prices_include_tax: "must be left out when no line has a tax_rate" },
    ],
    [
      { prices_include_tax: false },
      { prices_include_tax: "must be left out without tax_rate or line_items" },
    ],
    [
      { reusable: true, tax_rate: "19", prices_include_tax: false },
      { prices_include_tax: "must be left out with reusable: true" },
    ],
    [
      { tax_rate: "0", tax_category: "standard" },
      { tax_rate: "must be above 0 with the tax_category standard" },
    ],
    [{ tax_category: "exempt" }, { tax_reason: "is required with the tax_category exempt" }],
    [{ tax_reason: "Why" }, { tax_category: "is required with tax_reason" }],
    [
      { expected_amount: "999999999.99", tax_rate: "19", prices_include_tax: false },
      { expected_amount: "must add up to at most 1000000000.00 USDC" },
    ],
    [{ questions: ["a\nb"] }, { "questions[0]": expect.any(String) }],
    [{ questions: ["1", "2", "3", "4"] }, { questions: expect.stringContaining("1 to 3 questions") }],
    [{ collect: ["name", "name"] }, { collect: expect.stringContaining("each once") }],
    [{ collect: ["iban"] }, { "collect[0]": expect.stringContaining('one of "name"') }],
  ])("refuses %j", async (changes, faults) => {
    const { status, body } = await post(changes);
    expect(status).toBe(400);
    const said = Object.fromEntries(
      body.errors.map(({ field, message }: Record<string, string>) => [field, message]),
    );
    expect(said).toEqual(faults);
  });

  test("gets its receipt's number when it is paid, once", async () => {
    const link = await made({ ...inLines, line_items: [design] });
    const mark = (status: string) => till.api("POST", `/api/links/${link.slug}/mark`, { as: status });
    const { receipt_number } = (await mark("paid")).body;
    expect(receipt_number).toMatch(/^R-\d{4}$/);
    expect((await mark("unpaid")).body).toMatchObject({ receipt_number, status: "pending" });
    expect((await till.api("GET", `/api/links/${link.slug}/receipt`)).status).toBe(409);
    expect((await mark("paid")).body).toMatchObject({ receipt_number });
    const other = await made({ tax_rate: "19" });
    const next = (await till.api("POST", `/api/links/${other.slug}/mark`, { as: "paid" })).body;
    expect(Number(next.receipt_number.slice(2))).toBe(Number(receipt_number.slice(2)) + 1);
    const seen = await (await fetch(link.payment_link.replace("/pay/", "/api/links/"))).text();
    expect(seen).toContain("tax_breakdown");
    expect(seen).not.toContain("receipt_number");
  });
});

describe("the receipt of a link with tax", () => {
  const seller = {
    name: "Tea Ltd",
    address: "1 Main Street",
    details: {
      street: "Teestraße 1",
      postalCode: "10115",
      city: "Berlin",
      country: "DE",
      vatId: "DE123456788",
    },
    paymentTerms: null,
    usdParity: false,
    language: null,
  };

  async function paid(changes: object) {
    const link = await made(changes);
    const { body } = await till.api("POST", `/api/links/${link.slug}/mark`, { as: "paid" });
    const at = `${link.payment_link.replace("/pay/", "/api/links/")}/receipt`;
    const pdf = new Uint8Array(await (await fetch(at)).arrayBuffer());
    const { receipt_proof } = (await (await fetch(`${at}.json`)).json()) as {
      receipt_proof: { receipt?: object };
    };
    return {
      number: body.receipt_number,
      slug: link.slug,
      text: await solidTextOf(pdf),
      proof: receipt_proof,
    };
  }

  test("names number, seller, lines and taxes in its PDF and its proof", async () => {
    PartyStore.save(till.db, "merchant", linkRequest.merchant_email, seller, Date.now());
    const lines = { ...inLines, line_items: [design, book], currency: "EUR", rate: "0.5" };
    const { number, text, proof } = await paid(lines);
    for (const part of [
      "Receipt",
      "Simplified invoice",
      number,
      "Tea Ltd",
      "Teestraße 1",
      "DE123456788",
      "Book",
      "148.97 EUR",
      "297.94",
      "1 USDC = 0.5 EUR",
      "Includes USt. 19% on 100.00",
    ])
      expect(text).toContain(part.replaceAll(/\s/g, ""));
    expect(proof.receipt).toMatchObject({
      number,
      seller: { name: "Tea Ltd", details: { vat_id: "DE123456788" } },
      currency: "EUR",
      rate: "0.5",
      total_amount: "148.97",
      tax_amount: "20.96",
    });
  });

  test("of a link without tax is as it was", async () => {
    const { text, proof } = await paid({});
    expect(text).not.toContain("Simplified");
    expect(proof.receipt).toBeUndefined();
  });
});
