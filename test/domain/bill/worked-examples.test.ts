import { describe, expect, test } from "bun:test";
import * as Currency from "../../../src/domain/bill/currency.ts";
import * as Invoice from "../../../src/domain/bill/invoice.ts";
import * as Quantity from "../../../src/domain/bill/quantity.ts";
import * as Tax from "../../../src/domain/bill/tax.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

/** Invoices that others have worked out, or that are worked out by hand here, to the last digit. */

type Line = [quantity: number, price: string, rate: string | Exclude<Tax.Category, "standard">];
type Example = {
  lines: Line[];
  isIncluded?: boolean;
  /** EUR unless told. */
  code?: Currency.Code;
  /** For each rate what is taxable, and the tax. */
  rows: [taxable: string, tax: string][];
  total: string;
};

/**
 * The examples of EN 16931, by the names that the European Commission's repository of its validation artefacts gives them
 * (ConnectingEurope/eInvoicing-EN16931, ubl/examples). Example 2 is left out, whose exempt row is below zero. Where an
 * allowance and a charge cancel each other out, both are.
 */
const standard: Record<string, Example> = {
  "ubl-tc434-example1, and 10": {
    lines: [
      [2, "9.95", "6"],
      [1, "9.85", "6"],
      [1, "8.29", "6"],
      [2, "7.23", "6"],
      [1, "35.00", "6"],
      [1, "35.00", "6"],
      [1, "10.65", "6"],
      [1, "1.55", "6"],
      [3, "4.79", "6"],
      [1, "8.29", "6"],
      [2, "8.29", "6"],
      [1, "9.95", "6"],
      [2, "1.65", "6"],
      [1, "10.80", "21"],
      [1, "3.90", "6"],
      [2, "3.80", "21"],
      [2, "4.67", "21"],
      [1, "18.63", "21"],
      [6, "17.02", "6"],
      // Bottles that were returned.
      [-6, "18.33", "6"],
    ],
    rows: [
      ["183.23", "10.99"],
      ["46.37", "9.74"],
    ],
    total: "250.33",
  },
  "ubl-tc434-example3": {
    lines: [
      [1, "900.00", "25"],
      [1, "800.00", "10"],
    ],
    rows: [
      ["900.00", "225.00"],
      ["800.00", "80.00"],
    ],
    total: "2005.00",
  },
  "ubl-tc434-example4, and 5 and 6, which add up alike": {
    lines: [
      [1000, "1.00", "25"],
      [100, "5.00", "25"],
      [500, "5.00", "12"],
    ],
    rows: [
      ["1500.00", "375.00"],
      ["2500.00", "300.00"],
    ],
    total: "4675.00",
  },
  "ubl-tc434-example7": {
    lines: [
      [1, "2500.00", "outside_scope"],
      [1, "700.00", "outside_scope"],
    ],
    rows: [["3200.00", "0.00"]],
    total: "3200.00",
  },
  // Its prices have five decimals; these are the amounts of its lines.
  "ubl-tc434-example8": {
    lines: ["140.80", "16.16", "167.64", "88.74", "36.75", "56.50", "83.34", "190.31", "64.21", "64.46"].map(
      (amount): Line => [1, amount, "21"],
    ),
    rows: [["908.91", "190.87"]],
    total: "1099.78",
  },
  "ubl-tc434-example9": { lines: [[3, "49.00", "21"]], rows: [["147.00", "30.87"]], total: "177.87" },
  "ubl-tc434-creditnote1": { lines: [[1, "100.11", "exempt"]], rows: [["100.11", "0.00"]], total: "100.11" },
  "sample-discount-price": { lines: [[1, "12.12", "25"]], rows: [["12.12", "3.03"]], total: "15.15" },
  BIS3_Invoice_positive: {
    lines: [[1, "625743.54", "25"]],
    rows: [["625743.54", "156435.89"]],
    total: "782179.43",
  },
};

/** HM Revenue & Customs, "Calculating VAT for VAT-inclusive and VAT-exclusive prices" (hmrc.gov.uk, rates/calculating). */
const britain: Record<string, Example> = {
  "standard rate": { lines: [[1, "100.00", "20"]], rows: [["100.00", "20.00"]], total: "120.00" },
  "reduced rate": { lines: [[1, "100.00", "5"]], rows: [["100.00", "5.00"]], total: "105.00" },
};

/** Inland Revenue of New Zealand, "Calculating GST" (ird.govt.nz, changes-2010/gst/businesses/calculating). */
const newZealand: Record<string, Example> = {
  "GST of an amount without it": {
    lines: [[1, "1500.00", "15"]],
    rows: [["1500.00", "225.00"]],
    total: "1725.00",
  },
  "GST in an amount with it, which is 3/23": {
    lines: [[1, "1725.00", "15"]],
    isIncluded: true,
    rows: [["1500.00", "225.00"]],
    total: "1725.00",
  },
};

/** With a computation beside each. */
const byHand: Record<string, Example> = {
  "yen, at the two rates of Japan": {
    code: "JPY",
    // 999 × 10 % = 99.9; 300 × 8 % = 24.
    lines: [
      [3, "333", "10"],
      [2, "150", "8"],
    ],
    rows: [
      ["999", "100"],
      ["300", "24"],
    ],
    total: "1423",
  },
  "yen, with a price below one": {
    code: "JPY",
    // 1,001 × 0.1234 = 123.5234; 124 × 10 % = 12.4.
    lines: [[1001, "0.1234", "10"]],
    rows: [["124", "12"]],
    total: "136",
  },
  "yen, with the tax in the price": {
    code: "JPY",
    isIncluded: true,
    // 1,000 × 10 / 110 = 90.909.
    lines: [[1, "1000", "10"]],
    rows: [["909", "91"]],
    total: "1000",
  },
  "dinars of three decimals": {
    code: "KWD",
    // 3 × 1.255 = 3.765; 3.765 × 10 % = 0.3765, of which half a fils goes up.
    lines: [[3, "1.255", "10"]],
    rows: [["3.765", "0.377"]],
    total: "4.142",
  },
  "dollars at 8.875 %, as in New York": {
    code: "USD",
    // 3 × 19.99 = 59.97; 59.97 × 0.08875 = 5.3223375.
    lines: [[3, "19.99", "8.875"]],
    rows: [["59.97", "5.32"]],
    total: "65.29",
  },
  "euros, with an item taken back": {
    // 149.97 − 49.99 = 99.98; 99.98 × 19 % = 18.9962.
    lines: [
      [3, "49.99", "19"],
      [-1, "49.99", "19"],
    ],
    rows: [["99.98", "19.00"]],
    total: "118.98",
  },
  "euros, for a million of something small": {
    // 1,000,000 × 0.000123 = 123; 123 × 7 % = 8.61.
    lines: [[1_000_000, "0.000123", "7"]],
    rows: [["123.00", "8.61"]],
    total: "131.61",
  },
};

const priceOf = (text: string, code: Currency.Code) =>
  Currency.parse(text, code, { isPrice: true }) ?? Usdc.zero;

const taxOf = (rate: Line[2]): Tax.Tax => {
  const share = Tax.parseShare(rate);
  return share === null
    ? { category: rate as Tax.Category, rate: 0, reason: null }
    : { category: "standard", rate: share, reason: null };
};

describe.each([
  ["EN 16931", standard],
  ["the tax office of the United Kingdom", britain],
  ["the tax office of New Zealand", newZealand],
  ["a currency, a rate or a line of its own", byHand],
])("an example of %s", (_, examples) => {
  test.each(Object.entries(examples))(
    "%s",
    (_name, { lines, isIncluded = false, code = "EUR", rows, total }) => {
      const minor = Currency.minorOf(code);
      const text = (amount: Usdc.Billed) => Currency.format(amount, code);
      const totals = Tax.totalsOf(
        lines.map(([quantity, price, rate]) => {
          const exact = Quantity.fromNumber(quantity, { mayTakeBack: true }) ?? Quantity.fromMillionths(0n);
          return { lineTotal: Invoice.lineTotal(exact, priceOf(price, code), minor), tax: taxOf(rate) };
        }),
        { discount: null, pricesIncludeTax: isIncluded, minor },
      );
      expect(totals.rows.map(({ taxable, tax }) => [text(taxable), text(tax)])).toEqual(rows);
      expect(text(totals.total)).toBe(total);
    },
  );
});
