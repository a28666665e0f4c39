import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { balanceOf } from "../support/chain/evm.ts";
import { addAuthenticator } from "../support/desk/authenticator.ts";
import { password, startDesk } from "../support/desk/desk.ts";
import { callTill } from "../support/till/run-till.ts";
import { until } from "../support/till/till.ts";

/** Somebody who runs a shop, and the browser that they do it in. */
type Owner = {
  name: string;
  page: Page;
  hasScript: boolean;
  /** Where they withdraw to. */
  vault: Address.Address;
};

let env: Record<string, string>;
/** The one-time link that lets the next owner in. */
let link: string;

useTillOnChain((chain) => startDesk({ TILL_RPC_URL: chain.rpcUrl, TILL_RPC_WS_URL: chain.wsUrl }));
beforeAll(async () => {
  env = {
    TILL_CHAIN: "anvil",
    TILL_DATA_DIR: till.config.dataDir,
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
    TILL_BASE_URL: till.baseUrl,
  };
  await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
  link = (await callTill(["login"], { env })).stdout.trim();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const follow = (page: Page, name: string) =>
  page.locator("main").getByRole("link", { name, exact: true }).first().click();
const go = (page: Page, place: string) =>
  page.getByRole("navigation", { name: "Desk" }).first().getByRole("link", { name: place }).click();

/** Waits for what was just done to be told. */
const told = (page: Page, text: string) => page.locator("main").getByText(text).waitFor();

/** Waits until the page says all this. With a script nobody reloads it. */
async function sees({ page, hasScript }: Owner, ...texts: string[]): Promise<void> {
  await until(
    async () => {
      // Some pages load themselves again without a script: then theirs is the newer one.
      if (!hasScript) await page.reload().catch(() => {});
      return ((await page.locator("main").textContent()) ?? "").replace(/\s+/g, " ");
    },
    (shown) => texts.every((text) => shown.includes(text)),
    15_000,
  );
}

/** Shows once more who it is, and sends the form. */
async function confirm({ page, hasScript }: Owner, withPassword: string, withPasskey: string): Promise<void> {
  if (!hasScript) await page.getByLabel("Your password").fill(password);
  await button(page, hasScript ? withPasskey : withPassword).click();
}

const first = ({ name }: Owner) => name.split(" ")[0] ?? "";

/** A day of the shop, step by step: the same with a passkey and without JavaScript. */
const day: Record<string, (owner: Owner) => Promise<void>> = {
  async "comes in by the one-time link"({ page, name, hasScript }) {
    await page.goto(link);
    if (!hasScript) await follow(page, "Use a password instead");
    await page.getByLabel("Your name").fill(name);
    if (!hasScript) await page.getByLabel("New password").fill(password);
    await button(page, hasScript ? "Create a passkey" : "Set the password and sign in").click();
    await told(page, "Welcome. You are signed in.");
  },

  async "says who they are"(owner) {
    const { page } = owner;
    await go(page, "Settings");
    await page.getByRole("link", { name: /^Your shop/ }).click();
    await page.getByLabel("Name", { exact: true }).fill(`Studio ${first(owner)}`);
    await page.getByLabel("Email").fill("hello@studio.example");
    await page.getByLabel("Address", { exact: true }).fill("1 Main Street");
    await button(page, "Save").click();
    await told(page, "Saved. New invoices and links start with this.");
  },

  async "begins an invoice, saves it, and sends it"(owner) {
    const { page } = owner;
    await go(page, "Invoices");
    await follow(page, "New invoice");
    await page.getByLabel("Customer", { exact: true }).fill(`Café ${first(owner)}`);
    await page
      .getByLabel("Email", { exact: true })
      .first()
      .fill(`${first(owner)}@cafe.example`);
    await page.getByLabel("Description, line 1").fill("House blend");
    await page.locator(".bottom .menu summary").click();
    await button(page, "Save draft").click();
    await told(page, "The draft is saved.");
    await go(page, "Invoices");
    await page.getByRole("link", { name: "Drafts" }).click();
    await follow(page, `Café ${first(owner)}`);
    await page.getByLabel("Quantity, line 1").fill("2");
    await page.getByLabel("Price, line 1").fill("50.25");
    await button(page, "Send invoice").click();
    await told(page, "The invoice was created and is on its way to your customer.");
    await until(
      () => till.mail.list().flatMap(({ to }) => to),
      (to) => to.includes(`${first(owner)}@cafe.example`),
    );
  },

  async "sees it paid"(owner) {
    const { page } = owner;
    const address = /0x[0-9a-fA-F]{40}/.exec(await page.content())?.[0] ?? "";
    await chain.pay(Address.checksum(address), "100.50");
    await sees(owner, "Paid", "100.50 USDC confirmed");
  },

  async settles(owner) {
    const { page } = owner;
    await go(page, "Money");
    await button(page, "Move it now").click();
    await told(page, "The money is on its way to your wallet.");
    await sees(owner, "Nothing waits", "Ready to be withdrawn");
  },

  async "looks at the customer"(owner) {
    const { page } = owner;
    await go(page, "Customers");
    await follow(page, `Café ${first(owner)}`);
    await sees(owner, "Paid so far", "100.50 USDC", "House blend");
  },

  async "makes a link"(owner) {
    const { page } = owner;
    await go(page, "Links");
    await follow(page, "New link");
    await page.getByLabel("What is it for?").fill(`Course of ${first(owner)}`);
    await page.getByLabel("Price", { exact: true }).fill("12.50");
    await button(page, "Create the link").click();
    await told(page, "The link was created.");
    await sees(owner, `Course of ${first(owner)}`, "12.50 USDC", "Send it");
  },

  async "charges at the counter"(owner) {
    const { page } = owner;
    await go(page, "Counter");
    for (const key of ["4", "2", "0"]) await page.click(`.keys button[value="${key}"]`);
    await page.click("#charge");
    await page.waitForSelector("#sale");
    const address = /0x[0-9a-fA-F]{40}/.exec(await page.content())?.[0] ?? "";
    await chain.pay(Address.checksum(address), "4.20");
    await page.waitForSelector(".paid-screen");
    await page.getByText("Next customer").click();
    await page.waitForSelector("#keypad");
    await page.getByRole("link", { name: "Leave the counter" }).click();
  },

  async "withdraws, with a proof, to an address that was allowed on the machine"(owner) {
    const { page, vault } = owner;
    await callTill(["wallet", "allow", vault, "--name", `Vault of ${owner.name}`], { env });
    await go(page, "Money");
    await follow(page, "Withdraw");
    await page.getByLabel("Amount").fill("100.50");
    await page.getByText(`Vault of ${owner.name}`).click();
    await button(page, "Continue").click();
    await page.getByRole("heading", { name: "Withdraw 100.50 USDC?" }).waitFor();
    await confirm(owner, "Withdraw", "Confirm with passkey");
    await sees(owner, "The money is there.");
    expect(await balanceOf(chain, chain.usdc, vault)).toBe(100_500_000n);
  },

  async "takes the list away as CSV"(owner) {
    const { page } = owner;
    await go(page, "Invoices");
    await page.getByRole("link", { name: "Paid", exact: false }).first().click();
    const [download] = await Promise.all([page.waitForEvent("download"), follow(page, "CSV")]);
    const [head, ...rows] = (await Bun.file((await download.path()) ?? "").text()).trim().split("\r\n");
    expect(head).toContain("invoice_number,issue_date,due_date,status");
    expect(rows[0]).toContain(`,paid,false,Café ${first(owner)},`);
  },

  async "invites a colleague"(owner) {
    const { page } = owner;
    await go(page, "Settings");
    await page.getByRole("link", { name: /^People/ }).click();
    await follow(page, "Invite somebody");
    await page.getByLabel("Their name").fill(`Colleague of ${first(owner)}`);
    await page.getByRole("radio", { name: /^Owner/ }).check();
    await confirm(owner, "Create the link", "Create the link");
    link = ((await page.locator("#secret").textContent()) ?? "").trim();
  },

  async "signs out and in again"(owner) {
    const { page, name, hasScript } = owner;
    await page.goto(`${till.baseUrl}/desk`);
    await button(page, "Sign out").click();
    await told(page, "You are signed out.");
    if (!hasScript) {
      await follow(page, "Use a password instead");
      await page.getByLabel("Your name").fill(name);
      await page.getByLabel("Password").fill(password);
    }
    await button(page, hasScript ? "Sign in with a passkey" : "Sign in").click();
    await page.getByRole("heading", { name: new RegExp(first(owner)) }).waitFor();
    await sees(owner, `Café ${first(owner)}`, "Counter", "4.20", "Confirmed");
  },
};

const owners = [
  { name: "Mara Lindqvist", hasScript: true, vault: Address.checksum(`0x${"a1".repeat(20)}`) },
  { name: "Jonas Weber", hasScript: false, vault: Address.checksum(`0x${"b2".repeat(20)}`) },
];

test.each(owners)("a day of the shop, as $name lives it (JavaScript: $hasScript)", async (who) => {
  const context = await browser.newContext({
    javaScriptEnabled: who.hasScript,
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  if (who.hasScript) await addAuthenticator(page);
  for (const [step, walk] of Object.entries(day)) {
    await walk({ ...who, page }).catch((cause) => {
      throw new Error(`${who.name}, who ${step} at ${page.url()}: ${cause.message}`, { cause });
    });
  }
  await context.close();
});
