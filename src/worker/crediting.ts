import type { ScanResult } from "../chain/scan.ts";
import type { Config } from "../config.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Log } from "../log-events.ts";
import { type Applied, applyScan, nameOf } from "../service/payment.ts";
import { applyVerdicts } from "../service/second-opinion.ts";
import * as CheckpointStore from "../store/checkpoint.ts";
import type { Db } from "../store/database.ts";
import type { ColdCheck } from "./cold-check.ts";
import type { HotDeposits } from "./hot-deposits.ts";
import { nodesOf, type Provider } from "./providers.ts";

export type Scanned = Extract<ScanResult, { kind: "scanned" }>;

/** So many are credited in about 10 ms, in which nothing else is answered. */
const transfersAtOnce = 250;

export type Crediting = {
  /** Puts what a node told into the books. Throws when it cannot be stored. */
  apply(found: Scanned, teller: Provider): void;
  /** The same in parts, when it is much: others are answered in between. What is stored then is complete by itself. */
  applyInParts(found: Scanned, teller: Provider): Promise<void>;
  /** Puts into the books what nodes said of transfers that were told. Throws when it cannot be stored. */
  applyVerdicts(heard: Parameters<typeof applyVerdicts>[1]): void;
  /** The head of the last scan that went through; null before the first. */
  head(): number | null;
  /** Transfers since the start: seen for the first time, confirmed, and lost after they were confirmed. */
  transfers(): Readonly<Record<"seen" | "confirmed" | "lost", number>>;
};

export type CreditingDeps = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  hot: HotDeposits;
  coldCheck: ColdCheck;
  onApplied: (applied: Applied) => void;
  /** Another node is to be asked about transfers. */
  onOpinionDue: () => void;
  /** What is unconfirmed may be different now. */
  listen: () => void;
  /** There is something to read of older blocks. */
  wake: () => void;
};

/**
 * What a scan found, in parts of about `transfersAtOnce` transfers that each end with a block, which is their
 * checkpoint, so that nothing is ever recorded above the last one. What takes blocks back is not parted: a transfer
 * that comes back in another block was not lost.
 */
function partsOf(found: Scanned, before: BlockRef | null): Scanned[] {
  const { undoAbove } = found;
  if (before === null || undoAbove !== null || found.transfers.length <= transfersAtOnce) return [found];
  const transfers = found.transfers.toSorted(
    (a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
  );
  const parts: Scanned[] = [];
  let start = 0;
  for (let end = transfersAtOnce; end < transfers.length; end++) {
    const last = transfers[end - 1];
    if (!last || last.blockNumber === transfers[end]?.blockNumber || end - start < transfersAtOnce) continue;
    const { blockNumber: number, blockHash: hash } = last;
    const checkpoint = number > before.number ? { number, hash } : before;
    const confirmedUpTo = Math.min(found.confirmedUpTo, number);
    parts.push({ ...found, checkpoint, confirmedUpTo, transfers: transfers.slice(start, end) });
    start = end;
  }
  return [...parts, { ...found, transfers: transfers.slice(start) }];
}

/** Credits what was found in the chain, and says in the log what became of it. */
export function createCrediting({
  config,
  db,
  log,
  now,
  hot,
  coldCheck,
  onApplied,
  onOpinionDue,
  listen,
  wake,
}: CreditingDeps): Crediting {
  const transfers = { seen: 0, confirmed: 0, lost: 0 };
  let head: number | null = null;
  let confirmedUpTo: number | null = null;
  const needsOpinion = nodesOf(config.rpcUrls).length > 1;
  const options = { receipts: config.mailReceipts };

  function record(applied: Applied) {
    const { lost, changes, tooOld } = applied;
    transfers.seen += applied.seen;
    transfers.confirmed += applied.confirmed;
    transfers.lost += lost.length;
    for (const { depositIndex, txHash, blockNumber } of tooOld) {
      const facts = { ...nameOf(db, depositIndex), tx: txHash, block: blockNumber };
      log.error("payment.too_old", "a node told of a transfer from before its address was made", facts);
    }
    for (const { depositIndex, txHash } of lost) {
      const name = nameOf(db, depositIndex);
      log.error("payment.lost", "a confirmed transfer left the chain", { ...name, tx: txHash });
    }
    for (const { name, from, to } of changes) {
      log.info("payment", "the status of an invoice or a link changed", { ...name, from, to });
    }
    if (applied.touched.size > 0) listen();
    onApplied(applied);
  }

  function apply(found: Scanned, { id }: Provider) {
    // Before they are credited: a crash in between costs a reading, not a payment.
    const paid = new Set(found.transfers.map((transfer) => transfer.depositIndex));
    const cold = [...paid].filter((index) => !hot.has(index));
    if (cold.length > 0) {
      coldCheck.warm(cold, found.checkpoint.number, now());
      wake();
    }
    const { undoAbove } = found;
    const applied = applyScan(db, { ...found, teller: { node: id, needsOpinion } }, now(), options);
    head = found.head.number;
    confirmedUpTo = found.confirmedUpTo;
    if (undoAbove !== null) log.warn("chain.reorg", "the chain was reorganised", { block: undoAbove });
    record(applied);
    if (needsOpinion && applied.seen > 0) onOpinionDue();
  }

  return {
    apply,
    async applyInParts(found, teller) {
      const parts = partsOf(found, CheckpointStore.latest(db));
      for (const [index, part] of parts.entries()) {
        if (index > 0) await new Promise(setImmediate);
        apply(part, teller);
      }
    },
    applyVerdicts(heard) {
      const { applied, told } = applyVerdicts(db, heard, { confirmedUpTo, now: now() }, options);
      for (const { transfer, kind, node, reason } of told) {
        const facts = { ...nameOf(db, transfer.depositIndex), tx: transfer.txHash, node };
        if (kind === "contradicted")
          log.error("payment.contradicted", "a node contradicts a payment: it does not count", {
            ...facts,
            reason,
          });
        else if (kind === "alone")
          log.warn("payment.alone", "no other node answers: the word of one counts", facts);
        else if (kind === "agreed")
          log.info("payment.agreed", "the nodes agree about a payment again", facts);
        else log.warn("payment.unknown", "no node knows a payment any more", { ...facts, reason });
      }
      record(applied);
    },
    head: () => head,
    transfers: () => transfers,
  };
}
