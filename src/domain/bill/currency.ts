import { withoutEnd } from "../../lib/text/english.ts";
import * as Usdc from "../usdc.ts";

/** Invoices and links in a government-issued currency. Their USDC amount is fixed when they are created. */

/** An ISO 4217 code: three capital letters. */
export type Code = string;

/** The currency of an invoice or a link; null for USDC. */
type HasCurrency = { currency: { code: Code } | null };

/** The currency code that amounts of an invoice or a link are in. */
export const codeOf = ({ currency }: HasCurrency): string => currency?.code ?? "USDC";

/** The currency's ISO code. USDC counts as USD if the merchant says so; otherwise null. */
export const stateCodeOf = ({ currency }: HasCurrency, usdParity: boolean): Code | null =>
  currency?.code ?? (usdParity ? "USD" : null);

/** The price of 1 USDC in the currency: an unsigned decimal above 0, as the source or the caller wrote it. */
export type Rate = string;

/** A rate with its source and the time it was fetched, in Unix milliseconds. */
export type Quote = { rate: Rate; source: string; fetchedAt: number };

/** A currency as a request names it; the rate is null until it is quoted. */
export type RequestedCurrency = { code: Code; rate: Rate | null };

/** The source of a rate that the request named. */
export const byCaller = "caller";

/** The source when the merchant counts 1 USDC as 1 USD. */
export const byParity = "parity";

/** The source of a rate that several exchanges agree on: their names. */
export const sourceOf = (names: readonly string[]) => names.join(", ");

/** Splits what `sourceOf` joined into the names of the exchanges. */
export const namesOf = (source: string) => source.split(", ");

/** The currency of an invoice (of its line items and totals) or of a link. */
export type InvoiceCurrency = Quote & {
  code: Code;
  /** The rate it was issued at, which the books use; set if it was quoted again since. */
  issuedRate?: Rate;
  /** In this currency. */
  total: Usdc.Billed;
};

/** Maximum decimals of a rate. */
export const rateDecimalsMax = 10;
const rateForm = /^(\d{1,9})(?:\.(\d{1,10}))?$/;
/** One unit of the currency, in the scale of `scaled`. */
export const rateUnit = 10n ** BigInt(rateDecimalsMax);

/** Returns a rate as a whole number of 10⁻¹⁰; null if it is not a rate, or zero. */
export function scaled(rate: string): bigint | null {
  const [, whole, fraction = ""] = rateForm.exec(rate) ?? [];
  if (whole === undefined) return null;
  const value = BigInt(whole + fraction.padEnd(rateDecimalsMax, "0"));
  return value === 0n ? null : value;
}

/** Decimals of a rate kept by default. */
const keptDecimals = 6;

/** Formats a whole number of 10⁻¹⁰ as a rate, rounded half up: `8607500000n` → `"0.86075"`. */
export function formatRate(scaledRate: bigint, decimals = keptDecimals): Rate {
  const unit = 10n ** BigInt(rateDecimalsMax - decimals);
  const digits = String((2n * scaledRate + unit) / (2n * unit)).padStart(decimals + 1, "0");
  return withoutEnd(withoutEnd(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`, "0"), ".");
}

export const isRate = (text: string) => scaled(text) !== null;

/** Converts an amount in the currency to USDC, rounded half up to cents. Throws a RangeError for an invalid rate. */
export function toUsdc(amount: Usdc.Billed, rate: Rate): Usdc.Usdc {
  return Usdc.round(amount * rateUnit, scaledOrThrow(rate), Usdc.microPerCent);
}

/** Converts USDC to the currency, rounded half up. Throws a RangeError for an invalid rate. */
export function fromUsdc(amount: Usdc.Usdc, rate: Rate, code: Code): Usdc.Billed {
  return Usdc.round(amount * scaledOrThrow(rate), rateUnit, minorOf(code));
}

function scaledOrThrow(rate: Rate): bigint {
  const value = scaled(rate);
  if (value === null) throw new RangeError(`Not a rate: ${rate}`);
  return value;
}

const weiPerEther = 10n ** 18n;
const microPerUnit = 1_000_000n;

/**
 * Converts wei at the price of 1 ETH, rounded half up to millionths, as fees are below a cent. Throws like `fromUsdc`.
 */
export function fromEther(wei: bigint, rate: Rate): Usdc.Billed {
  const factor = scaled(rate);
  if (factor === null) throw new RangeError(`Not a rate: ${rate}`);
  const divisor = weiPerEther * (rateUnit / microPerUnit);
  return Usdc.fromMicro((2n * wei * factor + divisor) / (2n * divisor));
}

/** Returns why an amount cannot be billed at a rate; null if it can. */
export function rateFault(amount: Usdc.Billed, rate: Rate) {
  const expected = toUsdc(amount, rate);
  if (expected === 0n) return { code: "rate_high" } as const;
  return expected > Usdc.max ? ({ code: "rate_low", values: { max: Usdc.format(Usdc.max) } } as const) : null;
}

/**
 * Government-issued currencies of ISO 4217 in 2026, by their number of decimals. Runtimes also list currencies that no
 * longer exist, such as DEM. Invoices in a currency that ends later stay as they are.
 */
const codesByDecimals: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
  2: `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY
  COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
  IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR
  MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG
  SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES
  WST XCD XCG YER ZAR ZMW ZWG
`,
  3: "BHD IQD JOD KWD LYD OMR TND",
};

const decimals = new Map<Code, number>(
  Object.entries(codesByDecimals).flatMap(([digits, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(digits)] as const),
  ),
);

export const allCodes: readonly Code[] = [...decimals.keys()].sort();

export const isCode = (text: string) => decimals.has(text);

/** Decimals of a currency's amounts; two for USDC, as on invoices, and for former ISO 4217 currencies. */
export const decimalsOf = (code: Code): number => decimals.get(code) ?? 2;

/** Maximum decimals of a unit price: amounts are stored in millionths. */
export const priceDecimalsMax = 6;

/** The currency's smallest unit, in millionths: a cent, a yen, a fils. */
export const minorOf = (code: Code): bigint => 10n ** BigInt(priceDecimalsMax - decimalsOf(code));

/**
 * `1500000000n` → `"1500.00"` for EUR, `"1500"` for JPY, `"1500.000"` for KWD; with `more`, further decimals are kept.
 */
export function format(amount: bigint, code: Code, more = false): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(priceDecimalsMax + 1, "0");
  const fraction = digits.slice(-priceDecimalsMax);
  const own = fraction.slice(0, decimalsOf(code));
  const rest = more ? withoutEnd(fraction.slice(decimalsOf(code)), "0") : "";
  const sign = amount < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -priceDecimalsMax)}${own + rest === "" ? "" : "."}${own}${rest}`;
}

/** Formats an amount of an invoice or a link like `format`. */
export const formatOf = (subject: HasCurrency, amount: Usdc.Billed) => format(amount, codeOf(subject));

/** Formats a unit price, which may have more decimals than an amount. */
export const formatPrice = (price: Usdc.Billed, code: Code) => format(price, code, true);

const amountForm = /^(\d{1,10})(?:\.(\d{1,6}))?$/;

/**
 * Parses a caller's amount: digits, with up to the currency's decimals (or two for any currency, if they are zeros).
 * Null for any other form; further decimals are refused, never rounded. A price may have up to six.
 */
export function parse(text: string, code: Code, { isPrice = false } = {}): Usdc.Billed | null {
  const [, whole, fraction = ""] = amountForm.exec(text) ?? [];
  const most = isPrice ? priceDecimalsMax : Math.max(2, decimalsOf(code));
  if (whole === undefined || fraction.length > most) return null;
  const amount = BigInt(whole + fraction.padEnd(priceDecimalsMax, "0"));
  return isPrice || amount % minorOf(code) === 0n ? Usdc.fromMicro<Usdc.Billed>(amount) : null;
}

/** Parses an amount as people type it; see `plainDecimal`. */
export const parseTyped = (text: string, mark: string, code: Code, options: { isPrice?: boolean } = {}) =>
  parse(Usdc.plainDecimal(text, mark) ?? "", code, options);

/** The price of 1 of the invoice's currency in `code`. */
export type TaxRate = Quote & { code: Code };

/** The tax at such a rate, as issued. It never changes. */
export type TaxInCurrency = TaxRate & { tax: Usdc.Billed };
