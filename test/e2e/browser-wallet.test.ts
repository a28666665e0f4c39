import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../src/chain/dev/dev-chain.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { soon, startBrowser } from "../support/browser/browser.ts";
import { giveWallet } from "../support/browser/browser-wallet.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf, encode } from "../support/chain/evm.ts";
import { startTestTill, type TestTill } from "../support/till/till.ts";

/** Base's own: a page says how to add that to a wallet, and nothing of the kind for a local chain. */
const baseChainId = 8453;

let chain: TestChain;
let till: TestTill;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.rpc("anvil_setChainId", [baseChainId]);
  till = await startTestTill(chain, { TILL_CHAIN: "base", TILL_CONFIRMATIONS: "1" });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await chain.stop();
});
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

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
const pressPay = (name = "Test Wallet") => page.getByRole("button", { name: `Pay with ${name}` }).click();
/** It looks like what it is: an error. */
const told = (text: string) => page.locator("[data-wallets] .fault").getByText(text).waitFor();
const shows = (text: string) => soon(page, () => page.getByText(text).first().isVisible());
const saysPaid = () => shows("Received in full.");
const nothingCame = async (to: Address.Address) => expect(await balanceOf(chain, chain.usdc, to)).toBe(0n);

describe("paying with a browser wallet", () => {
  test("pays exactly what remains, and the page turns to paid", async () => {
    const wallet = await giveWallet(page, chain);
    const { to, status } = await openInvoice();
    await callToken("transfer", [to, 500_000_001n]);
    await shows("Remaining balance");
    await pressPay();
    await saysPaid();
    expect(await balanceOf(chain, chain.usdc, to)).toBe(1_500_000_000n);
    expect(await status()).toBe("paid");
    expect(wallet.methods()).not.toContain("wallet_switchEthereumChain");
    expect(wallet.methods().filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
  });

  test("adds Base to a wallet that does not know it, then switches there, though the wallet does not by itself", async () => {
    const wallet = await giveWallet(page, chain, { chainId: 1, knowsChain: false });
    await openInvoice();
    await pressPay();
    await saysPaid();
    const changes = wallet.methods().filter((method) => method.startsWith("wallet_"));
    expect(changes).toEqual([
      "wallet_switchEthereumChain",
      "wallet_addEthereumChain",
      "wallet_switchEthereumChain",
    ]);
  });

  test("offers each of two wallets, and pays with the chosen one", async () => {
    const first = await giveWallet(page, chain, { name: "First Wallet" });
    const second = await giveWallet(page, chain, { name: "Second Wallet", accountIndex: 1 });
    await openInvoice();
    expect(await page.locator("[data-wallets] button").allTextContents()).toEqual([
      "Pay with First Wallet",
      "Pay with Second Wallet",
    ]);
    await pressPay("Second Wallet");
    await saysPaid();
    expect(first.asked).toEqual([]);
    expect(second.methods()).toContain("eth_sendTransaction");
  });
});

describe("what a wallet does not do is told in words, and can be tried again", () => {
  test("the user declines", async () => {
    await giveWallet(page, chain, { refusals: { eth_sendTransaction: [4001] } });
    const { to } = await openInvoice();
    await pressPay();
    await told("Declined in the wallet. Nothing was sent.");
    await nothingCame(to);
    await pressPay();
    await saysPaid();
  });

  test("an account without ETH for the fee", async () => {
    await giveWallet(page, chain, { accountIndex: 2 });
    await chain.rpc("anvil_setBalance", [payers[2], "0x0"]);
    const { to } = await openInvoice();
    await pressPay();
    await told("this account has no ETH on Base for the fee");
    await nothingCame(to);
  });

  test("a payment that the network does not carry out", async () => {
    await giveWallet(page, chain, { accountIndex: 3 });
    const { to } = await openInvoice();
    await callToken("blacklist", [payers[3]]);
    await pressPay();
    await told("The transaction failed on the network.");
    await nothingCame(to);
    expect(await page.getByRole("button", { name: "Pay with Test Wallet" }).isEnabled()).toBe(true);
  });
});
