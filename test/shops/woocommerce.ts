import { deepEqual, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { until } from "../support/till/till.ts";
import { openMarket } from "./market.ts";
import { type Order, openShop, type Shop } from "./shop.ts";
import { connect, connectByHand, picture, placeOrder, showInModal, signIn, toCheckout } from "./walk.ts";

/**
 * Has two real shops sell for USDC through one Till, with BTCPay's plugin for WooCommerce as it is:
 *   bun run test:woocommerce DIR [pictures]
 * CONTRIBUTING.md says how DIR is made and what else it takes. `pictures` takes the handbook's again.
 */

const [sources] = process.argv.slice(2);
if (sources === undefined) throw new Error("Say where the sources are: bun run test:woocommerce DIR");

const dayMs = 86_400_000;

const shops: Shop[] = [];
const market = await openMarket();
const { till, step, pass } = market;

const { key: merchantKey } = createApiKey(till.db, "The merchant's own", market.now());
const ofMerchant = { authorization: `Bearer ${merchantKey}` };

/** Somebody who is signed in to the shop and to Till. */
const merchant = async (shop: Shop): Promise<Page> => signIn(await market.merchantPage(), shop);

/** A buyer orders, and is at Till's page. */
async function buy(shop: Shop) {
  const page = await market.newPage();
  await toCheckout(page, shop);
  await placeOrder(page);
  return await atTill(shop, page);
}

async function atTill(shop: Shop, page: Page) {
  await page.waitForURL(`${till.baseUrl}/pay/**`);
  const atTill = market.orderAt(page.url());
  const id = await shop.orderOf(atTill.slug);
  let order: Order = await shop.order(id);
  return {
    ...atTill,
    id,
    page,
    /** The order has this status, and the plugin said this of it. */
    async becomes(status: string, ...notes: string[]) {
      const isSo = () =>
        order.status === status && notes.every((note) => order.notes.some((text) => text.includes(note)));
      await until(async () => (order = await shop.order(id)), isSo, 120_000);
      return order;
    },
  };
}

const unasked = "already processing or completed";

/** What 1 USDC is bought and sold for, and what 20.00 come to at the rate between. */
const rates = {
  EUR: { bid: "0.8606", ask: "0.8608", due: 23_240_000n },
  USD: { bid: "0.9999", ask: "1.0001", due: 20_000_000n },
} as const;

/** Everything that can become of an order. */
async function walk(shop: Shop, currency: keyof typeof rates): Promise<void> {
  const { due, ...rate } = rates[currency];
  market.exchanges.set("all", rate);
  await step(`${shop.name}: paid in full`, async () => {
    const order = await buy(shop);
    deepEqual((await shop.order(order.id)).status, "pending");
    deepEqual(order.due, due);
    await picture(order.page, "shop-checkout");
    await order.pay(order.due);
    const { notes, meta } = await order.becomes("processing", "Invoice payment settled.");
    ok(!notes.some((note) => note.includes(unasked)), `one event too many: ${notes.join("\n")}`);
    deepEqual(meta["BTCPay_id"], order.slug);
    ok(
      Object.keys(meta).some((key) => /^BTCPay_USDC.*_0_id$/.test(key)),
      JSON.stringify(meta),
    );
    const back = order.page.locator(`a[href^="${shop.url}"]`).first();
    await back.click();
    await order.page.waitForURL(/order-received/);
    match((await order.page.textContent("main")) ?? "", /Payment processing/);
    await order.page.context().close();
  });

  await step(`${shop.name}: paid in two parts`, async () => {
    const order = await buy(shop);
    await order.pay(order.due / 2n);
    await order.becomes("pending", "Invoice (partial) payment settled.");
    await order.pay(order.due - order.due / 2n);
    await order.becomes("processing", "Invoice payment settled.");
  });

  await step(`${shop.name}: paid too much`, async () => {
    const order = await buy(shop);
    await order.pay(order.due * 2n);
    await order.becomes("processing", "Invoice payment settled but was overpaid.");
  });

  await step(`${shop.name}: void at Till`, async () => {
    const order = await buy(shop);
    const path = `/api/links/${order.slug}/void`;
    const { status } = await till.api("POST", path, { reason: "Sold out." }, ofMerchant);
    deepEqual(status, 200);
    await order.becomes("failed", "Invoice manually marked invalid.");
  });

  await step(`${shop.name}: expired, and paid after that`, async () => {
    const [unpaid, part] = [await buy(shop), await buy(shop)];
    await part.pay(part.due / 2n);
    await part.becomes("pending", "Invoice (partial) payment settled.");
    await pass(dayMs + 60_000);
    await unpaid.becomes("cancelled", "Invoice expired.");
    await part.becomes("failed", "Invoice expired but was paid partially, please check.");
    await unpaid.pay(unpaid.due);
    await unpaid.becomes("processing", "Invoice fully settled after invoice was already expired.");
    await part.pay(part.due - part.due / 2n);
    await part.becomes("processing", "Invoice fully settled after invoice was already expired.");
  });

  await step(`${shop.name}: Till is down when the buyer orders`, async () => {
    const page = await market.newPage();
    await toCheckout(page, shop);
    const ordersBefore = await shop.orderCount();
    await till.pause();
    try {
      await placeOrder(page);
      const shown = page.locator(".wc-block-components-notice-banner.is-error, .woocommerce-error").first();
      console.log(`        the buyer reads: ${JSON.stringify((await shown.textContent())?.trim())}`);
    } finally {
      await till.resume();
    }
    await placeOrder(page);
    const order = await atTill(shop, page);
    deepEqual(await shop.orderCount(), ordersBefore + 1);
    await order.pay(order.due);
    await order.becomes("processing", "Invoice payment settled.");
  });

  await step(`${shop.name}: the shop is down when it is paid, and Till is restarted`, async () => {
    const order = await buy(shop);
    await shop.pause();
    try {
      await order.pay(order.due);
      const status = () => till.api("GET", `/api/payments/status/${order.slug}`);
      await until(status, ({ body }) => body.status === "confirmed");
      await till.pause();
      await till.resume();
    } finally {
      await shop.resume();
    }
    await pass(3_600_000);
    await order.becomes("processing", "Invoice payment settled.");
  });
}

/** With the classic checkout: with blocks, the plugin asks for an order that WooCommerce 11 has not made yet. */
async function walkModal(shop: Shop): Promise<void> {
  await step(`${shop.name}: Till's checkout stands in front of the shop's own`, async () => {
    const settings = await merchant(shop);
    await showInModal(settings, shop);
    await settings.context().close();
    const page = await market.newPage();
    const modal = page.locator("dialog[open] iframe");
    await toCheckout(page, shop);
    await placeOrder(page);
    await modal.waitFor();
    await picture(page, "shop-modal");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("Payment aborted by you.").first().waitFor();
    deepEqual(await modal.count(), 0);
    await page.reload();
    await toCheckout(page, shop);
    await placeOrder(page);
    const order = market.orderAt((await modal.getAttribute("src")) ?? "");
    await order.pay(order.due);
    await page.waitForURL(/order-received/);
    const id = await shop.orderOf(order.slug);
    await until(
      () => shop.order(id),
      ({ status }) => status === "processing",
      30_000,
    );
    await page.context().close();
  });
}

try {
  for (const options of [
    { name: "roastery", currency: "EUR", checkout: "blocks" },
    { name: "bakery", currency: "USD", checkout: "classic" },
  ] as const) {
    const shop = await openShop(sources, market.dir, market.mariaDb, options);
    shops.push(shop);
    await step(
      `${shop.name}: connects`,
      async () => {
        const page = await merchant(shop);
        const does = shop.name === "roastery" ? connect : connectByHand;
        const text = await does(page, shop, till.baseUrl);
        match(text, /BTCPay Server connected\./);
        match(text, /Webhook setup automatically\./);
        await page.context().close();
      },
      true,
    );
  }
  const [roastery, bakery] = shops as [Shop, Shop];
  await step("each shop hears of its own orders", async () => {
    const [one, other] = [await buy(roastery), await buy(bakery)];
    await other.pay(other.due);
    await other.becomes("processing", "Invoice payment settled.");
    deepEqual((await roastery.order(one.id)).status, "pending");
    await one.pay(one.due);
    await one.becomes("processing", "Invoice payment settled.");
  });
  await walk(roastery, "EUR");
  await walk(bakery, "USD");
  await walkModal(bakery);
} finally {
  await market.close(shops);
}
