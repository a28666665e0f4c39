import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { plainProfile } from "../../../src/domain/party/profile.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as CustomerStore from "../../../src/store/tables/invoicing/customer.ts";
import { holds } from "../../support/browser/browser.ts";
import { browser, till, useTill } from "../../support/browser/setup.ts";
import { until } from "../../support/till/till.ts";

let page: Page;

useTill();

const newest = async () => (await till.api("GET", "/api/invoices?limit=1")).body.data[0];
const count = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;
const textOf = async (selector: string) => (await page.locator(selector).textContent())?.trim() ?? "";
const fill = async (fields: Record<string, string>) => {
  for (const [id, value] of Object.entries(fields)) await page.fill(`[id="${id}"]`, value);
};

const shop = {
  merchant_name: "Studio Halden",
  merchant_email: "nora@halden.example",
  merchant_address: "Quay 4\n1019 Amsterdam",
};
const customer = { vendor_name: "Café Morgenrot", vendor_email: "ap@morgenrot.example" };

describe.each([
  ["with a script", true],
  ["without one", false],
])("a new invoice, %s,", (_, javaScriptEnabled) => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await browser.newContext({ javaScriptEnabled, locale: "en-GB" });
    page = await context.newPage();
  });
  afterAll(() => context.close());

  test("asks for the price of 1 USDC only of who bills in a currency", async () => {
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    expect(await page.isVisible("#rate")).toBe(false);
    expect(await page.isVisible("#currency")).toBe(false);
    await page.click("label[for=add-currency]");
    await page.selectOption("#currency", "EUR");
    await page.waitForSelector("#rate", { state: "visible" });
    await page.selectOption("#currency", "");
    await page.waitForSelector("#rate", { state: "hidden" });
  });

  test("keeps what was typed, and says beside each field how to write it right", async () => {
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    await fill({ ...customer, vendor_email: "ap@morgenrot", "unit_price-0": "4o.00" });
    await page.click("text=Send invoice");
    await page.waitForSelector("#faults");
    expect(page.url()).toEndWith("/desk/invoices/new");
    expect(await page.inputValue("#vendor_name")).toBe("Café Morgenrot");
    expect(await page.inputValue('[id="unit_price-0"]')).toBe("4o.00");
    expect(await textOf("#vendor_email-fault")).toStartWith("Enter a complete email address");
    expect(await textOf('[id="unit_price-0-fault"]')).toContain("40.00");
    expect(await textOf('[id="description-0-fault"]')).toStartWith("Say what this line is for");
    // The first one also lacks the shop.
    expect(await page.locator("#faults a").count()).toBe(javaScriptEnabled ? 6 : 3);
    for (const href of await page.locator("#faults a").evaluateAll((all) => all.map((a) => a.hash)))
      expect(await page.isVisible(`[id="${href.slice(1)}"]`)).toBe(true);
    if (javaScriptEnabled) await holds(page, `document.activeElement?.id === "vendor_email"`);
    expect(await count()).toBe(javaScriptEnabled ? 0 : 1);
  });

  test("opens what few want by a chip, keeps it open while it says something, and counts none that is closed", async () => {
    const faulty = async () => {
      await page.click("text=Send invoice");
      await page.waitForSelector('[id="reference-fault"]');
    };
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    expect(await page.isVisible("#reference")).toBe(false);
    await page.focus("#add-reference");
    await page.keyboard.press("Space");
    await page.fill("#reference", "x".repeat(101));
    await faulty();
    expect(await page.isVisible("#reference")).toBe(true);
    expect(await page.isVisible("#purchase_order")).toBe(false);
    await page.click("label[for=add-reference]");
    expect(await page.isVisible("#reference")).toBe(false);
    await page.click("text=Send invoice");
    await page.waitForSelector("#reference-fault", { state: "detached" });
    expect(await page.inputValue("#reference")).toBe("");
  });

  test("shows total and button in the window of a phone, wherever one is", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    for (const y of [0, 10_000]) {
      await page.mouse.wheel(0, y);
      for (const shown of ["#total", ".bottom > .button"]) {
        const box = await page.locator(shown).boundingBox();
        expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
      }
    }
    // A long total is not cut.
    await page.locator("#total .num").evaluate((total) => total.prepend("1,000,000,"));
    const [sum, menu] = await Promise.all(
      ["#total .num", ".bottom .menu"].map((part) => page.locator(part).boundingBox()),
    );
    const isBeside = (sum?.x ?? 0) + (sum?.width ?? 0) <= (menu?.x ?? 0);
    expect(isBeside || (menu?.y ?? 0) >= (sum?.y ?? 0) + (sum?.height ?? 0)).toBe(true);
    expect(await page.isVisible(".bottom noscript span")).toBe(!javaScriptEnabled);
    await page.setViewportSize({ width: 1280, height: 844 });
  });

  test("adds lines, takes them away, and works out what they come to as the invoice does", async () => {
    if (!(await page.isVisible("#merchant_name"))) await page.click(".billed-by summary");
    await fill({
      ...shop,
      ...customer,
      "description-0": "Brand identity",
      "quantity-0": "12",
      "unit_price-0": "95",
    });
    await page.click("text=Add a line");
    await page.waitForSelector('[id="description-1"]');
    await fill({ "description-1": "Not wanted", "unit_price-1": "1.00" });
    await page.click("text=Add a line");
    await page.waitForSelector('[id="description-2"]');
    await fill({ "description-2": "Hosting", "quantity-2": "1.005", "unit_price-2": "33.33" });
    await page.click('[aria-label="Remove line 2"]');
    await until(
      () => page.locator("[name=description]").count(),
      (lines) => lines === 2,
    );
    // 1.005 × 33.33 is 33.49665, rounded half up.
    await until(
      () => textOf("#total"),
      (total) => total === "1,173.50 USDC",
    );
    expect(await page.inputValue('[id="description-1"]')).toBe("Hosting");
    const preview = await textOf("#preview");
    for (const text of ["Studio Halden", "Café Morgenrot", "Brand identity", "1,140.00", "33.50"])
      expect(preview).toContain(text);
  });

  test("is kept as a draft, and goes on from there", async () => {
    await page.click(".bottom .menu summary");
    await page.click("text=Save draft");
    await page.waitForURL(/draft=\d+/);
    expect(await textOf(".did")).toBe("The draft is saved.");
    await page.goto(`${till.baseUrl}/desk/invoices?kind=drafts`);
    expect(await textOf("tbody")).toContain("Café Morgenrot");
    await page.click("a.name");
    await page.waitForSelector("#vendor_name");
    expect(await page.inputValue("#merchant_address")).toBe(shop.merchant_address);
    expect(await textOf("#total")).toBe("1,173.50 USDC");
  });

  test("is made and mailed once, however often it is sent", async () => {
    const before = await count();
    const form = await page.content();
    await page.click("text=Send invoice");
    await page.waitForURL(/\/desk\/invoices\/INV-/);
    expect(await textOf(".did")).toBe("The invoice was created and is on its way to your customer.");
    const made = await newest();
    expect(made).toMatchObject({
      vendor_name: "Café Morgenrot",
      total_amount: "1173.50",
      status: "sent",
      merchant_address_snapshot: shop.merchant_address,
    });
    expect(made.line_items.map(({ description }: { description: string }) => description)).toEqual([
      "Brand identity",
      "Hosting",
    ]);
    // The draft is gone, and so is the form: who goes back and sends it again is led to the same invoice.
    const again = new URLSearchParams();
    for (const [, name = "", value = ""] of form.matchAll(
      /<input[^>]*? name="([^"]+)"[^>]*? value="([^"]*)"/g,
    ))
      if (name !== "wallet_type" && name !== "draft") again.append(name, value);
    again.append("wallet_type", "managed");
    again.append("merchant_address", shop.merchant_address);
    again.append("as", "send");
    const sent = async () => {
      const { headers } = await fetch(`${till.baseUrl}/desk/invoices/new`, {
        method: "POST",
        body: again,
        redirect: "manual",
        headers: { origin: till.baseUrl, "sec-fetch-site": "same-origin" },
      });
      return headers.get("location");
    };
    expect(await sent()).toContain(`/desk/invoices/${made.invoice_number}`);
    // Who throws away what is gone makes nothing of it.
    again.set("as", "drop");
    again.set("key", "a".repeat(26));
    expect(await sent()).toBe("/desk/invoices?kind=drafts&did=DropDraft");
    expect(await count()).toBe(before + 1);
    expect((await till.api("GET", "/api/invoices?limit=1")).body.data[0].id).toBe(made.id);
  });

  test("begins with who billed last, and copies an old one", async () => {
    const { invoice_number } = await newest();
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    expect(await page.inputValue("#merchant_name")).toBe("Studio Halden");
    expect(await page.inputValue("#vendor_name")).toBe("");
    await page.goto(`${till.baseUrl}/desk/invoices/new?like=${invoice_number}`);
    expect(await page.inputValue("#vendor_email")).toBe(customer.vendor_email);
    expect(await page.inputValue('[id="quantity-1"]')).toBe("1.005");
    expect(await textOf("#total")).toBe("1,173.50 USDC");
  });
});

describe("the script of the form", () => {
  test("completes the address of a customer, and follows what is typed", async () => {
    page = await browser.newPage();
    await page.goto(`${till.baseUrl}/desk/invoices/new`);
    await page.fill("#vendor_name", "Café Morgenrot");
    await page.locator("#vendor_name").blur();
    expect(await page.inputValue("#vendor_email")).toBe(customer.vendor_email);
    await fill({ "description-0": "Beans", "quantity-0": "3", "unit_price-0": "39.60" });
    await until(
      () => textOf("#preview .figure"),
      (shown) => shown === "118.80 USDC",
    );
    expect(await textOf("#line-total-1")).toBe("118.80");
  });
});

describe("the taxes of a new form", () => {
  const taxIn = async (path: string) => {
    const text = await (await fetch(`${till.baseUrl}/desk/invoices/new${path}`)).text();
    return /id="tax_rate-0"[^>]*value="([^"]*)"/.exec(text)?.[1] ?? null;
  };
  const bill = (merchant_email: string, tax_rate: string | null) => {
    const book = { description: "Book", quantity: 1, unit_price: "10.00" };
    const taxed = tax_rate === null ? book : { ...book, tax_rate };
    return till.createInvoice({
      merchant_email,
      vendor_email: "two@customer.example",
      line_items: [taxed],
    });
  };

  test("are those that the merchant in the settings charged last, and not another's", async () => {
    PreferenceStore.setProfile(till.db, { ...plainProfile, name: "Halden", email: "Nora@halden.example" }, 1);
    await bill("nora@halden.example", "19");
    await bill("other@shop.example", "7");
    expect(await taxIn("")).toBe("19");
    const customer = CustomerStore.list(till.db, { limit: 1, order: "billed" }).rows[0];
    expect(await taxIn(`?customer=${customer?.id}`)).toBe("19");
    PreferenceStore.setProfile(till.db, { ...plainProfile, name: "New", email: "new@shop.example" }, 2);
    expect(await taxIn("")).toBeNull();
  });
});
