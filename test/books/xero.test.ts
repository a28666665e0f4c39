import { afterAll, beforeAll, expect, test } from "bun:test";
import { callTill } from "../support/till/run-till.ts";
import { invoiceRequest, startTestTill, type TestTill } from "../support/till/till.ts";

/** The first line of the template that Xero hands out, SalesInvoiceTemplate.csv. */
const template =
  "*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode," +
  "POCountry,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,Total,InventoryItemCode,*Description,*Quantity," +
  "*UnitAmount,Discount,*AccountCode,*TaxType,TaxAmount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2," +
  "Currency,BrandingTheme";

let till: TestTill;
beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  await till.createInvoice({ send_now: true });
  await till.createInvoice({
    send_now: true,
    issue_date: "2026-01-31",
    due_date: "2026-02-28",
    currency: "EUR",
    rate: "0.8607",
    discount_percent: "10",
    vendor_name: "=cmd|' /C calc'!A0",
    vendor_details: { street: "Rue de la Loi 16", postal_code: "1000", city: "Bruxelles", country: "BE" },
    purchase_order: "PO-17",
    line_items: [
      { description: "Design,\nround one", quantity: 10, unit: "h", unit_price: "120.00", tax_rate: "20" },
      { description: "Book", quantity: 2, unit_price: "24.90", tax_category: "zero" },
      { description: "Hosting", quantity: 1.5, unit_price: "33.33", tax_rate: "20.0" },
    ],
  });
  const voided = await till.createInvoice({ currency: "EUR", rate: "1" });
  await till.api("POST", `/api/invoices/${voided["invoice_id"]}/void`, { reason: "Twice" });
});
afterAll(() => till.stop());

const run = (...args: string[]) =>
  callTill(["export", "xero", ...args], { env: { TILL_DATA_DIR: till.config.dataDir } });
const codes = [
  ...["--account", "200", "--tax-type", "standard 20.00=20% (VAT on Income)"],
  ...["--tax-type", "zero=Zero Rated Income"],
];

test("invoices are written as Xero's template has them, one row for each rate", async () => {
  const { exitCode, stdout, stderr } = await run(...codes);
  expect(exitCode).toBe(0);
  const [head, ...rows] = stdout.trimEnd().split("\r\n");
  expect(head).toBe(template);
  const contact = "'=cmd|' /C calc'!A0,ap@globex.example,Rue de la Loi 16,,,,Bruxelles,,1000,BE";
  const invoice = "INV-0002,PO-17,31/01/2026,28/02/2026,1394.82,";
  expect(rows).toEqual([
    `${contact},${invoice},"10 h Design, round one; 1.5 × Hosting",1,1125.00,,200,20% (VAT on Income),225.00,,,,,EUR,`,
    `${contact},${invoice},2 × Book,1,44.82,,200,Zero Rated Income,0.00,,,,,EUR,`,
  ]);
  expect(stderr).toContain("1 invoice in USDC left out");
});

test("what the books call a tax is asked for, all at once, and never guessed", async () => {
  const { exitCode, stdout, stderr } = await run("--tax-type", "zero=Zero Rated Income");
  expect(exitCode).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain('--account CODE, --tax-type "standard 20.00=NAME"');
});

test("invoices in USDC are in USD where the merchant's rule says so", async () => {
  await till.api("PUT", `/api/merchants/${invoiceRequest.merchant_email}`, { usd_parity: true });
  const { stdout } = await run(...codes, "--tax-type", "none=No VAT", "--from", "2026-03-01");
  expect(stdout).toContain(',"10 × Design; 1.5 × Hosting",1,1500.00,,200,No VAT,0.00,,,,,USD,');
});
