import { expect, test } from "bun:test";
import { ChainMoved } from "../../../src/chain/node/block.ts";
import type { Node } from "../../../src/chain/node/nodes.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/lib/log.ts";
import { closeDatabase } from "../../../src/store/database.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import { createWatchedDeposits, watchedMs } from "../../../src/watch/deposits.ts";
import { createCredit } from "../../../src/watch/payment/credit.ts";
import { makeDataDir, openNewDatabase, passphrase } from "../../support/till/data-dir.ts";
import { payoutWallet, site, storeInvoice } from "../../support/till/records.ts";
import { usdc } from "../../support/usdc.ts";

test("what comes to a dormant address makes it watched when it is booked, and not when it is undone", () => {
  const dir = makeDataDir();
  const db = openNewDatabase(dir.path);
  const now = Date.UTC(2026, 10, 1);
  const { index } = storeInvoice(db, { now: now - watchedMs - 1 }).deposit;
  const deposits = createWatchedDeposits(
    db,
    () => now,
    () => 0,
  );
  const credit = createCredit({
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
  const isWatched = () => [
    deposits.has(index),
    DepositStore.listUnchanged(db, [index], now - watchedMs).length === 0,
  ];
  const checkpoint = { number: 9, hash: "0x9" };
  const place = { blockHash: "0x8", logIndex: 0, blockNumber: 8, txHash: "0x1" };
  const transfer = { ...place, depositIndex: index, payer: payoutWallet, amount: usdc("1.00") };
  const book = () =>
    credit.book({ transfers: [transfer], headers: new Map(), checkpoint }, { id: "a.example" } as Node);

  expect(book).toThrow(ChainMoved);
  expect(isWatched()).toEqual([false, false]);
  CheckpointStore.put(db, checkpoint);
  book();
  expect(isWatched()).toEqual([true, true]);
  closeDatabase(db);
  dir.remove();
});
