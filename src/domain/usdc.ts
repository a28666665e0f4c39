/**
 * Amounts of USDC. Inside Till every amount is a whole number of micro-USDC (10⁻⁶ USDC, the token's smallest unit on
 * chain); the API and the pages show two decimals (SPEC section 1).
 */

declare const usdc: unique symbol;
declare const billed: unique symbol;

/** Micro-USDC, never negative. */
export type Usdc = bigint & { readonly [usdc]: true };

/**
 * An amount of an invoice or a link, in millionths of its currency, or of USDC if it names none. Negative only for a
 * line that takes something back. Only `toUsdc` and `fromUsdc` of a currency convert between the two types.
 */
export type Billed = bigint & { readonly [billed]: true };

/** Either type; functions of two amounts take two of the same type. */
export type Money = Usdc | Billed;

/** Converts the amounts of an invoice in USDC between the two types. */
export const asBilled = (amount: Usdc) => amount as bigint as Billed;
export const asUsdc = (amount: Billed) => amount as bigint as Usdc;

/** A parsed amount before its currency is known. */
export type AnyAmount = Usdc & Billed;

export const zero = 0n as AnyAmount;

/** 1,000,000,000.00: the maximum unit price and total. */
export const max = 1_000_000_000_000_000n as AnyAmount;

const microPerUsdc = 1_000_000n;
export const microPerCent = 10_000n;
const requestForm = /^(\d{1,10})(?:\.(\d{1,2}))?$/;

/**
 * Parses a caller's amount: digits with up to two decimals (`"1500"`, `"1500.5"`, `"1500.00"`), nothing else. Returns
 * null for any other form; further decimals are refused, never rounded.
 */
export function parse(text: string): AnyAmount | null {
  const match = requestForm.exec(text);
  if (!match) return null;
  const [, whole = "", cents = ""] = match;
  return (BigInt(whole) * microPerUsdc + BigInt(cents.padEnd(2, "0")) * microPerCent) as AnyAmount;
}

/** Parses an amount as people type it. Null if it is invalid; see `plainDecimal`. */
export function parseTyped(text: string, mark: string): AnyAmount | null {
  return parse(plainDecimal(text, mark) ?? "");
}

/** Parses what `parseTyped` does, and an amount with all six decimals, as Till fills in itself. */
export function parseTypedExact(text: string, mark: string): Usdc | null {
  return parseTyped(text, mark) ?? parseExact(plainDecimal(text, mark) ?? "");
}

/** By group separator. */
const groupedForms: Record<string, RegExp> = {
  ".": /^[1-9]\d{0,2}\.\d{3}((?:\.\d{3})*)(?:(,)(\d+))?$/,
  ",": /^[1-9]\d{0,2},\d{3}((?:,\d{3})*)(?:(\.)(\d+))?$/,
  "'": /^[1-9]\d{0,2}'\d{3}((?:'\d{3})*)(?:([.,])(\d+))?$/,
};
const decimalForm = /^(\d+)(?:[.,](\d+))?$/;

/**
 * Converts a number as people type it to a plain decimal: in Arabic or full-width digits, with a comma or a point, and
 * with grouped thousands: `18,50`, `1.234,50`, `1'234.50`. `mark` is the decimal mark of the person's language. Null
 * for anything else, and for numbers that could mean thousands or three decimals, such as `1.500` or `1,500`, unless
 * the separator is that mark.
 */
export function plainDecimal(text: string, mark: string): string | null {
  const typed = plainDigits(text.trim())
    .replaceAll("\uff0c", ",")
    .replaceAll("\uff0e", ".")
    .replaceAll("\u066b", mark)
    .replaceAll(/[\s\u066c’]/g, "'");
  const [first = ""] = /[.,']/.exec(typed) ?? [];
  const [grouped, more = "", other, cents] = groupedForms[first]?.exec(typed) ?? [];
  const separator = grouped === undefined ? "" : first;
  if (separator === "'" || more !== "" || other !== undefined) {
    const whole = (other === undefined ? typed : typed.slice(0, typed.indexOf(other))).replaceAll(
      separator,
      "",
    );
    return cents === undefined ? whole : `${whole}.${cents}`;
  }
  if (separator !== "" && separator !== mark) return null;
  const [, whole = null, decimals] = decimalForm.exec(typed) ?? [];
  return decimals === undefined ? whole : `${whole}.${decimals}`;
}

/** Converts Arabic, Persian and full-width digits to ASCII. The last four bits of each are its value. */
export function plainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) =>
    String(digit.charCodeAt(0) & 15),
  );
}

/** Converts an amount from the chain or the database. Throws a RangeError if it is negative: that is a bug here. */
export function fromMicro<M extends Money = Usdc>(micro: bigint): M {
  if (micro < 0n) throw new RangeError(`An amount of USDC cannot be negative: ${micro} micro-USDC`);
  return micro as M;
}

/**
 * `1500000000n` → `"1500.00"`. Fractions of a cent are rounded down, so that money that is not there is never shown.
 */
export function format(amount: Usdc): string {
  const cents = (amount / microPerCent).toString().padStart(3, "0");
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** Returns whether it shows as more than 0.00. Anybody can send less than a cent anywhere, so that must not matter. */
export const shows = (amount: Usdc) => amount >= microPerCent;

/** The amount, or zero if it shows as 0.00. */
export const shown = (amount: Usdc): Usdc => (shows(amount) ? amount : zero);

/** `1499999999n` → `"1499.999999"`: all six decimals when there is a fraction of a cent, two otherwise. */
export function formatExact(amount: Usdc): string {
  if (amount % microPerCent === 0n) return format(amount);
  return `${amount / microPerUsdc}.${(amount % microPerUsdc).toString().padStart(6, "0")}`;
}

const exactForm = /^(\d{1,12})\.(\d{2}|\d{6})$/;

/** Parses the format of `formatExact`. Returns null for any other form. */
export function parseExact(text: string): Usdc | null {
  const [, whole, fraction] = exactForm.exec(text) ?? [];
  if (whole === undefined || fraction === undefined) return null;
  return (BigInt(whole) * microPerUsdc + BigInt(fraction.padEnd(6, "0"))) as Usdc;
}

export function sum<M extends Money>(amounts: Iterable<M>): M {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total as M;
}

export const least = <M extends Money>(a: M, b: NoInfer<M>): M => (a < b ? a : b);

/** The amount still to be paid: `expected - received`, or zero if at least that much has arrived. */
export function remaining<M extends Money>(expected: M, received: NoInfer<M>): M {
  return (received >= expected ? 0n : expected - received) as M;
}

/**
 * `numerator / denominator`, rounded half up (away from zero) to a multiple of `minor` millionths, such as 10,000 for a
 * cent.
 */
export function round<M extends Money>(numerator: bigint, denominator: bigint, minor: bigint): M {
  const unit = denominator * minor;
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = ((2n * size + unit) / (2n * unit)) * minor;
  return (numerator < 0n ? -rounded : rounded) as M;
}
