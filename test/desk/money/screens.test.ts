import { expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as AllowedAddressStore from "../../../src/store/tables/desk/allowed-address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { violations } from "../../support/browser/axe.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { balanceOf } from "../../support/chain/evm.ts";
import { addAuthenticator } from "../../support/desk/authenticator.ts";
import { entryUrl, startDesk } from "../../support/desk/desk.ts";

const ledger = Address.checksum("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");

useTillOnChain((chain) => startDesk({ TILL_RPC_URL: chain.rpcUrl, TILL_RPC_WS_URL: chain.wsUrl }));

test("an owner withdraws with a passkey that is asked for once more, and watches the money arrive", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await addAuthenticator(page);
  await page.goto(entryUrl(till, { role: "owner" }));
  await page.getByLabel("Your name").fill("Mara Lindqvist");
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL(/\/desk(\?did=Enter)?$/);

  const invoice = await till.createInvoice();
  const { wallet_address: wallet } = (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`)).body;
  await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
  await chain.pay(wallet, "120.00");

  await page.goto(`${till.baseUrl}/desk/money/withdraw`);
  expect(await page.getByText("First allow an address").isVisible()).toBe(true);
  // What can be done here comes before what only the machine does.
  expect(await page.locator(".empty").textContent()).toMatch(
    /can be used from.*Add an address.*till wallet allow/s,
  );
  AllowedAddressStore.allow(till.db, { address: ledger, name: "Ledger, in the safe", createdAt: Date.now() });
  await page.goto(`${till.baseUrl}/desk/money`);
  await page.getByRole("link", { name: "Withdraw" }).click();
  await page.getByLabel("All of it").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Withdraw 120.00 USDC?" }).waitFor();
  expect(await violations(page)).toEqual({ light: [], dark: [] });
  await page.getByRole("button", { name: "Confirm with passkey" }).click();
  await page.waitForURL("**/desk/money/withdrawals/1**");
  // The page follows by itself.
  await page.getByText("The money is there.").waitFor();
  expect(await balanceOf(chain, chain.usdc, ledger)).toBe(120_000_000n);
});
