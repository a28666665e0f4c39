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
import { stored, transactTogether } from "../store/group-commit.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as RelayStore from "../store/tables/settle/relay.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import type { Price, Priced } from "./price.ts";

/**
 * Computes anew what is to be paid of an overdue invoice in a currency, at the rate of the moment or at the caller's, and
 * stores it with all that compares with it, and with the claim of the request, in one transaction. Returns why it cannot
 * be done; null when it is done. Throws what `price` throws, and a StorageFailed when nothing was stored.
 */
export type QuoteAgain = (
  invoice: Invoice,
  rate: Currency.Rate | null,
  claim: Claim | null,
) => Promise<Quoting.Refusal | null>;

export type QuoteAgainDeps = {
  db: Db;
  price: Price;
  now: () => number;
  timeZone: string;
  log: Log;
  /** As for new invoices. */
  tolerance: Usdc.Usdc;
};

export function createQuoteAgain({ db, price, now, timeZone, log, tolerance }: QuoteAgainDeps): QuoteAgain {
  function refusalOf(invoice: Invoice): Quoting.Refusal | null {
    const { index } = invoice.deposit;
    const isPaying = TransferStore.existsFor(db, index) || RelayStore.onItsWay(db, index) !== null;
    return Quoting.refusal(invoice, { today: Calendar.dayAt(now(), timeZone), isPaying });
  }

  function store({ deposit, sequence, ...before }: Invoice, { total, currency }: Priced): void {
    const at = now();
    const credited = Usdc.fromMicro(total - CreditNote.usdcOwed({ total, currency }, before.credited));
    const expected = { expected: total, tolerance: Outcome.toleranceOf(total, tolerance), credited };
    DepositStore.setExpected(db, deposit.index, expected, at);
    InvoiceStore.setPrice(db, sequence, { total, currency });
    const data = {
      expected_usdc: Usdc.format(total),
      currency: currency?.code,
      rate: currency?.rate,
      rate_source: currency?.source,
      before: { expected_usdc: Usdc.format(before.total), rate: before.currency?.rate },
    };
    const subject = { kind: "invoice", depositIndex: deposit.index } as const;
    note(db, subject, { type: "quoted", occasion: String(at), data, at });
  }

  return async (asked, rate, claim) => {
    // Nobody is asked for a rate that cannot be used.
    const early = refusalOf(asked);
    if (early !== null || asked.currency === null) return early ?? "usdc";
    const { code, total } = asked.currency;
    const priced = await price({ merchantEmail: asked.merchantEmail, total, currency: { code, rate } });
    const refusal = await stored(() =>
      transactTogether(db, () => {
        // A payment may have come meanwhile.
        const invoice = InvoiceStore.bySequence(db, asked.sequence) ?? asked;
        const refusal = refusalOf(invoice);
        if (refusal !== null) return refusal;
        store(invoice, priced);
        if (claim) IdempotencyStore.insert(db, claim, invoice.id, now());
        return null;
      }),
    );
    if (refusal === null)
      log.info("quoted", "an invoice in a currency was quoted again", {
        invoice: asked.number,
        amount: Usdc.format(priced.total),
      });
    return refusal;
  };
}
