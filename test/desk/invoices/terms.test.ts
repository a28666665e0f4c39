import { expect, test } from "bun:test";
import { browser, till, useTill } from "../../support/browser/setup.ts";

useTill();

test("discounts and tax are asked for, charged and billed alike once more, without a script", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "de-DE" });
  const page = await context.newPage();
  const textOf = async (selector: string) => (await page.locator(selector).textContent())?.trim() ?? "";
  const fill = async (fields: Record<string, string>) => {
    for (const [id, value] of Object.entries(fields)) await page.fill(`[id="${id}"]`, value);
  };
  await page.goto(`${till.baseUrl}/desk/invoices/new`);
  if (!(await page.isVisible("#merchant_name"))) await page.click(".billed-by summary");
  await fill({
    vendor_name: "Café Morgenrot",
    vendor_email: "ap@morgenrot.example",
    merchant_name: "Studio Halden",
    merchant_email: "nora@halden.example",
    merchant_address: "Quay 4",
    "description-0": "Gestaltung",
    "quantity-0": "10",
    "unit_price-0": "120,00",
  });
  const ask = page.locator("text=Rabatt oder Steuer hinzufügen");
  if (await ask.isVisible()) {
    await ask.click();
    await page.waitForSelector('[id="tax_rate-0"]');
  }
  await fill({ "unit-0": "Std.", "discount-0": "10 %", "tax_rate-0": "19,5", discount: "80,00" });
  await page.click("text=Position hinzufügen");
  await page.waitForSelector('[id="description-1"]');
  expect(await page.inputValue('[id="tax_rate-1"]')).toBe("19,5");
  await fill({ "description-1": "Buch", "unit_price-1": "50", "tax_rate-1": "x" });
  await page.click("text=Rechnung senden");
  await page.waitForSelector('[id="tax_rate-1-fault"]');
  await fill({ "tax_rate-1": "7" });
  await page.click("text=Rechnung senden");
  await page.waitForURL(/\/desk\/invoices\/INV-/);
  const { data } = (await till.api("GET", "/api/invoices?limit=1")).body;
  const { body: record } = await till.api("GET", `/api/invoices/${data[0].id}`);
  expect(record).toMatchObject({
    subtotal_amount: "1130.00",
    discount_amount: "80.00",
    tax_amount: "198.94",
    total_amount: "1248.94",
    line_items: [
      { unit: "Std.", discount_percent: "10.00", line_total: "1080.00", tax_rate: "19.50" },
      { line_total: "50.00", tax_rate: "7.00" },
    ],
  });
  const shown = await textOf(".items");
  for (const words of ["10 Std.", "−80,00", "Steuer 19,5", "1.248,94"]) expect(shown).toContain(words);
  await page.goto(`${till.baseUrl}/desk/invoices/new?like=${record.invoice_number}`);
  expect(await textOf("#total")).toBe("1.248,94 USDC");
  // The next one is taxed like this one.
  await page.goto(`${till.baseUrl}/desk/invoices/new`);
  expect(await page.inputValue('[id="tax_rate-0"]')).toBe("19,5");
  await context.close();
});
