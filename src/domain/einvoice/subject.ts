import type * as Invoice from "../invoice.ts";
import * as Usdc from "../usdc.ts";
import type { Payment } from "./einvoice.ts";

/** What an e-invoice is made of: an invoice as it was issued, or a credit note. */
export type Subject = Pick<
  Invoice.Invoice,
  | "number"
  | "issueDate"
  | "merchantName"
  | "merchantAddress"
  | "merchantEmail"
  | "vendorName"
  | "vendorEmail"
  | "vendorAddress"
  | "notes"
  | "reference"
  | "lineItems"
  | "discount"
  | "pricesIncludeTax"
  | "totals"
  | "currency"
  | keyof Invoice.Trade
> & {
  /** Null on a credit note. */
  dueDate: string | null;
  payment: Payment | null;
  /** The invoice that a credit note takes back. */
  preceding: { number: string; issueDate: string } | null;
};

/** `networkName` is the chain as a payer knows it. */
export function subjectOf(invoice: Invoice.Invoice, networkName: string): Subject {
  const { currency, total, deposit } = invoice;
  const rate = currency === null ? "" : `, 1 USDC = ${currency.rate} ${currency.code}`;
  const text = `${Usdc.format(total)} USDC on ${networkName} to ${deposit.address}${rate}`;
  return { ...invoice, payment: { text, account: deposit.address }, preceding: null };
}
