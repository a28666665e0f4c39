import type { CreditNote } from "../bill/credit-note.ts";
import { amountLines } from "../bill/credited-amounts.ts";
import * as Currency from "../bill/currency.ts";
import type * as Invoice from "../bill/invoice.ts";
import * as Tax from "../bill/tax.ts";
import type * as Usdc from "../usdc.ts";

/**
 * An invoice in the terms of EN 16931, from which each syntax is written. Amounts are in its currency; days are
 * `YYYY-MM-DD`; decimals are strings; what is not known is null.
 */
export type EInvoice = {
  /** UNTDID 1001 (BT-3): an invoice or a credit note. */
  type: "380" | "381";
  number: string;
  issueDate: string;
  dueDate: string | null;
  /** ISO 4217 (BT-5). */
  currency: string;
  /** The tax in the currency of the seller's country (BT-6, BT-111); null where it needs none. */
  taxInCurrency: { code: string; tax: Usdc.Billed } | null;
  note: string | null;
  buyerReference: string | null;
  purchaseOrder: string | null;
  /** The invoice that a credit note takes back (BG-3). */
  preceding: { number: string; issueDate: string } | null;
  seller: TradeParty;
  buyer: TradeParty;
  delivery: Invoice.Delivery | null;
  /** Where goods went, by country (BT-80): of what is supplied to another country of the Union. */
  deliverTo: string | null;
  payment: PaymentInstructions | null;
  /** BT-20. */
  terms: string | null;
  lines: EInvoiceLine[];
  allowances: Allowance[];
  taxes: TaxBreakdown[];
  sums: Sums;
};

/** What it says in words, in the language of its document. */
export type Words = {
  discount: string;
  discountOf(percent: Tax.Share): string;
  /** In place of terms of payment. */
  creditedAgainst(invoiceNumber: string): string;
  /** What is to be paid, on which network, where, and at which rate. */
  payTo(invoice: Pick<Invoice.Invoice, "total" | "currency" | "deposit">): string;
  /** Where the merchant gave none. An exemption has its reason alone. */
  reasons: Readonly<Record<"reverse_charge" | "export" | "intra_community" | "outside_scope", string>>;
};

export type TradeParty = {
  name: string;
  /** BT-29, BT-46. */
  id: string | null;
  /** BT-30, BT-47, by the list of registers (ISO 6523) if its form is one of theirs. */
  registration: { id: string; scheme: string | null } | null;
  /** BT-31, BT-48. */
  vatId: string | null;
  /** BT-32, of the seller alone. */
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

/** An amount as XML has it: with two decimals and never more (BR-DEC), whatever its currency. */
export const amountText = (amount: Usdc.Billed): string => Currency.format(amount, "USDC");

/** How it is paid (BG-16), by no means of the code list: in words, and to which account. */
export type PaymentInstructions = { text: string; account: string };

/** The category (UNTDID 5305), and the rate in percent; null where none may be named. */
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
  /** BT-146: without tax. */
  price: string;
  discount: LineDiscount | null;
  /** BT-131. */
  net: Usdc.Billed;
};

/** A discount on the whole, as far as it is of one row of the table of taxes (BG-20). */
export type Allowance = TaxCategory & { amount: Usdc.Billed; reason: string };

/** A row of the table of taxes (BG-23), with why no tax is charged. */
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

/** UNTDID 4461: agreed between the two, as the list has none for USDC. Denmark's rules of Peppol want "not defined". */
export const paymentMeansOf = ({ seller }: Pick<EInvoice, "seller">): string =>
  seller.address.country === "DK" ? "1" : "ZZZ";
/** UNTDID 5189. */
export const discountCode = "95";
/** UBL and CII leave the tax's name to the country. */
export const taxScheme = "VAT";

/** `cii` and `ubl` are XML; `factur-x` is a PDF with the former in it. */
export const formats = ["cii", "ubl", "factur-x"] as const;
export type Format = (typeof formats)[number];

/** What an e-invoice is made of: an invoice as it was issued, or a credit note. */
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
  /** Null on a credit note. */
  dueDate: string | null;
  payment: PaymentInstructions | null;
  /** The invoice that a credit note takes back. */
  preceding: { number: string; issueDate: string } | null;
};

export function subjectOf(invoice: Invoice.Invoice, { payTo }: Pick<Words, "payTo">): EInvoiceSource {
  const payment = { text: payTo(invoice), account: invoice.deposit.address };
  return { ...invoice, payment, preceding: null };
}

/** What a credit note takes back, of the invoice that it refers to. Where amounts are credited, each rate is a line. */
export function creditSubjectOf(note: CreditNote, invoice: Invoice.Invoice): EInvoiceSource {
  const { totals, reason } = note;
  const isOfLines = note.lines.length > 0;
  // A line that came to nothing has no row of taxes.
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
  };
}
