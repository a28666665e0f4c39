import { instant, instantOrNull } from "../lib/time.ts";
import * as CreditNote from "./bill/credit-note.ts";
import * as Currency from "./bill/currency.ts";
import * as Invoice from "./bill/invoice.ts";
import * as Quantity from "./bill/quantity.ts";
import * as Tax from "./bill/tax.ts";
import { checkoutUrl, type Link, priceEndsAt } from "./link/link.ts";
import * as Party from "./party/party.ts";
import type * as Refund from "./payment/refund.ts";
import * as Standing from "./payment/standing.ts";
import * as Common from "./receivable/common.ts";
import { namedFields, pageUrl, type Receivable } from "./receivable/receivable.ts";
import * as Usdc from "./usdc.ts";
import { proofOf } from "./wallet/deposit-proof.ts";

/** Invoices and links as the API answers them, and as webhooks in the standard form tell of them. */

/** The full record, SPEC section 2.1; `today` is the day that overdue is judged by. What is not used is left out. */
export function invoiceRecord(baseUrl: string, invoice: Invoice.Invoice, today: string) {
  return {
    id: invoice.id,
    invoice_number: invoice.number,
    slug: invoice.slug,
    invoice_url: Invoice.pageUrl(baseUrl, invoice),
    pdf_url: Invoice.pdfUrl(baseUrl, invoice),
    deposit_address: invoice.deposit.address,
    merchant_email: invoice.merchantEmail,
    merchant_name_snapshot: invoice.merchantName,
    merchant_address_snapshot: invoice.merchantAddress,
    vendor_name: invoice.vendorName,
    vendor_email: invoice.vendorEmail,
    vendor_address: invoice.vendorAddress,
    issue_date: invoice.issueDate,
    due_date: invoice.dueDate,
    total_amount: Currency.formatOf(invoice, Invoice.billedTotal(invoice)),
    ...currencyRecord(invoice),
    ...totalsRecord(invoice),
    ...taxInCurrencyRecord(invoice.taxInCurrency),
    ...creditedRecord(invoice),
    received_amount: Usdc.format(invoice.deposit.received),
    status: invoice.status,
    overdue: Invoice.isOverdue(invoice, today),
    notes: invoice.notes,
    ...tradeRecord(invoice),
    line_items: invoice.lineItems.map((line) => lineRecord(line, Currency.codeOf(invoice))),
    sent_at: instantOrNull(invoice.sentAt),
    ...(invoice.correctedAt === null ? {} : { corrected_at: instant(invoice.correctedAt) }),
    wallet_type: invoice.walletType,
    wallet_address: invoice.deposit.payoutWallet,
    deposit_proof: proofOf(invoice.deposit),
    webhook_url: invoice.webhookUrl,
    ...(invoice.reminders === null ? {} : { reminders: invoice.reminders }),
    ...ownFields(invoice),
  };
}

/** What is to be paid of an invoice in another currency; nothing of one in USDC. */
export function currencyRecord({ currency, total }: Pick<Invoice.Invoice, "currency" | "total">) {
  if (currency === null) return {};
  return { currency: currency.code, expected_usdc: Usdc.format(total), ...rateRecord(currency) };
}

const rateRecord = ({ rate, source, fetchedAt }: Currency.Quote) => ({
  exchange_rate: { rate, source, fetched_at: instant(fetchedAt) },
});

/** Nothing where the tax stands in one currency alone. */
export function taxInCurrencyRecord(stated: Currency.TaxInCurrency | null) {
  if (stated === null) return {};
  const { code, tax } = stated;
  return {
    tax_in_currency: { currency: code, tax_amount: Currency.format(tax, code), ...rateRecord(stated) },
  };
}

/** The price of a link in another currency, and how long it holds; nothing of one in USDC. */
export function linkCurrencyRecord({ currency, expiresAt }: Pick<Link, "currency" | "expiresAt">) {
  if (currency === null) return {};
  const endsAt = priceEndsAt({ currency, expiresAt });
  return {
    currency: currency.code,
    amount: Currency.format(currency.total, currency.code),
    ...rateRecord(currency),
    ...(endsAt === null ? {} : { rate_expires_at: instant(endsAt) }),
  };
}

/**
 * What credit notes took off, in the currency of the invoice, what refunds gave back, and how it stands with them in USDC;
 * nothing without.
 */
function creditedRecord(invoice: Invoice.Invoice) {
  const { due, toReturn, refunded } = Standing.of(invoice);
  if (invoice.credited === 0n && refunded === 0n) return {};
  return {
    ...(invoice.credited === 0n ? {} : { credited_amount: Currency.formatOf(invoice, invoice.credited) }),
    due_amount: Usdc.formatExact(due),
    return_amount: Usdc.formatExact(toReturn),
    ...(refunded === 0n ? {} : { refunded_amount: Usdc.formatExact(refunded) }),
  };
}

/** A refund, of the invoice or the link that it gives money back of. Who has the note may see it. */
export function refundRecord(baseUrl: string, owner: Receivable, refund: Refund.Refund) {
  return {
    id: refund.id,
    status: refund.state,
    amount: Usdc.formatExact(refund.amount),
    currency: "USDC",
    ...namedFields(owner),
    reference: owner.reference,
    url: pageUrl(baseUrl, owner),
    way: refund.way,
    merchant_email: owner.merchantEmail,
    customer_email: refund.email,
    reason: refund.reason,
    note: refund.note,
    address: refund.address,
    address_by: refund.addressBy,
    sends_at: refund.state === "approved" ? instantOrNull(refund.readyAt) : null,
    failure: refund.failure,
    tx_hash: refund.txHash,
    created_at: instant(refund.createdAt),
    changed_at: instant(refund.changedAt),
    ended_at: instantOrNull(refund.endedAt),
  };
}

/** A credit note, of the invoice that it refers to. Its amounts are positive. */
export function creditNoteRecord(baseUrl: string, invoice: Invoice.Invoice, note: CreditNote.CreditNote) {
  return {
    id: note.id,
    credit_note_number: note.number,
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    invoice_issue_date: invoice.issueDate,
    issue_date: note.issueDate,
    pdf_url: CreditNote.pdfUrl(baseUrl, note),
    reason: note.reason,
    currency: Currency.codeOf(invoice),
    total_amount: Currency.formatOf(invoice, note.totals.total),
    ...(invoice.totals === null ? {} : amountsRecord(note.totals, Currency.codeOf(invoice))),
    ...taxInCurrencyRecord(note.taxInCurrency),
    line_items: note.lines.map((line) => ({
      line: line.position + 1,
      ...lineRecord(line, Currency.codeOf(invoice)),
    })),
    credited_usdc: Usdc.format(note.usdc),
    return_usdc: Usdc.formatExact(note.toReturn),
    merchant_email: invoice.merchantEmail,
    merchant_name_snapshot: invoice.merchantName,
    merchant_address_snapshot: invoice.merchantAddress,
    vendor_name: invoice.vendorName,
    vendor_email: invoice.vendorEmail,
    vendor_address: invoice.vendorAddress,
    created_at: instant(note.createdAt),
  };
}

/** A line of an invoice or a credit note. */
function lineRecord(item: Invoice.LineItem, code: Currency.Code) {
  return {
    description: item.description,
    quantity: Quantity.toNumber(item.quantity),
    unit_price: Currency.formatPrice(item.unitPrice, code),
    line_total: Currency.format(item.lineTotal, code),
    ...(item.unit === null ? {} : { unit: item.unit }),
    ...(item.discount === null ? {} : discountRecord(item.discount, code)),
    ...(item.tax === null ? {} : taxRecord(item.tax)),
  };
}

/** Who sells to whom and on what terms, each only when it was said. */
function tradeRecord(invoice: Invoice.Trade) {
  const { merchantDetails, vendorDetails, delivery, paymentTerms, buyerReference, purchaseOrder } = invoice;
  return {
    ...(merchantDetails === null ? {} : { merchant_details: partyRecord(merchantDetails) }),
    ...(vendorDetails === null ? {} : { vendor_details: partyRecord(vendorDetails) }),
    ...(paymentTerms === null ? {} : { payment_terms: paymentTerms }),
    ...(delivery?.kind === "day" ? { delivery_date: delivery.day } : {}),
    ...(delivery?.kind === "period" ? { delivery_from: delivery.from, delivery_to: delivery.to } : {}),
    ...(buyerReference === null ? {} : { buyer_reference: buyerReference }),
    ...(purchaseOrder === null ? {} : { purchase_order: purchaseOrder }),
  };
}

/** As the API names the parts. */
export function partyRecord(party: Party.Party): Record<string, string> {
  return Object.fromEntries(Object.entries(party).map(([field, value]) => [Party.apiName(field), value]));
}

/** How the total comes about; nothing when it is the sum of the lines. */
function totalsRecord({ discount, pricesIncludeTax, totals, currency }: Invoice.Invoice) {
  if (totals === null) return {};
  const { subtotal_amount, discount_amount, tax_amount, tax_breakdown } = amountsRecord(
    totals,
    Currency.codeOf({ currency }),
  );
  return {
    subtotal_amount,
    ...(discount?.kind === "percent" ? { discount_percent: Tax.formatShare(discount.percent) } : {}),
    discount_amount,
    tax_amount,
    prices_include_tax: pricesIncludeTax,
    tax_breakdown,
  };
}

function amountsRecord(totals: Tax.Totals, code: Currency.Code) {
  const text = (amount: Usdc.Billed) => Currency.format(amount, code);
  return {
    subtotal_amount: text(totals.subtotal),
    discount_amount: text(totals.discount),
    tax_amount: text(totals.tax),
    tax_breakdown: totals.rows.map(({ taxable, tax, ...of }) => ({
      ...taxRecord(of),
      taxable_amount: text(taxable),
      tax_amount: text(tax),
    })),
  };
}

function discountRecord(discount: Tax.Discount, code: Currency.Code) {
  return discount.kind === "percent"
    ? { discount_percent: Tax.formatShare(discount.percent) }
    : { discount_amount: Currency.format(discount.amount, code) };
}

export function taxRecord({ category, rate, reason }: Tax.Tax) {
  return {
    tax_rate: Tax.formatShare(rate),
    tax_category: category,
    ...(reason === null ? {} : { tax_reason: reason }),
  };
}

/** What anybody may see of a link, SPEC section 2.3. */
export function publicLink(link: Link) {
  return {
    slug: link.slug,
    business_name: link.businessName,
    expected_amount: Usdc.format(link.deposit.expected),
    status: link.status,
    deposit_address: link.deposit.address,
    product_description: link.productDescription,
    ...linkCurrencyRecord(link),
    ...linkBillRecord(link),
    ...(link.expiresAt === null ? {} : { expires_at: instant(link.expiresAt) }),
  };
}

/** What a link sells and the tax in its price; nothing when nothing was said of lines or tax. */
export function linkBillRecord({ bill, currency }: Pick<Link, "bill" | "currency">) {
  if (bill === null) return {};
  const code = Currency.codeOf({ currency });
  const { discount_amount: _, ...amounts } = amountsRecord(bill.totals, code);
  return {
    line_items: bill.lines.map((line) => lineRecord(line, code)),
    ...(bill.totals.rows.length === 0 ? {} : { ...amounts, prices_include_tax: bill.pricesIncludeTax }),
  };
}

/** What the payer is asked for, each only when it is. */
export function collectRecord({ collect }: Pick<Link, "collect">) {
  if (collect === null) return {};
  const { fields, questions } = collect;
  return {
    ...(fields.length === 0 ? {} : { collect: fields }),
    ...(questions.length === 0 ? {} : { questions }),
  };
}

/** The merchant's own view. What is not used is left out. */
export function linkRecord(baseUrl: string, link: Link) {
  return {
    ...publicLink(link),
    payment_link: checkoutUrl(baseUrl, link.slug),
    received_amount: Usdc.format(link.deposit.received),
    ...(link.deposit.refunded === 0n ? {} : { refunded_amount: Usdc.formatExact(link.deposit.refunded) }),
    merchant_email: link.merchantEmail,
    wallet_type: link.walletType,
    wallet_address: link.deposit.payoutWallet,
    deposit_proof: proofOf(link.deposit),
    success_url: link.successUrl,
    embed_origins: link.embedOrigins,
    webhook_url: link.webhookUrl,
    created_at: instant(link.createdAt),
    ...collectRecord(link),
    ...(link.receiptNumber === null ? {} : { receipt_number: link.receiptNumber }),
    ...(link.payerDetails === null ? {} : { payer_details: link.payerDetails }),
    ...(link.payerEmail === null ? {} : { payer_email: link.payerEmail }),
    ...(link.reusableSlug === null ? {} : { reusable_slug: link.reusableSlug, quantity: link.quantity }),
    ...ownFields(link),
  };
}

type Own = Pick<
  Invoice.Invoice,
  "reference" | "metadata" | "language" | "webhookEvents" | keyof Common.Closure
>;

/** What invoices and links have alike beyond the contract, each only when it is used. */
export function ownFields(owner: Own) {
  const { language, webhookEvents, voidedAt, voidReason, markedPaidAt } = owner;
  return {
    ...Common.annotationFields(owner),
    ...(language === null ? {} : { language }),
    ...(webhookEvents === "contract" ? {} : { webhook_events: webhookEvents }),
    ...(voidedAt === null ? {} : { voided_at: instant(voidedAt), void_reason: voidReason }),
    ...(markedPaidAt === null ? {} : { marked_paid_at: instant(markedPaidAt) }),
  };
}
