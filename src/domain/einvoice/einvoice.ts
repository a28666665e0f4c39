import type { BuyerReferences } from "../bill/buyer-references.ts";
import type { CreditNote } from "../bill/credit-note.ts";
import { amountLines } from "../bill/credited-amounts.ts";
import * as Currency from "../bill/currency.ts";
import type * as Invoice from "../bill/invoice.ts";
import * as Tax from "../bill/tax.ts";
import type * as Usdc from "../usdc.ts";

/**
 * An invoice in the terms of EN 16931, from which each syntax is written. Amounts are in its currency, days are
 * `YYYY-MM-DD`, decimals are strings, and unknown values are null.
 */
export type EInvoice = {
  /** UNTDID 1001 (BT-3): invoice or credit note. */
  type: "380" | "381";
  number: string;
  issueDate: string;
  dueDate: string | null;
  /** ISO 4217 (BT-5). */
  currency: string;
  /** The tax in the currency of the seller's country (BT-6, BT-111); null where none is needed. */
  taxInCurrency: { code: string; tax: Usdc.Billed } | null;
  note: string | null;
  /** The invoice that a credit note refers to (BG-3). */
  preceding: { number: string; issueDate: string } | null;
  seller: TradeParty;
  buyer: TradeParty;
  delivery: Invoice.Delivery | null;
  /** The country that goods went to (BT-80), for supplies to another EU country. */
  deliverTo: string | null;
  payment: PaymentInstructions | null;
  /** BT-20. */
  terms: string | null;
  lines: EInvoiceLine[];
  allowances: Allowance[];
  taxes: TaxBreakdown[];
  sums: Sums;
} & BuyerReferences;

/** Its texts, in the language of the document. */
export type Words = {
  discount: string;
  discountOf(percent: Tax.Share): string;
  /** Used instead of payment terms. */
  creditedAgainst(invoiceNumber: string): string;
  /** The amount to pay, with network, address and rate. */
  payTo(invoice: Pick<Invoice.Invoice, "total" | "currency" | "deposit">): string;
  /** Used when the merchant gave none. An exemption has only the merchant's own reason. */
  reasons: Readonly<Record<"reverse_charge" | "export" | "intra_community" | "outside_scope", string>>;
};

export type TradeParty = {
  name: string;
  /** BT-29, BT-46. */
  id: string | null;
  /** BT-30, BT-47; the scheme is a register of ISO 6523 if the number has the form of one. */
  registration: { id: string; scheme: string | null } | null;
  /** BT-31, BT-48. */
  vatId: string | null;
  /** BT-32, for the seller only. */
  taxId: string | null;
  contact: { name: string | null; phone: string | null; email: string };
  address: {
    lines: readonly [string | null, string | null, string | null];
    city: string | null;
    postalCode: string | null;
    region: string | null;
    country: string;
  };
  /** BT-34, BT-49. */
  electronicAddress: { scheme: string; id: string };
};

/** An amount as XML needs it: always two decimals (BR-DEC), whatever its currency. */
export const amountText = (amount: Usdc.Billed): string => Currency.format(amount, "USDC");

/** How it is paid (BG-16): as text, with the account, since no code of the list fits. */
export type PaymentInstructions = { text: string; account: string };

/** The category (UNTDID 5305) and the rate in percent; null where no rate may be given. */
export type TaxCategory = { category: "S" | "Z" | "E" | "AE" | "G" | "K" | "O"; rate: string | null };

export type LineDiscount = {
  amount: Usdc.Billed;
  base: Usdc.Billed;
  percent: string | null;
  reason: string;
};

export type EInvoiceLine = TaxCategory & {
  id: string;
  name: string;
  description: string | null;
  quantity: string;
  /** UN/ECE Recommendation 20. */
  unit: string;
  /** BT-146, without tax. */
  price: string;
  discount: LineDiscount | null;
  /** BT-131. */
  net: Usdc.Billed;
};

/** The part of a discount on the whole invoice that falls on one tax row (BG-20). */
export type Allowance = TaxCategory & { amount: Usdc.Billed; reason: string };

/** A row of the tax table (BG-23), with the reason why no tax is charged. */
export type TaxBreakdown = TaxCategory & {
  taxable: Usdc.Billed;
  tax: Usdc.Billed;
  reason: { code: string | null; text: string | null };
};

/** BG-22. */
type Sums = {
  lines: Usdc.Billed;
  allowances: Usdc.Billed;
  withoutTax: Usdc.Billed;
  tax: Usdc.Billed;
  total: Usdc.Billed;
};

/** UNTDID 4461: "mutually defined", as the list has no code for USDC. Denmark's Peppol rules require "not defined". */
export const paymentMeansOf = ({ seller }: Pick<EInvoice, "seller">): string =>
  seller.address.country === "DK" ? "1" : "ZZZ";
/** UNTDID 5189. */
export const discountCode = "95";
/** UBL and CII leave the name of the tax to the country. */
export const taxScheme = "VAT";

/** `cii` and `ubl` are XML; `factur-x` is a PDF with CII embedded. */
export const formats = ["cii", "ubl", "factur-x"] as const;
export type Format = (typeof formats)[number];

/** The source of an e-invoice: an invoice as issued, or a credit note. */
export type EInvoiceSource = Pick<
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
  | "taxInCurrency"
  | keyof Invoice.Trade
> & {
  /** Null for a credit note. */
  dueDate: string | null;
  payment: PaymentInstructions | null;
  /** The invoice that a credit note refers to. */
  preceding: { number: string; issueDate: string } | null;
  /** Whether the invoice has several taxes: what is outside the scope of tax is then written as exempt (BR-O-11). */
  isMixed: boolean;
};

const isMixed = ({ totals }: Pick<Invoice.Invoice, "totals">) => totals !== null && totals.rows.length > 1;

export function subjectOf(invoice: Invoice.Invoice, { payTo }: Pick<Words, "payTo">): EInvoiceSource {
  const payment = { text: payTo(invoice), account: invoice.deposit.address };
  return { ...invoice, payment, preceding: null, isMixed: isMixed(invoice) };
}

/** Presents a credit note with the fields of its invoice. If amounts are credited, each rate becomes a line. */
export function creditSubjectOf(note: CreditNote, invoice: Invoice.Invoice): EInvoiceSource {
  const { totals, reason } = note;
  const isOfLines = note.lines.length > 0;
  // A line that came to nothing has no tax row.
  const isTaxed = ({ tax }: Invoice.LineItem) =>
    tax === null || totals.rows.some((row) => Tax.rowName(row) === Tax.rowName(tax));
  return {
    ...invoice,
    number: note.number,
    issueDate: note.issueDate,
    dueDate: null,
    paymentTerms: null,
    payment: null,
    notes: reason,
    lineItems: isOfLines ? note.lines.filter(isTaxed) : amountLines(note, { withTax: false }),
    discount: isOfLines ? invoice.discount : null,
    pricesIncludeTax: isOfLines && invoice.pricesIncludeTax,
    totals,
    taxInCurrency: note.taxInCurrency,
    preceding: { number: invoice.number, issueDate: invoice.issueDate },
    // As in the invoice, whatever is credited of it.
    isMixed: isMixed(invoice),
  };
}
