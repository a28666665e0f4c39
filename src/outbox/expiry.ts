import type { Log } from "../config/log-events.ts";
import * as Event from "../domain/event/event.ts";
import type * as Link from "../domain/link/link.ts";
import * as Outcome from "../domain/payment/outcome.ts";
import * as Usdc from "../domain/usdc.ts";
import { messageOf } from "../lib/error.ts";
import { startLooking, turn } from "../lib/loop.ts";
import { announce, type RecordSettings } from "../store/announce.ts";
import { type Db, transact } from "../store/database.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import * as RelayStore from "../store/tables/settle/relay.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as CrossingStore from "../store/tables/watch/crossing.ts";
import * as LostTransferStore from "../store/tables/watch/lost-transfer.ts";

/** How soon to look again, in general and while the chain is not read far enough. */
const idleMs = 60_000;
const unreadMs = 10_000;

/** Reporting this many blocks all requests for about 30 ms. */
const batchSize = 100;

/** A confirmed payment that left the chain is given this long to come back. */
const lostMs = 24 * 3_600_000;

/** So is what crosses from another network, if it is enough: it may also be never minted. */
const mintedMs = 24 * 3_600_000;

export type ExpiryDeps = {
  db: Db;
  recordSettings: RecordSettings;
  log: Log;
  now: () => number;
  /** Reads the chain up to its head as of now. Returns whether that succeeded. */
  readNow: () => Promise<boolean>;
  /** Returns whether all payments on the chain are known, and it was read beyond a time. */
  isReadBeyond: (at: number) => boolean;
  /** Resumes watching the chain for deposits that are not watched. Returns whether there were any. */
  watchAgain: (deposits: readonly number[]) => boolean;
  /** Called when a webhook was queued. */
  onQueued: () => void;
};

/**
 * Reports once for each link that it expired unpaid: when the chain is read beyond that time, and nothing is on its way
 * to it. Nothing is reported until both are certain.
 */
export function createExpiry({ db, recordSettings, log, now, onQueued, ...chain }: ExpiryDeps) {
  /** Looks at every link that is due. Returns when to look again, in ms. Throws if the database fails. */
  async function look(): Promise<number> {
    const first = { expiresAt: 0, id: 0 };
    if (LinkStore.listExpiredUntold(db, { now: now(), after: first, limit: 1 }).length === 0) return idleMs;
    if (!(await chain.readNow())) return unreadMs;
    for (let after = first; ; ) {
      const batch = transact(db, () => tellSome(after));
      for (const link of batch.slugs) log.info("expired", "a link expired before it was paid", { link });
      if (batch.isQueued) onQueued();
      if (batch.last === null) return batch.isUnread ? unreadMs : idleMs;
      after = batch.last;
      await turn();
    }
  }

  function tellSome(after: { expiresAt: number; id: number }) {
    const slugs: string[] = [];
    let isQueued = false;
    const links = LinkStore.listExpiredUntold(db, { now: now(), after, limit: batchSize });
    for (const link of links) {
      const expiresAt = link.expiresAt ?? 0;
      const isOwed = Event.closedAt(link) === null && !Outcome.isAll(link.deposit);
      if (isOwed && !chain.isReadBeyond(expiresAt)) return { slugs, isQueued, last: null, isUnread: true };
      if (isOwed && mayBePaid(link)) continue;
      if (isOwed) {
        isQueued = tell(link) || isQueued;
        slugs.push(link.slug);
      }
      LinkStore.setExpiryTold(db, link.id);
    }
    const last = links.length < batchSize ? undefined : links.at(-1);
    return {
      slugs,
      isQueued,
      isUnread: false,
      last: last ? { expiresAt: last.expiresAt ?? 0, id: last.id } : null,
    };
  }

  /** Returns whether there may be money that the books do not count, or not yet. */
  function mayBePaid({ deposit }: Link.Link): boolean {
    const { index, pending } = deposit;
    const crossing = CrossingStore.attested(db, index, now() - mintedMs);
    const received = Usdc.fromMicro<Usdc.Usdc>(deposit.received + crossing);
    return (
      Outcome.isAll({ ...deposit, received }) ||
      Usdc.shows(pending) ||
      RelayStore.onItsWay(db, index) !== null ||
      RelayStore.anyUsable(db, index, now()) ||
      LostTransferStore.any(db, index, now() - lostMs) ||
      chain.watchAgain([index]) ||
      !BalanceStore.isExplained(db, index)
    );
  }

  function tell(link: Link.Link): boolean {
    const { status, deposit } = link;
    const subject = ReceivableStore.briefAt(db, deposit.index);
    const { received } = deposit;
    const data = { ...Event.moneyData({ status, received }), partially_paid: Usdc.shows(received) };
    return announce(db, recordSettings, subject, { type: "expired", occasion: "", data, at: now() });
  }

  return { look };
}

/** Reports expired links as long as Till runs. */
export function startExpiry(deps: ExpiryDeps): { stop(): Promise<void> } {
  const expiry = createExpiry(deps);
  return startLooking({
    async look() {
      // The functions it calls are created in this turn.
      await turn();
      return expiry.look();
    },
    failed(thrown) {
      const fields = { reason: messageOf(thrown) };
      deps.log.error("expired.stalled", "links that expired cannot be told of just now", fields);
    },
    againMs: idleMs,
  });
}
