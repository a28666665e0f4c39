import * as Usdc from "../usdc.ts";

/** Invoices and links in a currency of the state: what they come to in USDC is fixed when they are made. */

/** Three capital letters of ISO 4217. */
export type Code = string;

/** Of an invoice or a link; null for USDC. */
type HasCurrency = { currency: { code: Code } | null };

/** What the amounts of an invoice or a link are in. */
export const codeOf = ({ currency }: HasCurrency): string => currency?.code ?? "USDC";

/** The currency's ISO code; USDC is USD where the merchant counts it so, else null. */
export const stateCodeOf = ({ currency }: HasCurrency, usdParity: boolean): Code | null =>
  currency?.code ?? (usdParity ? "USD" : null);

/** What 1 USDC costs in the currency: a decimal without a sign, above 0, as a source or the caller wrote it. */
export type Rate = string;

/** Where a rate is from, and since when. Times are Unix milliseconds. */
export type Quote = { rate: Rate; source: string; fetchedAt: number };

/** As a request names it; a null rate is yet to be quoted. */
export type Asked = { code: Code; rate: Rate | null };

/** The source of a rate that came with the request. */
export const byCaller = "caller";

/** The source of the rule that a merchant set: 1 USDC counts as 1 USD. */
export const byParity = "parity";

/** The source of a rate that several exchanges agree about, by their names. */
export const sourceOf = (names: readonly string[]) => names.join(", ");

/** The names of the exchanges, which `sourceOf` has put together. */
export const namesOf = (source: string) => source.split(", ");

/** The currency of an invoice, which its line items and totals are in, or of a link. */
export type InvoiceCurrency = Quote & {
  code: Code;
  /** In the currency. */
  total: Usdc.Billed;
};

/** Digits after the point that a rate may have. */
export const rateDecimalsMax = 10;
const rateForm = /^(\d{1,9})(?:\.(\d{1,10}))?$/;
/** 1 of the currency, as `scaled` has it. */
export const rateUnit = 10n ** BigInt(rateDecimalsMax);

/** A rate as a whole number of 10⁻¹⁰; null for anything that is none, and for zero. */
export function scaled(rate: string): bigint | null {
  const [, whole, fraction = ""] = rateForm.exec(rate) ?? [];
  if (whole === undefined) return null;
  const value = BigInt(whole + fraction.padEnd(rateDecimalsMax, "0"));
  return value === 0n ? null : value;
}

/** The decimals of a rate that are kept by default. */
const keptDecimals = 6;

/** A whole number of 10⁻¹⁰ as a rate, half up: `8607500000n` → `"0.86075"`. */
export function formatRate(scaledRate: bigint, decimals = keptDecimals): Rate {
  const unit = 10n ** BigInt(rateDecimalsMax - decimals);
  const digits = String((2n * scaledRate + unit) / (2n * unit)).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, "");
}

export const isRate = (text: string) => scaled(text) !== null;

/** What an amount in the currency is in USDC, half up to cents. Throws a RangeError for what is no rate. */
export function toUsdc(amount: Usdc.Billed, rate: Rate): Usdc.Usdc {
  const divisor = scaled(rate);
  if (divisor === null) throw new RangeError(`Not a rate: ${rate}`);
  return Usdc.roundToCents(amount * rateUnit, divisor);
}

/** What an amount of USDC is worth, half up to cents. Throws a RangeError for what is no rate. */
export function fromUsdc(amount: Usdc.Usdc, rate: Rate): Usdc.Billed {
  const factor = scaled(rate);
  if (factor === null) throw new RangeError(`Not a rate: ${rate}`);
  return Usdc.roundToCents(amount * factor, rateUnit);
}

/** Why an amount cannot be billed at a rate; null when it can. */
export function rateFault(amount: Usdc.Billed, rate: Rate) {
  const expected = toUsdc(amount, rate);
  if (expected === 0n) return { code: "rate_high" } as const;
  return expected > Usdc.max ? ({ code: "rate_low", values: { max: Usdc.format(Usdc.max) } } as const) : null;
}

/**
 * ISO 4217 in 2026, of the money of states with two decimals, as amounts of an invoice have. A runtime's own list has what
 * no longer exists as well, such as DEM. Invoices in what ends later stay as they are.
 */
export const allCodes: readonly Code[] = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY
  COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
  IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR
  MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG
  SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES
  WST XCD XCG YER ZAR ZMW ZWG
`
  .trim()
  .split(/\s+/);

const codes = new Set(allCodes);

export const isCode = (text: string) => codes.has(text);
