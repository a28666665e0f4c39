import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Frame, Page } from "playwright-core";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import * as Address from "../../src/domain/wallet/address.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import { soon, startBrowser } from "../support/browser/browser.ts";
import { type BrowserWallet, giveWallet, type WalletOptions } from "../support/browser/browser-wallet.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf, encode, send } from "../support/chain/evm.ts";
import { newSigner, type Signer } from "../support/chain/signer.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";

const price = 25_000_000n;

let chain: TestChain;
let till: TestTill;
let browser: Browser;
/** One tab of a payer, whose wallet each test gives to somebody else. */
let page: Page;
let wallet: BrowserWallet;

beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain, { TILL_CONFIRMATIONS: "1" });
  const gasAddress = await until(
    () => WalletStore.gasAddress(till.db),
    (address) => address !== null,
  );
  if (gasAddress) await chain.giveEth(gasAddress);
  browser = await startBrowser();
  page = await browser.newPage();
  wallet = await giveWallet(page, chain);
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await chain.stop();
});

afterEach(() => page.unrouteAll());

type Owed = { url: string; to: Address.Address };

const owed = {
  async invoice(): Promise<Owed> {
    const line_items = [{ description: "Design", quantity: 1, unit_price: "25.00" }];
    const made = await till.createInvoice({ line_items });
    return { url: made["invoice_url"] ?? "", to: Address.checksum(made["deposit_address"] ?? "") };
  },
  async link(): Promise<Owed> {
    const { slug } = (await till.api("POST", "/api/links", linkRequest)).body;
    const { deposit_address } = (await till.api("GET", `/api/links/${slug}`)).body;
    return { url: `${till.baseUrl}/pay/${slug}`, to: Address.checksum(deposit_address) };
  },
};

/** Opens the page with a wallet of somebody who has 25.00 USDC and no ETH, and waits until they may sign. */
async function open({ url }: Owed, signer: Signer, options: WalletOptions = {}) {
  wallet.become({ signer, ...options });
  await page.goto(url);
  await refresh(signs());
}

const signs = (place: Page | Frame = page) =>
  place.getByRole("button", { name: "Pay with Test Wallet, no fee" });
const transfers = () => page.getByRole("button", { name: "Pay with Test Wallet", exact: true });
const told = (text: string) => page.locator("[data-wallets] .fault").getByText(text).waitFor();

const refresh = (shown: ReturnType<typeof signs>, on: Page = page) =>
  soon(on, () => shown.first().isVisible());
const shows = (text: string, on: Page = page) => refresh(on.getByText(text), on);
const received = (to: Address.Address) => balanceOf(chain, chain.usdc, to);

/** Has no block made until what is done is done. */
async function withoutBlocks(work: () => Promise<void>): Promise<void> {
  await chain.rpc("evm_setAutomine", [false]);
  try {
    await work();
  } finally {
    await chain.rpc("evm_setAutomine", [true]);
    await chain.mine(1);
  }
}

describe("a payer with USDC and no ETH signs", () => {
  test("and has paid an invoice, from another network", async () => {
    const bill = await owed.invoice();
    await open(bill, await newSigner(chain, price), { chainId: 1 });
    await signs().click();
    await shows("Received in full.");
    expect(await received(bill.to)).toBe(price);
    expect(wallet.methods()).toContain("eth_signTypedData_v4");
    expect(wallet.methods()).not.toContain("eth_sendTransaction");
  });

  test("and has paid a checkout in a frame on a shop's page", async () => {
    const bill = await owed.link();
    wallet.become({ signer: await newSigner(chain, price) });
    const shop = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () =>
        new Response(`<h1>Shop</h1><iframe src="${bill.url}?embed=1" width="400" height="900"></iframe>`, {
          headers: { "content-type": "text/html" },
        }),
    });
    try {
      await page.goto(`http://localhost:${shop.port}/`);
      const frame = await until(
        () => page.frames()[1],
        (found) => found !== undefined,
      );
      if (!frame) throw new Error("There is no frame");
      await signs(frame).click({ timeout: 20_000 });
      await frame.getByText("Received in full.").waitFor({ timeout: 20_000 });
      expect(await received(bill.to)).toBe(price);
    } finally {
      await shop.stop(true);
    }
  });

  test("first, where the wallet is known to have nothing for a fee; the transfer stays within reach", async () => {
    const bill = await owed.invoice();
    await open(bill, await newSigner(chain, price), { isConnected: true });
    const buttons = page.locator("[data-wallets] button");
    await until(
      () => buttons.allTextContents(),
      ([first]) => first === "Pay with Test Wallet, no fee",
    );
    expect(await buttons.allTextContents()).toHaveLength(2);
    await transfers().click();
    await told("this account has no ETH on Base (Anvil) for the fee");
    await signs().click();
    await shows("Received in full.");
  });
});

describe("while what was signed is on its way", () => {
  test("no tab invites to pay it again", async () => {
    const bill = await owed.invoice();
    await open(bill, await newSigner(chain, price));
    const second = await browser.newPage();
    try {
      await second.goto(bill.url);
      await withoutBlocks(async () => {
        await signs().click();
        for (const tab of [page, second]) {
          await shows("This payment has been signed and is on its way.", tab);
          expect(await tab.locator(".qr, [data-copy], [data-wallets]").count()).toBe(0);
        }
        const fresh = await (await fetch(bill.url)).text();
        expect(fresh).toContain("Payment signed");
        expect(fresh).not.toContain(bill.to);
      });
      for (const tab of [page, second]) await shows("Received in full.", tab);
      expect(await received(bill.to)).toBe(price);
    } finally {
      await second.close();
    }
  });

  test("and the answer to it is lost, it is handed over again and no button invites to pay in another way", async () => {
    const bill = await owed.link();
    await open(bill, await newSigner(chain, price));
    let handed = 0;
    await page.route("**/relay?*", async (route) => {
      handed += 1;
      const answer = await route.fetch();
      return handed === 1 ? route.abort() : route.fulfill({ response: answer });
    });
    // What the page would see otherwise.
    await page.route("**/payment?*", (route) => route.abort());
    await withoutBlocks(async () => {
      await signs().click();
      await page.getByText("Sent. It will appear here").first().waitFor();
      expect(handed).toBe(2);
      expect(await transfers().isEnabled()).toBe(false);
    });
    await page.unroute("**/payment?*");
    await shows("Received in full.");
    expect(await received(bill.to)).toBe(price);
  });

  test("and fails, that is said, and it can be paid again", async () => {
    const bill = await owed.invoice();
    const signer = await newSigner(chain, price);
    await open(bill, signer);
    await withoutBlocks(async () => {
      await signs().click();
      await shows("This payment has been signed and is on its way.");
      await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, "0x0"]);
    });
    await shows("The signed payment did not go through.");
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, `0x${price.toString(16)}`]);
    await signs().click();
    await shows("Received in full.");
    expect(await received(bill.to)).toBe(price);
  });
});

describe("what cannot be paid by a signature is told in words, and nothing is sent", () => {
  const nothingCame = async ({ to }: Owed) => expect(await received(to)).toBe(0n);

  test("the payer declines and may sign later, but the wallet cannot sign such things: it can still transfer", async () => {
    const bill = await owed.invoice();
    await open(bill, await newSigner(chain, price), { refusals: { eth_signTypedData_v4: [4001, 4200] } });
    await signs().click();
    await told("Declined in the wallet. Nothing was sent.");
    expect(await page.locator(".sign-hint").isVisible()).toBe(true);
    await signs().click();
    await told("This wallet could not sign the payment.");
    expect(await signs().count()).toBe(0);
    // It says that somebody else pays the fee.
    expect(await page.locator(".sign-hint").isVisible()).toBe(false);
    expect(await transfers().isEnabled()).toBe(true);
    await nothingCame(bill);
  });

  test("the account has too little, and the wallet is not even asked", async () => {
    const bill = await owed.invoice();
    await open(bill, await newSigner(chain, price - 1n));
    await signs().click();
    await told("This account does not have enough USDC on Base (Anvil).");
    expect(wallet.methods()).not.toContain("eth_signTypedData_v4");
    await nothingCame(bill);
  });

  test("the token blocks the account", async () => {
    const bill = await owed.invoice();
    const signer = await newSigner(chain, price);
    await open(bill, signer);
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [signer.address]) });
    await signs().click();
    await told("USDC does not allow payments from this account.");
    await nothingCame(bill);
  });

  test("somebody paid a part meanwhile: the new amount stands there", async () => {
    const bill = await owed.invoice();
    await open(bill, await newSigner(chain, price));
    await page.route("**/payment?*", (route) => route.abort());
    await chain.pay(bill.to, "10.00");
    await until(
      async () => (await fetch(bill.url)).text(),
      (html) => html.includes("15.00"),
    );
    await signs().click();
    await told("The amount due has changed.");
    await page.unroute("**/payment?*");
    await shows("Remaining balance");
    await signs().click();
    await shows("Received in full.");
    expect(await received(bill.to)).toBe(price);
  });

  test("the server is gone, and what was signed pays once when it is there again", async () => {
    const bill = await owed.link();
    await open(bill, await newSigner(chain, price));
    await page.route("**/relay?*", (route) => route.abort());
    await signs().click();
    await told("The server could not be reached.");
    await page.unroute("**/relay?*");
    await signs().click();
    await shows("Received in full.");
    expect(await received(bill.to)).toBe(price);
  });
});

test("where no fee can be paid, and without JavaScript, the page is as it was", async () => {
  const bill = await owed.invoice();
  const gasAddress = WalletStore.gasAddress(till.db) ?? Address.zero;
  const context = await browser.newContext({ javaScriptEnabled: false });
  try {
    const plain = await context.newPage();
    await plain.goto(bill.url);
    expect(await plain.locator("[data-wallets]").isHidden()).toBe(true);
    expect(await plain.locator(".sign-hint").isHidden()).toBe(true);
    expect(await plain.locator(".way-scan .qr").isVisible()).toBe(true);
  } finally {
    await context.close();
  }
  await till.pause();
  await chain.giveEth(gasAddress, 0n);
  await till.resume();
  try {
    wallet.become();
    await page.goto(bill.url);
    await transfers().waitFor();
    expect(await signs().count()).toBe(0);
  } finally {
    await chain.giveEth(gasAddress);
  }
});
