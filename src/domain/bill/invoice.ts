import * as Calendar from "../calendar.ts";
import type { Party } from "../party/party.ts";
import * as Outcome from "../payment/outcome.ts";
import type { Closure, Common } from "../receivable/common.ts";
import * as Usdc from "../usdc.ts";
import type { TaxInCurrency } from "./currency.ts";
import * as Currency from "./currency.ts";
import * as Quantity from "./quantity.ts";
import type * as Tax from "./tax.ts";

export const statuses = ["draft", "sent", "paid", "partial", "excess", "void"] as const;
export type Status = (typeof statuses)[number];

/** A status that the merchant hears of by webhook (SPEC section 6). */
export type ReportedStatus = Extract<Status, "paid" | "partial" | "excess">;

export const lineItemsMax = 30;

/** Of a reference, in characters: a line of a page or of a mail. */
export const referenceLengthMax = 100;

export type LineItem = {
  description: string;
  quantity: Quantity.Quantity;
  unitPrice: Usdc.Billed;
  /** What is counted, such as "h"; null when it was not said. */
  unit: string | null;
  discount: Tax.Discount | null;
  tax: Tax.Tax | null;
  /** Less the discount; with the tax when prices include it. */
  lineTotal: Usdc.Billed;
};

/** When goods were delivered, or a service was done. Days are `YYYY-MM-DD`. */
export type Delivery = { kind: "day"; day: string } | { kind: "period"; from: string; to: string };

/** What invoices to a business say besides; null where it was not said. */
export type Trade = {
  /** The seller. */
  merchantDetails: Party | null;
  /** The buyer. */
  vendorDetails: Party | null;
  /** In words, besides the due date. */
  paymentTerms: string | null;
  delivery: Delivery | null;
  /** Whom or what the buyer wants named, such as a cost centre or a Leitweg-ID. */
  buyerReference: string | null;
  purchaseOrder: string | null;
};

/** Of an invoice that says nothing of it. */
export const plainTrade: Trade = {
  merchantDetails: null,
  vendorDetails: null,
  paymentTerms: null,
  delivery: null,
  buyerReference: null,
  purchaseOrder: null,
};

/** Of an invoice that says nothing of discounts and tax, in USDC and between people. */
export const plainLine = { unit: null, discount: null, tax: null } as const;
export const plain = {
  discount: null,
  pricesIncludeTax: false,
  totals: null,
  currency: null,
  taxInCurrency: null,
  credited: Usdc.zero,
  ...plainTrade,
} as const;

export type Invoice = Common & {
  /** UUID. */
  id: string;
  /** 1, 2, 3, … without gaps. */
  sequence: number;
  /** What people call it, such as `INV-0001`. */
  number: string;
  slug: string;
  merchantName: string;
  merchantAddress: string;
  vendorName: string;
  vendorEmail: string;
  vendorAddress: string | null;
  issueDate: string;
  dueDate: string;
  notes: string | null;
  lineItems: LineItem[];
  /** On the whole. */
  discount: Tax.Discount | null;
  pricesIncludeTax: boolean;
  /** How the total comes about, as it was issued; null when it is the sum of the lines. */
  totals: Tax.Totals | null;
  /** What is to be paid, in USDC. */
  total: Usdc.Usdc;
  /** The tax in the currency of the seller's country, where the law wants it besides; null where not, or no rate was known. */
  taxInCurrency: TaxInCurrency | null;
  /** What its credit notes come to, in its currency. */
  credited: Usdc.Billed;
  status: Status;
  /** Days from the due date on which the customer is reminded; null: as TILL_REMINDERS says. */
  reminders: number[] | null;
  /** Unix time in milliseconds. */
  sentAt: number | null;
  /** When what is not the bill itself was last corrected, in Unix milliseconds; null when it never was. */
  correctedAt: number | null;
} & Trade;

/** The total in the currency of the invoice. */
export const billedTotal = ({ currency, total }: Pick<Invoice, "currency" | "total">): Usdc.Billed =>
  currency?.total ?? Usdc.asBilled(total);

/** What an invoice says besides its amounts. Only a correction changes it, and page and PDF show it alike. */
const issuedFields = [
  "issueDate",
  "dueDate",
  "merchantName",
  "merchantAddress",
  "merchantEmail",
  "vendorName",
  "vendorEmail",
  "vendorAddress",
  "notes",
  "reference",
  "paymentTerms",
] as const satisfies (keyof Invoice)[];

/** Days are `YYYY-MM-DD`; addresses and notes may have several lines. */
export type IssuedFields = Pick<Invoice, (typeof issuedFields)[number]>;

/** The merchant's day on which it was last corrected; null when it never was. */
export const correctedDay = ({ correctedAt }: Pick<Invoice, "correctedAt">, timeZone: string) =>
  correctedAt === null ? null : Calendar.dayAt(correctedAt, timeZone);

export function issued(invoice: Invoice): IssuedFields {
  return Object.fromEntries(issuedFields.map((field) => [field, invoice[field]])) as IssuedFields;
}

/** Quantity × unit price, rounded half up to the smallest coin of its currency, which is of so many millionths. */
export function lineTotal(quantity: Quantity.Quantity, unitPrice: Usdc.Billed, minor: bigint): Usdc.Billed {
  return Usdc.round(quantity * unitPrice, Quantity.one, minor);
}

/** What was taken off a line, in a currency. */
export function discountOf(
  { quantity, unitPrice, lineTotal: net }: Pick<LineItem, "quantity" | "unitPrice" | "lineTotal">,
  code: Currency.Code,
): Usdc.Billed {
  const gross = lineTotal(quantity, unitPrice, Currency.minorOf(code));
  return (gross < 0n ? net - gross : gross - net) as Usdc.Billed;
}

type StatusFacts = Outcome.Amounts & Pick<Closure, "voidedAt" | "markedPaidAt"> & { sentAt: number | null };

/**
 * The status is a function of confirmed money, of what the merchant said, and of whether the mail went out, whatever it
 * was before. What is void stays void, with money or without.
 */
export function status({ voidedAt, markedPaidAt, sentAt, ...facts }: StatusFacts): Status {
  if (voidedAt !== null) return "void";
  switch (Outcome.compare(facts)) {
    case "none":
      if (markedPaidAt !== null) return "paid";
      return sentAt === null ? "draft" : "sent";
    case "partial":
      return markedPaidAt === null ? "partial" : "paid";
    case "full":
      return "paid";
    case "excess":
      return "excess";
  }
}

function isReported(status: Status): status is ReportedStatus {
  return status === "paid" || status === "partial" || status === "excess";
}

/** The status as the contract's webhook reports it: null for one that money alone has not made. */
export function reportedStatus(facts: StatusFacts): ReportedStatus | null {
  const byMoney = status({ ...facts, markedPaidAt: null });
  return isReported(byMoney) && byMoney === status(facts) ? byMoney : null;
}

/** Whether nothing more is owed. */
export function isPaid(status: Status): status is "paid" | "excess" {
  return status === "paid" || status === "excess";
}

/** SPEC section 3.2. `today` and the due date are calendar days. */
export function isOverdue(invoice: { status: Status; dueDate: string }, today: string): boolean {
  return today > invoice.dueDate && invoice.status !== "paid" && invoice.status !== "void";
}

/** The last day of what is billed; the day of issue where the invoice names none. */
export function supplyDayOf({ delivery, issueDate }: Pick<Invoice, "delivery" | "issueDate">): string {
  if (delivery === null) return issueDate;
  return delivery.kind === "day" ? delivery.day : delivery.to;
}

/** When its tax arises: on the day of the supply, or of the invoice when that is earlier. */
export function taxPointOf(invoice: Pick<Invoice, "delivery" | "issueDate">): string {
  const supplied = supplyDayOf(invoice);
  return supplied < invoice.issueDate ? supplied : invoice.issueDate;
}

/** Where people find an invoice. `baseUrl` is without a trailing slash. */
export const pageUrl = (baseUrl: string, { slug }: Pick<Invoice, "slug">) => `${baseUrl}/i/${slug}`;

export const pdfUrl = (baseUrl: string, { id }: Pick<Invoice, "id">) => `${baseUrl}/api/invoices/${id}/pdf`;
