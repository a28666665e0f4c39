import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Draft } from "../../../store/tables/desk/draft.ts";
import type { DraftRow } from "../list-page.tsx";
import type { TypedInvoice, TypedLine } from "./props.ts";
import { billOf, discountBody, noTerms, termsBody, termsLike, wholeLike } from "./terms-form.ts";
import { noTrade, readTypedTrade, tradeBody, tradeLike } from "./trade-form.ts";

/** A form as typed, and the key under which it creates one invoice. */
export type KeptForm = { typed: TypedInvoice; key: string };

const texts = [
  "vendor_name",
  "vendor_email",
  "vendor_address",
  "due_date",
  "reference",
  "notes",
  "merchant_name",
  "merchant_email",
  "merchant_address",
  "wallet_address",
  "currency",
  "rate",
] as const;

export const emptyLine: TypedLine = { description: "", quantity: "1", unit_price: "", terms: noTerms };

/** The form as the browser sent it, with line breaks as stored. */
export function readTyped(form: URLSearchParams): TypedInvoice {
  const text = (value: string | null | undefined) => (value ?? "").replaceAll("\r\n", "\n").trim();
  const fields = Object.fromEntries(texts.map((name) => [name, text(form.get(name))]));
  const column = (name: string) => {
    const cells = form.getAll(name);
    return (i: number) => text(cells[i]);
  };
  const [quantity, price] = [column("quantity"), column("unit_price")];
  const terms = {
    unit: column("line_unit"),
    discount: column("line_discount"),
    tax_rate: column("line_tax_rate"),
    tax_category: column("tax_category"),
    tax_reason: column("line_tax_reason"),
  };
  const lines = form
    .getAll("description")
    .slice(0, Invoice.lineItemsMax)
    .map((description, i) => ({
      description: text(description),
      quantity: quantity(i),
      unit_price: price(i),
      terms: {
        unit: terms.unit(i),
        discount: terms.discount(i),
        tax_rate: terms.tax_rate(i),
        tax_category: terms.tax_category(i),
        tax_reason: terms.tax_reason(i),
      },
    }));
  return {
    ...(fields as Record<(typeof texts)[number], string>),
    wallet_type: form.get("wallet_type") === "byo" ? "byo" : "managed",
    discount: text(form.get("discount")),
    prices_include_tax: form.has("prices_include_tax"),
    trade: readTypedTrade(form),
    lines: lines.length === 0 ? [emptyLine] : lines,
  };
}

/** A rate in the API's form; what is none stays as typed. */
export const rateOf = (typed: string, mark: string) => Usdc.plainDecimal(typed, mark) ?? typed;

/** Quantity times price; null for an unreadable line. */
function grossOf(line: TypedLine, mark: string): Usdc.Billed | null {
  const quantity = Quantity.fromNumber(Quantity.parseTyped(line.quantity, mark) ?? 0);
  const price = Usdc.parseTyped(line.unit_price, mark);
  return quantity === null || price === null || price > Usdc.max ? null : Invoice.lineTotal(quantity, price);
}

/** The form's total over its readable lines. */
export const billOfForm = (typed: TypedInvoice, mark: string) =>
  billOf(typed, mark, (line) => grossOf(line, mark));

/**
 * The form as the body of POST /api/invoices, and the form's line for each line sent. Lines without text and price are
 * left out. Whatever is no number stays as typed: the API says what is wrong with it.
 */
export function bodyOf(
  {
    lines,
    wallet_address,
    vendor_address,
    reference,
    notes,
    discount,
    prices_include_tax,
    trade,
    currency,
    rate,
    ...typed
  }: TypedInvoice,
  mark: string,
  { sendNow }: { sendNow: boolean },
): { body: object; lineOf: readonly number[] } {
  const written = lines.flatMap((line, i) => (line.description === "" && line.unit_price === "" ? [] : [i]));
  const lineOf = written.length === 0 ? [0] : written;
  const item = (line: TypedLine) => {
    const price = Usdc.parseTyped(line.unit_price, mark);
    return {
      description: line.description,
      quantity: Quantity.parseTyped(line.quantity, mark) ?? line.quantity,
      unit_price: price === null ? line.unit_price : Usdc.format(price),
      ...termsBody(line.terms, mark),
    };
  };
  const body = {
    ...typed,
    ...(vendor_address === "" ? {} : { vendor_address }),
    ...(reference === "" ? {} : { reference }),
    ...(notes === "" ? {} : { notes }),
    ...(typed.wallet_type === "byo" && wallet_address !== "" ? { wallet_address } : {}),
    ...tradeBody(trade),
    ...(currency === "" ? {} : { currency }),
    ...(currency === "" || rate === "" ? {} : { rate: rateOf(rate, mark) }),
    ...discountBody(discount, mark),
    ...(prices_include_tax ? { prices_include_tax } : {}),
    line_items: lineOf.map((i) => item(lines[i] ?? emptyLine)),
    send_now: sendNow,
  };
  return { body, lineOf };
}

/** A draft's form as it was. */
export function keptForm({ form }: Draft): KeptForm {
  const { typed, key } = JSON.parse(form) as KeptForm;
  // From a draft kept before there were discounts, taxes and details.
  const lines = typed.lines.map((line) => ({ ...line, terms: line.terms ?? noTerms }));
  const { currency = "", rate = "" } = typed as Partial<TypedInvoice>;
  const whole = {
    currency,
    rate,
    discount: typed.discount ?? "",
    prices_include_tax: typed.prices_include_tax ?? false,
  };
  return { typed: { ...typed, ...whole, trade: typed.trade ?? noTrade, lines }, key };
}

/** `mark` is the reader's decimal mark. */
export function draftRow(draft: Draft, mark: string): DraftRow {
  const { typed } = keptForm(draft);
  return {
    id: draft.id,
    vendorName: typed.vendor_name,
    description: typed.lines.find(({ description }) => description !== "")?.description ?? "",
    total: billOfForm(typed, mark).totals.total,
    code: typed.currency === "" ? "USDC" : typed.currency,
    changedAt: draft.changedAt,
  };
}

/** A new invoice like an old one, without what was only for that one. */
export function typedLike(invoice: Invoice.Invoice, mark: string): Omit<TypedInvoice, "due_date"> {
  const isOwn = invoice.walletType === "byo";
  return {
    vendor_name: invoice.vendorName,
    vendor_email: invoice.vendorEmail,
    vendor_address: invoice.vendorAddress ?? "",
    reference: "",
    notes: invoice.notes ?? "",
    merchant_name: invoice.merchantName,
    merchant_email: invoice.merchantEmail,
    merchant_address: invoice.merchantAddress,
    wallet_type: invoice.walletType,
    wallet_address: isOwn ? invoice.deposit.payoutWallet : "",
    currency: invoice.currency?.code ?? "",
    // A typed rate was for its day.
    rate: "",
    ...wholeLike(invoice, mark),
    trade: tradeLike(invoice),
    lines: invoice.lineItems.map((item) => ({
      description: item.description,
      quantity: Quantity.format(item.quantity).replace(".", mark),
      unit_price: Usdc.format(item.unitPrice).replace(".", mark),
      terms: termsLike(item, mark),
    })),
  };
}
