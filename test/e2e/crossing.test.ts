import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { formatTransactionReceipt, type Hex, keccak256 } from "viem";
import { payers } from "../../src/chain/dev/dev-chain.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { axeViolations, bringAxe } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { type BrowserWallet, giveWallet } from "../support/browser/browser-wallet.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf } from "../support/chain/evm.ts";
import { type Circle, startCircle } from "../support/crossing/circle.ts";
import { attest, messageIn, placeCrossing } from "../support/crossing/crossing.ts";
import { startTestTill, type TestTill } from "../support/till/till.ts";

/** A payer with USDC on Ethereum only, who pays with the wallet in their browser. */

const ethereum = 31338;
const termsAgainMs = 30_000;
const payer = payers[1] ?? Address.zero;
let there: TestChain;
let here: TestChain;
let circle: Circle;
let till: TestTill;
let browser: Browser;
/** One tab of the payer. */
let page: Page;
let wallet: BrowserWallet;
const own = () => ({ accountIndex: 1, others: { [ethereum]: there } });

beforeAll(async () => {
  [there, here] = await Promise.all([startTestChain(), startTestChain()]);
  await Promise.all([placeCrossing(there, 0), placeCrossing(here, 6)]);
  circle = startCircle();
  till = await startTestTill(here, { TILL_CCTP_URL: circle.url });
  browser = await startBrowser();
  page = await browser.newPage();
  await bringAxe(page);
  wallet = await giveWallet(page, here, own());
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await circle.stop();
  await Promise.all([there.stop(), here.stop()]);
});

async function openInvoice() {
  const invoice = await till.createInvoice();
  await page.goto(invoice["invoice_url"] ?? "");
  return {
    to: Address.checksum(invoice["deposit_address"] ?? ""),
    status: async () => (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status,
  };
}

const told = () =>
  till.db.query<{ tx_hash: Hex; state: string }, []>("SELECT tx_hash, state FROM crossing ORDER BY id").all();
const crossWith = () => page.getByRole("button", { name: "Pay from Ethereum (Anvil) with Test Wallet" });
const see = (text: string) => page.getByText(text).first().waitFor();

/** What Circle makes of the newest burn. */
async function sign(): Promise<void> {
  const txHash = told().at(-1)?.tx_hash ?? "0x";
  const receipt = formatTransactionReceipt((await there.rpc("eth_getTransactionReceipt", [txHash])) as never);
  circle.tell(txHash, await attest(messageIn(receipt), keccak256(txHash), { fee: 400_053n }));
}

test("pays from another network, is told what is known of it, and delivers it where Circle does not", async () => {
  const { to, status } = await openInvoice();
  const before = await balanceOf(there, there.usdc, payer);
  await page.getByLabel("Pay from").selectOption({ label: "Ethereum (Anvil)" });
  await see("You send 1,500.400053 USDC on Ethereum (Anvil).");
  expect(await axeViolations(page)).toEqual([]);
  await crossWith().click();
  await see("A payment from Ethereum (Anvil) was reported on");
  expect(before - (await balanceOf(there, there.usdc, payer))).toBe(1_500_400_053n);
  expect(wallet.methods().filter((method) => method === "eth_sendTransaction")).toHaveLength(2);

  await sign();
  till.db.run("UPDATE crossing SET next_at = 0");
  await see("On its way from Ethereum (Anvil)");
  expect(await status()).toBe("draft");
  till.db.run("UPDATE crossing SET attested_at = attested_at - 700000");
  await see("Not delivered yet, from Ethereum (Anvil)");
  expect(await axeViolations(page)).toEqual([]);
  wallet.become({ ...own(), refusals: { eth_sendTransaction: [4001] } });
  const deliver = page.getByRole("button", { name: "Deliver it with Test Wallet" });
  await deliver.press("Enter");
  await page.locator("[data-deliver]").getByText("Declined in the wallet.").waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Deliver it with Test Wallet");
  await deliver.click();
  await see("Received in full.");
  expect(await balanceOf(here, here.usdc, to)).toBe(1_500_000_000n);
});

test("what was sent is told again when Till could not be reached, and no page asks twice for the same", async () => {
  await openInvoice();
  await page.route("**/crossed*", (route) => route.abort());
  await page.getByLabel("Pay from").selectOption({ label: "Ethereum (Anvil)" });
  await crossWith().click();
  await see("Sent from Ethereum (Anvil).");
  const count = told().length;
  await page.unroute("**/crossed*");
  await page.reload();
  await see("A payment from Ethereum (Anvil) was reported on");
  expect(told()).toHaveLength(count + 1);
  await page.reload();
  await see("A payment from Ethereum (Anvil) was reported on");
  expect(told()).toHaveLength(count + 1);
});

test("offers to send nothing while it asks what is due now", async () => {
  const { to } = await openInvoice();
  await page.getByLabel("Pay from").selectOption({ label: "Ethereum (Anvil)" });
  await crossWith().waitFor();
  const answered = Promise.withResolvers<void>();
  await page.route("**/crossing*", async (route) => {
    await answered.promise;
    await route.continue();
  });
  const asked = page.waitForRequest("**/crossing*");
  await here.pay(to, "500.00");
  await asked;
  expect(await crossWith().count()).toBe(0);
  answered.resolve();
  await see("You send 1,000.");
  await crossWith().waitFor();
  await page.unroute("**/crossing*");
});

test("burns nothing once something else is due than when the payer allowed it", async () => {
  const { to } = await openInvoice();
  let isPaid = false;
  wallet.become({
    ...own(),
    async before({ method }) {
      if (method !== "eth_getTransactionReceipt" || isPaid) return;
      isPaid = true;
      await here.pay(to, "500.00");
      await see("You send 1,000.");
    },
  });
  await page.getByLabel("Pay from").selectOption({ label: "Ethereum (Anvil)" });
  await crossWith().click();
  await page.locator("[data-wallets] .fault").getByText("1,000.00 USDC remaining.").waitFor();
  expect(wallet.methods().filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
});

test("says why not, before anything is sent, and asks again by itself what to send", async () => {
  wallet.become(own());
  await page.clock.install();
  await openInvoice();
  await there.rpc("anvil_dealERC20", [payer, there.usdc, "0x1"]);
  await page.getByLabel("Pay from").selectOption({ label: "Ethereum (Anvil)" });
  await crossWith().click();
  await see("This account does not have enough USDC on Ethereum (Anvil).");
  circle.price = [];
  await page.route("**/crossing*", (route) => route.abort());
  await page.getByLabel("Pay from").selectOption({ label: "Polygon (Anvil)" });
  await page.locator("[data-terms]", { hasText: "Connection lost." }).waitFor();
  await page.unroute("**/crossing*");
  await page.clock.fastForward(termsAgainMs);
  await see("Paying from Polygon (Anvil) is not possible right now.");
  expect(wallet.methods()).not.toContain("eth_sendTransaction");
  await page.getByLabel("Pay from").selectOption({ label: "Base (Anvil)" });
  await page.getByRole("button", { name: "Pay with Test Wallet" }).click();
  await see("Received in full.");
});
