import { afterEach, beforeEach, expect, test } from "bun:test";
import { ChainMoved } from "../../../src/chain/node/block.ts";
import type { Node } from "../../../src/chain/node/nodes.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/lib/log.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as OpinionStore from "../../../src/store/tables/watch/opinion.ts";
import { createWatchedDeposits, type WatchedDeposits, watchedMs } from "../../../src/watch/deposits.ts";
import { type Credit, createCredit } from "../../../src/watch/payment/credit.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { db, makeDatabase, removeDatabase } from "../../support/till/database.ts";
import { payoutWallet, site, storeInvoice } from "../../support/till/records.ts";
import { usdc } from "../../support/usdc.ts";

const index = 0;
const checkpoint = { number: 9, hash: "0x9" };
const place = { blockHash: "0x8", logIndex: 0, blockNumber: 8, txHash: "0x1" };
const transfer = { ...place, depositIndex: index, payer: payoutWallet, amount: usdc("1.00") };
let now: number;
let deposits: WatchedDeposits;
let credit: Credit;

beforeEach(() => {
  makeDatabase();
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
    site,
    db,
    log: createLog({ format: "text", level: "error", write: () => {} }),
    now: () => now,
    deposits,
    onAwake: (awake) => awake.forEach(deposits.add),
    onApplied: () => {},
    onOpinionDue: () => {},
    listen: () => {},
  });
});
afterEach(removeDatabase);

/** In memory, and by the database. */
const isWatched = () => [
  deposits.has(index),
  DepositStore.listUnchanged(db, [index], now - watchedMs).length === 0,
];
const node = { id: "a.example" } as Node;
const found = { transfers: [transfer], headers: new Map(), checkpoint };
const book = () => credit.book(found, node);

test("what comes to a dormant address makes it watched when it is booked, and not when it is undone", () => {
  expect(book).toThrow(ChainMoved);
  expect(isWatched()).toEqual([false, false]);
  CheckpointStore.put(db, checkpoint);
  book();
  expect(isWatched()).toEqual([true, true]);
});

test("what nodes take back from a dormant address makes it watched", async () => {
  const head = { ...checkpoint, timestampSec: 1 };
  await credit.scan({ ...found, kind: "next", head, undoAbove: null, confirmedUpTo: 9 }, node);
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
