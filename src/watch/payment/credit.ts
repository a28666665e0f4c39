import { type Node, nodesOf } from "../../chain/node/nodes.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { turn } from "../../lib/loop.ts";
import type { Site } from "../../store/announce.ts";
import { setCache, transact } from "../../store/database.ts";
import { onDisk, quietLog, withoutWaiting } from "../../store/log.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as WatchedStore from "../../store/tables/watch/watched.ts";
import type { Watching } from "../deposits.ts";
import { applyVerdicts, type Heard } from "../doubt/second-opinion.ts";
import type { Looked } from "../look.ts";
import { type ApplyResult, applyScan, type BlocksRead, book, takeBackSome } from "./payment.ts";

/** Crediting this many blocks every other request for about 30 ms. */
const transfersAtOnce = 200;

/** What one block pays one deposit is credited together, so that one status is told of; but not more than this. */
const transfersTogetherMax = 500;

type CreditOptions = Pick<Watching, "config" | "db" | "log" | "now" | "deposits"> & {
  site: Site;
  /** Told of dormant deposits that are to be watched again, as a transfer came to each. */
  onAwake: (deposits: readonly WatchedStore.WatchedDeposit[]) => void;
  onApplied: (applied: ApplyResult) => void;
  /** Another node is to be asked about transfers. */
  onOpinionDue: () => void;
  /** Blocks left the chain. */
  onReorg: () => void;
  /** What is unconfirmed may be different now. */
  listen: () => void;
};

/**
 * What a look brought, in parts of about `transfersAtOnce` transfers; the last one has the checkpoint, so that after a
 * crash in between the rest is found again. What takes blocks back is not parted: a transfer that comes back in another
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

/** Credits what the chain says, and tells in the log what became of it. */
export function createCredit(options: CreditOptions) {
  const { config, db, log, now, deposits } = options;
  const counts = { seen: 0, confirmed: 0, lost: 0 };
  /** The last look that went through; null before the first. */
  let last: Pick<Looked, "head" | "confirmedUpTo"> | null = null;
  const rules = () => ({ receipts: config.mailReceipts, site: options.site });
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
    // By the database they are watched from now on, also those whose payment went.
    const dormant = [...applied.touched].filter((index) => !deposits.has(index));
    if (dormant.length > 0) options.onAwake(WatchedStore.list(db, dormant));
    if (applied.touched.size > 0) options.listen();
    options.onApplied(applied);
  }

  /** Whether the last scan was large enough to widen the database's cache. */
  let isWide = false;

  /**
   * Runs `change` as one transaction with what makes the deposits watched that the transfers came to. What a power cut
   * takes of it is read from the chain again, and is the same: nobody has to wait for the disk.
   */
  function put(transfers: readonly Transfer[], change: () => ApplyResult): ApplyResult {
    const paid = new Set(transfers.map((transfer) => transfer.depositIndex));
    const dormant = [...paid].filter((index) => !deposits.has(index));
    const { applied, awake } = withoutWaiting(db, () =>
      transact(db, () => ({ awake: WatchedStore.touch(db, dormant, now()), applied: change() })),
    );
    // Only now, or they would be taken for watched although nothing was stored.
    if (awake.length > 0) options.onAwake(awake);
    if (needsOpinion && applied.seen > 0) options.onOpinionDue();
    return applied;
  }

  function applyPart(part: Looked, { id }: Node) {
    const scanned = { ...part, teller: { node: id, needsOpinion } };
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
     * Puts what a look brought into the books; when it is much, in transactions of about 200 transfers, so that others
     * are answered in between. What is stored then is complete by itself. Throws when it cannot be stored.
     */
    async look(looked: Looked, teller: Node): Promise<void> {
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
        applyPart(part, teller);
      }
      if (looked.transfers.length > 0) await onDisk(db);
    },
    /** Puts transfers from blocks that were read again into the books, as `book` does. */
    book(reread: Pick<BlocksRead, "transfers" | "headers">, { id }: Node): void {
      // The next look confirms what none has counted yet.
      const read = {
        ...reread,
        confirmedUpTo: last?.confirmedUpTo ?? -1,
        teller: { node: id, needsOpinion },
      };
      const applied = put(reread.transfers, () => book(db, read, now(), rules()));
      if (reread.transfers.length > 0) tell(applied);
    },
    /** Puts into the books what nodes said of transfers that were told. Throws when it cannot be stored. */
    applyVerdicts(heard: readonly Heard[]): void {
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
    /** The head of the last look that went through, with its time in Unix seconds; null before the first. */
    head: () => last?.head ?? null,
    /** Transfers since the start: seen for the first time, confirmed, and lost after they were confirmed. */
    transfers: (): Readonly<typeof counts> => counts,
  };
}
