import type { Brand } from "../domain/brand.ts";
import type { LanguageCode } from "../lib/language.ts";
import type { Paper } from "./invoice-style.ts";

/** One row of the table. The quantity is a plain decimal; amounts are in USDC, without the unit. */
export type DocumentLine = { description: string; quantity: string; unitPrice: string; lineTotal: string };

/** How a document looks, whatever it says. */
export type Look = { paper: Paper; language: LanguageCode; brand: Brand };

/** Everything an invoice PDF shows. The same input gives the same bytes. */
export type InvoiceDocument = {
  /** As a person reads it: `INV-0001`. */
  number: string;
  /** `YYYY-MM-DD`; printed as people write it. */
  issueDate: string;
  dueDate: string;
  merchantName: string;
  /** May have several lines. */
  merchantAddress: string;
  merchantEmail: string;
  vendorName: string;
  vendorEmail: string;
  vendorAddress: string | null;
  lineItems: readonly DocumentLine[];
  /** USDC without the unit: `1500.00`. */
  total: string;
  notes: string | null;
  /** What has arrived so far, if anything. `remaining` null: nothing is left to pay. */
  payment: { received: string; remaining: string | null } | null;
  depositAddress: string;
  /** EIP-681 with what is left to pay, for the QR code. */
  paymentUri: string;
  /** The hosted page; http or https. */
  invoiceUrl: string;
  /** The chain as a payer knows it: `Base`. */
  networkName: string;
  /** Where USDC is no money. */
  isTestNetwork: boolean;
  /** Unix time in milliseconds; the file's creation date. */
  createdAtMs: number;
  look: Look;
};

/** What is left to pay, in USDC without the unit; null when nothing is. */
export function amountDue({ total, payment }: InvoiceDocument): string | null {
  return payment === null ? total : payment.remaining;
}
