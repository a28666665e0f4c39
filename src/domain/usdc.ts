/**
 * Amounts of USDC. Inside Till an amount is a whole number of micro-USDC (10⁻⁶ USDC, the token's smallest
 * unit on chain) from edge to edge; the API and the pages show two decimals (SPEC section 1).
 */

declare const usdc: unique symbol;
declare const billed: unique symbol;

/** Micro-USDC, never negative. */
export type Usdc = bigint & { readonly [usdc]: true };

/**
 * An amount of an invoice or a link, below zero only of a line that takes something back: in millionths of the currency that it names, or of USDC when it
 * names none. Only `toUsdc` and `fromUsdc` of a currency make one of the other.
 */
export type Billed = bigint & { readonly [billed]: true };

/** Either; what takes two of them takes two of a kind. */
export type Money = Usdc | Billed;

/** An amount of USDC on an invoice in USDC, and back. */
export const asBilled = (amount: Usdc) => amount as bigint as Billed;
export const asUsdc = (amount: Billed) => amount as bigint as Usdc;

/** What somebody wrote, before it is said what of. */
export type Unsaid = Usdc & Billed;

export const zero = 0n as Unsaid;

/** 1,000,000,000.00: the highest unit price and the highest total. */
export const max = 1_000_000_000_000_000n as Unsaid;

const microPerUsdc = 1_000_000n;
export const microPerCent = 10_000n;
const requestForm = /^(\d{1,10})(?:\.(\d{1,2}))?$/;

/**
 * Reads a caller's amount: digits with up to two decimals (`"1500"`, `"1500.5"`, `"1500.00"`), nothing else.
 * Returns null for any other form; more decimals are refused, never rounded.
 */
export function parse(text: string): Unsaid | null {
  const match = requestForm.exec(text);
  if (!match) return null;
  const [, whole = "", cents = ""] = match;
  return (BigInt(whole) * microPerUsdc + BigInt(cents.padEnd(2, "0")) * microPerCent) as Unsaid;
}

/** Reads what a person typed: what `parse` takes, as people write it. Null for anything else; see `plainDecimal`. */
export function parseTyped(text: string, mark: string): Unsaid | null {
  return parse(plainDecimal(text, mark) ?? "");
}

/** By what separates the groups. */
const groupedForms: Record<string, RegExp> = {
  ".": /^[1-9]\d{0,2}\.\d{3}((?:\.\d{3})*)(?:(,)(\d+))?$/,
  ",": /^[1-9]\d{0,2},\d{3}((?:,\d{3})*)(?:(\.)(\d+))?$/,
  "'": /^[1-9]\d{0,2}'\d{3}((?:'\d{3})*)(?:([.,])(\d+))?$/,
};
const decimalForm = /^(\d+)(?:[.,](\d+))?$/;

/**
 * What a person typed as a plain decimal: in Arabic or wide digits, with a comma or a point, and with thousands in
 * groups: `18,50`, `1.234,50`, `1'234.50`. `mark` is the decimal mark of their language. Null for anything else, and for
 * what is a thousand and more to some and three decimals to others, unless the mark is theirs: `1.500` or `1,500`.
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

/** Arabic, Persian and wide digits as those of ASCII. The last four bits of each are its value. */
export function plainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) =>
    String(digit.charCodeAt(0) & 15),
  );
}

/** Takes an amount from the chain or the database. Throws a RangeError below zero: that is a bug here. */
export function fromMicro<M extends Money = Usdc>(micro: bigint): M {
  if (micro < 0n) throw new RangeError(`An amount of USDC cannot be negative: ${micro} micro-USDC`);
  return micro as M;
}

/** `1500000000n` → `"1500.00"`. Fractions of a cent are rounded down, so that nothing is shown that is not there. */
export function format(amount: Usdc): string {
  const cents = (amount / microPerCent).toString().padStart(3, "0");
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** Whether it shows as anything. Anybody can send less than a cent anywhere, so that decides nothing. */
export const shows = (amount: Usdc) => amount >= microPerCent;

/** An amount, and nothing in place of one that shows as 0.00. */
export const shown = (amount: Usdc): Usdc => (shows(amount) ? amount : zero);

/** `1499999999n` → `"1499.999999"`: all six decimals when there is a fraction of a cent, two otherwise. */
export function formatExact(amount: Usdc): string {
  if (amount % microPerCent === 0n) return format(amount);
  return `${amount / microPerUsdc}.${(amount % microPerUsdc).toString().padStart(6, "0")}`;
}

const exactForm = /^(\d{1,12})\.(\d{2}|\d{6})$/;

/** Reads what `formatExact` writes. Returns null for any other form. */
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

/** What is still to be paid: `expected - received`, and zero when that much or more has arrived. */
export function remaining<M extends Money>(expected: M, received: NoInfer<M>): M {
  return (received >= expected ? 0n : expected - received) as M;
}

/**
 * `numerator / denominator`, half up (away from zero) to whole units of so many millionths, such as a cent of 10,000. Both
 * are of millionths times the same.
 */
export function round<M extends Money>(numerator: bigint, denominator: bigint, minor: bigint): M {
  const unit = denominator * minor;
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = ((2n * size + unit) / (2n * unit)) * minor;
  return (numerator < 0n ? -rounded : rounded) as M;
}
