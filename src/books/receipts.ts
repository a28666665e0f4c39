import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as TaxCurrency from "../domain/bill/tax-currency.ts";
import type { IssuedReceipt } from "../domain/link/bill.ts";
import * as Usdc from "../domain/usdc.ts";
import { instant, instantOrNull } from "../lib/time.ts";
import type { Db } from "../store/database.ts";
import { isReceiptCounted } from "../store/reports/export/counted.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as ReceiptStore from "../store/tables/invoicing/receipt.ts";
import * as RefundStore from "../store/tables/invoicing/refund.ts";
import { type BookColumns, taxInCurrency } from "./columns.ts";
import { type Selection, type Table, table } from "./table.ts";

/**
 * Numbered receipts of payment links in the books: each adds its amounts on its issue date, and what a refund takes
 * back reduces them on the day of the refund.
 */

/** A receipt as a row of a table of invoices. */
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
    taxInCurrency: receipt.taxInCurrency,
    lineItems: link.bill?.lines ?? [],
  };
}

/** A reversal of part of a sale, dated separately: a credit note, or a refund of a link's payment. */
export type Reversal = Pick<
  CreditNote,
  "number" | "issueDate" | "reason" | "lines" | "totals" | "taxInCurrency"
>;

type ReceiptSale = { receipt: ExportStore.ExportedReceipt; note: Reversal | null };

/** The receipts issued in the days, then what refunds of these days took back of receipts. */
export function* eachReceiptSale({ db, days }: Selection): Generator<ReceiptSale> {
  for (const receipt of ExportStore.eachReceipt(db, days)) yield { receipt, note: null };
  yield* eachReversal(db, days);
}

function* eachReversal(db: Db, { from, to }: ExportStore.DayRange): Generator<ReceiptSale> {
  /** The tax already taken back from each receipt by earlier refunds. */
  const taken = new Map<number, bigint>();
  // In order of the days on which they took their part, so that a later one never changes an earlier one.
  for (const { id: number, reason, depositIndex, takenBack } of RefundStore.eachTaking(db)) {
    if (takenBack === null || takenBack.totals.total === 0n) continue;
    const { issueDate, totals } = takenBack;
    const before = taken.get(depositIndex) ?? 0n;
    taken.set(depositIndex, before + totals.tax);
    if ((from !== null && issueDate < from) || (to !== null && issueDate > to)) continue;
    const issued = ReceiptStore.byDeposit(db, depositIndex);
    const link = LinkStore.byDeposit(db, depositIndex);
    if (issued === null || link === null) continue;
    const receipt = { receipt: issued, link: { ...link, paidAt: null } };
    const taxInCurrency = TaxCurrency.ofNote(saleOf(receipt), before, totals.tax);
    yield {
      receipt,
      note: { number, issueDate, reason: reason ?? "refund", lines: [], totals, taxInCurrency },
    };
  }
}

/** Columns of the receipt itself. */
const ofReceipt = (columns: BookColumns<IssuedReceipt>): BookColumns<ExportStore.ExportedReceipt> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, cell]) => [
      name,
      ({ receipt }: ExportStore.ExportedReceipt) => cell(receipt),
    ]),
  );

const totalsOf = ({ link: { bill } }: ExportStore.ExportedReceipt) => bill?.totals;

export const receipts: Table = table(
  "receipts",
  "one row for each numbered receipt of a payment link with tax",
  ({ db, days }) => ExportStore.eachReceipt(db, days),
  ({ db }) => ({
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
    expected_usdc: ({ link }) => Usdc.format(DepositStore.asIssued(db, link.deposit.index).expected),
    received_usdc: ({ link }) => Usdc.formatExact(link.deposit.received),
    rate: ({ link }) => link.currency?.rate ?? null,
    rate_source: ({ link }) => link.currency?.source ?? null,
    paid_at: ({ link }) => instantOrNull(link.paidAt ?? link.markedPaidAt),
    merchant_email: ({ link }) => link.merchantEmail,
    created_at: ({ receipt }) => instant(receipt.createdAt),
    reference: ({ link }) => link.reference,
    refunded_usdc: ({ link }) => Usdc.formatExact(link.deposit.refunded),
    ...ofReceipt(taxInCurrency),
  }),
);
