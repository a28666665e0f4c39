import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Usdc from "../domain/usdc.ts";
import { instant, instantOrNull } from "../lib/time.ts";
import { isReceiptCounted } from "../store/reports/export/counted.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import { takenBack } from "../store/reports/refund.ts";
import { taxInCurrency } from "./columns.ts";
import { eachRefund } from "./refunds.ts";
import { type Selection, type Table, table } from "./table.ts";

/**
 * Numbered receipts of payment links as books count them: each adds its amounts on the day of its issue, and what a refund
 * takes back lowers them on the day of the refund.
 */

/** In a table of invoices: who bought, and what. */
export function saleOf({ receipt, link }: ExportStore.ExportedReceipt) {
  const { issueDate, number, buyer } = receipt;
  return {
    ...Invoice.plain,
    number,
    issueDate,
    dueDate: issueDate,
    vendorName: buyer?.name ?? link.payerEmail ?? "Payment link",
    vendorEmail: link.payerEmail ?? "",
    vendorAddress: buyer?.address ?? null,
    reference: link.reference,
    merchantEmail: link.merchantEmail,
    currency: link.currency,
    total: link.deposit.expected,
    merchantDetails: receipt.seller.details,
    totals: link.bill?.totals ?? null,
    taxInCurrency: link.bill?.taxInCurrency ?? null,
    lineItems: link.bill?.lines ?? [],
  };
}

/** What takes back some of a sale, on a day of its own: a credit note, or a refund of a payment by link. */
export type Reversal = Pick<
  CreditNote,
  "number" | "issueDate" | "reason" | "lines" | "totals" | "taxInCurrency"
>;

type ReceiptSale = { receipt: ExportStore.ExportedReceipt; note: Reversal | null };

/** The receipts issued in the days, then what refunds made in the days took back of receipts. */
export function* eachReceiptSale(selection: Selection): Generator<ReceiptSale> {
  const { db, days, timeZone } = selection;
  for (const receipt of ExportStore.eachReceipt(db, days)) yield { receipt, note: null };
  for (const { refund, owner } of eachRefund(selection)) {
    const part = owner.kind === "link" ? takenBack(db, refund, owner.link) : null;
    if (owner.kind !== "link" || part === null) continue;
    const { receipt: issued, totals, taxInCurrency } = part;
    const receipt = { receipt: issued, link: { ...owner.link, paidAt: null } };
    const issueDate = Calendar.dayAt(refund.endedAt ?? refund.changedAt, timeZone);
    const note = {
      ...{ number: refund.id, issueDate, reason: refund.reason ?? "refund" },
      ...{ lines: [], totals, taxInCurrency },
    };
    yield { receipt, note };
  }
}

function* eachRow({ db, days }: Selection) {
  for (const receipt of ExportStore.eachReceipt(db, days))
    yield { ...receipt, taxInCurrency: receipt.link.bill?.taxInCurrency ?? null };
}

const totalsOf = ({ link: { bill } }: ExportStore.ExportedReceipt) => bill?.totals;

export const receipts: Table = table(
  "receipts",
  "one row for each numbered receipt of a payment link with tax",
  eachRow,
  () => ({
    receipt_number: ({ receipt }) => receipt.number,
    issue_date: ({ receipt }) => receipt.issueDate,
    payment_link: ({ link }) => link.slug,
    status: ({ link }) => link.status,
    counts: isReceiptCounted,
    seller_name: ({ receipt }) => receipt.seller.name,
    buyer_name: ({ receipt }) => receipt.buyer?.name ?? null,
    buyer_address: ({ receipt }) => receipt.buyer?.address ?? null,
    buyer_tax_id: ({ receipt }) => receipt.buyer?.tax_id ?? null,
    payer_email: ({ link }) => link.payerEmail,
    description: ({ link }) => link.bill?.lines.map((line) => line.description).join("; ") ?? null,
    currency: ({ link }) => Currency.codeOf(link),
    total_amount: (each) => Currency.formatOf(each.link, totalsOf(each)?.total ?? Usdc.zero),
    subtotal_amount: (each) => Currency.formatOf(each.link, totalsOf(each)?.subtotal ?? Usdc.zero),
    tax_amount: (each) => Currency.formatOf(each.link, totalsOf(each)?.tax ?? Usdc.zero),
    prices_include_tax: ({ link }) => link.bill?.pricesIncludeTax ?? null,
    expected_usdc: ({ link }) => Usdc.format(link.deposit.expected),
    received_usdc: ({ link }) => Usdc.formatExact(link.deposit.received),
    rate: ({ link }) => link.currency?.rate ?? null,
    rate_source: ({ link }) => link.currency?.source ?? null,
    paid_at: ({ link }) => instantOrNull(link.paidAt ?? link.markedPaidAt),
    merchant_email: ({ link }) => link.merchantEmail,
    created_at: ({ receipt }) => instant(receipt.createdAt),
    reference: ({ link }) => link.reference,
    refunded_usdc: ({ link }) => Usdc.formatExact(link.deposit.refunded),
    ...taxInCurrency,
  }),
);
