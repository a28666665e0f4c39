import type { Party } from "../../../domain/party/party.ts";
import type { Billed } from "../../../domain/usdc.ts";
import type { SumRow } from "../../../language/bill.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import type { DeskFrame } from "../../parts/frame.tsx";

export const formPath = "/desk/invoices/new";
/** Where the form goes for a line more or less, and for its preview: nothing is made. */
export const editPath = `${formPath}/edit`;

/** The fields of a new invoice as they were typed, by the names that the API has for them. */
export type TypedInvoice = {
  vendor_name: string;
  vendor_email: string;
  vendor_address: string;
  due_date: string;
  reference: string;
  notes: string;
  merchant_name: string;
  merchant_email: string;
  merchant_address: string;
  wallet_type: "managed" | "byo";
  wallet_address: string;
  /** Three letters; empty for USDC. */
  currency: string;
  /** What 1 USDC costs in it; empty when it is to be asked for. */
  rate: string;
  /** On the whole: `10 %`, or an amount. */
  discount: string;
  prices_include_tax: boolean;
  trade: TypedTrade;
  lines: TypedLine[];
};

/** What is said of a customer that is a business, and of the delivery. */
export type TypedTrade = {
  vendor_details: Party;
  /** The form came with details of the customer: none now means that there are to be none. */
  was_filled: boolean;
  payment_terms: string;
  /** The same of the terms. */
  had_terms: boolean;
  delivery_from: string;
  delivery_to: string;
  buyer_reference: string;
  purchase_order: string;
};

export type TypedLine = { description: string; quantity: string; unit_price: string; terms: TypedTerms };

/** What is taken off a line, `10 %` or an amount, and its tax. */
export type TypedTerms = {
  unit: string;
  discount: string;
  tax_rate: string;
  tax_category: string;
  tax_reason: string;
};

export type InvoiceFormProps = {
  frame: DeskFrame;
  typed: TypedInvoice;
  /** What each line comes to; null for one that cannot be read. */
  lineTotals: readonly (Billed | null)[];
  total: Billed;
  /** What the total is in USDC just now, when it is in another currency and a rate is known. */
  inUsdc: { amount: string; rate: string } | null;
  /** How the total comes about, where it is not the sum of the lines alone. */
  sums: readonly SumRow[];
  /** Whether discounts and taxes are asked for. */
  hasTerms: boolean;
  faults: readonly FormFault[];
  /** What cannot be said beside a field. */
  problem: string | null;
  /** Marks the form, so that sending it twice makes one invoice. */
  key: string;
  /** The draft that it is kept as. */
  draft: { id: number; changedAt: number } | null;
  /** Whether another line may be added. */
  hasRoom: boolean;
  /** Customers that were billed before: name and mail address. */
  customers: readonly { name: string; email: string }[];
  /** Whether a mail server is set: without one nobody is mailed anything. */
  hasMail: boolean;
  /** What the page of the invoice begins with, such as `pay.shop.example/i/`. */
  pageBeginning: string;
  /** An example of the code that the customer scans, as the address of a picture. */
  exampleQr: string;
};
