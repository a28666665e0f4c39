import type { Log } from "../config/log-events.ts";
import * as CreditNote from "../domain/bill/credit-note.ts";
import type * as Currency from "../domain/bill/currency.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import * as Quoting from "../domain/bill/rate/quoting.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Outcome from "../domain/payment/outcome.ts";
import * as Usdc from "../domain/usdc.ts";
import { note } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as EventStore from "../store/tables/outbox/event.ts";
import * as RelayStore from "../store/tables/settle/relay.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import type { PriceTotal, Pricing } from "./price.ts";

/**
 * Recalculates the amount due of an overdue invoice in a currency, at the current rate or the caller's, and stores it
 * with everything compared with it and the request's claim, in one transaction. Returns why it cannot be done; null
 * when it is done. Throws what `price` throws, and a StorageFailed when nothing was stored.
 */
export type QuoteAgain = (
  invoice: Invoice,
  rate: Currency.Rate | null,
  claim: Claim | null,
) => Promise<Quoting.QuoteRefusal | null>;

export type QuoteAgainDeps = {
  db: Db;
  price: Pricing;
  now: () => number;
  timeZone: string;
  log: Log;
  /** As for new invoices. */
  tolerance: Usdc.Usdc;
  /** Whether every payment on the chain is known, up to beyond a time (Unix ms). */
  isReadBeyond: (at: number) => boolean;
  /** Resumes watching the chain for deposits that are not watched. Returns whether there were any. */
  watchAgain: (deposits: readonly number[]) => boolean;
  /** Reads the chain up to its current head. Returns whether that succeeded. */
  readNow: () => Promise<boolean>;
};

/** An unconfirmed payment that left the chain is usually back within this time. */
const quietMs = 60_000;

/** How long to wait for a confirmed one to come back. */
const lostMs = 24 * 3_600_000;

export function createQuoteAgain(deps: QuoteAgainDeps): QuoteAgain {
  const { db, price, now, timeZone, log, tolerance } = deps;

  function refusalOf(invoice: Invoice): Quoting.QuoteRefusal | null {
    const { index } = invoice.deposit;
    const isPaying =
      TransferStore.existsFor(db, index) ||
      TransferStore.anyLost(db, index, now() - lostMs) ||
      RelayStore.onItsWay(db, index) !== null;
    const today = Calendar.dayAt(now(), timeZone);
    return Quoting.refusal(invoice, { today, isPaying }) ?? (isRead(invoice) ? null : "unread");
  }

  /** Whether the books contain everything that arrived until the due date and since. */
  function isRead({ deposit, dueDate }: Invoice): boolean {
    const dueUntil = Calendar.endOf(dueDate, timeZone);
    const { createdAt, changedAt, compareAt } = BalanceStore.books(db, deposit.index);
    const isQuiet = changedAt === createdAt || Math.abs(now() - changedAt) >= quietMs;
    // An unwatched deposit's balance is compared first.
    const isCompared = compareAt > changedAt && BalanceStore.unexplained(db, deposit.index) === null;
    return isQuiet && isCompared && deps.isReadBeyond(dueUntil);
  }

  function store({ deposit, sequence, ...before }: Invoice, { total, currency }: PriceTotal): void {
    const at = now();
    const credited = Usdc.fromMicro(total - CreditNote.usdcOwed({ total, currency }, before.credited));
    const expected = { expected: total, tolerance: Outcome.toleranceOf(total, tolerance), credited };
    DepositStore.setExpected(db, deposit.index, expected);
    InvoiceStore.setPrice(db, sequence, { total, currency });
    const data = {
      expected_usdc: Usdc.format(total),
      currency: currency?.code,
      rate: currency?.rate,
      rate_source: currency?.source,
      before: { expected_usdc: Usdc.format(before.total), rate: before.currency?.rate },
    };
    const subject = { kind: "invoice", depositIndex: deposit.index } as const;
    // Two quotes may share a millisecond.
    const occasion = String(EventStore.count(db, deposit.index, "invoice.quoted"));
    note(db, subject, { type: "quoted", occasion, data, at });
  }

  return async (asked, rate, claim) => {
    // Do not ask for a rate that cannot be used.
    const early = refusalOf(asked);
    const mayBeLeft = early === null || early === "unread";
    if (mayBeLeft && deps.watchAgain([asked.deposit.index])) return "unread";
    if (early !== null || asked.currency === null) return early ?? "usdc";
    const { code, total } = asked.currency;
    const priced = await price({
      merchantEmail: asked.merchantEmail,
      billed: total,
      currency: { code, rate },
    });
    // Any payment made by now was of the amount asked for.
    if (!(await deps.readNow())) return "unread";
    const refusal = await stored(db, () => {
      // A payment may have come meanwhile.
      const invoice = InvoiceStore.bySequence(db, asked.sequence) ?? asked;
      const refusal = refusalOf(invoice);
      if (refusal !== null) return refusal;
      store(invoice, priced);
      if (claim) IdempotencyStore.insert(db, claim, invoice.id, now());
      return null;
    });
    if (refusal === null)
      log.info("quoted", "an invoice in a currency was quoted again", {
        invoice: asked.number,
        amount: Usdc.format(priced.total),
      });
    return refusal;
  };
}
