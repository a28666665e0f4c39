import * as Currency from "../../../domain/bill/currency.ts";
import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import { partyRecord } from "../../../domain/record/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import { readDiscount, readTax } from "../../../invoicing/request/tax.ts";
import { createFieldReader } from "../../../invoicing/request/validation.ts";
import { billedOf } from "../../../language/bill-currency.ts";
import type { Locale } from "../../../language/locale.ts";
import { isWanted } from "./fields.ts";
import { emptyLine, isTyped, percentSign, type TypedInvoice, type TypedLine, unread } from "./typed.ts";

/** Turns the form into a request for the API, and totals it. `mark` is the reader's decimal mark. */

/** Converts a rate to the API's form, and anything else to one that it refuses. */
export const rateOf = (typed: string, mark: string) => Usdc.plainDecimal(typed, mark) ?? unread(typed);

/** Converts a percentage with a language's decimal mark for the API, and anything else to one that it refuses. */
export function percentOf(typed: string, mark: string): string {
  const text = percentSign.test(typed) ? typed.slice(0, -1).trimEnd() : typed;
  const plain = Usdc.plainDecimal(text, mark);
  return plain === null || Tax.parseShare(plain) === null ? unread(text) : plain;
}

/** The same for an amount in a currency. */
export const amountOf = (
  typed: string,
  mark: string,
  code: Currency.Code,
  options: { isPrice?: boolean } = {},
): string => {
  const amount = Currency.parseTyped(typed, mark, code, options);
  return amount === null ? unread(typed) : Currency.formatPrice(amount, code);
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

/** Quantity times price; null if the line is unreadable. */
function grossOf(line: TypedLine, mark: string, code: Currency.Code): Usdc.Billed | null {
  const quantity = Quantity.fromNumber(Quantity.parseTyped(line.quantity, mark) ?? 0, { mayTakeBack: true });
  const price = Currency.parseTyped(line.unit_price, mark, code, { isPrice: true });
  return quantity === null || price === null || price > Usdc.max
    ? null
    : Invoice.lineTotal(quantity, price, Currency.minorOf(code));
}

/** Totals the form's readable parts; null for a line that is unreadable. */
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
 * Returns the form as the body of POST /api/invoices, and the form's line for each line sent. Lines without text and
 * price are left out. Anything that is not a number goes on as what the API reports. Saved details and terms apply if
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
  const fields = {
    ...more,
    ...(isDay ? { delivery_date: delivery_from } : { delivery_from, delivery_to }),
    ...(currency === "" ? {} : { currency, rate: rateOf(rate, mark) }),
    tax_exchange_rate: rateOf(texts.tax_exchange_rate, mark),
    ...(wallet_type === "byo" ? { wallet_address } : {}),
  };
  const body = {
    ...Object.fromEntries(Object.entries(fields).filter(([name, text]) => text !== "" || isWanted(name))),
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

const itemOf = (line: TypedLine, mark: string, code: Currency.Code) => ({
  description: line.description,
  quantity: Quantity.parseTyped(line.quantity, mark) ?? line.quantity,
  unit_price: amountOf(line.unit_price, mark, code, { isPrice: true }),
  ...termsBody(line, mark, code),
});

/** Returns the total in USDC at the current rate, or at the typed one. */
export async function inUsdcOf(
  deps: Pick<HttpDeps, "price">,
  typed: TypedInvoice,
  total: Usdc.Billed,
  locale: Locale,
) {
  const rate = typed.rate === "" ? null : rateOf(typed.rate, locale.decimalMark);
  const isSaid = Currency.isCode(typed.currency) && (rate === null || Currency.isRate(rate));
  if (!isSaid || total === 0n) return null;
  const priceRequest = {
    merchantEmail: typed.merchant_email,
    billed: total,
    currency: { code: typed.currency, rate },
  };
  // Faults are reported when the invoice is to be created.
  const priced = await deps.price(priceRequest).catch(() => null);
  const { billed } = priced ? billedOf(priced, locale) : {};
  return priced && billed ? { amount: Usdc.format(priced.total), rate: billed.rate } : null;
}
