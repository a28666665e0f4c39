import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Node } from "../../../src/chain/node/nodes.ts";
import { createPace } from "../../../src/chain/node/pace.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/lib/log.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as OpinionStore from "../../../src/store/tables/watch/opinion.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import * as WatchedStore from "../../../src/store/tables/watch/watched.ts";
import { createWatchedDeposits, type WatchedDeposits, watchedMs } from "../../../src/watch/deposits.ts";
import { type Credit, createCredit } from "../../../src/watch/payment/credit.ts";
import type { Scanned } from "../../../src/watch/payment/payment.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { db, makeDatabase, removeDatabase } from "../../support/till/database.ts";
import { payoutWallet, recordSettings, storeInvoice } from "../../support/till/records.ts";
import { usdc } from "../../support/usdc.ts";
import { looked, putCheckpoint } from "../../support/watch/looked.ts";

const index = 0;
const checkpoint = { number: 9, hash: "0x9" };
const place = { blockHash: "0x8", logIndex: 0, blockNumber: 8, txHash: "0x1" };
const transfer = { ...place, depositIndex: index, payer: payoutWallet, amount: usdc("1.00") };
let now: number;
let deposits: WatchedDeposits;
let credit: Credit;
/** How many transactions there were. */
let applied: number;

beforeEach(() => {
  makeDatabase();
  applied = 0;
  now = Date.UTC(2026, 10, 1);
  storeInvoice(db, { now: now - watchedMs - 1 });
  deposits = createWatchedDeposits(
    db,
    () => now,
    () => 0,
  );
  credit = createCredit({
    config: parseConfig({
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: "http://127.0.0.1:1",
      TILL_WALLET_PASSPHRASE: passphrase,
    }),
    recordSettings,
    db,
    log: createLog({ format: "text", level: "error", write: () => {} }),
    now: () => now,
    deposits,
    onAwake: (awake) => awake.forEach(deposits.add),
    onApplied: () => {
      applied += 1;
    },
    onOpinionDue: () => {},
    onReorg: () => {},
    listen: () => {},
  });
});
afterEach(removeDatabase);

/** A look that saw no more than that. */
const seen = (scanned: Scanned) => ({
  ...scanned,
  kind: "looked" as const,
  head: { number: scanned.checkpoint?.number ?? 0, timestampSec: 1, timeMs: 1_000 },
  pace: createPace(),
  told: new Map(),
  short: new Map(),
  unread: [],
  isReorganised: scanned.replaced.length > 0,
});

/** In memory, and by the database. */
const isWatched = () => [
  deposits.has(index),
  WatchedStore.listUnchanged(db, [index], now - watchedMs).length === 0,
];
const node = { id: "a.example" } as Node;
const found = { transfers: [transfer], headers: new Map(), checkpoint };

test("what comes to a dormant address makes it watched when it is booked", () => {
  expect(isWatched()).toEqual([false, false]);
  credit.book({ transfers: [transfer], headers: new Map() }, node);
  expect(isWatched()).toEqual([true, true]);
  credit.book({ transfers: [{ ...transfer, logIndex: 1 }], headers: new Map() }, node);
  expect(deposits.isAsExpected(index, { balance: usdc("2.00"), hasCode: false })).toBe(true);
});

test("what nodes take back from a dormant address makes it watched", async () => {
  await credit.look(seen(looked(db, { ...found, confirmedUpTo: 9 })), node);
  now += watchedMs + 1;
  await deposits.load();
  expect(isWatched()).toEqual([false, false]);
  OpinionStore.doubt(db, index, now, 1);
  const heard = OpinionStore.listDue(db, now, now, 1).map((inquiry) => ({
    inquiry,
    verdict: { kind: "gone", reason: "no node knows it" } as const,
  }));
  credit.applyVerdicts(heard);
  expect(isWatched()).toEqual([true, true]);
});

const head = { number: 10, hash: "0x10" };
const many = Array.from({ length: 1_600 }, (_, logIndex) => ({
  ...transfer,
  blockHash: head.hash,
  blockNumber: head.number,
  txHash: `0x${Math.floor(logIndex / 100)}`,
  logIndex,
}));

test("thousands of transfers in one block are credited, and taken back, in several transactions", async () => {
  putCheckpoint(db, checkpoint);
  await credit.look(seen(looked(db, { checkpoint: head, confirmedUpTo: 9, transfers: many })), node);
  expect(applied).toBeGreaterThan(3);
  expect(TransferStore.countUnconfirmed(db)).toBe(many.length);
  expect(CheckpointStore.latest(db)).toMatchObject(head);

  applied = 0;
  const again = { ...head, hash: "0x10b" };
  const back = many.slice(0, 100).map((one) => ({ ...one, blockHash: again.hash }));
  const replaced = { checkpoint: again, confirmedUpTo: 9, undoAbove: 9, transfers: back };
  await credit.look(seen(looked(db, replaced)), node);
  expect(applied).toBeGreaterThan(2);
  expect(TransferStore.countUnconfirmed(db)).toBe(back.length);
  expect(credit.transfers().lost).toBe(0);
});

test("hundreds of transfers that counted and come back in another block are not lost meanwhile", async () => {
  putCheckpoint(db, checkpoint);
  const counted = many.slice(0, 1_000);
  await credit.look(seen(looked(db, { checkpoint: head, confirmedUpTo: 10, transfers: counted })), node);
  const again = { ...head, hash: "0x10b" };
  const back = counted.map((one) => ({ ...one, blockHash: again.hash }));
  const replaced = { checkpoint: again, confirmedUpTo: 10, undoAbove: 9, transfers: back };
  await credit.look(seen(looked(db, replaced)), node);
  expect(credit.transfers()).toMatchObject({ confirmed: 2_000, lost: 0 });
});

test("what one block paid to one deposit is credited together, however its logs are sorted", async () => {
  putCheckpoint(db, checkpoint);
  const mixed = many
    .slice(0, 600)
    .map((one, i) => (i % 2 ? one : { ...one, blockNumber: 11, blockHash: "0x11" }));
  await credit.look(
    seen(looked(db, { checkpoint: { number: 11, hash: "0x11" }, confirmedUpTo: 11, transfers: mixed })),
    node,
  );
  expect(applied).toBe(2);
});
