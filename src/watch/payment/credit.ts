import { type Node, nodesOf } from "../../chain/node/nodes.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { turn } from "../../lib/loop.ts";
import type { RecordSettings } from "../../store/announce.ts";
import { setCache, transact } from "../../store/database.ts";
import { onDisk, quietLog, withoutWaiting } from "../../store/log.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as WatchedStore from "../../store/tables/watch/watched.ts";
import type { Watching } from "../deposits.ts";
import { applyVerdicts, type JudgedInquiry } from "../doubt/second-opinion.ts";
import type { Looked } from "../look.ts";
import { type ApplyResult, applyScan, type BlocksRead, book, takeBackSome } from "./payment.ts";

/** Crediting this many blocks all other requests for about 30 ms. */
const transfersAtOnce = 200;

/**
 * Payments from one block to one deposit are credited together, so that one status is reported; but at most this many.
 */
const transfersTogetherMax = 500;

type CreditOptions = Pick<Watching, "config" | "db" | "log" | "now" | "deposits"> & {
  recordSettings: RecordSettings;
  /** Called with dormant deposits that must be watched again, as each received a transfer. */
  onAwake: (deposits: readonly WatchedStore.WatchedDeposit[]) => void;
  onApplied: (applied: ApplyResult) => void;
  /** Called when another node must be asked about transfers. */
  onOpinionDue: () => void;
  /** Called when blocks left the chain. */
  onReorg: () => void;
  /** Called when unconfirmed money may have changed. */
  listen: () => void;
};

/**
 * Splits a look's result into parts of about `transfersAtOnce` transfers. The last one has the checkpoint, so that the
 * rest is found again after a crash in between. A reorganisation is not split, as a transfer that comes back in another
 * block was not lost.
 */
function partsOf(looked: Looked): Looked[] {
  if (looked.replaced.length > 0 || looked.transfers.length <= transfersAtOnce) return [looked];
  const transfers = looked.transfers.toSorted(
    (a, b) => a.blockNumber - b.blockNumber || a.depositIndex - b.depositIndex || a.logIndex - b.logIndex,
  );
  const parts: Looked[] = [];
  let start = 0;
  for (let end = transfersAtOnce; end < transfers.length; end++) {
    const last = transfers[end - 1];
    const next = transfers[end];
    if (!last || !next || end - start < transfersAtOnce) continue;
    const isTogether = last.blockNumber === next.blockNumber && last.depositIndex === next.depositIndex;
    if (isTogether && end - start < transfersTogetherMax) continue;
    parts.push({ ...looked, checkpoint: null, transfers: transfers.slice(start, end) });
    start = end;
  }
  return [...parts, { ...looked, transfers: transfers.slice(start) }];
}

export type Credit = ReturnType<typeof createCredit>;

/** Credits what the chain says, and logs the results. */
export function createCredit(options: CreditOptions) {
  const { config, db, log, now, deposits } = options;
  const counts = { seen: 0, confirmed: 0, lost: 0 };
  /** The last successful look; null before the first. */
  let last: Pick<Looked, "head" | "confirmedUpTo"> | null = null;
  const rules = () => ({ receipts: config.mailReceipts, recordSettings: options.recordSettings });
  const needsOpinion = nodesOf(config.rpcUrls).length > 1;

  function tell(applied: ApplyResult) {
    const { lost, changes, tooOld } = applied;
    counts.seen += applied.seen;
    counts.confirmed += applied.confirmed;
    counts.lost += lost.length;
    for (const { depositIndex, txHash, blockNumber } of tooOld) {
      const facts = { ...ReceivableStore.nameOf(db, depositIndex), tx: txHash, block: blockNumber };
      log.error("payment.too_old", "a node told of a transfer from before its address was made", facts);
    }
    for (const { depositIndex, txHash } of lost) {
      const name = ReceivableStore.nameOf(db, depositIndex);
      log.error("payment.lost", "a confirmed transfer left the chain", { ...name, tx: txHash });
    }
    for (const { name, from, to } of changes) {
      log.info("payment", "the status of an invoice or a link changed", { ...name, from, to });
    }
    deposits.changed(applied.touched);
    // The database now counts them as watched, including those whose payment went.
    const dormant = [...applied.touched].filter((index) => !deposits.has(index));
    if (dormant.length > 0) options.onAwake(WatchedStore.list(db, dormant));
    if (applied.touched.size > 0) options.listen();
    options.onApplied(applied);
  }

  /** Whether the last scan was large enough to widen the database's cache. */
  let isWide = false;

  /**
   * Runs `change` in one transaction with marking the paid deposits as watched. Anything a power cut takes is read from
   * the chain again with the same result, so nobody waits for the disk.
   */
  function put(transfers: readonly Transfer[], change: () => ApplyResult): ApplyResult {
    const paid = new Set(transfers.map((transfer) => transfer.depositIndex));
    const dormant = [...paid].filter((index) => !deposits.has(index));
    const { applied, awake } = withoutWaiting(db, () =>
      transact(db, () => ({ awake: WatchedStore.touch(db, dormant, now()), applied: change() })),
    );
    // Only now, or they would count as watched although nothing was stored.
    if (awake.length > 0) options.onAwake(awake);
    if (needsOpinion && applied.seen > 0) options.onOpinionDue();
    return applied;
  }

  function applyPart(part: Looked, { id }: Node) {
    const scanned = { ...part, witness: { node: id, needsOpinion } };
    const applied = put(part.transfers, () => applyScan(db, scanned, now(), rules()));
    const known = part.isReorganised ? -1 : (last?.confirmedUpTo ?? -1);
    last = { head: part.head, confirmedUpTo: Math.max(known, part.confirmedUpTo) };
    if (part.isReorganised && part.checkpoint !== null) {
      const block = Math.min(part.checkpoint.number, ...part.replaced.map(({ number }) => number - 1));
      log.warn("chain.reorg", "the chain was reorganised", { block });
      options.onReorg();
    }
    deposits.changed(part.emptied);
    tell(applied);
  }

  return {
    /**
     * Books the result of a look; a large one in transactions of about 200 transfers, so that others are served in
     * between. Each part is complete by itself. Throws if it cannot be stored.
     */
    async look(looked: Looked, witness: Node): Promise<void> {
      for (;;) {
        const some = takeBackSome(db, looked, now(), rules());
        if (some === null) break;
        tell(some);
        await turn();
      }
      const parts = partsOf(looked);
      const isMuch = parts.length > 1;
      if (isMuch !== isWide) setCache(db, isMuch ? "wide" : "narrow");
      isWide = isMuch;
      for (const [index, part] of parts.entries()) {
        if (index > 0) await turn();
        await quietLog(db);
        applyPart(part, witness);
      }
      if (looked.transfers.length > 0) await onDisk(db);
    },
    /** Books transfers from blocks that were read again, like `book`. */
    book(reread: Pick<BlocksRead, "transfers" | "headers">, { id }: Node): void {
      // The next look confirms transfers that do not count yet.
      const read = {
        ...reread,
        confirmedUpTo: last?.confirmedUpTo ?? -1,
        witness: { node: id, needsOpinion },
      };
      const applied = put(reread.transfers, () => book(db, read, now(), rules()));
      if (reread.transfers.length > 0) tell(applied);
    },
    /** Applies nodes' verdicts about reported transfers to the books. Throws if they cannot be stored. */
    applyVerdicts(heard: readonly JudgedInquiry[]): void {
      const facts = { confirmedUpTo: last?.confirmedUpTo ?? null, now: now() };
      const { applied, results } = applyVerdicts(db, heard, facts, rules());
      for (const { transfer, kind, node, reason } of results) {
        const facts = { ...ReceivableStore.nameOf(db, transfer.depositIndex), tx: transfer.txHash, node };
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
      tell(applied);
    },
    /** The head of the last successful look, with its time in Unix seconds; null before the first. */
    head: () => last?.head ?? null,
    /** Number of transfers since the start: seen for the first time, confirmed, and lost after confirmation. */
    transfers: (): Readonly<typeof counts> => counts,
  };
}
