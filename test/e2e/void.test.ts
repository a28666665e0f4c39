import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import { soon } from "../support/browser/browser.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { linkRequest, startTestTill, until } from "../support/till/till.ts";

let page: Page;

useTillOnChain((chain) => startTestTill(chain, { TILL_CONFIRMATIONS: "2" }));
beforeAll(async () => {
  page = await browser.newPage();
});

const reason = "Billed twice.\nPlease see INV-0001.";
// biome-ignore lint/suspicious/noExplicitAny: records of every shape
const post = async (path: string, body: unknown): Promise<any> => {
  const { status, body: answer } = await till.api("POST", path, body);
  expect([status, answer.detail]).toEqual([200, undefined]);
  return answer;
};
const pay = (made: Record<string, string>, amount: string) =>
  chain.pay(Address.checksum(made["deposit_address"] ?? ""), amount);
const newLink = async (fields = {}) =>
  (await till.api("POST", "/api/links", { ...linkRequest, ...fields })).body;
/** Lets the chain go on until the money counts. */
const receives = (path: string, amount: string) =>
  until(
    async () => {
      await chain.rpc("anvil_mine", ["0x1"]);
      return (await till.api("GET", path)).body;
    },
    (record) => (record.data?.[0] ?? record).received_amount === amount,
  );

/** Waits until the page says it; all that it says then. */
async function says(text: string): Promise<string> {
  const shown = async () => (await page.locator("main").textContent()) ?? "";
  await soon(page, async () => (await shown()).includes(text));
  return shown();
}
const asks = () => page.locator(".qr, code.address, [data-copy], #open-wallet").count();

describe("an invoice that is voided while its page is open", () => {
  let invoice: Record<string, string>;
  let path: string;

  beforeAll(async () => {
    invoice = await till.createInvoice();
    path = `/api/invoices/${invoice["invoice_id"]}`;
    await page.goto(invoice["invoice_url"] ?? "");
  });

  test("says so by itself, with the reason, and asks for nothing any more", async () => {
    expect(await asks()).toBeGreaterThan(0);
    await post(`${path}/void`, { reason });
    expect(await says("This invoice is void")).toContain("Billed twice.\nPlease see INV-0001.");
    expect(await asks()).toBe(0);
    expect(await page.title()).toStartWith("Void · ");
    await until(
      () => page.locator("#announcement").textContent(),
      (text) => text === "Nothing is owed any more. Please do not pay.",
    );
  });

  test("says plainly that money came all the same: on its way, then received", async () => {
    await pay(invoice, "1500.00");
    expect(await says("Money was sent here all the same.")).toContain("1,500.00 USDC");
    const record = await receives(path, "1500.00");
    expect(record).toMatchObject({ status: "void", received_amount: "1500.00", void_reason: reason });
    expect(await says("Confirmed")).toContain("contact the merchant");
    expect(await asks()).toBe(0);
  });
});

test("what is marked as paid says so, also when part of it is paid all the same, until the mark is taken back", async () => {
  const link = await newLink({ success_url: "https://shop.example/thanks" });
  const path = `/api/links/${link.slug}`;
  await page.goto(link.payment_link);
  await post(`${path}/mark`, { as: "paid", note: "In cash" });
  expect(await says("The shop has recorded this payment as received.")).not.toContain("In cash");
  expect(await asks()).toBe(0);
  expect(await page.locator("[data-part=transfers]").count()).toBe(0);
  expect(await page.locator("#return").count()).toBe(1);
  const receipt = await till.api("GET", `${path}/receipt.json`);
  expect(receipt).toMatchObject({ status: 200, body: { receipt_proof: { transfers: [] } } });

  await pay(link, "10.00");
  await receives(`/api/links?slug=${link.slug}`, "10.00");
  await page.reload();
  expect(await says("Money was sent here all the same.")).toContain("10.00 USDC");

  expect(await post(`${path}/mark`, { as: "unpaid" })).toMatchObject({ status: "partial" });
  expect(await says("Remaining balance")).toContain("15.00 USDC");
  expect(await asks()).toBeGreaterThan(0);
});
