import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createValues, nearMs } from "../../src/books/values.ts";
import * as Source from "../../src/domain/bill/rate/source.ts";
import { createLog } from "../../src/lib/log.ts";
import { createEcbRates, createPastRates } from "../../src/rates/past.ts";
import { createRates } from "../../src/rates/rates.ts";
import { closeDatabase } from "../../src/store/database.ts";
import * as ChainStore from "../../src/store/tables/installation/chain.ts";
import * as BookValueStore from "../../src/store/tables/invoicing/book-value.ts";
import * as PartyStore from "../../src/store/tables/invoicing/party.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as LostTransferStore from "../../src/store/tables/watch/lost-transfer.ts";
import * as TransferStore from "../../src/store/tables/watch/transfer.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { refund, rowsOf, withdraw } from "../support/till/moves.ts";
import { storeInvoice } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";

const hour = 3_600_000;
const start = Date.parse("2026-11-22T21:03:00Z");
let now = start;
/** What the exchanges answer to; nothing they do not know. */
let tickers: string | null;
let candles: Record<string, string | null>;
/** What they answer for ETH, to both. */
let ether: string;
const asked: string[] = [];
/** What the central bank has published. */
let reference = "";

/** Answers in the forms that the exchanges document, for tickers and for hours. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://exchange");
  const [, name = ""] = url.pathname.split("/");
  asked.push(request.url ?? "");
  if (name === "ecb") return void response.end(reference);
  const answer = (body: unknown) => response.end(JSON.stringify(body));
  const isEther = /ETH|eth/.test(request.url ?? "");
  const close = isEther ? ether : (candles[name] ?? null);
  const ticker = isEther ? ether : tickers;
  if (/OHLC|candles|ohlc/.test(url.pathname)) {
    const sec = hourSec(name, url.searchParams);
    if (close === null) return void answer(name === "kraken" ? { error: ["EGeneral"] } : []);
    const row = isEther ? { low: close, high: close, close } : { low: "0.8001", high: "0.9", close };
    if (name === "kraken")
      return void answer({
        error: [],
        result: { USDCEUR: [[sec, row.low, row.high, row.low, close, "0.86", "17.1", 3]], last: sec },
      });
    if (name === "coinbase")
      return void answer([[sec, Number(row.low), Number(row.high), 0.85, Number(close), 17.1]]);
    return void answer({
      data: { pair: "USDC/EUR", ohlc: [{ timestamp: String(sec), ...row, open: "0.85" }] },
    });
  }
  if (ticker === null) return void response.writeHead(500).end();
  if (name === "kraken") return void answer({ error: [], result: { X: { a: [ticker], b: [ticker] } } });
  if (name === "coinbase")
    return void answer({ bid: ticker, ask: ticker, time: new Date(now).toISOString() });
  answer({ bid: ticker, ask: ticker, timestamp: String(Math.floor(now / 1000)) });
});
function hourSec(name: string, params: URLSearchParams): number {
  if (name === "kraken") return Number(params.get("since")) + 1;
  if (name === "coinbase") return Date.parse(params.get("start") ?? "") / 1000;
  return Number(params.get("start"));
}

const dir = makeDataDir();
const db = openNewDatabase(dir.path);
const log = createLog({ format: "text", level: "debug", write: () => {} });
let block = 0;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  closeDatabase(db);
  dir.remove();
});
beforeEach(() => {
  now = start;
  tickers = "0.8607";
  candles = { kraken: "0.8700", coinbase: "0.8702", bitstamp: "0.8704" };
  ether = "3000.50";
  asked.length = 0;
  for (const table of ["payment_value", "book_value", "refund", "withdrawal", "gas_transaction"])
    db.run(`DELETE FROM ${table}`);
  db.run("DELETE FROM lost_transfer");
  db.run("DELETE FROM transfer");
});

function create(currency: "EUR" | "USD" = "EUR") {
  const { port } = server.address() as AddressInfo;
  const setting = Source.names.map((name) => `${name}=http://127.0.0.1:${port}/${name}`).join(",");
  const asking = {
    sources: Source.parseChosen(setting) ?? [],
    publicOnly: false,
    now: () => now,
    onFailure: () => {},
  };
  const past = createPastRates({ ...asking, signal: new AbortController().signal });
  const prices = { quote: createRates(asking).quote, past };
  return createValues({ db, log, now: () => now, currency, ...prices, ether: prices });
}

/** A confirmed payment that was made then. */
function pay(
  madeAt: number,
  { txHash = `0x${++block}`, isConfirmed = true, deposit = storeInvoice(db).deposit.index } = {},
) {
  const transfer = {
    ...{ blockHash: `0xb${++block}`, logIndex: 0, blockNumber: block, txHash, depositIndex: deposit },
    ...{ payer: "0x0" as never, amount: usdc("100.00") },
  };
  TransferStore.insert(db, transfer, isConfirmed, { seenAt: madeAt, madeAt });
  return transfer;
}
function stored({ depositIndex, txHash }: { depositIndex: number; txHash: string }) {
  const row = db
    .query<
      { currency: string; rate: string; source: string; rate_at: bigint; paid_at: bigint },
      [number, string]
    >(
      "SELECT currency, rate, source, rate_at, paid_at FROM payment_value WHERE deposit_index = ? AND tx_hash = ?",
    )
    .get(depositIndex, txHash);
  return row && { ...row, rateAt: Number(row.rate_at), paidAt: Number(row.paid_at) };
}

describe("the value of a payment", () => {
  test("is the rate of its time, with who said so, and kept once", async () => {
    const payment = pay(now - 30_000);
    const waits = pay(now, { isConfirmed: false });
    const values = create();
    await values.look();
    expect(stored(payment)).toMatchObject({
      ...{ currency: "EUR", rate: "0.8607", source: "kraken, coinbase, bitstamp" },
      ...{ rateAt: now, paidAt: now - 30_000 },
    });
    expect(stored(waits)).toBeNull();
    tickers = "0.9";
    now += 2 * 60_000;
    await values.look();
    expect(stored(payment)?.rate).toBe("0.8607");
    expect(asked.filter((url) => !/ohlc|candles/i.test(url))).toHaveLength(3);
  });

  test("is tried for again while the time fits, and is that of the hour afterwards, when it is over", async () => {
    const payment = pay(now - 60_000);
    const values = create();
    tickers = null;
    await values.look();
    expect(stored(payment)).toBeNull();
    tickers = "0.8607";
    now += nearMs - 60_000;
    await values.look();
    expect(stored(payment)?.rate).toBe("0.8607");

    const late = pay(start);
    now = start + nearMs + 1;
    await values.look();
    expect(stored(late)).toBeNull();
    now = start + hour + 5 * 60_000;
    await values.look();
    expect(stored(late)).toMatchObject({
      ...{ rate: "0.8702", source: "kraken, coinbase, bitstamp: end of the hour" },
      rateAt: Date.parse("2026-11-22T22:00:00Z"),
    });
  });

  test("is unknown when nobody knows it or two disagree, and asked for again much later", async () => {
    const payment = pay(now - 5 * hour);
    const values = create();
    candles = { kraken: null, coinbase: null, bitstamp: null };
    await values.look();
    candles = { kraken: "0.82", coinbase: "0.88", bitstamp: null };
    await create().look();
    expect(stored(payment)).toBeNull();
    candles["bitstamp"] = "0.8801";
    const before = asked.length;
    await values.look();
    expect(asked.length).toBe(before);
    now += 7 * hour;
    await values.look();
    expect(stored(payment)).toMatchObject({
      rate: "0.88005",
      source: "coinbase, bitstamp: end of the hour",
    });
  });

  test.each([
    ["absurd", "8.6"],
    ["outside of its hour", "0.95"],
    ["none", "NaN"],
    ["negative", "-0.87"],
  ])("is not taken from a price that is %s", async (_, close) => {
    const payment = pay(now - 5 * hour);
    candles = { kraken: close, coinbase: null, bitstamp: null };
    await create().look();
    expect(stored(payment)).toBeNull();
  });

  test("is found for all payments of the past, a few hours at a time", async () => {
    const deposit = storeInvoice(db).deposit.index;
    const payments = Array.from({ length: 620 }, (_, i) => pay(start - (i + 2) * 60_000 * 5, { deposit }));
    const values = create();
    now += 2 * hour;
    for (let looks = 0; looks < 20; looks++) await values.look();
    expect(payments.filter((payment) => stored(payment) === null)).toEqual([]);
  });

  test("by the merchant's rule is one to one in USD, without asking anybody", async () => {
    const saved = {
      name: null,
      address: null,
      details: null,
      paymentTerms: null,
      usdParity: true,
      language: null,
    };
    const { deposit, merchantEmail } = storeInvoice(db);
    PartyStore.save(db, "merchant", merchantEmail, saved, 1);
    const payment = pay(now - 50 * hour, { deposit: deposit.index });
    await create("USD").look();
    expect(stored(payment)).toMatchObject({ rate: "1", source: "parity", rateAt: now - 50 * hour });
    expect(asked).toEqual([]);
    PartyStore.save(db, "merchant", merchantEmail, { ...saved, usdParity: false, language: null }, 2);
  });

  test("goes along with a payment into another block, and goes away with one that is lost", async () => {
    const [moved, lost] = [pay(now - 30_000), pay(now - 30_000)];
    const values = create();
    await values.look();
    TransferStore.removeIn(db, TransferStore.listBlocksAbove(db, 0, 100));
    pay(now - 10_000, { txHash: moved.txHash, deposit: moved.depositIndex });
    LostTransferStore.insert(db, lost, now);
    tickers = "0.9";
    now += 2 * 60_000;
    await values.look();
    expect(stored(moved)?.rate).toBe("0.8607");
    expect(stored(lost)).toBeNull();

    TransferStore.removeIn(db, TransferStore.listBlocksAbove(db, 0, 100));
    pay(now, { txHash: moved.txHash, deposit: moved.depositIndex });
    now += nearMs;
    TransferStore.removeIn(db, TransferStore.listBlocksAbove(db, 0, 100));
    pay(now, { txHash: moved.txHash, deposit: moved.depositIndex });
    await values.look();
    expect(stored(moved)).toMatchObject({ rate: "0.9", paidAt: now });
  });

  test("by the central bank is that of its day, once it is out", async () => {
    const published = (...days: string[]) =>
      `<gesmes:Envelope xmlns="x"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>${days
        .map((day) => `<Cube time="${day}"><Cube currency="USD" rate="1.16"/></Cube>`)
        .join("")}</Cube></gesmes:Envelope>`;
    reference = published("2026-11-20");
    const { port } = server.address() as AddressInfo;
    const past = createEcbRates({
      baseUrl: `http://127.0.0.1:${port}/ecb`,
      publicOnly: false,
      ...{ now: () => now, onFailure: () => {}, signal: new AbortController().signal },
    });
    const values = createValues({
      db,
      log,
      now: () => now,
      currency: "EUR",
      quote: null,
      past,
      ether: { quote: null, past },
    });
    const onSunday = pay(now);
    await values.look();
    expect(stored(onSunday)).toMatchObject({
      ...{ currency: "EUR", rate: "0.8620689655", source: "ECB 2026-11-20: 1 EUR = 1.16 USD" },
      rateAt: Date.parse("2026-11-20T15:00:00Z"),
    });

    const onMonday = pay(Date.parse("2026-11-23T08:00:00Z"));
    now = Date.parse("2026-11-23T14:59:00Z");
    await values.look();
    const before = asked.length;
    now = Date.parse("2026-11-23T15:05:00Z");
    await values.look();
    expect(stored(onMonday)).toBeNull();
    reference = published("2026-11-23", "2026-11-20");
    now += 14 * 60_000;
    await values.look();
    expect(stored(onMonday)).toBeNull();
    now += 60_000;
    await values.look();
    expect(stored(onMonday)?.source).toBe("ECB 2026-11-23: 1 EUR = 1.16 USD");
    expect(asked.slice(before)).toHaveLength(2);
    expect(new Set(asked)).toEqual(new Set(["/ecb/eurofxref-hist-90d.xml"]));
  });
});

describe("the value of what is no payment", () => {
  beforeAll(() => ChainStore.record(db).write({ chainId: 8453, genesisHash: "0x1" }));
  const value = (kind: BookValueStore.Kind, id: number) => BookValueStore.find(db, kind, id);
  const fee = (minedAt: number, { chainId = 8453, wei = "2000000000000" as string | null } = {}) =>
    Number(
      db.run(
        `INSERT INTO gas_transaction (purpose, chain_id, nonce, to_address, data, gas_limit, reason, state, tx_hash,
           block_number, mined_at, fee_wei, created_at)
         VALUES ('settle', ?, ?, '0x', '0x', 1, 'x', 'confirmed', '0x', 1, ?, ?, 1)`,
        [chainId, ++block, minedAt, wei],
      ).lastInsertRowid,
    );

  test("is that of its time: of a withdrawal, a refund and, by the price of ETH, of a fee", async () => {
    const deposit = storeInvoice(db).deposit.index;
    const [near, old] = [now - 60_000, now - 5 * hour];
    const withdrawals = [withdraw(db, "10.00", near), withdraw(db, "10.00", old)];
    const pending = withdraw(db, "10.00", near, { isDone: false });
    refund(db, deposit, "5.00", near, "wallet");
    const fees = [fee(near), fee(old)];
    const unknown = [fee(near, { chainId: 137 }), fee(near, { chainId: 424242 }), fee(near, { wei: null })];
    await create().look();
    expect(withdrawals.map((id) => value("withdrawal", id))).toMatchObject([
      { currency: "EUR", rate: "0.8607", source: "kraken, coinbase, bitstamp", madeAt: near },
      { rate: "0.8702", source: "kraken, coinbase, bitstamp: end of the hour", madeAt: old },
    ]);
    expect(value("withdrawal", pending)).toBeNull();
    expect(value("refund", 1)).toMatchObject({ rate: "0.8607", madeAt: near });
    expect(fees.map((id) => value("fee", id)?.rate)).toEqual(["3000.5", "3000.5"]);
    expect(unknown.map((id) => value("fee", id))).toEqual([null, null, null]);

    const { rows } = await rowsOf(db, "fees");
    expect(rows.map((row) => [row["fee"], row["fiat_value"], row["fiat_source"]])).toEqual([
      ["0.000002", "0.006001", "kraken, coinbase, bitstamp"],
      ["0.000002", "0.006001", "kraken, coinbase, bitstamp: end of the hour"],
      ["0.000002", null, "not known"],
      ["0.000002", null, "not known"],
      [null, null, null],
    ]);
    expect(rows.map((row) => [row["currency"], row["transaction_url"]]).slice(1)).toEqual([
      ["ETH", "https://basescan.org/tx/0x"],
      ["POL", "https://polygonscan.com/tx/0x"],
      [null, null],
      ["ETH", "https://basescan.org/tx/0x"],
    ]);
    const worthOf = async (name: string) =>
      (await rowsOf(db, name)).rows.map((row) => [row["amount"], row["fiat_value"], row["fiat_rate"]]);
    expect(await worthOf("withdrawals")).toEqual([
      ["10.00", "8.61", "0.8607"],
      ["10.00", "8.70", "0.8702"],
      ["10.00", null, null],
    ]);
    expect(await worthOf("refunds")).toEqual([["5.00", "4.30", "0.8607"]]);
  });

  test("of a sale in another currency is that of its making, or of noon on the day of its issue", async () => {
    const today = new Date(now).toISOString().slice(0, 10);
    const made = storeInvoice(db, { now: now - 60_000, issueDate: today }).deposit.index;
    const dated = storeInvoice(db, { now: now - 60_000, issueDate: "2026-10-31" }).deposit.index;
    const euros = storeInvoice(db, { now: now - 60_000, issueDate: today });
    const currency = { code: "EUR", rate: "1", source: "caller", fetchedAt: 1, total: usdc("1.00") };
    ReceivableStore.setCurrency(db, euros.deposit.index, currency);
    await create().look();
    expect(value("invoice", made)).toMatchObject({ rate: "0.8607", madeAt: now - 60_000 });
    expect(value("invoice", dated)).toMatchObject({
      rate: "0.8702",
      madeAt: Date.parse("2026-10-31T12:00Z"),
    });
    expect(value("invoice", euros.deposit.index)).toBeNull();
  });

  test("is no absurd price of ETH, and is found again when it moved", async () => {
    const id = fee(now - 60_000);
    const values = create();
    ether = "0.86";
    await values.look();
    expect(value("fee", id)).toBeNull();
    ether = "2900";
    now += 70_000;
    await values.look();
    expect(value("fee", id)?.rate).toBe("2900");
    ether = "2950";
    now += nearMs;
    db.run("UPDATE gas_transaction SET mined_at = ? WHERE id = ?", [now, id]);
    await values.look();
    expect(value("fee", id)).toMatchObject({ rate: "2950", madeAt: now });
  });
});
