import type { BrowserContext, Page } from "playwright-core";
import { admin, type Shop } from "./shop.ts";

/** What a merchant and a buyer do in a browser. */

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

/** Gives the plugin what it needs to know of Till, and saves; it makes its webhook itself. */
export async function fillInSettings(
  page: Page,
  shop: Shop,
  { url, key, storeId }: { url: string; key: string; storeId: string },
): Promise<string> {
  const settings = `${shop.url}/wp-admin/admin.php?page=wc-settings&tab=btcpay_settings`;
  await page.goto(settings);
  await page.check("#btcpay_gf_connection_details");
  await page.fill("#btcpay_gf_url", url);
  await page.fill("#btcpay_gf_api_key", key);
  await page.fill("#btcpay_gf_store_id", storeId);
  // The buyer's name goes along with the order, as many shops want it.
  await page.check("#btcpay_gf_send_customer_data");
  await page.click("button[name=save]");
  await page.waitForLoadState();
  await page.goto(settings);
  return (await page.textContent("#mainform")) ?? "";
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
