import { expect, test } from "bun:test";
import { owner, till, useDesk } from "../../support/desk/setup.ts";
import { walk } from "../../support/desk/walk.ts";

useDesk();

test("discounts and tax are asked for, charged and billed alike once more", async () => {
  const desk = walk(till, { who: owner, language: "de" });
  await desk.open("/desk/invoices/new");
  desk.fill({
    ...{ vendor_name: "Café Morgenrot", vendor_email: "ap@morgenrot.example" },
    ...{ merchant_name: "Studio Halden", merchant_email: "nora@halden.example", merchant_address: "Quay 4" },
    ...{ "description-0": "Gestaltung", "quantity-0": "10", "unit_price-0": "120,00" },
  });
  await desk.press("Rabatt oder Steuer hinzufügen");
  desk.fill({ "unit-0": "Std.", "discount-0": "10 %", "tax_rate-0": "19,5", discount: "80,00" });
  await desk.press("Position hinzufügen");
  expect(desk.value("tax_rate-1")).toBe("19,5");
  desk.fill({ "description-1": "Buch", "unit_price-1": "50", "tax_rate-1": "x" });
  await desk.press("Rechnung senden");
  expect(desk.text("#tax_rate-1-fault")).not.toBe("");
  desk.fill({ "tax_rate-1": "7" });
  await desk.press("Rechnung senden");
  expect(desk.path).toStartWith("/desk/invoices/INV-");
  const { body: record } = await till.api("GET", "/api/invoices/INV-0001");
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
  for (const words of ["10 Std.", "−80,00", "Steuer 19,5", "1.248,94"])
    expect(desk.text(".items")).toContain(words);
  await desk.open("/desk/invoices/new?like=INV-0001");
  expect(desk.text("#total")).toBe("1.248,94 USDC");
  // The next one is taxed like this one.
  await desk.open("/desk/invoices/new");
  expect(desk.value("tax_rate-0")).toBe("19,5");
});
