import { join } from "node:path";
import type { Page } from "playwright-core";
import { takePicture } from "../support/browser/picture.ts";
import { password } from "../support/desk/desk.ts";
import { admin, type Shop } from "./shop.ts";

/** What a merchant and a buyer do in a browser. */

const takesPictures = process.argv.includes("pictures");
const taken = new Set<string>();

/** One of the handbook's pictures: what is on the screen the first time that somebody is there. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!takesPictures || taken.has(name)) return;
  taken.add(name);
  await takePicture(page, join(import.meta.dir, "../../assets/pictures", `${name}.png`));
}

/** Signs in to the shop's own administration. */
export async function signIn(page: Page, shop: Shop): Promise<Page> {
  await page.goto(`${shop.url}/wp-login.php`);
  await page.fill("#user_login", admin.name);
  await page.fill("#user_pass", admin.password);
  await page.click("#wp-submit");
  await page.waitForURL(/wp-admin/);
  return page;
}

const settingsOf = (shop: Shop) => `${shop.url}/wp-admin/admin.php?page=wc-settings&tab=btcpay_settings`;

/** Has the plugin ask Till for a key, agrees there, and saves what the plugin was given. */
export async function connect(page: Page, shop: Shop, tillUrl: string): Promise<string> {
  await page.goto(settingsOf(shop));
  await page.fill("#btcpay_gf_url", tillUrl);
  await page.click(".btcpay-api-key-link");
  await page.waitForURL(`${tillUrl}/desk/**`);
  await fillInConsent(page, shop);
  await picture(page, "shop-consent");
  await page.click("main form .actions button");
  await page.click(`form[action^="${shop.url}"] button`);
  await page.waitForURL(`${shop.url}/wp-admin/**`);
  return saveSettings(page, shop);
}

/** Makes a key by hand at the desk, and gives it to the plugin; saves. */
export async function connectByHand(page: Page, shop: Shop, tillUrl: string): Promise<string> {
  await page.goto(`${tillUrl}/desk/settings/shops/connect`);
  await fillInConsent(page, shop);
  await page.click("main form .actions button");
  const shown = (await page.textContent("main")) ?? "";
  const key = (await page.textContent("#secret")) ?? "";
  const storeId = /store_\w+/.exec(shown)?.[0] ?? "";
  await page.goto(settingsOf(shop));
  await page.check("#btcpay_gf_connection_details");
  await page.fill("#btcpay_gf_url", tillUrl);
  await page.fill("#btcpay_gf_api_key", key);
  await page.fill("#btcpay_gf_store_id", storeId);
  return saveSettings(page, shop);
}

/** What Till's consent page asks a shop's owner. */
export async function fillInConsent(page: Page, shop: { readonly name: string }): Promise<void> {
  await page.fill("[name=name]", shop.name);
  await page.fill("[name=merchant_email]", `owner@${shop.name}.example`);
  await page.fill("[name=proof]", password);
}

/** The buyer's name goes along with the order, as many shops want it. What the settings say after that. */
async function saveSettings(page: Page, shop: Shop): Promise<string> {
  await page.check("#btcpay_gf_send_customer_data");
  await page.click("button[name=save]");
  await page.waitForLoadState();
  const saved = (await page.textContent("#wpbody")) ?? "";
  await page.goto(settingsOf(shop));
  const now = (await page.textContent("#wpbody")) ?? "";
  return `${saved} ${now}`.replaceAll(/\s+/g, " ");
}

/** Has the plugin show Till's checkout before the shop's page. */
export async function showInModal(page: Page, shop: Shop): Promise<void> {
  await page.goto(settingsOf(shop));
  await page.check("#btcpay_gf_modal_checkout");
  await page.click("button[name=save]");
  await page.waitForLoadState();
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
