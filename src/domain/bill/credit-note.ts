/** Credit notes: what a merchant takes back of an invoice that was issued. */

import * as Outcome from "../payment/outcome.ts";
import * as Standing from "../payment/standing.ts";
import * as Usdc from "../usdc.ts";
import type { TaxInCurrency } from "./currency.ts";
import * as Currency from "./currency.ts";
import type { Invoice, LineItem } from "./invoice.ts";
import * as InvoiceNumber from "./invoice-number.ts";
import type * as Tax from "./tax.ts";

/** A line of the invoice, or a part of it; `position` is its place there, from 0. */
export type CreditLine = LineItem & { position: number };

export type CreditNote = {
  /** UUID. */
  id: string;
  /** 1, 2, 3, … without gaps. */
  sequence: number;
  /** The number that people read, such as `CN-0001`. */
  number: string;
  /** The sequence of the invoice that it refers to. Currency and parties are that invoice's. */
  invoice: number;
  /** `YYYY-MM-DD` */
  issueDate: string;
  reason: string;
  /** Empty when amounts are credited and not lines. */
  lines: CreditLine[];
  /** Has a row for each rate that it credits; none where the invoice says nothing of tax. */
  totals: Tax.Totals;
  /** Its tax in the currency of the seller's country; null where the invoice states none. */
  taxInCurrency: TaxInCurrency | null;
  /** The USDC by which it lowers the invoice, at the rate of the invoice. */
  usdc: Usdc.Usdc;
  /** The part of `usdc` that was paid already: what the merchant is to return. */
  toReturn: Usdc.Usdc;
  /** Unix milliseconds. */
  createdAt: number;
};

/** The total of an invoice in USDC when so much of it, in its currency, was credited. */
export function usdcOwed(
  { total, currency }: Pick<Invoice, "total" | "currency">,
  credited: bigint,
): Usdc.Usdc {
  if (currency === null) return Usdc.fromMicro(total - credited);
  if (credited === 0n) return total;
  return Currency.toUsdc(Usdc.fromMicro(currency.total - credited), currency.rate);
}

/**
 * The part of a credit of `usdc` that the merchant is to return: as much as the customer had paid beyond what is owed with
 * it. What is marked as paid was paid in another way.
 */
function toReturn(
  usdc: Usdc.Usdc,
  { owedAfter, received, isMarked }: { owedAfter: Usdc.Usdc; received: Usdc.Usdc; isMarked: boolean },
): Usdc.Usdc {
  if (isMarked) return usdc;
  return Usdc.least(usdc, Usdc.shown(Usdc.remaining(received, owedAfter)));
}

/**
 * The effect of one more note of `credited`, in the currency of the invoice, on what is owed: the USDC that it lowers it by,
 * what of that is to be returned, and what is left to pay. `isVoid`: nobody has paid anything, and nobody has to.
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

/** The name of its PDF. */
export const fileName = ({ number }: Pick<CreditNote, "number">) => InvoiceNumber.fileName(number);
