import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { desktop } from "../support/browser/stage.ts";
import { balanceOf } from "../support/chain/evm.ts";
import { password, startDesk } from "../support/desk/desk.ts";
import { callTill } from "../support/till/run-till.ts";
import { until } from "../support/till/till.ts";

const name = "Jonas Weber";
/** Where he withdraws to. */
const vault = Address.checksum(`0x${"b2".repeat(20)}`);

let env: Record<string, string>;
/** The one-time link that lets the first owner in. */
let link: string;
let page: Page;

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
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: desktop });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const follow = (name: string) =>
  page.locator("main").getByRole("link", { name, exact: true }).first().click();
const go = (place: string) =>
  page.getByRole("navigation", { name: "Desk" }).first().getByRole("link", { name: place }).click();

/** Waits for what was just done to be told. */
const told = (text: string) => page.locator("main").getByText(text).waitFor();

/** Loads the page until it says all this. */
async function sees(...texts: string[]): Promise<void> {
  await until(
    async () => {
      // Some pages load themselves again: then theirs is the newer one.
      await page.reload().catch(() => {});
      return ((await page.locator("main").textContent()) ?? "").replace(/\s+/g, " ");
    },
    (shown) => texts.every((text) => shown.includes(text)),
    15_000,
  );
}

/** Shows once more who it is, and sends the form. */
async function confirm(name: string): Promise<void> {
  await page.getByLabel("Your password").fill(password);
  await button(name).click();
}

/** A day of the shop, step by step. */
const day: Record<string, () => Promise<void>> = {
  async "comes in by the one-time link"() {
    await page.goto(link);
    await follow("Use a password instead");
    expect(await page.textContent("main")).not.toMatch(/passkey .* is the key/);
    await page.getByLabel("Your name").fill(name);
    await page.getByLabel("New password").fill("too short");
    await button("Set the password and sign in").click();
    expect(await page.getByLabel("Your name").inputValue()).toBe(name);
    expect(await page.getByLabel("New password").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("New password").fill(password);
    await button("Set the password and sign in").click();
    await told("Welcome. You are signed in.");
  },

  async "says who they are"() {
    await go("Settings");
    await page.getByRole("link", { name: /^Your shop/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Studio Jonas");
    await page.getByLabel("Email").fill("hello@studio.example");
    await page.getByLabel("Address", { exact: true }).fill("1 Main Street");
    await button("Save").click();
    await told("Saved. New invoices and links start with this.");
  },

  async "begins an invoice, saves it, and sends it"() {
    await go("Invoices");
    await follow("New invoice");
    await page.getByLabel("Customer", { exact: true }).fill("Café Jonas");
    await page.getByLabel("Email", { exact: true }).first().fill("Jonas@cafe.example");
    await page.getByLabel("Description, line 1").fill("House blend");
    await page.locator(".bottom .menu summary").click();
    await button("Save draft").click();
    await told("The draft is saved.");
    await go("Invoices");
    await page.getByRole("link", { name: "Drafts" }).click();
    await follow("Café Jonas");
    await page.getByLabel("Quantity, line 1").fill("2");
    await page.getByLabel("Price, line 1").fill("50.25");
    await button("Send invoice").click();
    await told("The invoice was created and is on its way to your customer.");
    await until(
      () => till.mail.list().flatMap(({ to }) => to),
      (to) => to.includes("Jonas@cafe.example"),
    );
  },

  async "sees it paid"() {
    const address = /0x[0-9a-fA-F]{40}/.exec(await page.content())?.[0] ?? "";
    await chain.pay(Address.checksum(address), "100.50");
    await sees("Paid", "100.50 USDC confirmed");
  },

  async settles() {
    await go("Money");
    await button("Move it now").click();
    await told("The money is on its way to your wallet.");
    await sees("Nothing waits", "Ready to be withdrawn");
  },

  async "looks at the customer"() {
    await go("Customers");
    await follow("Café Jonas");
    await sees("Paid so far", "100.50 USDC", "House blend");
  },

  async "makes a link"() {
    await go("Links");
    await follow("New link");
    await page.getByLabel("What is it for?").fill("Course of Jonas");
    await page.getByLabel("Price", { exact: true }).fill("12.50");
    await button("Create the link").click();
    await told("The link was created.");
    await sees("Course of Jonas", "12.50 USDC", "Send it");
  },

  async "charges at the counter"() {
    await go("Counter");
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

  async "withdraws, with a proof, to an address that was allowed on the machine"() {
    await callTill(["wallet", "allow", vault, "--name", "The vault"], { env });
    await go("Money");
    await follow("Withdraw");
    await page.getByLabel("Amount").fill("100.50");
    await page.getByText("The vault").click();
    await button("Continue").click();
    await page.getByRole("heading", { name: "Withdraw 100.50 USDC?" }).waitFor();
    await confirm("Withdraw");
    await sees("The money is there.");
    expect(await balanceOf(chain, chain.usdc, vault)).toBe(100_500_000n);
  },

  async "takes the list away as CSV"() {
    await go("Invoices");
    await page.getByRole("link", { name: "Paid", exact: false }).first().click();
    const [download] = await Promise.all([page.waitForEvent("download"), follow("CSV")]);
    const [head, ...rows] = (await Bun.file((await download.path()) ?? "").text()).trim().split("\r\n");
    expect(head).toContain("invoice_number,issue_date,due_date,status");
    expect(rows[0]).toContain(",paid,false,Café Jonas,");
  },

  async "invites a colleague"() {
    await go("Settings");
    await page.getByRole("link", { name: /^People/ }).click();
    await follow("Invite somebody");
    await page.getByLabel("Their name").fill("Colleague of Jonas");
    await page.getByRole("radio", { name: /^Owner/ }).check();
    await confirm("Create the link");
    expect(await page.locator("#secret").textContent()).toContain(`${till.baseUrl}/desk/enter/`);
  },

  async "signs out and in again"() {
    await page.goto(`${till.baseUrl}/desk`);
    await button("Sign out").click();
    await told("You are signed out.");
    await follow("Use a password instead");
    await page.getByLabel("Your name").fill("jonas weber");
    await page.getByLabel("Password").fill("wrong and long enough");
    await button("Sign in").click();
    expect(await page.getByRole("alert").textContent()).toBe("The name or the password is wrong.");
    await page.getByLabel("Password").fill(password);
    await button("Sign in").click();
    await page.getByRole("heading", { name: /Jonas/ }).waitFor();
    await sees("Café Jonas", "Counter", "4.20", "Confirmed");
  },
};

test("a day of the shop, without JavaScript", async () => {
  for (const [step, walk] of Object.entries(day)) {
    await walk().catch((cause) => {
      throw new Error(`${name}, who ${step} at ${page.url()}: ${cause.message}`, { cause });
    });
  }
});
