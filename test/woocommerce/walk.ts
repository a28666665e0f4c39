import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { admin, type Shop } from "./shop.ts";

/** What a merchant and a buyer do in a browser. */

const taken = new Set<string>();
const takesPictures = process.argv.includes("pictures");

/** One of the handbook's pictures: the upper part of the page, the first time that somebody is there. */
export async function picture(page: Page, name: string, around: string): Promise<void> {
  if (!takesPictures || taken.has(name)) return;
  taken.add(name);
  const box = await page.locator(around).first().boundingBox();
  if (!box) throw new Error(`No ${around} to take a picture of`);
  const path = join(import.meta.dir, "../../assets/pictures", `${name}.png`);
  const clip = { ...box, height: Math.min(box.height, 700) };
  await page.screenshot({ path, clip });
}

/** Signs in to the shop's own administration. */
export async function signIn(context: BrowserContext, shop: Shop): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${shop.url}/wp-login.php`);
  await page.fill("#user_login", admin.name);
  await page.fill("#user_pass", admin.password);
  await page.click("#wp-submit");
  await page.waitForURL(/wp-admin/);
  return page;
}

/** Has the plugin ask Till for a key: the page ends at Till's question. */
export async function askForKey(page: Page, shop: Shop, tillUrl: string): Promise<void> {
  await page.goto(`${shop.url}/wp-admin/admin.php?page=wc-settings&tab=btcpay_settings`);
  await page.fill("#btcpay_gf_url", tillUrl);
  await page.click(".btcpay-api-key-link");
  await page.waitForURL(`${tillUrl}/**`);
}

/** Agrees at Till to what the plugin asks for; it gets its key, and shows its settings again. */
export async function consent(page: Page, shop: Shop): Promise<void> {
  await picture(page, "shop-consent", "main");
  await page.click("main form button:not([name=refuse])");
  await page.waitForURL(`${shop.url}/wp-admin/**`);
}

/** The buyer's name goes along with the order, as many shops want it. */
export async function saveSettings(page: Page, shop: Shop): Promise<void> {
  await page.check("#btcpay_gf_send_customer_data");
  await page.click("button[name=save]");
  await page.waitForLoadState();
  await page.goto(`${shop.url}/wp-admin/admin.php?page=wc-settings&tab=btcpay_settings`);
  await picture(page, "shop-connected", "#mainform");
}

/** Puts the product into the cart and fills in the checkout. */
export async function toCheckout(page: Page, shop: Shop): Promise<void> {
  await page.goto(`${shop.url}/?add-to-cart=${shop.productId}`);
  await page.goto(await shop.checkoutUrl());
  const isClassic = (await page.locator("form.woocommerce-checkout").count()) > 0;
  const prefix = isClassic ? "#billing_" : "#billing-";
  const fields = {
    [isClassic ? "#billing_email" : "#email"]: "buyer@globex.example",
    [`${prefix}first_name`]: "Ida",
    [`${prefix}last_name`]: "Berg",
    [`${prefix}address_1`]: "Hauptstr. 1",
    [`${prefix}postcode`]: "10115",
    [`${prefix}city`]: "Berlin",
    ...(isClassic ? { "#billing_phone": "030 1234567" } : {}),
  };
  for (const [field, value] of Object.entries(fields)) await page.fill(field, value);
}

/** Presses the button that orders. */
export async function placeOrder(page: Page): Promise<void> {
  const classic = page.locator("#place_order");
  if ((await classic.count()) > 0) await classic.click();
  else await page.click(".wc-block-components-checkout-place-order-button");
}
