import * as Currency from "../../../domain/bill/currency.ts";
import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import type { Party } from "../../../domain/party/party.ts";
import { partyRecord } from "../../../domain/record/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { readDiscount, readTax } from "../../../invoicing/request/tax.ts";
import { createFieldReader } from "../../../invoicing/request/validation.ts";
import type { Draft } from "../../../store/tables/desk/draft.ts";
import { isClosed } from "../../parts/form/chip.tsx";
import { typedParty } from "../../parts/form/party-fields.tsx";
import type { DraftRow } from "../list-page.tsx";

/** The form of a new invoice, as typed. */

export const formPath = "/desk/invoices/new";
/** Where the form goes to add or remove a line, and for its preview: nothing is created. */
export const editPath = `${formPath}/edit`;

/** The text fields, by their names in the API. */
const textNames = [
  "vendor_name",
  "vendor_email",
  "vendor_address",
  "due_date",
  "reference",
  /** A code; empty for the customer's, or that of the installation. */
  "language",
  "notes",
  "merchant_name",
  "merchant_email",
  "merchant_address",
  "wallet_address",
  /** Three letters; empty for USDC. */
  "currency",
  /** What 1 USDC costs in it; empty to have Till look it up. */
  "rate",
  /** What 1 of it costs in the currency of the seller's country; empty to have Till ask for it. */
  "tax_exchange_rate",
  /** On the whole: `10 %`, or an amount. */
  "discount",
  "payment_terms",
  "delivery_from",
  "delivery_to",
  "buyer_reference",
  "purchase_order",
] as const;

/** Sent even when empty, so that the API reports them as missing rather than filling them in. */
const wantedNames: readonly string[] = [
  "vendor_name",
  "vendor_email",
  "due_date",
  "merchant_name",
  "merchant_email",
  "merchant_address",
];

/** The fields behind each chip; `business` has the customer's details. */
export const chipFields = {
  currency: ["currency", "rate", "tax_exchange_rate"],
  delivery: ["delivery_from", "delivery_to"],
  order: ["purchase_order", "buyer_reference"],
  reference: ["reference"],
  address: ["vendor_address"],
  terms: ["payment_terms"],
  language: ["language"],
} as const satisfies Record<string, readonly (typeof textNames)[number][]>;

export const termNames = ["unit", "discount", "tax_rate", "tax_category", "tax_reason"] as const;
export const lineNames = ["description", "quantity", "unit_price", ...termNames] as const;

/** A line's field in the form; some names are taken by fields of the whole. */
export const inputOf = (name: (typeof lineNames)[number]): string =>
  (termNames as readonly string[]).includes(name) && name !== "tax_category" ? `line_${name}` : name;

/** Its discount is `10 %` or an amount. */
export type TypedLine = Record<(typeof lineNames)[number], string>;

export type TypedInvoice = Record<(typeof textNames)[number], string> & {
  wallet_type: "managed" | "byo";
  prices_include_tax: boolean;
  vendor_details: Party;
  /** The form was shown with details of the customer: when there are none now, somebody cleared them. */
  was_filled: boolean;
  /** The same of the terms. */
  had_terms: boolean;
  lines: TypedLine[];
};

/**
 * A form as typed, and the key under which it makes one thing. `repeat` is empty for an invoice, `new` for one that is to
 * repeat, or the id of the series whose bill it is.
 */
export type KeptForm = { typed: TypedInvoice; key: string; repeat: string };

export const examplePrice = "40.00";
export const exampleQuantity = "1.5";

const noTerms = { unit: "", discount: "", tax_rate: "", tax_category: "", tax_reason: "" };
export const emptyLine: TypedLine = { description: "", quantity: "1", unit_price: "", ...noTerms };

export const emptyForm: TypedInvoice = {
  ...textsFrom(() => ""),
  wallet_type: "managed",
  prices_include_tax: false,
  vendor_details: {},
  was_filled: false,
  had_terms: false,
  lines: [emptyLine],
};

function textsFrom(text: (name: string) => string) {
  return Object.fromEntries(textNames.map((name) => [name, text(name)])) as Pick<
    TypedInvoice,
    (typeof textNames)[number]
  >;
}

/** The form as the browser sent it, with line breaks as stored. */
export function readTyped(form: URLSearchParams): TypedInvoice {
  const text = (value: string | null | undefined) => (value ?? "").replaceAll("\r\n", "\n").trim();
  const columns = lineNames.map((name) => [name, form.getAll(inputOf(name))] as const);
  const lines = form
    .getAll("description")
    .slice(0, Invoice.lineItemsMax)
    .map((_, i) => Object.fromEntries(columns.map(([name, cells]) => [name, text(cells[i])])) as TypedLine);
  const closed = Object.entries(chipFields).flatMap(([chip, names]) => (isClosed(form, chip) ? names : []));
  return {
    ...textsFrom((name) => (closed.some((field) => field === name) ? "" : text(form.get(name)))),
    wallet_type: form.get("wallet_type") === "byo" ? "byo" : "managed",
    prices_include_tax: form.has("prices_include_tax"),
    vendor_details: isClosed(form, "business") ? {} : typedParty(form, "vendor_details"),
    was_filled: form.has("was_filled"),
    had_terms: form.has("had_terms"),
    lines: lines.length === 0 ? [emptyLine] : lines,
  };
}

/** Whether discounts or taxes were typed. */
export const hasTerms = ({ lines, discount, prices_include_tax }: TypedInvoice): boolean =>
  discount !== "" || prices_include_tax || lines.some((line) => termNames.some((name) => line[name] !== ""));

/** A rate in the API's form; anything else stays as typed. */
export const rateOf = (typed: string, mark: string) => Usdc.plainDecimal(typed, mark) ?? typed;

const percentSign = /[%٪％]$/;

/** A percentage for the API, from a language's decimal mark; anything else stays as typed. */
export function percentOf(typed: string, mark: string): string {
  const text = percentSign.test(typed) ? typed.slice(0, -1).trimEnd() : typed;
  const plain = Usdc.plainDecimal(text, mark);
  return plain === null || Tax.parseShare(plain) === null ? text : plain;
}

const amountOf = (
  typed: string,
  mark: string,
  code: Currency.Code,
  options: { isPrice?: boolean } = {},
): string => {
  const amount = Currency.parseTyped(typed, mark, code, options);
  return amount === null ? typed : Currency.formatPrice(amount, code);
};

/** `10 %` is a share of the price, `10` an amount. */
function discountBody(typed: string, mark: string, code: Currency.Code) {
  if (typed === "") return {};
  return percentSign.test(typed)
    ? { discount_percent: percentOf(typed, mark) }
    : { discount_amount: amountOf(typed, mark, code) };
}

const isCategory = (name: string): name is Tax.Category =>
  (Tax.categories as readonly string[]).includes(name);

/** A line's unit, discount and tax, for the API. */
const termsBody = (
  { unit, discount, tax_rate, tax_category, tax_reason }: TypedLine,
  mark: string,
  code: Currency.Code,
) => ({
  ...(unit === "" ? {} : { unit }),
  ...discountBody(discount, mark, code),
  ...(tax_rate === "" ? {} : { tax_rate: percentOf(tax_rate, mark) }),
  ...(isCategory(tax_category) ? { tax_category } : {}),
  ...(tax_reason === "" ? {} : { tax_reason }),
});

/** Quantity times price; null for an unreadable line. */
function grossOf(line: TypedLine, mark: string, code: Currency.Code): Usdc.Billed | null {
  const quantity = Quantity.fromNumber(Quantity.parseTyped(line.quantity, mark) ?? 0, { mayTakeBack: true });
  const price = Currency.parseTyped(line.unit_price, mark, code, { isPrice: true });
  return quantity === null || price === null || price > Usdc.max
    ? null
    : Invoice.lineTotal(quantity, price, Currency.minorOf(code));
}

/** What the form's readable parts come to; null for a line that cannot be read. */
export function billOf(
  { lines, discount: whole, prices_include_tax: pricesIncludeTax, currency }: TypedInvoice,
  mark: string,
) {
  const code = currency || "USDC";
  const minor = Currency.minorOf(code);
  // The API reports faults when the form is sent.
  const reader = createFieldReader([]);
  const read = lines.map((line) => {
    const gross = grossOf(line, mark, code);
    if (gross === null) return null;
    const body = termsBody(line, mark, code);
    const discount = readDiscount(reader, "", body, code);
    return { lineTotal: Tax.lessDiscount(gross, discount, minor), tax: readTax(reader, "", body) };
  });
  const discount = readDiscount(reader, "", discountBody(whole, mark, code), code);
  const readable = read.filter((line) => line !== null);
  const totals = Tax.totalsOf(readable, { discount, pricesIncludeTax, minor });
  return { lineTotals: read.map((line) => line?.lineTotal ?? null), totals, discount };
}

/**
 * The form as the body of POST /api/invoices, and the form's line for each line sent. Lines without text and price are
 * left out. What is not a number stays as typed: the API says what is wrong with it. Saved details and terms apply where
 * none were typed, unless they were cleared.
 */
export function bodyOf(
  typed: TypedInvoice,
  mark: string,
  { sendNow }: { sendNow: boolean },
): { body: object; lineOf: readonly number[] } {
  const { lines, wallet_type, prices_include_tax, vendor_details, was_filled, had_terms, ...texts } = typed;
  const { discount, payment_terms, delivery_from, delivery_to, currency, rate, wallet_address, ...more } =
    texts;
  const written = lines.flatMap((line, i) => (line.description === "" && line.unit_price === "" ? [] : [i]));
  const lineOf = written.length === 0 ? [0] : written;
  const code = currency || "USDC";
  const isDay = delivery_from !== "" && delivery_to === "";
  const said = {
    ...more,
    ...(isDay ? { delivery_date: delivery_from } : { delivery_from, delivery_to }),
    ...(currency === "" ? {} : { currency, rate: rateOf(rate, mark) }),
    tax_exchange_rate: rateOf(texts.tax_exchange_rate, mark),
    ...(wallet_type === "byo" ? { wallet_address } : {}),
  };
  const body = {
    ...Object.fromEntries(
      Object.entries(said).filter(([name, text]) => text !== "" || wantedNames.includes(name)),
    ),
    wallet_type,
    ...(isTyped(vendor_details) || was_filled ? { vendor_details: partyRecord(vendor_details) } : {}),
    ...(payment_terms !== "" || had_terms ? { payment_terms } : {}),
    ...discountBody(discount, mark, code),
    ...(prices_include_tax ? { prices_include_tax } : {}),
    line_items: lineOf.map((i) => itemOf(lines[i] ?? emptyLine, mark, code)),
    send_now: sendNow,
  };
  return { body, lineOf };
}

export const isTyped = (details: Party) => Object.keys(details).length > 0;

const itemOf = (line: TypedLine, mark: string, code: Currency.Code) => ({
  description: line.description,
  quantity: Quantity.parseTyped(line.quantity, mark) ?? line.quantity,
  unit_price: amountOf(line.unit_price, mark, code, { isPrice: true }),
  ...termsBody(line, mark, code),
});

/** A draft's form as it was saved; fields that are newer than the draft are empty. */
export function keptForm({ form }: Draft): KeptForm {
  const { typed, key, repeat = "" } = JSON.parse(form) as Omit<KeptForm, "repeat"> & { repeat?: string };
  const lines = typed.lines.map((line) => ({ ...emptyLine, ...line }));
  return { typed: { ...emptyForm, ...typed, lines }, key, repeat };
}

/** `mark` is the reader's decimal mark. */
export function draftRow(draft: Draft, mark: string): DraftRow {
  const { typed } = keptForm(draft);
  return {
    id: draft.id,
    vendorName: typed.vendor_name,
    description: typed.lines.find(({ description }) => description !== "")?.description ?? "",
    total: billOf(typed, mark).totals.total,
    code: typed.currency || "USDC",
    changedAt: draft.changedAt,
  };
}

/** A new invoice like an old one, without what was for that one alone, such as its days, its order number and its rate. */
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

/** What to type to bill the same again. A category that follows from the rate is left empty. */
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

/** A further line: lines usually share the tax of the line before. */
export const nextLine = ({ tax_rate, tax_category, tax_reason }: TypedLine = emptyLine): TypedLine => ({
  ...emptyLine,
  tax_rate,
  tax_category,
  tax_reason,
});
