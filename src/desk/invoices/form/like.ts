import * as Currency from "../../../domain/bill/currency.ts";
import type * as Invoice from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Db } from "../../../store/database.ts";
import type { Draft } from "../../../store/tables/desk/draft.ts";
import { paidToday } from "../../shop/profile-form.ts";
import type { DraftRow } from "../list-page.tsx";
import { billOf } from "./body.ts";
import { emptyForm, keptForm, type TypedInvoice, type TypedLine } from "./typed.ts";

/** An invoice, or its draft, as typed. `mark` is the reader's decimal mark. */

/** Returns a draft for the list. */
export function draftRow(draft: Draft, locale: Locale): DraftRow {
  const { typed } = keptForm(draft, locale);
  return {
    id: draft.id,
    vendorName: typed.vendor_name,
    description: typed.lines.find(({ description }) => description !== "")?.description ?? "",
    total: billOf(typed, locale.decimalMark).totals.total,
    code: typed.currency || "USDC",
    changedAt: draft.changedAt,
  };
}

/** Returns a new invoice like an old one, without what was specific to it: dates, order number, rate and so on. */
export function typedLike(invoice: Invoice.Invoice, mark: string): TypedInvoice {
  const { walletType, deposit } = invoice;
  return {
    ...emptyForm,
    vendor_name: invoice.vendorName,
    vendor_email: invoice.vendorEmail,
    vendor_address: invoice.vendorAddress ?? "",
    vendor_details: invoice.vendorDetails ?? {},
    language: invoice.language ?? "",
    notes: invoice.notes ?? "",
    merchant_name: invoice.merchantName,
    merchant_email: invoice.merchantEmail,
    merchant_address: invoice.merchantAddress,
    wallet_type: walletType,
    wallet_address: walletType === "byo" ? deposit.payoutWallet : "",
    currency: invoice.currency?.code ?? "",
    discount: discountText(invoice.discount, mark, Currency.codeOf(invoice)),
    prices_include_tax: invoice.pricesIncludeTax,
    payment_terms: invoice.paymentTerms ?? "",
    buyer_reference: invoice.buyerReference ?? "",
    lines: invoice.lineItems.map((item) => lineLike(item, mark, Currency.codeOf(invoice))),
  };
}

/** Returns an invoice's copy, which pays where the shop's money goes today. */
export const copyOf = (db: Db, invoice: Invoice.Invoice, mark: string): TypedInvoice =>
  paidToday(db, typedLike(invoice, mark));

/** Returns the input that bills the same again. A category that follows from the rate is left empty. */
function lineLike({ tax, ...item }: Invoice.LineItem, mark: string, code: Currency.Code): TypedLine {
  const isOfRate = tax === null || tax.category === "standard" || tax.category === "zero";
  return {
    description: item.description,
    quantity: Quantity.format(item.quantity).replace(".", mark),
    unit_price: Currency.formatPrice(item.unitPrice, code).replace(".", mark),
    unit: item.unit ?? "",
    discount: discountText(item.discount, mark, code),
    tax_rate: tax === null ? "" : shareText(tax.rate, mark),
    tax_category: isOfRate ? "" : tax.category,
    tax_reason: tax?.reason ?? "",
  };
}

function discountText(discount: Tax.Discount | null, mark: string, code: Currency.Code): string {
  if (discount === null) return "";
  if (discount.kind === "amount") return Currency.format(discount.amount, code).replace(".", mark);
  return `${shareText(discount.percent, mark)} %`;
}

const shareText = (share: Tax.Share, mark: string) => Tax.plainShare(share).replace(".", mark);
