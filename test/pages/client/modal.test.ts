import { expect, test } from "bun:test";
import { holds } from "../../support/browser/browser.ts";
import { linkStates } from "../link-sample.ts";
import { askNow } from "./live-checkout.ts";
import { frameAt, open, page, till, useShop, visitor } from "./live-shop.ts";

/** `window.btcpay` as BTCPay's plugins use it. */

useShop();

/** The shop's page, with what a plugin asks to be told. */
async function openModal(slug = "abc"): Promise<void> {
  await open(`<button id="buy">Buy</button><script src="${till.url}/modal/btcpay.js"></script>`);
  await page.evaluate(`
    document.getElementById("buy").focus();
    window.all = [];
    btcpay.setApiUrlPrefix("${till.url}");
    btcpay.onModalWillEnter(() => all.push("enter"));
    btcpay.onModalWillLeave(() => all.push("leave"));
    btcpay.onModalReceiveMessage(({ data }) => all.push(data));
    btcpay.showInvoice("${slug}");
  `);
  await holds(page, `all.includes("loaded")`);
}
const told = () => page.evaluate("all");

test("it stands before the shop's page, and tells the shop when its order is paid", async () => {
  await openModal();
  const dialog = page.getByRole("dialog", { name: "Pay with USDC" });
  const frame = await frameAt(page, 0);
  await frame.locator("#copy-address").waitFor();
  expect(await dialog.isVisible()).toBe(true);
  expect(await told()).toEqual(["enter", "loaded"]);
  till.payments.set("abc", linkStates.partial);
  await askNow(frame);
  await frame.getByText("Partially paid").first().waitFor();
  till.payments.set("abc", linkStates.paid);
  await askNow(frame);
  await holds(page, "all.length === 3");
  expect(await told()).toEqual(["enter", "loaded", { invoiceId: "abc", status: "complete" }]);
  await page.evaluate("btcpay.hideFrame(); btcpay.hideFrame()");
  expect(await dialog.count()).toBe(0);
  expect(await told()).toEqual(["enter", "loaded", { invoiceId: "abc", status: "complete" }, "leave"]);
  expect(visitor.complaints).toEqual([]);
});

test.each([
  ["void", "invalid"],
  ["expired", "expired"],
] as const)("one that is %s is told as %s", async (state, status) => {
  await openModal();
  till.payments.set("abc", linkStates[state]);
  const frame = await frameAt(page, 0);
  await askNow(frame);
  await holds(page, "all.length >= 3");
  expect(await told()).toContainEqual({ invoiceId: "abc", status });
});

test.each([
  ["the button", () => page.getByRole("button", { name: "Close" }).click()],
  ["the Escape key", () => page.keyboard.press("Escape")],
  ["a script of the shop", () => page.evaluate(`document.querySelector("dialog").close()`)],
])("who leaves it by %s is back in the shop, which hears of it once", async (_, leave) => {
  await openModal();
  await leave();
  await holds(page, `all.includes("close")`);
  expect(await told()).toEqual(["enter", "loaded", "leave", "close"]);
  expect(await page.locator("dialog").count()).toBe(0);
  await holds(page, `document.activeElement.id === "buy"`);
  await page.evaluate(`btcpay.showInvoice("b")`);
  await holds(page, `all.filter((told) => told === "loaded").length === 2`);
  expect(await page.locator("dialog iframe").count()).toBe(1);
});
