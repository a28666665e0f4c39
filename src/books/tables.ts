import { byName } from "../domain/bill/buyer-references.ts";
import type { CreditNote } from "../domain/bill/credit-note.ts";
import { amountLines } from "../domain/bill/credited-amounts.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Quantity from "../domain/bill/quantity.ts";
import * as Tax from "../domain/bill/tax.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Ether from "../domain/ether.ts";
import { checkoutUrl } from "../domain/link/link.ts";
import * as Usdc from "../domain/usdc.ts";
import { instant, instantOrNull } from "../lib/time.ts";
import { world } from "../lib/world.ts";
import { counts } from "../store/reports/export/counted.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import * as GasStore from "../store/reports/export/gas.ts";
import type { InvoiceHead } from "../store/tables/invoicing/invoice.ts";
import { refundOf } from "../store/tables/settle/withdrawal.ts";
import { annual } from "./annual.ts";
import {
  type BookColumns,
  billing,
  chainOf,
  closed,
  explorerUrl,
  invoiceOrLink,
  metadata,
  missingValue,
  reference,
  standing,
  taxInCurrency,
  transaction,
  usdc,
  valued,
  worth,
} from "./columns.ts";
import { amountOf, creditNotes } from "./credit-notes.ts";
import { eachPayment, minedOrBegun, within } from "./movements.ts";
import { datev } from "./programs/datev.ts";
import { xero } from "./programs/xero.ts";
import { receipts } from "./receipts.ts";
import { refunds } from "./refunds.ts";
import { statements } from "./statement.ts";
import { type Selection, type Table, table } from "./table.ts";
import { taxTables } from "./tax-tables.ts";

/** A line of an invoice, or what one of its credit notes takes back of it. */
type Item = Invoice.LineItem & {
  invoice: Omit<ExportStore.ExportedItem, keyof Invoice.LineItem | "position">;
  note: CreditNote | null;
  /** Its index in the invoice, from 0; null for an amount. */
  position: number | null;
};

/** The lines of the invoices issued in the days, then those of the credit notes. */
function* eachItem({ db, days }: Selection): Generator<Item> {
  for (const item of ExportStore.eachItem(db, days)) yield { ...item, invoice: item, note: null };
  for (const { note, invoice } of ExportStore.eachCreditNote(db, days)) {
    const amounts = () => amountLines(note, { withTax: invoice.pricesIncludeTax });
    const lines = note.lines.length > 0 ? note.lines : amounts().map((line) => ({ ...line, position: null }));
    for (const line of lines) yield { ...line, invoice, note };
  }
}

const items: Table = table(
  "items",
  "one row for each line item of an invoice or a credit note; quantities and totals of credit notes are below zero",
  eachItem,
  ({ db }) => ({
    invoice_number: ({ invoice }) => invoice.number,
    issue_date: ({ invoice, note }) => (note ?? invoice).issueDate,
    vendor_name: ({ invoice }) => invoice.vendorName,
    position: ({ position }) => (position === null ? null : position + 1),
    description: (item) => item.description,
    quantity: ({ quantity, note }) => `${note === null ? "" : "-"}${Quantity.format(quantity)}`,
    unit_price: (item) => Currency.formatPrice(item.unitPrice, Currency.codeOf(item.invoice)),
    line_total: (item) => amountOf(item, item.lineTotal, Currency.codeOf(item.invoice)),
    currency: ({ invoice }) => Currency.codeOf(invoice),
    reference: ({ invoice }) => invoice.reference,
    unit: (item) => item.unit,
    discount_amount: (item) =>
      amountOf(item, Invoice.discountOf(item, Currency.codeOf(item.invoice)), Currency.codeOf(item.invoice)),
    tax_rate: ({ tax }) => tax && Tax.formatShare(tax.rate),
    tax_category: ({ tax }) => tax?.category ?? null,
    credit_note_number: ({ note }) => note?.number ?? null,
    counts: ({ invoice }) => counts(db, invoice),
  }),
);

/** The tables for bookkeepers, each with its columns. */

const deliveryDays = (delivery: Invoice.Delivery | null) =>
  delivery?.kind === "day"
    ? { from: delivery.day, to: delivery.day }
    : (delivery ?? { from: null, to: null });

/** Columns of invoices; the desk's list has some of them, and reads nothing for the others. */
export const invoiceColumns = (
  today: string,
  baseUrl: string | null,
): BookColumns<InvoiceHead & { paidAt?: number | null }> => ({
  invoice_number: (invoice) => invoice.number,
  issue_date: (invoice) => invoice.issueDate,
  due_date: (invoice) => invoice.dueDate,
  status: (invoice) => invoice.status,
  overdue: (invoice) => Invoice.isOverdue(invoice, today),
  merchant_name: (invoice) => invoice.merchantName,
  merchant_email: (invoice) => invoice.merchantEmail,
  vendor_name: (invoice) => invoice.vendorName,
  vendor_email: (invoice) => invoice.vendorEmail,
  vendor_address: (invoice) => invoice.vendorAddress,
  currency: Currency.codeOf,
  total_amount: (invoice) => Currency.formatOf(invoice, Invoice.billedTotal(invoice)),
  received_amount: (invoice) => Usdc.formatExact(invoice.deposit.received),
  wallet_type: (invoice) => invoice.walletType,
  wallet_address: (invoice) => invoice.deposit.payoutWallet,
  deposit_address: (invoice) => invoice.deposit.address,
  created_at: (invoice) => instant(invoice.createdAt),
  sent_at: (invoice) => instantOrNull(invoice.sentAt),
  paid_at: ({ paidAt = null }) => instantOrNull(paidAt),
  ...closed,
  notes: (invoice) => invoice.notes,
  id: (invoice) => invoice.id,
  invoice_url: (invoice) => baseUrl && Invoice.pageUrl(baseUrl, invoice),
  ...reference,
  ...metadata,
  ...billing,
  merchant_vat_id: ({ merchantDetails }) => merchantDetails?.vatId ?? null,
  vendor_vat_id: ({ vendorDetails }) => vendorDetails?.vatId ?? null,
  vendor_country: ({ vendorDetails }) => vendorDetails?.country ?? null,
  delivery_from: ({ delivery }) => deliveryDays(delivery).from,
  delivery_to: ({ delivery }) => deliveryDays(delivery).to,
  payment_terms: (invoice) => invoice.paymentTerms,
  ...byName(
    ({ field }) =>
      (invoice: Invoice.Trade) =>
        invoice[field],
  ),
  ...standing,
  ...taxInCurrency,
});

export const tables: readonly Table[] = [
  table(
    "invoices",
    "one row for each invoice, and when it was paid",
    ({ db, days }) => ExportStore.eachInvoice(db, days),
    ({ db, timeZone, baseUrl }) => ({
      ...invoiceColumns(Calendar.dayAt(world.now(), timeZone), baseUrl),
      counts: (invoice) => counts(db, invoice),
    }),
  ),
  items,
  creditNotes,
  refunds,
  receipts,
  ...taxTables,
  table(
    "links",
    "one row for each payment link, and when it was paid",
    (selection) => within(ExportStore.eachLink(selection.db), ({ createdAt }) => createdAt, selection),
    ({ baseUrl }) => ({
      payment_link: (link) => link.slug,
      status: (link) => link.status,
      business_name: (link) => link.businessName,
      merchant_email: (link) => link.merchantEmail,
      product_description: (link) => link.productDescription,
      payer_email: (link) => link.payerEmail,
      currency: usdc,
      expected_amount: (link) => Usdc.format(link.deposit.expected),
      received_amount: (link) => Usdc.formatExact(link.deposit.received),
      wallet_type: (link) => link.walletType,
      wallet_address: (link) => link.deposit.payoutWallet,
      deposit_address: (link) => link.deposit.address,
      created_at: (link) => instant(link.createdAt),
      paid_at: (link) => instantOrNull(link.paidAt),
      ...closed,
      link_url: (link) => baseUrl && checkoutUrl(baseUrl, link.slug),
      ...reference,
      ...metadata,
      expires_at: (link) => instantOrNull(link.expiresAt),
      reusable_link: (link) => link.reusableSlug,
      quantity: (link) => link.quantity,
      price_amount: ({ currency, deposit }) =>
        Currency.formatOf({ currency }, currency?.total ?? Usdc.asBilled(deposit.expected)),
      price_currency: Currency.codeOf,
      rate: ({ currency }) => currency?.rate ?? null,
      rate_source: ({ currency }) => currency?.source ?? null,
    }),
  ),
  table(
    "payments",
    "one row for each payment of an invoice or a link, and who sent it when",
    eachPayment,
    ({ chainId, timeZone, valueCurrency }) => ({
      payment_date: (payment) => Calendar.dayAt(payment.blockMs ?? payment.madeAt, timeZone),
      block_time: (payment) => instantOrNull(payment.blockMs),
      seen_at: (payment) => instant(payment.seenAt),
      ...invoiceOrLink,
      name: (payment) => payment.vendorName ?? payment.businessName,
      amount: (payment) => Usdc.formatExact(payment.amount),
      currency: usdc,
      confirmed: (payment) => payment.confirmed,
      from: (payment) => payment.payer,
      deposit_address: (payment) => payment.depositAddress,
      block_number: (payment) => payment.blockNumber,
      tx_hash: (payment) => payment.txHash,
      transaction_url: (payment) => explorerUrl(chainId, payment.txHash),
      ...reference,
      paid_by: (payment) => (payment.isSigned ? "signature" : "transfer"),
      fiat_currency: ({ valueCurrency: kept }) => kept ?? valueCurrency,
      fiat_value({ amount, rate, valueCurrency: kept }) {
        const code = kept ?? valueCurrency;
        return code && rate && Currency.format(Currency.fromUsdc(amount, rate, code), code);
      },
      fiat_rate: ({ rate }) => rate,
      fiat_source: ({ rateSource, confirmed }) =>
        rateSource ?? (valueCurrency === null || !confirmed ? null : missingValue),
      fiat_rate_at: ({ rateAt }) => instantOrNull(rateAt),
    }),
  ),
  table(
    "settlements",
    "one row for each time a deposit address was emptied",
    (selection) => within(GasStore.eachSettlement(selection.db), minedOrBegun, selection),
    ({ chainId, timeZone }) => ({
      settlement_date: (settlement) => Calendar.dayAt(minedOrBegun(settlement), timeZone),
      begun_at: (settlement) => instant(settlement.createdAt),
      state: (settlement) => settlement.state,
      ...invoiceOrLink,
      amount: (settlement) => Usdc.formatExact(settlement.amount),
      currency: usdc,
      deposit_address: (settlement) => settlement.depositAddress,
      payout_wallet: (settlement) => settlement.payoutWallet,
      ...transaction(() => chainId),
      ...reference,
    }),
  ),
  table(
    "withdrawals",
    "one row for each withdrawal from a managed wallet",
    (selection) =>
      valued(selection, "withdrawal", within(GasStore.eachWithdrawal(selection.db), minedOrBegun, selection)),
    ({ chainId, timeZone, valueCurrency }) => ({
      withdrawal_date: (withdrawal) => Calendar.dayAt(minedOrBegun(withdrawal), timeZone),
      begun_at: (withdrawal) => instant(withdrawal.createdAt),
      state: (withdrawal) => withdrawal.state,
      merchant_email: (withdrawal) => withdrawal.merchantEmail,
      account: (withdrawal) => withdrawal.account,
      amount: (withdrawal) => Usdc.formatExact(withdrawal.amount),
      currency: usdc,
      from: (withdrawal) => withdrawal.from,
      to: (withdrawal) => withdrawal.to,
      ...transaction(() => chainId),
      ...worth(valueCurrency, {
        isKept: ({ state }) => state === "done",
        worthAt: ({ amount }, rate, code) => Currency.fromUsdc(amount, rate, code),
      }),
      // The row of `refunds` for the same money: add up only one of them.
      refund: refundOf,
    }),
  ),
  table(
    "fees",
    "one row for each transaction of the gas account, and what it cost",
    (selection) => valued(selection, "fee", within(GasStore.eachFee(selection.db), minedOrBegun, selection)),
    ({ timeZone, valueCurrency }) => ({
      fee_date: (sent) => Calendar.dayAt(minedOrBegun(sent), timeZone),
      begun_at: (sent) => instant(sent.createdAt),
      purpose: (sent) => sent.purpose,
      reason: (sent) => sent.reason,
      state: (sent) => sent.state,
      fee: (sent) => (sent.fee === null ? null : Ether.formatExact(sent.fee)),
      // A rescue may have been on any chain, whose native coin may have any name.
      currency: (sent) => chainOf(sent.chainId)?.coin ?? null,
      fee_wei: (sent) => sent.fee?.toString() ?? null,
      chain_id: (sent) => sent.chainId,
      nonce: (sent) => sent.nonce,
      ...transaction(({ chainId }: GasStore.ExportedFee) => chainId),
      ...worth(valueCurrency, {
        isKept: ({ fee }) => fee !== null,
        worthAt: ({ fee }, rate) => Currency.fromEther(fee ?? 0n, rate),
      }),
    }),
  ),
  annual,
  ...statements,
  xero,
  datev,
];
