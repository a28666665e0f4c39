import * as Calendar from "../calendar.ts";
import type { Party } from "../party/party.ts";
import * as Outcome from "../payment/outcome.ts";
import type { Closure, Common } from "../receivable/common.ts";
import { faces } from "../receivable/faces.ts";
import * as Usdc from "../usdc.ts";
import { type BuyerReferences, byField } from "./buyer-references.ts";
import type { TaxInCurrency } from "./currency.ts";
import * as Currency from "./currency.ts";
import * as Quantity from "./quantity.ts";
import type * as Tax from "./tax.ts";

export const statuses = ["draft", "sent", "paid", "partial", "excess", "void"] as const;
export type Status = (typeof statuses)[number];

/** A status reported to the merchant by webhook (SPEC section 6). */
export type ReportedStatus = Extract<Status, "paid" | "partial" | "excess">;

export const lineItemsMax = 30;

/** Maximum length of a reference, in characters: one line of a page or a mail. */
export const referenceLengthMax = 100;

export type LineItem = {
  description: string;
  quantity: Quantity.Quantity;
  unitPrice: Usdc.Billed;
  /** The unit of measure, such as "h"; null if not given. */
  unit: string | null;
  discount: Tax.Discount | null;
  tax: Tax.Tax | null;
  /** Less the discount; includes tax when prices do. */
  lineTotal: Usdc.Billed;
};

/** When goods were delivered or a service was performed. Days are `YYYY-MM-DD`. */
export type Delivery = { kind: "day"; day: string } | { kind: "period"; from: string; to: string };

/** Further fields of invoices between businesses; null where not given. */
export type Trade = {
  /** The seller. */
  merchantDetails: Party | null;
  /** The buyer. */
  vendorDetails: Party | null;
  /** Free text, in addition to the due date. */
  paymentTerms: string | null;
  delivery: Delivery | null;
} & BuyerReferences;

/** For an invoice without these fields. */
export const plainTrade: Trade = {
  merchantDetails: null,
  vendorDetails: null,
  paymentTerms: null,
  delivery: null,
  ...byField(() => null),
};

/** For lines without unit, discount and tax, as in invoices in USDC between people. */
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
  /** The number people use, such as `INV-0001`. */
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
  /** On the whole invoice. */
  discount: Tax.Discount | null;
  pricesIncludeTax: boolean;
  /** How the total is made up, as issued; null when it is the sum of the lines. */
  totals: Tax.Totals | null;
  /** The total in USDC, before credit notes. */
  total: Usdc.Usdc;
  /**
   * The tax in the currency of the seller's country, where the law requires it; null where it does not, or no rate was
   * known.
   */
  taxInCurrency: TaxInCurrency | null;
  /** The sum of its credit notes, in its currency. */
  credited: Usdc.Billed;
  status: Status;
  /** Days from the due date on which the customer is reminded; null to follow TILL_REMINDERS. */
  reminders: number[] | null;
  /** Unix time in milliseconds. */
  sentAt: number | null;
  /** When anything but the amounts was last corrected, in Unix milliseconds; null if never. */
  correctedAt: number | null;
} & Trade;

/** The total in the invoice's currency. */
export const billedTotal = ({ currency, total }: Pick<Invoice, "currency" | "total">): Usdc.Billed =>
  currency?.total ?? Usdc.asBilled(total);

/** The statements of an invoice besides its amounts. Only a correction changes it; page and PDF show it alike. */
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

/** The day of the last correction in the merchant's time zone; null if there was none. */
export const correctedDay = ({ correctedAt }: Pick<Invoice, "correctedAt">, timeZone: string) =>
  correctedAt === null ? null : Calendar.dayAt(correctedAt, timeZone);

export function issued(invoice: Invoice): IssuedFields {
  return Object.fromEntries(issuedFields.map((field) => [field, invoice[field]])) as IssuedFields;
}

/** Quantity × unit price, rounded half up to the currency's smallest unit of `minor` millionths. */
export function lineTotal(quantity: Quantity.Quantity, unitPrice: Usdc.Billed, minor: bigint): Usdc.Billed {
  return Usdc.round(quantity * unitPrice, Quantity.one, minor);
}

/** The discount of a line, in its currency. */
export function discountOf(
  { quantity, unitPrice, lineTotal: net }: Pick<LineItem, "quantity" | "unitPrice" | "lineTotal">,
  code: Currency.Code,
): Usdc.Billed {
  const gross = lineTotal(quantity, unitPrice, Currency.minorOf(code));
  return (gross < 0n ? net - gross : gross - net) as Usdc.Billed;
}

type StatusFacts = Outcome.Amounts & Pick<Closure, "voidedAt" | "markedPaidAt"> & { sentAt: number | null };

/**
 * Derives the status from confirmed money, the merchant's marks and whether the mail went out, whatever it was before.
 * A void invoice stays void, with money or without.
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

/** The status as the contract's webhook reports it; null for a status that money alone did not bring about. */
export function reportedStatus(facts: StatusFacts): ReportedStatus | null {
  const byMoney = status({ ...facts, markedPaidAt: null });
  return isReported(byMoney) && byMoney === status(facts) ? byMoney : null;
}

/** Returns whether nothing more is owed. */
export function isPaid(status: Status): status is "paid" | "excess" {
  return status === "paid" || status === "excess";
}

/** SPEC section 3.2. `today` and the due date are calendar days. */
export function isOverdue(invoice: { status: Status; dueDate: string }, today: string): boolean {
  return today > invoice.dueDate && invoice.status !== "paid" && invoice.status !== "void";
}

/** The last day of the supply; the issue date if the invoice names none. */
export function supplyDayOf({ delivery, issueDate }: Pick<Invoice, "delivery" | "issueDate">): string {
  if (delivery === null) return issueDate;
  return delivery.kind === "day" ? delivery.day : delivery.to;
}

/** The tax point: the day of the supply, or the issue date if that is earlier. */
export function taxPointOf(invoice: Pick<Invoice, "delivery" | "issueDate">): string {
  const supplied = supplyDayOf(invoice);
  return supplied < invoice.issueDate ? supplied : invoice.issueDate;
}

/** The public page of an invoice. `baseUrl` has no trailing slash. */
export const pageUrl = (baseUrl: string, { slug }: Pick<Invoice, "slug">) =>
  `${baseUrl}${faces.invoice.page}${slug}`;

export const pdfUrl = (baseUrl: string, { id }: Pick<Invoice, "id">) => `${baseUrl}/api/invoices/${id}/pdf`;
