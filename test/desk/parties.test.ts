import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeViolations } from "../support/browser/axe.ts";
import { browser, till, useTill } from "../support/browser/setup.ts";

let page: Page;

useTill();
beforeAll(async () => {
  page = await (await browser.newContext({ locale: "en-GB" })).newPage();
});

const newest = async () => (await till.api("GET", "/api/invoices?limit=1")).body.data[0];
const textOf = async (selector: string) => (await page.locator(selector).first().textContent()) ?? "";
const fill = async (fields: Record<string, string>) => {
  for (const [id, value] of Object.entries(fields)) await page.fill(`[id="${id}"]`, value);
};
const press = async (text: string) => {
  await page.click(`main >> text="${text}"`);
  await page.waitForLoadState();
};
const line = { "description-0": "Design", "unit_price-0": "95.00" };
const email = "ap@morgenrot.example";

describe("the details of a seller and a buyer at the desk", () => {
  test("are set for the shop once, and every fault is said in its own words", async () => {
    await page.goto(`${till.baseUrl}/desk/settings/profile`);
    await fill({
      name: "Studio Halden",
      email: "nora@halden.example",
      address: "Quay 4",
      "details.street": "Quay 4",
      "details.postal_code": "1019",
      "details.city": "Amsterdam",
      "details.vat_id": "NL004495445B02 1",
      payment_terms: "Payable within 14 days.",
    });
    await page.selectOption('[id="details.country"]', "NL");
    await press("Save");
    expect(await textOf("#faults")).toContain("Start the VAT ID with its country");
    await fill({ "details.vat_id": "NL 0044.95.445.B01" });
    await press("Save");
    expect(await textOf(".did")).toContain("Saved");
    expect(await page.inputValue('[id="details.vat_id"]')).toBe("NL004495445B01");
    const { body } = await till.api("GET", "/api/merchants/nora@halden.example");
    expect(body).toMatchObject({ name: "Studio Halden", payment_terms: "Payable within 14 days." });
  });

  test("of a customer are remembered together with the invoice, or there is none", async () => {
    const before = (await newest())?.invoice_number;
    till.db.run(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON saved_party BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    await fill({ vendor_name: "Café Morgenrot", vendor_email: email, ...line });
    await page.click("label[for=add-business]");
    await fill({ "vendor_details.street": "Allee 9" });
    await press("Send invoice");
    till.db.run("DROP TRIGGER full");
    expect((await newest())?.invoice_number).toBe(before);
  });

  test("of a customer are typed on one invoice, stand on it, and are remembered for the next", async () => {
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    await fill({ vendor_name: "Café Morgenrot", vendor_email: email, ...line });
    expect(await page.isVisible('[id="vendor_details.vat_id"]')).toBe(false);
    await page.click("label[for=add-business]");
    for (const chip of ["delivery", "order"]) await page.click(`label[for=add-${chip}]`);
    await fill({
      "vendor_details.street": "Allee 9",
      "vendor_details.city": "Berlin",
      "vendor_details.vat_id": "DE136695967",
      delivery_from: "2026-10-01",
      purchase_order: "PO-17",
    });
    await page.selectOption('[id="vendor_details.country"]', "DE");
    await press("Send invoice");
    expect(await textOf("#faults")).toContain("check it digit by digit");
    expect(await page.inputValue("#purchase_order")).toBe("PO-17");
    await fill({ "vendor_details.vat_id": "DE136695976" });
    expect(await axeViolations(page)).toEqual([]);
    await press("Send invoice");
    await page.waitForURL(/\/desk\/invoices\/INV-/);
    const details = { street: "Allee 9", city: "Berlin", country: "DE", vat_id: "DE136695976" };
    expect(await newest()).toMatchObject({
      merchant_details: { city: "Amsterdam", vat_id: "NL004495445B01" },
      vendor_details: details,
      payment_terms: "Payable within 14 days.",
      delivery_date: "2026-10-01",
      purchase_order: "PO-17",
    });
    const shown = await textOf("main");
    for (const text of [
      "Allee 9",
      "Germany",
      "VAT ID: DE136695976",
      "PO-17",
      "1 October 2026",
      "within 14 days",
    ])
      expect(shown).toContain(text);

    await page.goto(`${till.baseUrl}/i/${(await newest()).slug}`);
    const hosted = await textOf("article");
    for (const text of ["1019 Amsterdam", "Netherlands", "VAT ID: NL004495445B01", "Allee 9", "PO-17"])
      expect(hosted).toContain(text);
    expect(hosted).not.toContain("Quay 4Quay 4");

    await page.goto(`${till.baseUrl}/desk/customers/${email}`);
    expect(await page.inputValue('[id="details.vat_id"]')).toBe("DE136695976");
    await fill({ "details.contact_name": "Jo Doe" });
    await press("Save");
    expect(await textOf(".did")).toContain("Saved");
    await press("New invoice");
    expect(await page.inputValue('[id="vendor_details.contact_name"]')).toBe("Jo Doe");
    await fill(line);
    await press("Send invoice");
    await page.waitForURL(/\/desk\/invoices\/INV-/);
    expect((await newest()).vendor_details).toEqual({ ...details, contact_name: "Jo Doe" });
  });

  test("are left out where somebody takes them out, and stay saved", async () => {
    await page.goto(`${till.baseUrl}/desk/customers/${email}`);
    await press("New invoice");
    for (const name of ["street", "city", "vat_id", "contact_name"])
      await fill({ [`vendor_details.${name}`]: "" });
    await page.selectOption('[id="vendor_details.country"]', "");
    await fill({ ...line, payment_terms: "" });
    await press("Send invoice");
    await page.waitForURL(/\/desk\/invoices\/INV-/);
    const made = await newest();
    expect([made.vendor_details, made.payment_terms]).toEqual([undefined, undefined]);
    expect((await till.api("GET", `/api/customers/${email}`)).body.details.city).toBe("Berlin");
  });
});
