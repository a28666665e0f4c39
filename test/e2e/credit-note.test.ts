import { afterAll, beforeAll, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { solidTextOf } from "../document/poppler.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

let chain: TestChain;
let till: TestTill;
let receiver: Receiver;

beforeAll(async () => {
  [chain, receiver] = await Promise.all([startTestChain(), startReceiver()]);
  till = await startTestTill(chain, { TILL_CONFIRMATIONS: "3", TILL_TOLERANCE: "1.00" });
});
afterAll(async () => {
  await till.stop();
  await receiver.stop();
  await chain.stop();
});

type Made = Awaited<ReturnType<TestTill["createInvoice"]>>;
const line = (unit_price: string) => [{ description: "Design", quantity: 1, unit_price }];
const make = (price = "100.00", changes = {}) =>
  till.createInvoice({ line_items: line(price), webhook_url: receiver.url, ...changes });
const record = async ({ invoice_id }: Made) => (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
const pay = ({ deposit_address }: Made, amount: string) =>
  chain.pay(Address.checksum(deposit_address ?? ""), amount);
/** Lets the chain go on until so much counts. */
const receives = (made: Made, amount: string) =>
  until(
    async () => {
      await chain.mine(1);
      return await record(made);
    },
    ({ received_amount }) => received_amount === amount,
  );
const credit = ({ invoice_id }: Made, amount?: string) =>
  till.api("POST", `/api/invoices/${invoice_id}/credit-notes`, {
    reason: "A discount",
    ...(amount === undefined ? {} : { amounts: [{ amount }] }),
  });
/** The statuses that the contract's webhook has told of. */
const told = ({ invoice_id }: Made) =>
  receiver.received
    .map(({ raw }) => JSON.parse(String(raw)))
    .filter((body) => body.invoice_id === invoice_id)
    .map(({ status, total_amount }) => `${status} of ${total_amount}`);
const pdfOf = async (made: Made) => solidTextOf(await (await fetch(made["pdf_url"] ?? "")).bytes());

test("of what is paid all is to be returned, and the PDF tells of it", async () => {
  const made = await make();
  await pay(made, "100.00");
  await receives(made, "100.00");
  expect(await pdfOf(made)).not.toContain("−30.00");
  expect((await credit(made, "30.00")).body).toMatchObject({ return_usdc: "30.00", credited_usdc: "30.00" });
  expect(await record(made)).toMatchObject({
    status: "paid",
    due_amount: "100.00",
    credited_amount: "30.00",
  });
  expect(await pdfOf(made)).toContain("−30.00");
  await pay(made, "0.01");
  expect(await receives(made, "100.01")).toMatchObject({ status: "excess" });
  expect((await credit(made)).body).toMatchObject({ return_usdc: "70.00", total_amount: "70.00" });
  expect(await record(made)).toMatchObject({ status: "excess" });
  await until(
    () => told(made),
    (all) => all.length >= 2,
  );
  expect(told(made)).toEqual(["paid of 100.00", "excess of 100.00"]);
});

test("of what is paid in part it lowers the rest; who pays by the old QR code has paid too much", async () => {
  const made = await make();
  await pay(made, "50.00");
  await receives(made, "50.00");
  expect((await credit(made, "20.00")).body).toMatchObject({ return_usdc: "0.00" });
  expect(await record(made)).toMatchObject({ status: "partial", due_amount: "80.00" });
  expect((await credit(made, "40.00")).body).toMatchObject({ return_usdc: "10.00" });
  expect(await record(made)).toMatchObject({ status: "paid", due_amount: "50.00" });
  await pay(made, "50.00");
  expect(await receives(made, "100.00")).toMatchObject({ status: "excess" });
});

test("waits for what is on its way", async () => {
  const made = await make();
  await pay(made, "100.00");
  await until(
    () => till.api("GET", `/api/invoices/${made["invoice_id"]}/payments`),
    ({ body }) => body.data.length === 1,
  );
  expect((await credit(made, "10.00")).body).toMatchObject({ status: 409, code: "credit_refused" });
  await receives(made, "100.00");
  expect((await credit(made, "10.00")).status).toBe(201);
});

test("holds to the tolerance", async () => {
  const made = await make();
  await pay(made, "99.50");
  expect(await receives(made, "99.50")).toMatchObject({ status: "paid" });
  expect((await credit(made, "0.30")).body).toMatchObject({ return_usdc: "0.00" });
  expect(await record(made)).toMatchObject({ status: "paid" });
  expect((await credit(made)).body).toMatchObject({ return_usdc: "99.50", credited_usdc: "99.70" });
  const small = await make();
  await credit(small, "95.00");
  await pay(small, "4.40");
  expect(await receives(small, "4.40")).toMatchObject({ status: "partial", due_amount: "5.00" });
  await pay(small, "0.10");
  expect(await receives(small, "4.50")).toMatchObject({ status: "paid" });
});

test("is void when all was credited and the payment then leaves the chain", async () => {
  const made = await make();
  const { blockNumber } = await pay(made, "100.00");
  await receives(made, "100.00");
  expect((await credit(made)).body).toMatchObject({ return_usdc: "100.00" });
  const other = await make();
  const { number } = await chain.blockAt("latest");
  await chain.reorg(number - Number(blockNumber) + 1);
  // Wakes the watcher.
  await pay(other, "1.00");
  expect(await receives(made, "0.00")).toMatchObject({ status: "void", void_reason: "A discount" });
  const { body } = await till.api("GET", `/api/invoices/${made["invoice_id"]}/timeline`);
  expect(body.data.slice(-2).map(({ type }: { type: string }) => type)).toEqual([
    "payment_reversed",
    "voided",
  ]);
  await pay(made, "100.00");
  expect(await receives(made, "100.00")).toMatchObject({ status: "void", due_amount: "0.00" });
});
