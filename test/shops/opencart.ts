import { deepEqual, match } from "node:assert/strict";
import type { Page } from "playwright-core";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { until } from "../support/till/till.ts";
import { openMarket } from "./market.ts";
import { connectOpenCart, type OpenCart, openCart, orderAtOpenCart } from "./opencart-shop.ts";

/**
 * Has a real OpenCart sell for USDC through Till, with BTCPay's extension as it is:
 *   bun run test:opencart DIR
 * CONTRIBUTING.md says how DIR is made and what else it takes.
 */

const [sources] = process.argv.slice(2);
if (sources === undefined) throw new Error("Say where the sources are: bun run test:opencart DIR");

const market = await openMarket();
const { till, step, pass } = market;
const { key: merchantKey } = createApiKey(till.db, "The merchant's own", market.now());
const ofMerchant = { authorization: `Bearer ${merchantKey}` };
const dayMs = 86_400_000;
const shops: OpenCart[] = [];
try {
  const shop = await openCart(sources, market.dir, market.mariaDb);
  shops.push(shop);
  let showModal = async () => {};
  await step(
    "connects",
    async () => {
      const { said, setModal } = await connectOpenCart(await market.merchantPage(), shop, till.baseUrl);
      match(said, /Successfully created a webhook/);
      showModal = setModal;
    },
    true,
  );
  /** A buyer orders, and is at Till's page. */
  const buy = async (page?: Page) => {
    page ??= await market.newPage();
    await orderAtOpenCart(page, shop);
    await page.waitForURL(`${till.baseUrl}/pay/**`);
    const atTill = market.orderAt(page.url());
    const id = await shop.orderOf(atTill.slug);
    let order = await shop.order(id);
    return {
      ...atTill,
      page,
      /** The order has this status, and the extension said this of it. */
      async becomes(status: string, note: string) {
        const isSo = () => order.status === status && order.notes.some((text) => text.includes(note));
        await until(async () => (order = await shop.order(id)), isSo, 120_000).catch((thrown) => {
          throw new Error(`${order.status}: ${order.notes.join(" / ")}`, { cause: thrown });
        });
      },
    };
  };
  await step("paid in full", async () => {
    const order = await buy();
    await order.becomes("Pending", `BTCPay invoice id: ${order.slug}`);
    deepEqual(order.due, 143_140_000n);
    await order.pay(order.due);
    await order.becomes("Processing", "Fully paid and settled.");
    await order.page.locator(`a[href^="${shop.url}"]`).first().click();
    await order.page.getByText("Your order has been placed!").first().waitFor();
  });
  await step("paid in two parts", async () => {
    const order = await buy();
    await order.pay(order.due / 2n);
    await order.becomes("Pending", "(Partial) payment now settled.");
    await order.pay(order.due - order.due / 2n);
    await order.becomes("Processing", "Fully paid and settled.");
  });
  await step("paid too much", async () => {
    const order = await buy();
    await order.pay(order.due * 2n);
    await order.becomes("Processing", "Overpaid and settled.");
  });
  await step("void at Till", async () => {
    const order = await buy();
    const path = `/api/links/${order.slug}/void`;
    const { status } = await till.api("POST", path, { reason: "Sold out." }, ofMerchant);
    deepEqual(status, 200);
    await order.becomes("Failed", "InvoiceInvalid");
  });
  await step("expired, and paid after that", async () => {
    const [unpaid, part] = [await buy(), await buy()];
    await part.pay(part.due / 2n);
    await part.becomes("Pending", "(Partial) payment now settled.");
    await pass(dayMs + 60_000);
    await unpaid.becomes("Expired", "InvoiceExpired");
    await part.becomes("Failed", "Invoice expired but received partial payment.");
    await unpaid.pay(unpaid.due);
    await unpaid.becomes("Processing", "Already expired invoice now fully paid and settled.");
  });
  await step("Till is down when the buyer orders", async () => {
    const page = await market.newPage();
    await till.pause();
    try {
      await orderAtOpenCart(page, shop);
      await page.waitForURL(/checkout/);
    } finally {
      await till.resume();
    }
    const order = await buy(page);
    await order.pay(order.due);
    await order.becomes("Processing", "Fully paid and settled.");
  });
  await step("Till's checkout stands in front of the shop's own", async () => {
    await showModal();
    const page = await market.newPage();
    await orderAtOpenCart(page, shop);
    const modal = page.locator("dialog[open] iframe");
    const order = market.orderAt((await modal.getAttribute("src")) ?? "");
    await order.pay(order.due);
    await page.getByText("Your order has been placed!").first().waitFor();
  });
} finally {
  await market.close(shops);
}
