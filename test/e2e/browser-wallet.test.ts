import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../src/chain/dev/dev-chain.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { soon, startBrowser } from "../support/browser/browser.ts";
import { type BrowserWallet, giveWallet } from "../support/browser/browser-wallet.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf, encode } from "../support/chain/evm.ts";
import { startTestTill, type TestTill } from "../support/till/till.ts";

/** Base's own: a page says how to add that to a wallet, and nothing of the kind for a local chain. */
const baseChainId = 8453;

let chain: TestChain;
let till: TestTill;
let browser: Browser;
/** One tab of a payer, who has two wallets. */
let page: Page;
let first: BrowserWallet;
let second: BrowserWallet;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.rpc("anvil_setChainId", [baseChainId]);
  till = await startTestTill(chain, { TILL_CHAIN: "base", TILL_CONFIRMATIONS: "1" });
  browser = await startBrowser();
  page = await browser.newPage();
  first = await giveWallet(page, chain, { name: "First Wallet" });
  second = await giveWallet(page, chain, { name: "Second Wallet", accountIndex: 1 });
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await chain.stop();
});

async function openInvoice(): Promise<{ to: Address.Address; status: () => Promise<string> }> {
  const invoice = await till.createInvoice();
  await page.goto(invoice["invoice_url"] ?? "");
  return {
    to: Address.checksum(invoice["deposit_address"] ?? ""),
    async status() {
      return (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;
    },
  };
}

/** From the chain's first payer, by name of the token's function. */
const callToken = (name: string, args: unknown[]) =>
  chain
    .rpc("anvil_impersonateAccount", [payers[0]])
    .then(() =>
      chain.rpc("eth_sendTransaction", [
        { from: payers[0], to: chain.usdc, data: encode(usdcArtifact.abi, name, args), gas: "0x30d40" },
      ]),
    );
const pressPay = (name: string) => page.getByRole("button", { name: `Pay with ${name}` }).click();
const shows = (text: string) => soon(page, () => page.getByText(text).first().isVisible());
const saysPaid = () => shows("Received in full.");

test("pays exactly what remains with the wallet that was chosen, and the page turns to paid", async () => {
  const { to, status } = await openInvoice();
  await callToken("transfer", [to, 500_000_001n]);
  await shows("Remaining balance");
  expect(await page.locator("[data-wallets] button").allTextContents()).toEqual([
    "Pay with First Wallet",
    "Pay with Second Wallet",
  ]);
  await pressPay("Second Wallet");
  await saysPaid();
  expect(await balanceOf(chain, chain.usdc, to)).toBe(1_500_000_000n);
  expect(await status()).toBe("paid");
  expect(first.asked).toEqual([]);
  expect(second.methods()).not.toContain("wallet_switchEthereumChain");
  expect(second.methods().filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
});

test("adds Base to a wallet that does not know it", async () => {
  first.become({ chainId: 1, knowsChain: false });
  await openInvoice();
  await pressPay("First Wallet");
  await saysPaid();
});

test("tells in words of a payment that the network does not carry out, and it can be tried again", async () => {
  first.become({ accountIndex: 3 });
  const { to } = await openInvoice();
  await callToken("blacklist", [payers[3]]);
  await pressPay("First Wallet");
  // It looks like what it is: an error.
  await page.locator("[data-wallets] .fault").getByText("The transaction failed on the network.").waitFor();
  expect(await balanceOf(chain, chain.usdc, to)).toBe(0n);
  expect(await page.getByRole("button", { name: "Pay with First Wallet" }).isEnabled()).toBe(true);
});
