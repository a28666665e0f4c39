import { instant, instantOrNull } from "../../lib/time.ts";
import { buyerReferences } from "../bill/buyer-references.ts";
import * as Currency from "../bill/currency.ts";
import * as Invoice from "../bill/invoice.ts";
import * as Tax from "../bill/tax.ts";
import * as Party from "../party/party.ts";
import * as Standing from "../payment/standing.ts";
import * as Usdc from "../usdc.ts";
import { proofOf } from "../wallet/deposit-proof.ts";
import { amountsRecord, currencyRecord, lineRecord, taxInCurrencyRecord } from "./bill.ts";
import { ownFields } from "./receivable.ts";

/**
 * An invoice as the API and standard webhooks present it: SPEC section 2.1. `today` is the day for judging whether it
 * is overdue. Unused fields are absent.
 */
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

/**
 * The sums of credit notes, in the invoice's currency, and of refunds, with the balance in USDC; empty without either.
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

/** Parties and terms; absent where not given. */
function tradeRecord(invoice: Invoice.Trade) {
  const { merchantDetails, vendorDetails, delivery, paymentTerms } = invoice;
  const references = buyerReferences.filter(({ field }) => invoice[field] !== null);
  return {
    ...(merchantDetails === null ? {} : { merchant_details: partyRecord(merchantDetails) }),
    ...(vendorDetails === null ? {} : { vendor_details: partyRecord(vendorDetails) }),
    ...(paymentTerms === null ? {} : { payment_terms: paymentTerms }),
    ...(delivery?.kind === "day" ? { delivery_date: delivery.day } : {}),
    ...(delivery?.kind === "period" ? { delivery_from: delivery.from, delivery_to: delivery.to } : {}),
    ...Object.fromEntries(references.map(({ name, field }) => [name, invoice[field]])),
  };
}

/** The fields of a party under their API names. */
export function partyRecord(party: Party.Party): Record<string, string> {
  return Object.fromEntries(Object.entries(party).map(([field, value]) => [Party.apiName(field), value]));
}

/** How the total is made up; empty when it is the sum of the lines. */
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
