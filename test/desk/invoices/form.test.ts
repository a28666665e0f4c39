import { describe, expect, test } from "bun:test";
import { plainProfile } from "../../../src/domain/party/profile.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as CustomerStore from "../../../src/store/tables/invoicing/customer.ts";
import { startScriptedServer } from "../../mail/scripted-server.ts";
import { holds } from "../../support/browser/browser.ts";
import { browser, till, useTill } from "../../support/browser/setup.ts";
import { desktop, phone } from "../../support/browser/stage.ts";
import { type Walk, walk } from "../../support/desk/walk.ts";
import { startTestTill, until } from "../../support/till/till.ts";

useTill();

const newest = async () => (await till.api("GET", "/api/invoices?limit=1")).body.data[0];
const count = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;
async function open(path = ""): Promise<Walk> {
  const desk = walk(till);
  await desk.open(`/desk/invoices/new${path}`);
  return desk;
}

const shop = {
  merchant_name: "Studio Halden",
  merchant_email: "nora@halden.example",
  merchant_address: "Quay 4\n1019 Amsterdam",
};
const customer = { vendor_name: "Café Morgenrot", vendor_email: "ap@morgenrot.example" };

describe("a new invoice", () => {
  test("keeps what was typed, and says beside each field how to write it right", async () => {
    const desk = await open();
    desk.fill({ ...customer, vendor_email: "ap@morgenrot", "unit_price-0": "4o.00" });
    await desk.press("Send invoice");
    expect([desk.status, desk.path]).toEqual([422, "/desk/invoices/new"]);
    expect([desk.value("vendor_name"), desk.value("unit_price-0")]).toEqual(["Café Morgenrot", "4o.00"]);
    expect(desk.text("#vendor_email-fault")).toStartWith("Enter a complete email address");
    expect(desk.text("#unit_price-0-fault")).toContain("40.00");
    expect(desk.text("#description-0-fault")).toStartWith("Say what this line is for");
    // The first one also lacks the shop.
    expect(desk.texts("#faults a")).toHaveLength(6);
    expect(await count()).toBe(0);
  });

  test("counts nothing that is closed", async () => {
    const desk = await open();
    desk.fill({ ...customer, "add-reference": "open", reference: "x".repeat(101) });
    await desk.press("Send invoice");
    expect(desk.text("#reference-fault")).not.toBe("");
    expect(desk.value("add-reference")).not.toBe("");
    desk.fill({ "add-reference": "" });
    await desk.press("Send invoice");
    expect([desk.text("#reference-fault"), desk.value("reference")]).toEqual(["", ""]);
  });

  test("has lines added and taken away, and comes to what the invoice does; a draft goes on from there, and is sent once", async () => {
    let desk = await open();
    desk.fill({
      ...{ ...shop, ...customer },
      ...{ "description-0": "Brand identity", "quantity-0": "12", "unit_price-0": "95" },
    });
    await desk.press("Add a line");
    desk.fill({ "description-1": "Not wanted", "unit_price-1": "1.00" });
    await desk.press("Add a line");
    desk.fill({ "description-2": "Hosting", "quantity-2": "1.005", "unit_price-2": "33.33" });
    await desk.press("Remove line 2");
    expect(desk.value("description-2")).toBeNull();
    expect(desk.value("description-1")).toBe("Hosting");
    // 1.005 × 33.33 is 33.49665, rounded half up.
    expect(desk.text("#total")).toBe("1,173.50 USDC");
    for (const text of ["Studio Halden", "Café Morgenrot", "Brand identity", "1,140.00", "33.50"])
      expect(desk.text("#preview")).toContain(text);

    await desk.press("Save draft");
    expect(desk.path).toMatch(/draft=\d+/);
    expect(desk.text(".did")).toBe("The draft is saved.");
    desk = walk(till);
    await desk.open("/desk/invoices?kind=drafts");
    await desk.press("Café Morgenrot");
    expect(desk.value("merchant_address")).toBe(shop.merchant_address);
    expect(desk.text("#total")).toBe("1,173.50 USDC");

    // Who has an older page of the draft is shown the newer one, whatever they press; saved twice, it stays saved.
    const older = desk.copy();
    desk.fill({ "unit_price-1": "1200" });
    const newer = desk.copy();
    for (const tab of [desk, newer]) await tab.press("Save draft");
    await older.press("Add a line");
    for (const as of ["send", "draft", "drop"]) {
      const tab = older.copy();
      await tab.choose("as", as);
      expect(tab.text("[role=alert]:not([hidden])")).toBe("It has changed in the meantime. Check it again.");
      expect([tab.value("unit_price-1"), tab.value("description-2")]).toEqual(["1200", null]);
    }
    expect(await count()).toBe(0);
    desk.fill({ "unit_price-1": "33.33" });
    await desk.press("Save draft");

    // The draft leaves in the transaction of its invoice: neither is there after the other.
    till.db.run("CREATE TRIGGER stays BEFORE DELETE ON draft BEGIN SELECT RAISE(ABORT, 'stays'); END");
    await desk.copy().press("Send invoice");
    till.db.run("DROP TRIGGER stays");
    expect(await count()).toBe(0);

    const [again, dropped] = [desk.copy(), desk.copy()];
    await desk.press("Send invoice");
    expect(desk.text(".did")).toBe("The invoice was created and is on its way to your customer.");
    const made = await newest();
    expect(made).toMatchObject({
      vendor_name: "Café Morgenrot",
      total_amount: "1173.50",
      status: "sent",
      merchant_address_snapshot: shop.merchant_address,
      line_items: [{ description: "Brand identity" }, { description: "Hosting" }],
    });
    expect(desk.path).toContain(`/desk/invoices/${made.invoice_number}`);
    // Nobody makes a draft anew of what was sent, unless they want to.
    await older.press("Save draft");
    expect(older.text("[role=alert]:not([hidden])")).toStartWith(
      "This draft was sent or discarded in the meantime.",
    );
    await older.press("Save draft");
    expect(older.text(".did")).toBe("The draft is saved.");
    await older.choose("as", "drop");
    await newer.press("Add a line");
    expect(newer.text("[role=alert]:not([hidden])")).toStartWith("This draft was sent or discarded");
    // The draft is gone, and so is the form: who goes back and sends it again is led to the same invoice.
    await again.press("Send invoice");
    expect(again.path).toContain(`/desk/invoices/${made.invoice_number}`);
    // Who throws away what is gone makes nothing of it.
    await dropped.choose("as", "drop");
    expect(dropped.path).toBe("/desk/invoices?kind=drafts&did=DropDraft");
    expect(await count()).toBe(1);
  });

  test("says that its mail may have gone out if the mail server did not confirm it", async () => {
    const server = await startScriptedServer({ content: "close" });
    const smtp = { TILL_SMTP_URL: `smtp://localhost:${server.port}` };
    const till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, smtp);
    const desk = walk(till);
    await desk.open("/desk/invoices/new");
    desk.fill({ ...shop, ...customer, "description-0": "Hosting", "unit_price-0": "40" });
    await desk.press("Send invoice");
    expect(desk.text(".did")).toContain("It may arrive all the same");
    await desk.press("Send");
    expect(desk.text()).toContain("It is not certain that the email went out: ");
    expect([desk.text().includes("did not go out"), server.contents.length]).toEqual([false, 2]);
    await till.stop();
    await server.stop();
  });

  test("begins with who billed last, and copies an old one", async () => {
    const { invoice_number } = await newest();
    const desk = await open();
    expect([desk.value("merchant_name"), desk.value("vendor_name")]).toEqual(["Studio Halden", ""]);
    await desk.open(`/desk/invoices/new?like=${invoice_number}`);
    expect([desk.value("vendor_email"), desk.value("quantity-1")]).toEqual([customer.vendor_email, "1.005"]);
    expect(desk.text("#total")).toBe("1,173.50 USDC");
  });
});

describe.each([
  ["with a script", true],
  ["without one", false],
])("what is seen of the form, %s,", (_, javaScriptEnabled) => {
  test("is what somebody asked for, what is wrong, and the total, on a phone too", async () => {
    for (const vendor_email of ["a@mueller.example", "b@mueller.example"])
      await till.createInvoice({ vendor_name: "Müller", vendor_email });
    const context = await browser.newContext({ javaScriptEnabled, locale: "en-GB", viewport: phone });
    const page = await context.newPage();
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
    await page.setViewportSize(desktop);

    // The price of 1 USDC is asked only of who bills in a currency, and what few want is opened by a chip.
    const visible = (...ids: string[]) => Promise.all(ids.map((id) => page.isVisible(`#${id}`)));
    expect(await visible("rate", "currency", "reference")).toEqual([false, false, false]);
    await page.click("label[for=add-currency]");
    await page.selectOption("#currency", "EUR");
    await page.waitForSelector("#rate", { state: "visible" });
    await page.selectOption("#currency", "");
    await page.waitForSelector("#rate", { state: "hidden" });
    await page.focus("#add-reference");
    await page.keyboard.press("Space");
    await page.fill("#reference", "x".repeat(101));
    await page.fill("#vendor_email", "ap@morgenrot");
    await page.click("text=Send invoice");
    await page.waitForSelector("#reference-fault");
    expect(await visible("reference", "purchase_order")).toEqual([true, false]);
    for (const href of await page.locator("#faults a").evaluateAll((all) => all.map((a) => a.hash)))
      expect(await page.isVisible(`[id="${href.slice(1)}"]`)).toBe(true);
    if (javaScriptEnabled) {
      await holds(page, `document.activeElement?.getAttribute("aria-invalid") === "true"`);
      // The script completes the address of a customer, adds lines, and follows what is typed.
      const completed = async (name: string) => {
        await page.fill("#vendor_name", name);
        await page.locator("#vendor_name").blur();
        return page.inputValue("#vendor_email");
      };
      expect(await completed("Typed by hand")).toBe("ap@morgenrot");
      await page.fill("#vendor_email", "");
      const names = [customer.vendor_name, "Müller", customer.vendor_name, "Unknown", customer.vendor_name];
      const addresses: string[] = [];
      for (const name of names) addresses.push(await completed(name));
      const { vendor_email: known } = customer;
      expect(addresses).toEqual([known, "", known, "", known]);
      await page.click("text=Add a line");
      await page.fill('[id="description-1"]', "Beans");
      await page.fill('[id="quantity-1"]', "3");
      await page.fill('[id="unit_price-1"]', "39.60");
      await page.click('[aria-label="Remove line 1"]');
      await until(
        () => page.locator("#preview .figure").textContent(),
        (shown) => shown?.trim().replaceAll("\u00a0", " ") === "118.80 USDC",
      );
      expect(await page.locator("#line-total-1").textContent()).toBe("118.80");
    }
    await page.click("label[for=add-reference]");
    expect(await visible("reference")).toEqual([false]);
    await context.close();
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
