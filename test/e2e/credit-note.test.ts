import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Finding } from "../../src/doctor/finding.ts";
import { replayStored } from "../../src/doctor/replay.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { solidTextOf } from "../document/poppler.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { overdueInEuros, startTestTill, type TestTill, until } from "../support/till/till.ts";

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
  const types = body.data.map(({ type }: { type: string }) => type);
  // Its mails come when they come.
  expect(types.filter((type: string) => type !== "mail").slice(-2)).toEqual(["payment_reversed", "voided"]);
  await pay(made, "100.00");
  expect(await receives(made, "100.00")).toMatchObject({ status: "void", due_amount: "0.00" });
});

test("of what was marked as paid by mistake leaves what is left to pay", async () => {
  const made = await make();
  const mark = (as: string) => till.api("POST", `/api/invoices/${made["invoice_id"]}/mark`, { as });
  await mark("paid");
  expect((await credit(made, "30.00")).body).toMatchObject({ return_usdc: "30.00" });
  expect((await mark("unpaid")).body).toMatchObject({ status: "draft", due_amount: "70.00" });
  await pay(made, "70.00");
  expect(await receives(made, "70.00")).toMatchObject({ status: "paid" });
  const whole = await make();
  await till.api("POST", `/api/invoices/${whole["invoice_id"]}/mark`, { as: "paid" });
  await credit(whole);
  const { body } = await till.api("POST", `/api/invoices/${whole["invoice_id"]}/mark`, { as: "unpaid" });
  expect(body.code).toBe("mark_refused");
  expect(await record(whole)).toMatchObject({ status: "paid" });
});

describe("an overdue invoice in a currency that is quoted again", () => {
  const overdue = { ...overdueInEuros, webhook_url: null };
  const quote = ({ invoice_id }: Made, rate: string) =>
    till.api("POST", `/api/invoices/${invoice_id}/quote`, { rate });

  test("counts who pays what was asked before as having paid a part, or too much", async () => {
    const up = await make("86.07", overdue);
    expect((await quote(up, "0.8")).body).toMatchObject({ expected_usdc: "107.59", status: "draft" });
    await pay(up, "100.00");
    expect(await receives(up, "100.00")).toMatchObject({ status: "partial" });
    expect((await quote(up, "0.9")).body.code).toBe("quote_refused");
    await pay(up, "7.59");
    expect(await receives(up, "107.59")).toMatchObject({ status: "paid" });
    const down = await make("86.07", overdue);
    await quote(down, "0.9");
    await pay(down, "100.00");
    expect(await receives(down, "100.00")).toMatchObject({ status: "excess" });
  });

  test("is one or the other of all that is done to it at once", async () => {
    for (let round = 0; round < 5; round++) {
      const made = await make("86.07", overdue);
      const answers = await Promise.all([
        quote(made, "0.8"),
        credit(made, "10.00"),
        quote(made, "0.9"),
        ...(round % 2 === 0 ? [pay(made, "50.00")] : []),
        quote(made, "0.95"),
      ]);
      if (round % 2 === 0) await receives(made, "50.00");
      const { due_amount, expected_usdc, exchange_rate } = await record(made);
      const note = answers[1] as { status: number; body: { credited_usdc: string } };
      const credited = note.status === 201 ? Number(note.body.credited_usdc) : 0;
      expect(Number(expected_usdc)).toBeCloseTo(86.07 / Number(exchange_rate.rate), 2);
      expect(Number(due_amount ?? expected_usdc)).toBeCloseTo(Number(expected_usdc) - credited, 2);
    }
  });
});

test("all of it follows from what is stored, as the doctor says", () => {
  const findings: string[] = [];
  const onFinding = ({ level, message }: Finding) => void findings.push(`${level}: ${message}`);
  replayStored(till.db, null, onFinding, () => {});
  expect(findings).toEqual([expect.stringMatching(/^ok: .* follow from what is stored/)]);
});
