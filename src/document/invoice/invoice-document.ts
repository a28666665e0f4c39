import * as Invoice from "../../domain/bill/invoice.ts";
import type { Brand } from "../../domain/brand.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Common from "../../domain/receivable/common.ts";
import * as Usdc from "../../domain/usdc.ts";
import { paymentUri } from "../../domain/wallet/deposit-address.ts";
import { isTestNetwork, type Network } from "../../domain/wallet/network.ts";
import { type BillText, billText, paidSoFar } from "../../language/bill.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { speak } from "../../language/locale.ts";
import { type Parties, partiesOf } from "../../language/parties.ts";
import { invoiceTitle } from "../../language/tax-words.ts";
import type { Paper } from "./invoice-style.ts";

/** The look of a document, whatever it says: of the configuration only what goes to the worker with every document. */
export type Look = { paper: Paper; language: LanguageCode; brand: Brand };

/** Returns the look of a document, in its own language if it has one. */
export const lookOf = ({ paper, language, brand }: Look, own: LanguageCode | null): Look => ({
  paper,
  brand,
  language: own ?? language,
});

/** Everything an invoice PDF shows. The same input gives the same bytes. */
export type InvoiceDocument = Invoice.IssuedFields &
  Parties &
  BillText & {
    kind: "invoice";
    title: string;
    /** The number as people read it: `INV-0001`. */
    number: string;
    /** The day on which what is not the bill itself was last corrected; null when it never was. */
    correctedDay: string | null;
    /** The money that has arrived, if any. `remaining` is null if nothing is left to pay. */
    payment: { received: string; remaining: string | null } | null;
    /** The merchant's statement that nobody owes it any more; null without one. */
    closed: { kind: "void"; reason: string } | { kind: "marked" } | null;
    depositAddress: string;
    /** EIP-681 with what is left to pay, for the QR code. */
    paymentUri: string;
    /** The hosted page; http or https. */
    invoiceUrl: string;
    /** The chain as a payer knows it: `Base`. */
    networkName: string;
    /** True where USDC is no money. */
    isTestNetwork: boolean;
    /** Unix time in milliseconds; the file's creation date. */
    createdAtMs: number;
    /** The e-invoice to carry along, which makes the file PDF/A-3; without one it is a plain PDF. */
    xml?: string;
    look: Look;
  };

/** Returns what is left to pay, in USDC without the unit; null if nothing is. */
export function amountDue({ total, net, payment, closed }: InvoiceDocument): string | null {
  if (closed !== null) return null;
  return payment === null ? (net ?? total) : payment.remaining;
}

/**
 * Names the document that an invoice has just now: another one when something else is to be paid, more has arrived or
 * gone back, the merchant has closed it or credited some of it, or its rate is another, which can come to the same in
 * USDC.
 */
export function documentKey({ id, deposit, credited, currency, ...more }: Invoice.Invoice): string {
  const { voidedAt, markedPaidAt, correctedAt } = more;
  const paid = `${deposit.expected} ${deposit.received} ${deposit.refunded} ${credited}`;
  return `${id} ${paid} ${currency?.rate} ${currency?.fetchedAt} ${voidedAt} ${markedPaidAt} ${correctedAt}`;
}

/** A mark says nothing besides what money alone has paid. */
function closedOf(invoice: Invoice.Invoice): InvoiceDocument["closed"] {
  if (invoice.voidedAt !== null) return { kind: "void", reason: invoice.voidReason ?? "" };
  return Standing.of(invoice).isMarked ? { kind: "marked" } : null;
}

/** An invoice as its PDF shows it: what it was issued with never changes, what is left to pay does. */
export function documentOf(
  invoice: Invoice.Invoice,
  {
    baseUrl,
    network,
    timeZone = "UTC",
    ...options
  }: { baseUrl: string; network: Network; look: Look; timeZone?: string },
): InvoiceDocument {
  const look = lookOf(options.look, invoice.language);
  const { address: to } = invoice.deposit;
  const { due: amount } = Standing.of(invoice);
  const locale = speak(look.language);
  return {
    kind: "invoice",
    title: invoiceTitle(invoice, locale),
    number: invoice.number,
    ...Invoice.issued(invoice),
    ...partiesOf(invoice, locale),
    ...billText(invoice, locale),
    correctedDay: Invoice.correctedDay(invoice, timeZone),
    payment: paidSoFar(invoice),
    closed: closedOf(invoice),
    depositAddress: to,
    paymentUri: paymentUri({ usdc: network.usdc, chainId: network.chainId, to, amount }),
    invoiceUrl: Invoice.pageUrl(baseUrl, invoice),
    networkName: network.label,
    isTestNetwork: isTestNetwork(network),
    createdAtMs: invoice.createdAt,
    look,
  };
}

/** The PDF of an invoice as it was issued, whatever became of it, with its e-invoice in it (Factur-X, ZUGFeRD). */
export function hybridOf(
  invoice: Invoice.Invoice,
  xml: string,
  options: Parameters<typeof documentOf>[1],
): InvoiceDocument {
  const { total } = invoice;
  const deposit = { ...invoice.deposit, expected: total, net: total, received: Usdc.zero };
  const open = { ...Common.open, status: "sent", credited: Usdc.zero } as const;
  const issued: Invoice.Invoice = { ...invoice, ...open, deposit };
  return { ...documentOf(issued, options), xml };
}
