import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Usdc from "../domain/usdc.ts";
import { instant, instantOrNull } from "../lib/time.ts";
import { isReceiptCounted } from "../store/reports/export/counted.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import { type Table, table } from "./table.ts";

/** Numbered receipts of payment links as books count them: each adds its amounts on the day of its issue. */

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
    totals: link.bill?.totals ?? null,
    lineItems: link.bill?.lines ?? [],
  };
}

const totalsOf = ({ link: { bill } }: ExportStore.ExportedReceipt) => bill?.totals;

export const receipts: Table = table(
  "receipts",
  "one row for each numbered receipt of a payment link with tax",
  ({ db, days }) => ExportStore.eachReceipt(db, days),
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
  }),
);
