import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createCreditNoteCreator } from "../../../src/invoicing/credit/credit-note.ts";
import { createLog } from "../../../src/lib/log.ts";
import { transact } from "../../../src/store/database.ts";
import * as SettlementStore from "../../../src/store/tables/settle/settlement.ts";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import * as DepositTransferStore from "../../../src/store/tables/watch/deposit-transfer.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import * as WatchedStore from "../../../src/store/tables/watch/watched.ts";

import { hurry } from "../../support/hurry.ts";
import { numbers, recordSettings, storeInvoice } from "../../support/till/records.ts";

import { until } from "../../support/till/till.ts";
import { usdc } from "../../support/usdc.ts";
import { type ColdWorld, dayMs, hourMs, startColdWorld } from "../../support/watch/cold-world.ts";

hurry();

let world: ColdWorld;
beforeEach(async () => {
  world = await startColdWorld();
});
afterEach(() => world.stop());

/** Lets time pass whenever something is asked: a shortfall is looked into ten seconds after it was noticed. */
function passing<T>(asked: T): T {
  world.pass(1_000);
  return asked;
}
const calls = (method: string) => world.proxy.calls.filter((call) => call.method === method).length;

describe("money that comes late", () => {
  test("to an address that is no longer watched is credited by the next check, once", async () => {
    const { chain, db, later, isStatus, noLate, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(3);
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
    expect(DepositTransferStore.list(db, invoice.deposit.index)).toHaveLength(1);
    await noLate();
    // It is hot again: the next payment needs no check.
    await chain.pay(invoice.deposit.address, "1.00");
    await later(0);
    await isStatus(invoice, "excess");
  });

  test("costs a handful of calls a day when there is none, and no call before the next day", async () => {
    const { proxy, later, compared, coldInvoice } = world;
    await coldInvoice();
    await later(22 * hourMs);
    await compared();
    // Time itself: whatever asks again and again does so within a second.
    await Bun.sleep(1_200);
    expect(proxy.calls.length).toBeLessThanOrEqual(10);
    // At the start one to see that the token is there, one for the newest block, and one for the balances.
    expect(calls("eth_call")).toBe(3);
    expect(calls("eth_getLogs")).toBe(0);
    await later(hourMs);
    await until(
      () => calls("eth_call"),
      (count) => count > 0,
    );
    // Time itself: the balances would be asked for right after that.
    await Bun.sleep(500);
    expect(calls("eth_call")).toBe(1);
  });

  test("is found although the check before saw the same balance, which was settled since", async () => {
    const { chain, db, now, later, turnCold, isStatus, coldInvoice, takeAway } = world;
    const invoice = await coldInvoice();
    const { address, index } = invoice.deposit;
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await isStatus(invoice, "partial");
    await turnCold();
    await takeAway(invoice, "50.00");
    const { number: blockNumber, hash: blockHash } = await chain.blockAt("latest");
    const settlement = { amount: usdc("50.00"), txHash: "0x1", blockNumber, blockHash };
    transact(db, () => SettlementStore.recordElsewhere(db, index, settlement, now()));
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
  });

  test("is found although less is there than before, as a stranger had moved what was", async () => {
    const { chain, db, later, turnCold, isStatus, status, noLate, coldInvoice, takeAway } = world;
    const invoice = await coldInvoice();
    const { address, index } = invoice.deposit;
    await chain.pay(address, "60.00");
    await later(22 * hourMs);
    await isStatus(invoice, "partial");
    await turnCold();
    await takeAway(invoice, "60.00");
    await chain.pay(address, "40.00");
    await later(22 * hourMs);
    await until(
      () => passing(status(invoice)),
      (now) => now === "paid",
    );
    await noLate();
    expect(BalanceStore.books(db, index)).toMatchObject({ received: 100_000_000n, settled: 60_000_000n });
  });

  test("to an invoice that a credit note has just lowered is seen at once", async () => {
    const { chain, db, now, isStatus, coldInvoice, readNow, watchAgain } = world;
    const invoice = await coldInvoice();
    const createCreditNote = createCreditNoteCreator({
      config: { creditNoteNumber: numbers, mailReceipts: false },
      ...{ db, recordSettings, now, watchAgain, onEventDue: () => {}, onMailDue: () => {} },
      log: createLog({ format: "text", level: "error", write: () => {} }),
    });
    const wanted = { kind: "amounts", amounts: [{ row: 0, amount: usdc("40.00") }] } as const;
    const request = { wanted, reason: "A discount", sendNow: false };
    expect(await createCreditNote(invoice.sequence, request, null)).toMatchObject({ ok: true });
    await chain.pay(invoice.deposit.address, "60.00");
    await chain.mine(3);
    await readNow();
    await isStatus(invoice, "paid");
  });

  test("is credited when its blocks are read again, though it was settled before anybody saw it", async () => {
    const { chain, db, now, later, compared, isStatus, coldInvoice, takeAway } = world;
    const invoice = await coldInvoice();
    const { address, index } = invoice.deposit;
    const { blockNumber } = await chain.pay(address, "100.00");
    await takeAway(invoice, "100.00");
    await chain.mine(3);
    await later(22 * hourMs);
    await compared();
    expect(BalanceStore.books(db, index).explainedBlock).toBeGreaterThan(Number(blockNumber) + 1);
    RereadStore.request(db, { from: 0, to: null }, now());
    await isStatus(invoice, "paid");
    await until(
      () => passing(BalanceStore.books(db, index).settled),
      (settled) => settled === usdc("100.00"),
    );
  });

  test("is told of as settled by somebody else only when that is stored", async () => {
    const { chain, db, later, isStatus, logged, coldInvoice, takeAway } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "50.00");
    await later(22 * hourMs);
    await isStatus(invoice, "partial");
    await takeAway(invoice, "50.00");
    db.run(`CREATE TRIGGER full BEFORE UPDATE OF traced_to ON unexplained WHEN EXISTS (SELECT 1 FROM settlement)
      BEGIN SELECT RAISE(ABORT, 'no more room'); END`);
    await later(22 * hourMs);
    const told = (words: string) => logged().filter((line) => line.includes(words)).length;
    await until(() => passing(told("no more room")), Boolean);
    expect(told("settlement.elsewhere")).toBe(0);
    db.run("DROP TRIGGER full");
    await later(hourMs);
    await until(() => passing(told("settlement.elsewhere")), Boolean);
    expect(BalanceStore.books(db, invoice.deposit.index).settled).toBe(usdc("50.00"));
  });

  test("while Till did not run for months is found when it starts again", async () => {
    const { chain, db, halt, later, scanned, isStatus } = world;
    const invoice = storeInvoice(db, { total: "100.00" });
    await later(0);
    await scanned();
    await halt();
    await chain.mine(40);
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(40);
    await later(90 * dayMs);
    await isStatus(invoice, "paid");
  });

  test("is read for but not watched again when it is only what is known and was never settled", async () => {
    const { chain, db, now, later, compared, isStatus, noLate } = world;
    const invoice = storeInvoice(db, { total: "100.00" });
    await chain.pay(invoice.deposit.address, "100.00");
    await later(0);
    await isStatus(invoice, "paid");
    // No check saw the balance before it turned cold.
    await later(40 * dayMs);
    await compared();
    await noLate();
    expect([...WatchedStore.changedSince(db, now() - 30 * dayMs)].flat()).toEqual([]);
    await chain.pay(invoice.deposit.address, "1.00");
    await later(22 * hourMs);
    await isStatus(invoice, "excess");
  });

  test("is found below the blocks that are read again for its neighbours already", async () => {
    const { chain, db, now, later, isStatus, coldInvoice } = world;
    const before = storeInvoice(db);
    const invoice = await coldInvoice();
    const after = storeInvoice(db);
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(200);
    const { number } = await chain.blockAt("latest");
    const neighbours = [before.deposit.index, after.deposit.index];
    RereadStore.addLate(db, neighbours, { from: number - 10, to: number }, now());
    // No node has told of what came to them, and nobody is asked before tomorrow.
    db.run("UPDATE reread SET failures = 9, due_at = due_at + 28 * 3600000");
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
  });

  test("is found although the node has forgotten the block of an old settlement", async () => {
    const { chain, db, now, proxy, later, isStatus, turnCold, coldInvoice, takeAway } = world;
    const invoice = await coldInvoice();
    const { address, index } = invoice.deposit;
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await isStatus(invoice, "partial");
    await takeAway(invoice, "50.00");
    const { number: blockNumber, hash: blockHash } = await chain.blockAt("latest");
    const settlement = { amount: usdc("50.00"), txHash: "0x1", blockNumber, blockHash };
    transact(db, () => SettlementStore.recordElsewhere(db, index, settlement, now()));
    await chain.mine(200);
    await turnCold();
    await chain.pay(address, "50.00");
    proxy.answer = ({ method, params }) =>
      method === "eth_getBlockByNumber" && Number(params[0]) === blockNumber ? { result: null } : undefined;
    await later(22 * hourMs);
    await isStatus(invoice, "paid");
  });

  test("is not believed of a node that answers for another chain", async () => {
    const { proxy, db, later, status, coldInvoice } = world;
    const invoice = await coldInvoice();
    const balance = `0x${"1".padStart(64, "0")}`;
    let asked = 0;
    proxy.answer = ({ method }) => {
      if (method === "eth_call") asked += 1;
      if (asked === 0) return undefined;
      if (method === "eth_call") return { result: balance };
      return method === "eth_getBlockByNumber" ? { result: null } : undefined;
    };
    await later(22 * hourMs);
    // It is asked for its identity again after that answer.
    await until(
      () => calls("eth_getBlockByNumber"),
      (count) => count >= 3,
    );
    expect(world.late()).toBeUndefined();
    expect(BalanceStore.unexplained(db, invoice.deposit.index)).toBeNull();
    expect(status(invoice)).toBe("draft");
  });
});

describe("what the books do not explain", () => {
  test("stays named as left by the chain until it is settled again, however often it is compared", async () => {
    const { chain, db, now, later, isStatus, compared, coldInvoice } = world;
    const invoice = await coldInvoice();
    const { address, index } = invoice.deposit;
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await isStatus(invoice, "partial");
    const { number: blockNumber } = await chain.blockAt("latest");
    const replaced = { amount: usdc("50.00"), txHash: "0x1", blockNumber, blockHash: `0x${"ab".repeat(32)}` };
    transact(db, () => SettlementStore.recordElsewhere(db, index, replaced, now()));
    // All that is back is also the least that is settled.
    const environment = { TILL_SETTLE_MIN: "50.00" };
    const noted = () => BalanceStore.unexplained(db, index);
    await later(22 * hourMs, environment);
    await until(noted, (difference) => difference?.cause === "left");
    for (let day = 1; day <= 2; day++) {
      await later(22 * hourMs, environment);
      await compared();
      expect(noted()).toMatchObject({ amount: 50_000_000n, cause: "left" });
    }
  });

  test("is looked into anew when it was more and is less", () => {
    const { db } = world;
    const { index, payoutWallet } = storeInvoice(db).deposit;
    BalanceStore.note(db, index, 5n, 1_000);
    BalanceStore.setCause(db, index, "untold");
    const place = { blockHash: "0x40", logIndex: 0, blockNumber: 40, txHash: "0x1", depositIndex: index };
    const transfer = { ...place, payer: payoutWallet, amount: usdc("1.00") };
    TransferStore.insert(db, transfer, true, { seenAt: 2_000, madeAt: 2_000 });
    BalanceStore.note(db, index, -5n, 3_000);
    expect(BalanceStore.unexplained(db, index)).toEqual({
      amount: -5n,
      cause: null,
      tracedTo: 39,
      noticedAt: 3_000,
    });
    BalanceStore.setCause(db, index, "missing");
    BalanceStore.setTracedTo(db, index, 50);
    BalanceStore.note(db, index, -6n, 4_000);
    expect(BalanceStore.unexplained(db, index)).toEqual({
      amount: -6n,
      cause: "missing",
      tracedTo: 50,
      noticedAt: 3_000,
    });
  });

  test("is traced since it was explained, and then once from the first payment on", () => {
    const { db } = world;
    const { index, payoutWallet } = storeInvoice(db).deposit;
    const place = { blockHash: "0x40", logIndex: 0, blockNumber: 40, txHash: "0x1", depositIndex: index };
    const transfer = { ...place, payer: payoutWallet, amount: usdc("1.00") };
    TransferStore.insert(db, transfer, true, { seenAt: 2_000, madeAt: 2_000 });
    BalanceStore.markExplained(db, index, 70);
    BalanceStore.note(db, index, -5n, 3_000);
    const tracedTo = () => BalanceStore.unexplained(db, index)?.tracedTo;
    expect(tracedTo()).toBe(70);
    expect([BalanceStore.traceAgain(db, index), tracedTo()]).toEqual([true, 39]);
    BalanceStore.setTracedTo(db, index, 80);
    expect([BalanceStore.traceAgain(db, index), tracedTo()]).toEqual([false, 80]);
  });
});
