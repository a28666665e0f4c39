import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import * as CreditNote from "../../domain/bill/credit-note.ts";
import type * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Quoting from "../../domain/bill/rate/quoting.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Link from "../../domain/link/link.ts";
import * as Outcome from "../../domain/payment/outcome.ts";
import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import { note } from "../../store/announce.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import { isOnItsWay } from "../../store/reports/on-its-way.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import type { Claim } from "../../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import * as DepositStore from "../../store/tables/invoicing/deposit.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import * as LostTransferStore from "../../store/tables/watch/lost-transfer.ts";
import type { PriceTotal, Pricing } from "../price.ts";

/**
 * Recalculates the amount due of an unpaid invoice or link in a currency, at the current rate or the caller's, and
 * stores it with everything compared with it and the request's claim, in one transaction. Returns why it cannot be
 * done; null if it is done. Throws whatever `price` throws, and a StorageFailed if nothing was stored.
 */
export type QuoteAgain = (
  depositIndex: number,
  rate: Currency.Rate | null,
  claim: Claim | null,
) => Promise<Quoting.QuoteRefusal | null>;

type Quoted = Quoting.QuoteFacts & {
  merchantEmail: string;
  /** The sum of its credit notes, in its currency. */
  credited: Usdc.Billed;
  /** Whether its price no longer holds. */
  isOver: boolean;
  /** Payments made until then were at that price and must all be known (Unix ms). */
  heldUntil: number;
};

type QuoteAgainDeps = {
  db: Db;
  price: Pricing;
  now: () => number;
  log: Log;
  config: Pick<Config, "tolerance" | "timeZone">;
  /** Returns whether every payment on the chain is known up to a time (Unix ms) and beyond. */
  isReadBeyond: (at: number) => boolean;
  /** Resumes watching the chain for deposits that are not watched. Returns whether there were any. */
  watchAgain: (deposits: readonly number[]) => boolean;
  /** Reads the chain up to its current head. Returns whether that succeeded. */
  readNow: () => Promise<boolean>;
};

/**
 * Returns the facts that its price depends on now (Unix milliseconds). An invoice can be quoted again once it is
 * overdue, a link from some time after its price ended until it expires.
 */
function quotedOf(receivable: Receivable, now: number, timeZone: string): Quoted {
  if (receivable.kind === "invoice")
    return {
      ...receivable,
      isOver: Invoice.isOverdue(receivable, Calendar.dayAt(now, timeZone)),
      heldUntil: Calendar.endOf(receivable.dueDate, timeZone),
    };
  const at = Link.quotableAt(receivable) ?? Number.POSITIVE_INFINITY;
  return {
    ...receivable,
    total: receivable.deposit.net,
    credited: Usdc.zero,
    isOver: now >= at && !Link.isExpired(receivable, now),
    heldUntil: at,
  };
}

/** An unconfirmed payment that left the chain is usually back within this time. */
const quietMs = 60_000;

/** How long to wait for a confirmed one to come back. */
const lostMs = 24 * 3_600_000;

export function createQuoteAgain(deps: QuoteAgainDeps): QuoteAgain {
  const { db, config, price, now, log } = deps;

  function refusalOf(quoted: Quoted): Quoting.QuoteRefusal | null {
    const { index } = quoted.deposit;
    const isPaying =
      DepositTransferStore.exists(db, index) ||
      LostTransferStore.any(db, index, now() - lostMs) ||
      isOnItsWay(db, index) ||
      RelayStore.anyUsable(db, index, now());
    const { isOver } = quoted;
    return Quoting.refusal(quoted, { isOver, isPaying }) ?? (isRead(quoted) ? null : "unread");
  }

  /** Returns whether the books contain everything that arrived while the price held and since. */
  function isRead({ deposit, heldUntil }: Quoted): boolean {
    const { createdAt, changedAt } = BalanceStore.books(db, deposit.index);
    const isQuiet = changedAt === createdAt || Math.abs(now() - changedAt) >= quietMs;
    return isQuiet && BalanceStore.isExplained(db, deposit.index) && deps.isReadBeyond(heldUntil);
  }

  const read = (depositIndex: number) => {
    const receivable = receivableAt(db, depositIndex);
    return { receivable, quoted: quotedOf(receivable, now(), config.timeZone) };
  };

  function store({ kind, deposit }: Receivable, before: Quoted, price: PriceTotal): void {
    const at = now();
    const depositIndex = deposit.index;
    const { total, currency } = price;
    const credited = Usdc.fromMicro(total - CreditNote.usdcOwed(price, before.credited));
    const expected = { expected: total, tolerance: Outcome.toleranceOf(total, config.tolerance), credited };
    DepositStore.setExpected(db, depositIndex, expected);
    const issuedRate = before.currency?.issuedRate ?? before.currency?.rate;
    ReceivableStore.setCurrency(
      db,
      depositIndex,
      currency && { ...currency, ...(issuedRate && { issuedRate }) },
    );
    const data = {
      expected_usdc: Usdc.format(total),
      currency: currency?.code,
      rate: currency?.rate,
      rate_source: currency?.source,
      before: { expected_usdc: Usdc.format(before.total), rate: before.currency?.rate },
    };
    // Two quotes may share a millisecond.
    const occasion = String(EventStore.count(db, depositIndex, `${kind}.quoted`));
    note(db, { kind, depositIndex }, { type: "quoted", occasion, data, at });
  }

  return async (depositIndex, rate, claim) => {
    const asked = read(depositIndex).quoted;
    // Do not ask for a rate that cannot be used.
    const early = refusalOf(asked);
    const mayBeLeft = early === null || early === "unread";
    if (mayBeLeft && deps.watchAgain([depositIndex])) return "unread";
    if (early !== null || asked.currency === null) return early ?? "usdc";
    const { code, total } = asked.currency;
    const priced = await price({
      merchantEmail: asked.merchantEmail,
      billed: total,
      currency: { code, rate },
    });
    // Payments made until now were at the amount asked for.
    if (!(await deps.readNow())) return "unread";
    const refusal = await stored(db, () => {
      // A payment may have come meanwhile.
      const { receivable, quoted } = read(depositIndex);
      const refusal = refusalOf(quoted);
      if (refusal !== null) return refusal;
      store(receivable, quoted, priced);
      if (claim) IdempotencyStore.insert(db, claim, faceOf(receivable).id, now());
      return null;
    });
    if (refusal === null)
      log.info("quoted", "what is in a currency was quoted again", {
        ...ReceivableStore.nameOf(db, depositIndex),
        amount: Usdc.format(priced.total),
      });
    return refusal;
  };
}

/** Minimum interval between attempts per link, as anybody can open a page again and again. */
const againAfterMs = 60_000;

/** The same if the chain was not read far enough, as the block after the end of the price is still to come. */
const unreadAgainAfterMs = 5_000;

/** How long a payer waits for it before asking again. */
const waitMsMax = 2_000;

/** Number of recently tried links to remember; beyond this all are forgotten, and each may be tried once more. */
const triedMax = 10_000;

export type LinkQuotes = ReturnType<typeof createLinkQuotes>;

/** Quotes links again when somebody is about to pay one whose price has ended. */
export function createLinkQuotes({
  quoteAgain,
  ...deps
}: Pick<QuoteAgainDeps, "db" | "now" | "log" | "readNow" | "isReadBeyond"> & { quoteAgain: QuoteAgain }) {
  const { now, log } = deps;
  const tried = new Map<number, number>();
  const running = new Map<number, Promise<void>>();

  async function quote(link: Link.Link, at: number): Promise<void> {
    let reason: string | null = null;
    try {
      // The books may not have been read up to the required time yet.
      if (!deps.isReadBeyond(at)) await deps.readNow();
      reason = await quoteAgain(link.deposit.index, null, null);
    } catch (thrown) {
      reason = messageOf(thrown);
    }
    if (reason === "unread") tried.set(link.id, now() - againAfterMs + unreadAgainAfterMs);
    if (reason !== null && (reason !== "unread" || Math.abs(now() - at) > againAfterMs))
      log.warn("quote.failed", "the price of a link has ended, and it was not quoted again", {
        link: link.slug,
        reason,
      });
  }

  return {
    /** Quotes it if that is due, and waits for it, but not long; null if there is nothing to wait for. Never throws. */
    ofLink(link: Link.Link): Promise<unknown> | null {
      const at = Link.quotableAt(link);
      if (at === null || now() < at || !Link.isPriceOver(link, now())) return null;
      const { id } = link;
      const isLately = Math.abs(now() - (tried.get(id) ?? Number.NEGATIVE_INFINITY)) < againAfterMs;
      if (!isLately && !running.has(id)) {
        if (tried.size >= triedMax) tried.clear();
        tried.set(id, now());
        running.set(
          id,
          quote(link, at).finally(() => running.delete(id)),
        );
      }
      const work = running.get(id);
      return work ? within(work, waitMsMax) : null;
    },
    /** Waits for quotes in progress. */
    async finish(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}
