import { expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as ExportStore from "../../../src/store/reports/export/export.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, { TILL_TOLERANCE: "0.50" }));

const pay = (to: string | undefined, amount: string | bigint) =>
  chain.pay(Address.checksum(to ?? ""), amount);
const invoiceIs = (id: string | undefined, wanted: string) =>
  untilIs(async () => (await till.api("GET", `/api/invoices/${id}/status`)).body.status, wanted);
/** The words of a page. */
async function page(path: string): Promise<string> {
  const html = await (await fetch(`${till.baseUrl}${path}`)).text();
  const [, body = ""] = html.split("<body");
  return body
    .replace(/<script.*?<\/script>/gs, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&nbsp;", " ");
}

test("an invoice that is short by the tolerance is paid; every place tells what arrived", async () => {
  const receiver = await startReceiver();
  const invoice = await till.createInvoice({ webhook_url: receiver.url });
  await pay(invoice["deposit_address"], "1499.49");
  expect(await invoiceIs(invoice["invoice_id"], "partial")).toBe("partial");
  expect(await page(`/i/${invoice["slug"]}`)).toContain("0.51");
  await pay(invoice["deposit_address"], "0.01");
  expect(await invoiceIs(invoice["invoice_id"], "paid")).toBe("paid");

  const [exported] = [...ExportStore.eachInvoice(till.db, { from: "1970-01-01", to: "9999-12-31" })];
  expect(exported?.paidAt).toBeNumber();
  const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`);
  expect(body).toMatchObject({ status: "paid", received_amount: "1499.50", total_amount: "1500.00" });
  const shown = await page(`/i/${invoice["slug"]}`);
  expect(shown).toMatch(/1,?499\.50 of 1,?500\.00 USDC received/);
  expect(shown).not.toContain("Received in full");
  expect(shown).not.toContain("still");
  const events = await untilIs(() => receiver.received, { length: 2 });
  expect(events.map((event) => JSON.parse(event.raw.toString()))).toMatchObject([
    { event: "invoice.paid", total_amount: "1500.00", status: "partial" },
    { event: "invoice.paid", total_amount: "1500.00", status: "paid" },
  ]);
  await pay(invoice["deposit_address"], "0.51");
  expect(await invoiceIs(invoice["invoice_id"], "excess")).toBe("excess");
  await receiver.stop();
});

test("a link is confirmed; a tenth is the most that may be missing", async () => {
  const { body: link } = await till.api("POST", "/api/links", { ...linkRequest, expected_amount: "2.00" });
  const status = async () => (await till.api("GET", `/api/payments/status/${link.slug}`)).body;
  await pay(link.deposit_address, "1.79");
  await untilIs(status, { status: "partial" });
  await pay(link.deposit_address, "0.01");
  const confirmed = await until(status, ({ status }) => status !== "partial");
  expect(confirmed).toEqual({ status: "confirmed", received_amount: "1.80", expected_amount: "2.00" });
  expect(await page(`/pay/${link.slug}`)).toContain("1.80 of 2.00 USDC received");
});

test("what was made without a tolerance keeps none, whatever is set later", async () => {
  const other = await startTestTill(chain);
  const exact = await other.createInvoice();
  await pay(exact["deposit_address"], "1499.99");
  const status = async () =>
    (await other.api("GET", `/api/invoices/${exact["invoice_id"]}/status`)).body.status;
  expect(await until(status, (is) => is !== "sent" && is !== "draft")).toBe("partial");
  await other.pause();
  // The same installation with another setting, as after a restart.
  const env = { TILL_TOLERANCE: "0.50", TILL_DATA_DIR: other.config.dataDir };
  const later = await startTestTill(chain, env);
  await pay(exact["deposit_address"], 1_000n);
  const { body } = await until(
    () => later.api("GET", `/api/invoices/${exact["invoice_id"]}/payments`),
    ({ body }) => body.data.length === 2 && body.data.every((each: { confirmed: boolean }) => each.confirmed),
  );
  expect(body.data).toHaveLength(2);
  expect((await later.api("GET", `/api/invoices/${exact["invoice_id"]}/status`)).body.status).toBe("partial");
  await later.stop();
  await other.stop();
});
