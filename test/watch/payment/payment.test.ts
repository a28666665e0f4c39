import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Endpoint from "../../../src/domain/event/endpoint.ts";
import type { Inclusion } from "../../../src/domain/payment/block.ts";
import type { Transfer } from "../../../src/domain/payment/transfer.ts";
import * as Common from "../../../src/domain/receivable/common.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { closeDatabase, type Db } from "../../../src/store/database.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReceivableStore from "../../../src/store/tables/invoicing/receivable.ts";
import * as EndpointStore from "../../../src/store/tables/outbox/endpoint.ts";
import * as EventStore from "../../../src/store/tables/outbox/event.ts";
import * as WebhookHistoryStore from "../../../src/store/tables/outbox/webhook-history.ts";
import * as RelayStore from "../../../src/store/tables/settle/relay.ts";
import * as SettlementStore from "../../../src/store/tables/settle/settlement.ts";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as DepositTransferStore from "../../../src/store/tables/watch/deposit-transfer.ts";
import * as LostTransferStore from "../../../src/store/tables/watch/lost-transfer.ts";
import { applyScan, type Scanned, takeBackSome } from "../../../src/watch/payment/payment.ts";
import { makeDataDir, openNewDatabase } from "../../support/till/data-dir.ts";
import { db, makeDatabase, removeDatabase } from "../../support/till/database.ts";
import {
  namedOf,
  payoutWallet,
  recordSettings,
  storeInvoice,
  storeLink,
} from "../../support/till/records.ts";
import { usdc } from "../../support/usdc.ts";
import { looked, putCheckpoint } from "../../support/watch/looked.ts";

beforeEach(makeDatabase);
afterEach(removeDatabase);

const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

function transfer(blockNumber: number, amount: string, changes: Partial<Transfer> = {}): Transfer {
  return {
    blockHash: hash(blockNumber),
    logIndex: 0,
    blockNumber,
    txHash: hash(0xa000 + blockNumber),
    depositIndex: 0,
    payer: payoutWallet,
    amount: usdc(amount),
    ...changes,
  };
}

/** A relay that the books count as paid by this transfer. */
function relayBy({ depositIndex, payer, amount, txHash, blockHash, blockNumber }: Transfer): void {
  db.run("PRAGMA foreign_keys = OFF");
  const terms = { validAfterSec: 0, validBeforeSec: 4_000_000_000, nonce: hash(0xc1), signature: "0x12" };
  const { id } = RelayStore.insert(db, {
    ...{ depositIndex, source: "page", chainId: 31337, token: payer, payer, to: payer, amount, ...terms },
    ...{ paymentIdentifier: null, begunBlock: 1, transactionId: 1, createdAt: 1 },
  } as Parameters<typeof RelayStore.insert>[1]);
  db.run("PRAGMA foreign_keys = ON");
  RelayStore.markConfirmed(db, id, { txHash, blockHash, blockNumber } as Inclusion, 2);
}

type Changes = Partial<Parameters<typeof looked>[1]>;

function found(head: number, transfers: Transfer[], changes: Changes = {}): Scanned {
  const checkpoint = { number: head, hash: hash(head) };
  return looked(db, { checkpoint, transfers, confirmedUpTo: head, ...changes });
}

const apply = (scanned: Scanned, now: number, to = db) =>
  applyScan(to, scanned, now, { receipts: false, recordSettings });
const statusOf = (id: string) => InvoiceStore.byId(db, id)?.status;
const events = () => WebhookHistoryStore.list(db, 0).map((event) => event.status);

describe("applyScan", () => {
  test("takes nothing from a block that is older than the deposit, and after a reorg what came since", () => {
    putCheckpoint(db, { number: 10, hash: hash(10) });
    const { id } = storeInvoice(db, { total: "100.00" });
    const early = transfer(10, "100.00");
    expect(apply(found(12, [early]), 1)).toMatchObject({ seen: 0, tooOld: [early] });
    expect(statusOf(id)).toBe("draft");
    // The blocks above 7 are new: the deposit was there before them.
    expect(apply(found(12, [transfer(9, "100.00")], { undoAbove: 7 }), 2)).toMatchObject({
      seen: 1,
      tooOld: [],
    });
    expect(statusOf(id)).toBe("paid");
  });

  test("tells of a payment as lost whose transaction came back and pays another address only", () => {
    for (let i = 0; i < 2; i++) storeInvoice(db, { total: "100.00" });
    const toSecond = transfer(5, "100.00", { logIndex: 1, depositIndex: 1 });
    apply(found(6, [transfer(5, "100.00"), toSecond]), 1);
    const again = transfer(6, "100.00", { txHash: toSecond.txHash });
    const { lost } = apply(found(7, [again], { undoAbove: 4 }), 2);
    expect(lost.map(({ depositIndex }) => depositIndex)).toEqual([1]);
    expect([0, 1].map((deposit) => LostTransferStore.any(db, deposit))).toEqual([false, true]);
  });

  test("credits a payment whatever its customer was billed, and marked as paid, before", () => {
    const { id } = storeInvoice(db, { total: "100.00" });
    db.run("UPDATE customer SET open_amount = 9223372036854775807, paid_amount = 9223372036854775807");
    expect(apply(found(4, [transfer(4, "100.00")]), 1)).toMatchObject({ confirmed: 1 });
    expect(statusOf(id)).toBe("paid");
  });

  test("tells once that money came to what is void, also when it makes no other difference", () => {
    const invoice = storeInvoice(db, { total: "100.00" });
    apply(found(4, [transfer(4, "30.00")]), 1);
    ReceivableStore.setClosed(db, namedOf("invoice", invoice), { ...Common.open, voidedAt: 2 }, "void");
    const told = [5, 6, 7].map((block) => apply(found(block, [transfer(block, "5.00")]), block).changes);
    expect(told).toMatchObject([[{ event: "unexpected_payment", from: "void", to: "void" }], [], []]);
    const { rows: events } = EventStore.list(db, { limit: 10, deposit: 0 });
    expect(events.map(({ type }) => type)).toEqual(["invoice.unexpected_payment", "invoice.partially_paid"]);
  });

  test("compares what came for a link with what is due now, of which a refund took a part off before", () => {
    const link = storeLink(db, { total: "100.00" });
    apply(found(4, [transfer(4, "50.00")]), 1);
    // Half is given back: who pays that half again has paid all of it.
    DepositStore.credit(db, 0, { usdc: usdc("50.00"), toReturn: usdc("50.00") });
    apply(found(5, [transfer(5, "50.00")]), 2);
    expect(LinkStore.bySlug(db, link.slug)).toMatchObject({
      status: "confirmed",
      deposit: { expected: usdc("100.00"), received: usdc("100.00") },
    });
  });

  test("counts nothing that another node has to know first, and takes nothing away for it", () => {
    const { id } = storeInvoice(db, { total: "100.00", webhookUrl: "https://shop.example/hook" });
    apply(found(5, [transfer(4, "100.00")]), 1);
    const witness = { node: "a.example", needsOpinion: true };
    const moved = transfer(6, "100.00", { txHash: hash(0xa004) });
    const more = transfer(6, "50.00", { logIndex: 1 });
    expect(apply(found(9, [moved, more], { witness }), 2)).toMatchObject({ seen: 2, confirmed: 0 });
    expect(apply(found(20, []), 3)).toMatchObject({ confirmed: 0 });
    expect(statusOf(id)).toBe("paid");
    expect(events()).toEqual(["paid"]);
    expect(DepositTransferStore.list(db, 0).map(({ confirmed }) => confirmed)).toEqual([true, false, false]);
  });

  test("dates a transfer by its block, which a node cannot put into the future", () => {
    storeInvoice(db, { total: "100.00" });
    const at = (number: number, timestampSec: number) =>
      [number, { number, hash: hash(number), timestampSec, timeMs: timestampSec * 1_000 }] as const;
    const headers = new Map([at(4, 7), at(5, 2 ** 50)]);
    apply(found(6, [transfer(4, "10.00"), transfer(5, "10.00"), transfer(6, "10.00")], { headers }), 9_000);
    const times = DepositTransferStore.list(db, 0).map(({ seenAt, madeAt }) => [seenAt, madeAt]);
    expect(times).toEqual([
      [9_000, 7_000],
      [9_000, 9_000],
      [9_000, 9_000],
    ]);
  });

  test("takes an invoice from partial to paid to excess as money arrives, each reported once", () => {
    const { id, deposit } = storeInvoice(db, { total: "100.00", webhookUrl: "https://shop.example/hook" });
    const steps: [Transfer, string][] = [
      [transfer(1, "40.00"), "partial"],
      [transfer(2, "10.00"), "partial"],
      [transfer(3, "50.00"), "paid"],
      [transfer(4, "0.01"), "excess"],
      [transfer(5, "1.00"), "excess"],
    ];
    for (const [next, status] of steps) {
      apply(found(next.blockNumber, [next]), 1);
      expect(statusOf(id)).toBe(status as never);
    }
    expect(events()).toEqual(["partial", "paid", "excess"]);
    expect(InvoiceStore.byId(db, id)?.deposit.received).toBe(usdc("101.01"));
    expect(deposit.index).toBe(0);
  });

  test("credits a transfer once, however often it is read", () => {
    const { id } = storeInvoice(db, { total: "100.00" });
    for (let i = 0; i < 3; i++) apply(found(5, [transfer(1, "100.00"), transfer(1, "100.00")]), i);
    expect(statusOf(id)).toBe("paid");
    expect(InvoiceStore.byId(db, id)?.deposit.received).toBe(usdc("100.00"));
  });

  test("counts a transaction once when it is read in another block than before", () => {
    const { id } = storeInvoice(db, { total: "100.00" });
    apply(found(5, [transfer(4, "100.00", { txHash: hash(0xa1) })]), 1);
    apply(found(6, [transfer(5, "100.00", { txHash: hash(0xa1) })]), 2);
    expect(statusOf(id)).toBe("paid");
    expect(InvoiceStore.byId(db, id)?.deposit.received).toBe(usdc("100.00"));
  });

  test("counts a transaction once when a node tells of it in two blocks at once: where it was told of last", () => {
    const { id } = storeInvoice(db, { total: "100.00" });
    const txHash = hash(0xabc);
    apply(found(5, [transfer(3, "100.00", { txHash }), transfer(4, "100.00", { txHash })]), 1);
    expect(statusOf(id)).toBe("paid");
    expect(DepositTransferStore.list(db, 0).map(({ blockNumber }) => blockNumber)).toEqual([4]);
  });

  test("counts two transfers of one block apart", () => {
    const { id } = storeInvoice(db, { total: "100.00" });
    apply(found(1, [transfer(1, "50.00"), transfer(1, "50.00", { logIndex: 1 })]), 1);
    expect(statusOf(id)).toBe("paid");
  });

  test("knows what an address holds right after each block", () => {
    const { deposit } = storeInvoice(db, { total: "100.00" });
    apply(found(9, [transfer(5, "30.00"), transfer(8, "70.00")]), 1);
    const moved = { amount: usdc("30.00"), txHash: hash(0xb007), blockNumber: 8, blockHash: hash(8) };
    SettlementStore.recordElsewhere(db, deposit.index, moved, 2);
    const held = (block?: number) => BalanceStore.expectedAt(db, { first: 0, last: 0 }, block).get(0) ?? 0n;
    expect([4, 5, 7, 8, undefined].map(held)).toEqual(["0.00", "30.00", "30.00", "70.00", "70.00"].map(usdc));
    expect(DepositStore.listUnsettled(db)).toMatchObject([{ amount: usdc("70.00"), deposits: 1 }]);
    // What was moved in a block that leaves the chain may be back.
    apply(found(9, [], { undoAbove: 6 }), 3);
    expect(BalanceStore.books(db, deposit.index).compareAt).toBe(3);
  });

  test("says that a webhook is due, also when only an endpoint of every event is told", () => {
    storeInvoice(db, { total: "100.00" });
    const due = (block: number) =>
      apply(found(block, [transfer(block, "50.00")]), block).changes.map((change) => change.webhookWritten);
    expect(due(5)).toEqual([false]);
    const plain = {
      url: "https://books.example",
      types: null,
      description: null,
      merchantEmail: null,
      format: "till" as const,
    };
    const endpoint = { ...plain, id: "endpoint_1", createdAt: 1, ...Endpoint.fresh, ...Endpoint.ofNoStore };
    EndpointStore.insert(db, endpoint, "sealed");
    expect(due(6)).toEqual([true]);
  });

  test("shows what is seen but counts only what is confirmed", () => {
    const { id } = storeInvoice(db, { total: "100.00", webhookUrl: "https://shop.example/hook" });
    const paid = transfer(10, "100.00");
    expect(apply(found(10, [paid], { confirmedUpTo: 6 }), 1)).toMatchObject({
      seen: 1,
      confirmed: 0,
    });
    expect(InvoiceStore.byId(db, id)).toMatchObject({
      status: "draft",
      deposit: { pending: usdc("100.00") },
    });
    expect(events()).toEqual([]);
    expect(apply(found(14, [], { confirmedUpTo: 10 }), 2)).toMatchObject({ seen: 0, confirmed: 1 });
    expect(InvoiceStore.byId(db, id)).toMatchObject({ status: "paid", deposit: { pending: Usdc.zero } });
    expect(events()).toEqual(["paid"]);
  });

  test("a reorg takes back what it took away, and brings back what moved to another block, without a second event", () => {
    const { id } = storeInvoice(db, { total: "100.00", webhookUrl: "https://shop.example/hook" });
    apply(found(10, []), 1);
    apply(found(12, [transfer(12, "100.00")]), 2);
    expect(statusOf(id)).toBe("paid");

    const gone = apply(found(12, [], { undoAbove: 10, checkpoint: { number: 12, hash: hash(99) } }), 3);
    expect(gone.lost.map((lost) => lost.txHash)).toEqual([transfer(12, "1.00").txHash]);
    expect(statusOf(id)).toBe("draft");
    expect(CheckpointStore.latest(db)).toMatchObject({ number: 12, hash: hash(99) });

    const again = transfer(13, "100.00", { txHash: transfer(12, "1.00").txHash });
    apply(found(13, [again]), 4);
    expect(statusOf(id)).toBe("paid");
    expect(events()).toEqual(["paid"]);
  });

  test("names no loss that is made up for within the tolerance", () => {
    storeInvoice(db, { total: "100.00" });
    db.run("UPDATE receivable SET tolerance_amount = 500000");
    apply(found(10, []), 1);
    apply(found(12, [transfer(12, "100.00")]), 2);
    apply(found(12, [], { undoAbove: 10, checkpoint: { number: 12, hash: hash(99) } }), 3);
    const { txHash } = transfer(12, "100.00");
    expect(LostTransferStore.listUncovered(db, 0, 10)).toEqual([txHash]);
    apply(found(13, [transfer(13, "99.49")]), 4);
    expect(LostTransferStore.listUncovered(db, 0, 10)).toEqual([txHash]);
    apply(found(14, [transfer(14, "0.01")]), 5);
    expect(LostTransferStore.listUncovered(db, 0, 10)).toEqual([]);
  });

  test("is not told of a loss when the transfer is in the new branch too", () => {
    const { id } = storeInvoice(db, { total: "100.00" });
    apply(found(10, []), 1);
    apply(found(12, [transfer(12, "100.00")]), 2);
    const moved = transfer(11, "100.00", { blockHash: hash(77), txHash: transfer(12, "1.00").txHash });
    const applied = apply(
      found(12, [moved], { undoAbove: 10, checkpoint: { number: 12, hash: hash(99) } }),
      3,
    );
    expect(applied).toMatchObject({ lost: [], changes: [] });
    expect(InvoiceStore.byId(db, id)?.deposit.received).toBe(usdc("100.00"));
  });

  test("loses what counted, came back where it does not count yet, and left that block too", () => {
    const { deposit } = storeInvoice(db, { total: "100.00" });
    const first = transfer(12, "100.00");
    apply(found(10, []), 1);
    apply(found(12, [first]), 2);
    relayBy(first);
    const again = transfer(12, "100.00", { blockHash: hash(77), txHash: first.txHash });
    const checkpoint = { number: 12, hash: hash(77) };
    const back = apply(found(12, [again], { undoAbove: 10, checkpoint, confirmedUpTo: 10 }), 3);
    expect(back).toMatchObject({ confirmed: 0, lost: [] });
    const gone = found(12, [], { undoAbove: 10, checkpoint: { number: 12, hash: hash(99) } });
    // However many others leave with it that never counted.
    const others = Array.from({ length: 600 }, (_, at) =>
      transfer(12, "0.01", { blockHash: hash(77), logIndex: at + 1, txHash: hash(0xb000 + at) }),
    );
    apply(found(12, others, { confirmedUpTo: 10, checkpoint }), 4);
    while (takeBackSome(db, gone, 5, { receipts: false, recordSettings }));
    expect(apply(gone, 5).lost.map(({ txHash }) => txHash)).toEqual([first.txHash]);
    expect(LostTransferStore.any(db, deposit.index)).toBe(true);
    expect(RelayStore.byId(db, 1)?.state).toBe("sent");
    // It was said: what comes back and goes once more without having counted says nothing new.
    apply(found(13, [transfer(13, "100.00", { txHash: first.txHash })], { confirmedUpTo: 10 }), 6);
    expect(apply(found(13, [], { undoAbove: 10 }), 7).lost).toEqual([]);
  });

  test("loses it too when no node said that the first block is gone", () => {
    storeInvoice(db, { total: "100.00" });
    const first = transfer(12, "100.00");
    apply(found(12, [first]), 1);
    const again = transfer(13, "100.00", { txHash: first.txHash });
    expect(apply(found(13, [again], { confirmedUpTo: 12 }), 2)).toMatchObject({ confirmed: 0, lost: [] });
    expect(DepositTransferStore.list(db, 0)).toMatchObject([{ blockNumber: 13, confirmed: false }]);
    expect(apply(found(13, [], { undoAbove: 12 }), 3).lost).toHaveLength(1);
  });

  test("gives an event the same id when a payment is credited again in a restored database", () => {
    const eventIds = (database: Db) => {
      for (let i = 0; i < 2; i++) storeInvoice(database, { webhookUrl: "https://shop.example/hook" });
      const later = transfer(2, "100.00", { depositIndex: 1 });
      apply(found(3, [transfer(1, "40.00"), transfer(2, "60.00", { logIndex: 1 }), later]), 1, database);
      apply(found(4, [transfer(4, "1.00")]), 2, database);
      return [0, 1].flatMap((index) => WebhookHistoryStore.list(database, index).map(({ id }) => id));
    };
    const first = eventIds(db);
    expect(first).toHaveLength(3);
    expect(new Set(first).size).toBe(3);
    for (const id of first) expect(id).toMatch(/^evt_[2-9a-km-np-z]{26}$/);
    const other = makeDataDir();
    const restored = openNewDatabase(other.path);
    try {
      expect(eventIds(restored)).toEqual(first);
    } finally {
      closeDatabase(restored);
      other.remove();
    }
  });

  test("leaves nothing behind when it fails half way", () => {
    const { id } = storeInvoice(db, { total: "100.00" });
    const unknownDeposit = transfer(1, "1.00", { depositIndex: 7, logIndex: 1 });
    expect(() => apply(found(1, [transfer(1, "100.00"), unknownDeposit]), 1)).toThrow();
    expect(statusOf(id)).toBe("draft");
    expect(CheckpointStore.latest(db)).toBeNull();
  });
});
