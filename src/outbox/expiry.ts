import type { Log } from "../config/log-events.ts";
import * as Event from "../domain/event/event.ts";
import { messageOf } from "../lib/error.ts";
import { createWakeable, turn } from "../lib/loop.ts";
import { announce, type Site } from "../store/announce.ts";
import { type Db, transact } from "../store/database.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as RelayStore from "../store/tables/settle/relay.ts";

/** How often to look for links whose time is over. */
const lookMs = 30_000;

/** Looking at this many blocks other requests for a few milliseconds. */
const batchSize = 200;

export type ExpiryDeps = {
  db: Db;
  log: Log;
  now: () => number;
  site: Site;
  /** Whether every payment on the chain is known, up to beyond a time (Unix ms). */
  isReadBeyond: (at: number) => boolean;
  /** Resumes watching the chain for deposits that are not watched. Returns whether there were any. */
  watchAgain: (deposits: readonly number[]) => boolean;
  /** Called when webhooks were queued. */
  onQueued: () => void;
};

/**
 * Tells once that a link's time is over and not all of it was paid. Only when every payment made in time is known, and
 * none is on its way: who is told may have sold the goods to somebody else.
 */
export function createExpiry({ db, now, site, ...deps }: ExpiryDeps) {
  /** Whether it is told of, or need not be. */
  function tell(due: LinkStore.Expired): "told" | "ended" | "waits" {
    const link = LinkStore.bySlug(db, due.slug);
    if (link === null) return "ended";
    const { deposit, status } = link;
    const isOpen = status === "pending" || status === "partial" || status === "error";
    if (isOpen && link.markedPaidAt === null) {
      if (status === "error" || deposit.pending > 0n) return "waits";
      if (RelayStore.onItsWay(db, deposit.index) !== null) return "waits";
      const data = {
        ...Event.moneyData({ status, received: deposit.received }),
        partially_paid: deposit.received > 0n,
      };
      const sealedSecret = LinkStore.sealedSecret(db, link.id);
      const subject = { kind: "link", depositIndex: deposit.index, sealedSecret, ...link } as const;
      const happening = { type: "expired", occasion: String(link.expiresAt), data, at: now() } as const;
      const isQueued = announce(db, site, subject, happening);
      LinkStore.setExpiryTold(db, link.id);
      return isQueued ? "told" : "ended";
    }
    LinkStore.setExpiryTold(db, link.id);
    return "ended";
  }

  return {
    /** Tells of all that can be told of now. Throws when the database fails. */
    async look(): Promise<void> {
      let after: LinkStore.Expired | null = null;
      for (;;) {
        const batch: LinkStore.Expired[] = LinkStore.listExpired(db, now(), after, batchSize);
        const last = batch.at(-1);
        if (last === undefined) return;
        // What is no longer watched has to be read first.
        if (deps.watchAgain(batch.map(({ depositIndex }) => depositIndex))) return;
        const known = batch.filter(({ expiresAt }) => deps.isReadBeyond(expiresAt));
        const told = transact(db, () => known.map(tell));
        if (told.includes("told")) deps.onQueued();
        if (known.length < batch.length) return;
        after = last;
        await turn();
      }
    },
  };
}

/** Looks as long as Till runs. */
export function startExpiry(deps: ExpiryDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const expiry = createExpiry(deps);
  const bell = createWakeable();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await expiry.look();
      } catch (thrown) {
        deps.log.error("expiry.stalled", "it cannot be told now which links have expired", {
          reason: messageOf(thrown),
        });
      }
      await bell.wait(lookMs, signal);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
