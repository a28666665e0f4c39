import type { Brand } from "../domain/brand.ts";
import type { LanguageCode } from "../lib/language.ts";
import type { Paper } from "./invoice-style.ts";

/** One row of the table. Every value is text as it shall be printed; amounts are in USDC, without the unit. */
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
  depositAddress: string;
  /** EIP-681, for the QR code. */
  paymentUri: string;
  /** The hosted page; http or https. */
  invoiceUrl: string;
  /** The chain as a payer knows it: `Base`. */
  networkName: string;
  /** Unix time in milliseconds; the file's creation date. */
  createdAtMs: number;
  look: Look;
};
