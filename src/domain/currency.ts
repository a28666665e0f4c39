import * as Usdc from "./usdc.ts";

/** Invoices in a currency of the state: what they come to in USDC is fixed when they are made. */

/** Three capital letters of ISO 4217. */
export type Code = string;

/** What 1 USDC costs in the currency: a decimal without a sign, above 0, as a source or the caller wrote it. */
export type Rate = string;

/** Where a rate is from, and since when. Times are Unix milliseconds. */
export type Quote = { rate: Rate; source: string; fetchedAt: number };

/** The source of a rate that came with the request. */
export const byCaller = "caller";

/** The currency of an invoice; its line items and totals are in it. */
export type Billed = Quote & {
  code: Code;
  /** In the currency. */
  total: Usdc.Amount;
};

/** Digits after the point that a rate may have. */
export const rateDecimalsMax = 10;
const rateForm = /^(\d{1,9})(?:\.(\d{1,10}))?$/;
const rateUnit = 10n ** BigInt(rateDecimalsMax);

/** A rate as a whole number of 10⁻¹⁰; null for anything that is none, and for zero. */
function scaled(rate: string): bigint | null {
  const [, whole, fraction = ""] = rateForm.exec(rate) ?? [];
  if (whole === undefined) return null;
  const value = BigInt(whole + fraction.padEnd(rateDecimalsMax, "0"));
  return value === 0n ? null : value;
}

export const isRate = (text: string) => scaled(text) !== null;

/** What an amount in the currency is in USDC, half up to cents. Throws a RangeError for what is no rate. */
export function toUsdc(amount: Usdc.Amount, rate: Rate): Usdc.Usdc {
  const divisor = scaled(rate);
  if (divisor === null) throw new RangeError(`Not a rate: ${rate}`);
  const unit = divisor * 10_000n;
  const value = amount * rateUnit;
  return Usdc.fromMicro(((2n * value + unit) / (2n * unit)) * 10_000n);
}

/** ISO 4217 as this runtime knows it, of the currencies with two decimals: amounts of an invoice have two. */
const codes = new Set(
  Intl.supportedValuesOf("currency").filter(
    (code) =>
      new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions()
        .maximumFractionDigits === 2,
  ),
);

export const isCode = (text: string) => codes.has(text);
