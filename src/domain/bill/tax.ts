/**
 * Totals of an invoice as EN 16931 computes them: discounts before tax, and tax for each rate on the sum of its lines,
 * rounded half up. Amounts are multiples of the currency's smallest unit, which is `minor` millionths.
 */

import { withoutEnd } from "../../lib/text/english.ts";
import * as Usdc from "../usdc.ts";

/** Why tax is charged or not, in the terms of EN 16931 (UNTDID 5305). */
export const categories = [
  "standard",
  "zero",
  "exempt",
  "reverse_charge",
  "export",
  "intra_community",
  "outside_scope",
] as const;

export type Category = (typeof categories)[number];

/** Categories for which the law requires a reason why no tax is charged. */
export const needsReason = (category: Category) => category === "exempt" || category === "outside_scope";

/**
 * Categories that may carry a reason: those of `needsReason`, and those that imply one to which the merchant may add.
 */
export const mayHaveReason = (category: Category) =>
  needsReason(category) || ["reverse_charge", "export", "intra_community"].includes(category);

/** A percentage in ten-thousandths of a percent: 190,000 is 19 %, 88,750 is 8.875 %. */
export type Share = number;

export const wholeShare: Share = 1_000_000;

/** The tax on a line. Lines of the same category and rate share one reason. */
export type Tax = { category: Category; rate: Share; reason: string | null };

/** A discount as given: a percentage or an amount. */
export type Discount = { kind: "percent"; percent: Share } | { kind: "amount"; amount: Usdc.Billed };

/** A row of the tax table. */
export type TaxRow = Tax & {
  /** Without tax. */
  taxable: Usdc.Billed;
  tax: Usdc.Billed;
};

export type Totals = {
  /** The sum of the lines, each less its own discount; includes tax when prices do. */
  subtotal: Usdc.Billed;
  /** On the whole invoice. */
  discount: Usdc.Billed;
  tax: Usdc.Billed;
  /** The amount due. */
  total: Usdc.Billed;
  /** In the order in which the lines first use them; empty when the lines state no tax. */
  rows: TaxRow[];
};

/** The amount of a discount: at most the whole amount, and zero if the amount is negative. */
export function discountOf(amount: Usdc.Billed, discount: Discount | null, minor: bigint): Usdc.Billed {
  if (discount === null || amount <= 0n) return Usdc.zero;
  const off =
    discount.kind === "amount"
      ? discount.amount
      : Usdc.round<Usdc.Billed>(amount * BigInt(discount.percent), BigInt(wholeShare), minor);
  return off > amount ? amount : off;
}

/** An amount or a quantity without its sign. */
export const sizeOf = <N extends bigint>(signed: N): N => (signed < 0n ? -signed : signed) as N;

/** An amount less its discount. For a negative amount the discount reduces what is given back. */
export function lessDiscount(amount: Usdc.Billed, discount: Discount | null, minor: bigint): Usdc.Billed {
  const size = sizeOf(amount);
  const left = size - discountOf(size, discount, minor);
  return (amount < 0n ? -left : left) as Usdc.Billed;
}

/** Lines with the same category and rate share a row of the table. */
export const rowName = ({ category, rate }: Pick<Tax, "category" | "rate">) => `${category} ${rate}`;

/** The tax on an amount, or included in it. */
export function taxOf(amount: bigint, rate: Share, isIncluded: boolean, minor: bigint): Usdc.Billed {
  const whole = BigInt(wholeShare);
  return Usdc.round(amount * BigInt(rate), isIncluded ? whole + BigInt(rate) : whole, minor);
}

type TaxedLine = { lineTotal: Usdc.Billed; tax: Tax | null };

/**
 * Totals the lines; `lineTotal` is a line's price less its own discount. Either all lines have a tax or none has. The
 * request is checked so that no row and no total is negative.
 */
export function totalsOf(
  lines: readonly TaxedLine[],
  {
    discount,
    pricesIncludeTax,
    minor,
  }: { discount: Discount | null; pricesIncludeTax: boolean; minor: bigint },
): Totals {
  const subtotal = Usdc.sum(lines.map(({ lineTotal }) => lineTotal));
  const off = discountOf(subtotal, discount, minor);
  const groups = new Map<string, { of: Tax; amount: bigint }>();
  for (const { lineTotal, tax } of lines) {
    if (tax === null) continue;
    const group = groups.get(rowName(tax)) ?? { of: tax, amount: 0n };
    groups.set(rowName(tax), { ...group, amount: group.amount + lineTotal });
  }
  const amounts = [...groups.values()];
  const shares = apportion(
    off,
    amounts.map(({ amount }) => amount),
    minor,
  );
  const rows = amounts.map(({ of, amount }, at): TaxRow => {
    const base = amount - (shares[at] ?? 0n);
    const tax = taxOf(base, of.rate, pricesIncludeTax, minor);
    return { ...of, taxable: (pricesIncludeTax ? base - tax : base) as Usdc.Billed, tax };
  });
  const tax = Usdc.sum(rows.map((row) => row.tax));
  const due = subtotal - off + (pricesIncludeTax ? 0n : tax);
  return { subtotal, discount: off, tax, total: due as Usdc.Billed, rows };
}

/** Splits `whole` over amounts of one sign in proportion to their size, in multiples of `minor`; see `roundTo`. */
export function apportion(whole: bigint, amounts: readonly bigint[], minor: bigint): bigint[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0n);
  if (sum === 0n) return amounts.map(() => 0n);
  return roundTo(
    whole,
    amounts.map((amount) => whole * amount),
    sum,
    minor,
  );
}

/**
 * Net amounts of lines with one rate, adding up to `whole`. Each is computed on its own, whatever the others are, as
 * some may be negative.
 */
export function netsOf(
  whole: bigint,
  amounts: readonly bigint[],
  { rate, isIncluded, minor }: { rate: Share; isIncluded: boolean; minor: bigint },
): bigint[] {
  const gross = BigInt(wholeShare) + (isIncluded ? BigInt(rate) : 0n);
  return roundTo(
    whole,
    amounts.map((amount) => amount * BigInt(wholeShare)),
    gross,
    minor,
  );
}

/**
 * Rounds exact amounts, given as multiples of `by`, to cents that add up to `whole`: first down, then the remaining
 * cents go one each to those that lost most, the first one first; excess cents are taken from those that lost least.
 * Zero stays zero.
 */
function roundTo(whole: bigint, exact: readonly bigint[], by: bigint, minor: bigint): bigint[] {
  const rounded = exact.map((amount) => floor(amount, by * minor));
  const lost = exact.map((amount, at) => ({ at, rest: amount - (rounded[at] ?? 0n) * by * minor }));
  lost.sort((a, b) => {
    if (a.rest === b.rest) return a.at - b.at;
    return a.rest > b.rest ? -1 : 1;
  });
  let left = whole / minor - rounded.reduce((all, amount) => all + amount, 0n);
  const one = left < 0n ? -1n : 1n;
  const turns = (left < 0n ? lost.reverse() : lost).filter(({ at }) => exact[at] !== 0n);
  for (let turn = 0; left !== 0n && turns.length > 0; turn = (turn + 1) % turns.length) {
    const at = turns[turn]?.at ?? 0;
    rounded[at] = (rounded[at] ?? 0n) + one;
    left -= one;
  }
  return rounded.map((amount) => amount * minor);
}

/** Integer division that rounds down for negative numbers too. */
function floor(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator;
  return whole * denominator > numerator ? whole - 1n : whole;
}

const shareForm = /^(\d{1,3})(?:\.(\d{1,4}))?$/;
const perPercent = wholeShare / 100;

/** Parses `"19"`, `"19.00"` or `"8.875"`, up to 100; null for anything else. */
export function parseShare(text: string): Share | null {
  const [, whole, fraction = ""] = shareForm.exec(text) ?? [];
  if (whole === undefined) return null;
  const share = Number(whole) * perPercent + Number(fraction.padEnd(4, "0"));
  return share <= wholeShare ? share : null;
}

/** `190_000` → `"19"`. */
export const plainShare = (share: Share): string => withoutEnd(withoutEnd(formatShare(share), "0"), ".");

/** `190_000` → `"19.00"`, `88_750` → `"8.875"`. */
export function formatShare(share: Share): string {
  const fraction = String(share % perPercent).padStart(4, "0");
  return `${Math.floor(share / perPercent)}.${fraction.slice(0, 2)}${withoutEnd(fraction.slice(2), "0")}`;
}
