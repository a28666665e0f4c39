import { afterAll, beforeAll, expect, test } from "bun:test";
import { runTill } from "../support/till/run-till.ts";
import { linkRequest, startTestTill, type TestTill } from "../support/till/till.ts";

/** The numbered receipts of links with tax in the books: each a row, with its taxes, on the day of its issue. */

let till: TestTill;
const slugs: string[] = [];
beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  const inEuros = { expected_amount: undefined, currency: "EUR", rate: "0.5" };
  for (const changes of [
    { ...inEuros, amount: "119.00", tax_rate: "19" },
    { tax_rate: "7", expected_amount: "10.70" },
    { ...inEuros, amount: "11.90", tax_rate: "19" },
    {},
  ]) {
    const { slug } = (await till.api("POST", "/api/links", { ...linkRequest, ...changes })).body;
    await till.api("POST", `/api/links/${slug}/mark`, { as: "paid" });
    slugs.push(slug);
  }
  // Its sale is taken back.
  await till.api("POST", `/api/links/${slugs[2]}/mark`, { as: "unpaid" });
});
afterAll(() => till.stop());

async function exported(...args: string[]): Promise<Record<string, string>[]> {
  const env = { TILL_DATA_DIR: till.config.dataDir };
  const { stdout, exitCode } = await runTill(["export", ...args, "--format", "json"], { env });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

test("each is a row, and says whether it counts", async () => {
  const rows = await exported("receipts");
  expect(rows).toMatchObject([
    {
      receipt_number: "R-0001",
      payment_link: slugs[0],
      currency: "EUR",
      total_amount: "119.00",
      tax_amount: "19.00",
      expected_usdc: "238.00",
      counts: true,
    },
    { receipt_number: "R-0002", currency: "USDC", total_amount: "10.70", tax_amount: "0.70", counts: true },
    { receipt_number: "R-0003", status: "pending", counts: false },
  ]);
  expect(await exported("receipts", "--to", "2020-01-01")).toEqual([]);
});

test("their taxes stand beside those of invoices, and add up to the receipts that count", async () => {
  expect(await exported("taxes")).toMatchObject([
    { invoice_number: null, receipt_number: "R-0001", taxable_amount: "100.00", tax_amount: "19.00" },
    { receipt_number: "R-0002", taxable_amount: "10.00", tax_amount: "0.70", counts: true },
    { receipt_number: "R-0003", counts: false },
  ]);
  expect(await exported("tax-sums")).toMatchObject([
    {
      tax_rate: "19.00",
      currency: "EUR",
      receipts: 1,
      invoices: 0,
      taxable_amount: "100.00",
      tax_amount: "19.00",
    },
    { tax_rate: "7.00", currency: "USDC", receipts: 1, tax_amount: "0.70" },
  ]);
});

test("in the file for Xero too", async () => {
  const rows = await exported("xero", "--account", "200", "--tax-type", "standard 19.00=USt");
  expect(rows).toMatchObject([{ "*InvoiceNumber": "R-0001", "*UnitAmount": "100.00", TaxAmount: "19.00" }]);
});
