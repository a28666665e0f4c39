/** Credit notes: documents that take back part or all of an issued invoice. */

import * as Outcome from "../payment/outcome.ts";
import * as Standing from "../payment/standing.ts";
import * as Usdc from "../usdc.ts";
import type { TaxInCurrency } from "./currency.ts";
import * as Currency from "./currency.ts";
import type { Invoice, LineItem } from "./invoice.ts";
import * as InvoiceNumber from "./invoice-number.ts";
import type * as Tax from "./tax.ts";

/** A line of the invoice, or part of one; `position` is its index there, from 0. */
export type CreditLine = LineItem & { position: number };

export type CreditNote = {
  /** UUID. */
  id: string;
  /** 1, 2, 3, … without gaps. */
  sequence: number;
  /** The number that people read, such as `CN-0001`. */
  number: string;
  /** Sequence of the invoice it refers to, which also gives its currency and parties. */
  invoice: number;
  /** `YYYY-MM-DD` */
  issueDate: string;
  reason: string;
  /** Empty when amounts are credited rather than lines. */
  lines: CreditLine[];
  /** One row per credited rate; no rows when the invoice states no tax. */
  totals: Tax.Totals;
  /** The tax in the currency of the seller's country; null when the invoice states none. */
  taxInCurrency: TaxInCurrency | null;
  /** The USDC by which it lowers the invoice, at the invoice's rate. */
  usdc: Usdc.Usdc;
  /** The part of `usdc` that was already paid and that the merchant has to return. */
  toReturn: Usdc.Usdc;
  /** Unix milliseconds. */
  createdAt: number;
};

/** Returns the total in USDC that an invoice still bills once `credited`, in its currency, is taken off. */
export function usdcOwed(
  { total, currency }: Pick<Invoice, "total" | "currency">,
  credited: bigint,
): Usdc.Usdc {
  if (currency === null) return Usdc.fromMicro(total - credited);
  if (credited === 0n) return total;
  return Currency.toUsdc(Usdc.fromMicro(currency.total - credited), currency.rate);
}

/**
 * Returns how much of a credit of `usdc` the merchant has to return: at most what the customer overpaid once the credit
 * applies. An invoice marked as paid was paid in another way, so all of it is returned.
 */
function toReturn(
  usdc: Usdc.Usdc,
  { owedAfter, received, isMarked }: { owedAfter: Usdc.Usdc; received: Usdc.Usdc; isMarked: boolean },
): Usdc.Usdc {
  if (isMarked) return usdc;
  return Usdc.least(usdc, Usdc.shown(Usdc.remaining(received, owedAfter)));
}

/**
 * Works out the effect of one more credit note of `credited`, in the invoice's currency: the USDC by which it lowers
 * the invoice, the part of that to return, and what is left to pay. `isVoid`: nobody has paid anything, and nobody has
 * to.
 */
export function effect(
  invoice: Pick<Invoice, "total" | "currency" | "credited" | "deposit" | "voidedAt" | "markedPaidAt">,
  credited: Usdc.Billed,
): { usdc: Usdc.Usdc; toReturn: Usdc.Usdc; left: Usdc.Usdc; isVoid: boolean } {
  const { received, tolerance } = invoice.deposit;
  const isMarked = invoice.markedPaidAt !== null;
  const owedAfter = usdcOwed(invoice, invoice.credited + credited);
  const usdc = Usdc.fromMicro(usdcOwed(invoice, invoice.credited) - owedAfter);
  const after = { expected: owedAfter, net: owedAfter, tolerance: Outcome.toleranceOf(owedAfter, tolerance) };
  return {
    usdc,
    toReturn: toReturn(usdc, { owedAfter, received, isMarked }),
    left: Standing.of({ ...invoice, deposit: { ...invoice.deposit, ...after } }).due,
    isVoid: owedAfter === 0n && !Usdc.shows(received) && !isMarked,
  };
}

export const pdfUrl = (baseUrl: string, { id }: Pick<CreditNote, "id">) =>
  `${baseUrl}/api/credit-notes/${id}/pdf`;

/** File name of its PDF. */
export const fileName = ({ number }: Pick<CreditNote, "number">) => InvoiceNumber.fileName(number);
