import { buyerReferences } from "../../domain/bill/buyer-references.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type CreditNoteRecord, type InvoiceRecord, issuedOf, standingOf } from "../api/target.ts";
import type { Columns, Facts, TextCell } from "../terminal/table.ts";
import { amountText, bold, isZero, money, rateText, statusCell, timeText, usdc } from "./format.ts";
import { closing, owed } from "./payable.ts";

/** Invoices and their credit notes. */

type LineItem = InvoiceRecord["line_items"][number];

const taken = (amount: string, of: { currency?: string }) =>
  isZero(amount) ? null : `-${money(amount, of)}`;
const returned = (amount: string) => (isZero(amount) ? null : usdc(amount));

const dueCell = ({ due_date, overdue }: InvoiceRecord): TextCell =>
  overdue ? { text: `${due_date} overdue`, color: "red" } : due_date;

const mailed = ({ sent_at }: { sent_at: string | null }) => (sent_at ? timeText(sent_at) : "not yet");

type TaxRow = NonNullable<InvoiceRecord["tax_breakdown"]>[number];

/** `19.00% on 1,080.00: 205.20 USDC` */
const taxTexts = (of: { currency?: string; prices_include_tax?: boolean; tax_breakdown?: TaxRow[] }) =>
  of.tax_breakdown?.map((row) => {
    const kind = row.tax_category === "standard" ? `${row.tax_rate}%` : row.tax_category;
    const why = row.tax_reason === undefined ? "" : ` (${row.tax_reason})`;
    const included = of.prices_include_tax ? ", included" : "";
    return `${kind} on ${amountText(row.taxable_amount)}: ${money(row.tax_amount, of)}${included}${why}`;
  });

/** A line's text, with its discount and tax. */
function lineText({ description, discount_percent, discount_amount, tax_category, tax_rate }: LineItem) {
  const off = discount_percent === undefined ? discount_amount : `${discount_percent}%`;
  const parts = [
    description,
    off !== undefined && `less ${off}`,
    tax_category === "standard" && `tax ${tax_rate}%`,
  ];
  return parts.filter((part) => part !== false).join("; ");
}

export const lines: Columns<LineItem> = [
  [{ right: "QUANTITY" }, ({ quantity, unit }) => [quantity, unit].filter(Boolean).join(" ")],
  [{ right: "PRICE" }, "unit_price", amountText],
  [{ right: "TOTAL" }, "line_total", amountText],
  ["DESCRIPTION", lineText],
];

type Parties = Pick<InvoiceRecord, keyof InvoiceRecord & (`merchant_${string}` | `vendor_${string}`)>;

/** Returns a name with the address, and a line per detail, named as in the API: `vat_id: DE136695976`. */
const partyText = (who: string, address: string | null, details: Record<string, string> = {}) =>
  [who, address, ...Object.entries(details).map((each) => each.join(": "))].filter(Boolean).join("\n");

const parties: Facts<Parties> = [
  [
    "From",
    (of) =>
      partyText(
        `${of.merchant_name_snapshot} <${of.merchant_email}>`,
        of.merchant_address_snapshot,
        of.merchant_details,
      ),
  ],
  ["To", (of) => partyText(`${of.vendor_name} <${of.vendor_email}>`, of.vendor_address, of.vendor_details)],
];

export const creditNotes: Columns<CreditNoteRecord> = [
  ["NUMBER", "credit_note_number"],
  ["ISSUED", "issue_date"],
  [{ right: "CREDITED" }, "total_amount", money],
  [{ right: "TO RETURN" }, "return_usdc", returned],
  ["REASON", "reason", (reason) => reason.replaceAll("\n", " ")],
];

export const invoiceFacts: Facts<InvoiceRecord> = [
  ["Invoice", "invoice_number", bold],
  ["Status", "status", statusCell],
  ["Subtotal", "subtotal_amount", money],
  ["Discount", "discount_amount", taken],
  ["Tax", taxTexts],
  ["Total", "total_amount", money],
  ["In USDC", "expected_usdc", usdc],
  ["Rate", rateText],
  ["Credited", "credited_amount", (amount, of) => `-${money(amount, of)}`],
  ["Received", "received_amount", usdc],
  ...owed,
  ["Issued", "issue_date"],
  ["Due", dueCell],
  ["Mailed", mailed],
  ...closing,
  ...parties,
  ["Terms", "payment_terms"],
  ["Delivered", "delivery_date"],
  ["Delivered", "delivery_from", (from, { delivery_to }) => `${from} to ${delivery_to}`],
  ...buyerReferences.map(({ label, name }) => [label, name] as const),
  ["Wallet", ({ wallet_type, wallet_address }) => `${wallet_type} ${wallet_address}`],
  ["Page", "invoice_url"],
  ["PDF", "pdf_url"],
  ["Address", "deposit_address"],
  ["Webhook", "webhook_url"],
  ["Reference", "reference"],
  ["Notes", "notes"],
  ["Id", "id"],
];

export const creditNoteFacts: Facts<CreditNoteRecord> = [
  ["Credit note", "credit_note_number", bold],
  ["Invoice", "invoice_number"],
  ["Tax", taxTexts],
  ["Credited", "total_amount", money],
  ["In USDC", "credited_usdc", (amount, { currency }) => (currency === "USDC" ? null : usdc(amount))],
  ["To return", "return_usdc", returned],
  ["Reason", "reason"],
  ["Issued", "issue_date"],
  ["Mailed", mailed],
  ...parties,
  ["PDF", "pdf_url"],
  ["Id", "id"],
];

/** Returns what is left to pay, or a negative amount to return. */
function balance(record: InvoiceRecord): string {
  const { due = Usdc.zero, toReturn = Usdc.zero } = standingOf(record) ?? {};
  return toReturn > 0n ? `-${amountText(Usdc.formatExact(toReturn))}` : amountText(Usdc.formatExact(due));
}

export const invoices: Columns<InvoiceRecord> = [
  ["NUMBER", "invoice_number"],
  ["STATUS", "status", statusCell],
  [{ right: "AMOUNT" }, (record) => amountText(issuedOf(record))],
  [{ right: "RECEIVED" }, "received_amount", amountText],
  [{ right: "BALANCE" }, balance],
  ["DUE", dueCell],
  [{ cut: "CUSTOMER" }, "vendor_name"],
];
