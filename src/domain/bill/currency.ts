import { withoutEnd } from "../../lib/text/english.ts";
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
  /** The rate at which it was issued, by which books go, when it was quoted again since. */
  issuedRate?: Rate;
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
  return withoutEnd(withoutEnd(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`, "0"), ".");
}

export const isRate = (text: string) => scaled(text) !== null;

/** What an amount in the currency is in USDC, half up to cents. Throws a RangeError for what is no rate. */
export function toUsdc(amount: Usdc.Billed, rate: Rate): Usdc.Usdc {
  return Usdc.round(amount * rateUnit, scaledOrThrow(rate), Usdc.microPerCent);
}

/** What an amount of USDC is worth in a currency, half up. Throws a RangeError for what is no rate. */
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

/** What wei are worth by the price of 1 ETH, half up to millionths: fees are less than a cent. Throws as `fromUsdc`. */
export function fromEther(wei: bigint, rate: Rate): Usdc.Billed {
  const factor = scaled(rate);
  if (factor === null) throw new RangeError(`Not a rate: ${rate}`);
  const divisor = weiPerEther * (rateUnit / microPerUnit);
  return Usdc.fromMicro((2n * wei * factor + divisor) / (2n * divisor));
}

/** Why an amount cannot be billed at a rate; null when it can. */
export function rateFault(amount: Usdc.Billed, rate: Rate) {
  const expected = toUsdc(amount, rate);
  if (expected === 0n) return { code: "rate_high" } as const;
  return expected > Usdc.max ? ({ code: "rate_low", values: { max: Usdc.format(Usdc.max) } } as const) : null;
}

/**
 * ISO 4217 in 2026, of the money of states, by the digits after its point. A runtime's own list has what no longer exists
 * as well, such as DEM. Invoices in what ends later stay as they are.
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

/** Digits after the point of its amounts; two of USDC, as on invoices, and of what ISO 4217 had before. */
export const decimalsOf = (code: Code): number => decimals.get(code) ?? 2;

/** The digits that a unit price may have, as many as a millionth has. */
export const priceDecimalsMax = 6;

/** Its smallest amount, in millionths: a cent, a yen, a fils. */
export const minorOf = (code: Code): bigint => 10n ** BigInt(priceDecimalsMax - decimalsOf(code));

/** `1500000000n` → `"1500.00"` of EUR, `"1500"` of JPY, `"1500.000"` of KWD; with more digits when there are `more`. */
export function format(amount: bigint, code: Code, more = false): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(priceDecimalsMax + 1, "0");
  const fraction = digits.slice(-priceDecimalsMax);
  const own = fraction.slice(0, decimalsOf(code));
  const rest = more ? withoutEnd(fraction.slice(decimalsOf(code)), "0") : "";
  const sign = amount < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -priceDecimalsMax)}${own + rest === "" ? "" : "."}${own}${rest}`;
}

/** An amount of an invoice or a link, as `format`. */
export const formatOf = (subject: HasCurrency, amount: Usdc.Billed) => format(amount, codeOf(subject));

/** A unit price, which may have more digits than an amount. */
export const formatPrice = (price: Usdc.Billed, code: Code) => format(price, code, true);

const amountForm = /^(\d{1,10})(?:\.(\d{1,6}))?$/;

/**
 * Reads a caller's amount in a currency: digits, with as many after the point as it has (two are taken of any, when they
 * are zeros). Null for any other form; more are refused, never rounded. A price may have up to six.
 */
export function parse(text: string, code: Code, { isPrice = false } = {}): Usdc.Billed | null {
  const [, whole, fraction = ""] = amountForm.exec(text) ?? [];
  const most = isPrice ? priceDecimalsMax : Math.max(2, decimalsOf(code));
  if (whole === undefined || fraction.length > most) return null;
  const amount = BigInt(whole + fraction.padEnd(priceDecimalsMax, "0"));
  return isPrice || amount % minorOf(code) === 0n ? Usdc.fromMicro<Usdc.Billed>(amount) : null;
}

/** Reads what a person typed: what `parse` takes, as people write it; see `plainDecimal`. */
export const parseTyped = (text: string, mark: string, code: Code, options: { isPrice?: boolean } = {}) =>
  parse(Usdc.plainDecimal(text, mark) ?? "", code, options);

/** What 1 of the invoice's currency costs in `code`. */
export type TaxRate = Quote & { code: Code };

/** The tax at such a rate, as it was issued. It never changes. */
export type TaxInCurrency = TaxRate & { tax: Usdc.Billed };
