/**
 * What an invoice adds up to, as EN 16931 computes it: discounts before tax, tax for each rate over the sum of its
 * lines, rounded half up to cents. All in whole cents of the currency of the invoice.
 */

import * as Usdc from "../usdc.ts";

/** Why tax is charged or not, in the terms of EN 16931 (UNTDID 5305). */
export const categories = [
  "standard",
  "zero",
  "exempt",
  "reverse_charge",
  "export",
  "outside_scope",
] as const;

export type Category = (typeof categories)[number];

/** Those for which the law asks why no tax is charged. */
export const needsReason = (category: Category) => category === "exempt" || category === "outside_scope";

/** Those that say why themselves, to which the merchant may add, and those of `needsReason`. */
export const mayHaveReason = (category: Category) =>
  needsReason(category) || category === "reverse_charge" || category === "export";

/** A share in hundredths of a percent: 1900 is 19 %. */
export type Share = number;

export const wholeShare: Share = 10_000;

/** What is charged on a line. Lines of one category and rate have one reason. */
export type Tax = { category: Category; rate: Share; reason: string | null };

/** A price reduction, as it was given: a share of the amount, or an amount. */
export type Discount = { kind: "percent"; percent: Share } | { kind: "amount"; amount: Usdc.Billed };

/** One row of the table of taxes. */
export type TaxRow = Tax & {
  /** Without the tax. */
  taxable: Usdc.Billed;
  tax: Usdc.Billed;
};

export type Totals = {
  /** The sum of the lines, each less its own discount; with the tax when prices include it. */
  subtotal: Usdc.Billed;
  /** On the whole. */
  discount: Usdc.Billed;
  tax: Usdc.Billed;
  /** What is due. */
  total: Usdc.Billed;
  /** In the order in which the lines first have them; empty when the lines say nothing of tax. */
  rows: TaxRow[];
};

/** What a discount takes off an amount: never more than all of it. */
export function discountOf(amount: Usdc.Billed, discount: Discount | null): Usdc.Billed {
  if (discount === null) return Usdc.zero;
  const off =
    discount.kind === "amount"
      ? discount.amount
      : Usdc.roundToCents<Usdc.Billed>(amount * BigInt(discount.percent), BigInt(wholeShare));
  return off > amount ? amount : off;
}

/** Lines of one category and rate are in one row of the table. */
export const rowName = ({ category, rate }: Pick<Tax, "category" | "rate">) => `${category} ${rate}`;

/** The tax on an amount, or the tax within it. */
export function taxOf(amount: bigint, rate: Share, isIncluded: boolean): Usdc.Billed {
  const whole = BigInt(wholeShare);
  return Usdc.roundToCents(amount * BigInt(rate), isIncluded ? whole + BigInt(rate) : whole);
}

type TaxedLine = { lineTotal: Usdc.Billed; tax: Tax | null };

/** Adds lines up; `lineTotal` is what a line costs less its own discount. Either all lines have a tax, or none has. */
export function totalsOf(
  lines: readonly TaxedLine[],
  { discount, pricesIncludeTax }: { discount: Discount | null; pricesIncludeTax: boolean },
): Totals {
  const subtotal = Usdc.sum(lines.map(({ lineTotal }) => lineTotal));
  const off = discountOf(subtotal, discount);
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
  );
  const rows = amounts.map(({ of, amount }, at): TaxRow => {
    const base = amount - (shares[at] ?? 0n);
    const tax = taxOf(base, of.rate, pricesIncludeTax);
    return { ...of, taxable: Usdc.fromMicro(pricesIncludeTax ? base - tax : base), tax };
  });
  const tax = Usdc.sum(rows.map((row) => row.tax));
  const due = subtotal - off + (pricesIncludeTax ? 0n : tax);
  return { subtotal, discount: off, tax, total: Usdc.fromMicro(due), rows };
}

/**
 * Splits a whole number of cents over amounts by their size. What rounding leaves over goes cent by cent to those that
 * lost the most by it, the first first.
 */
export function apportion(whole: bigint, amounts: readonly bigint[]): bigint[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0n);
  if (sum === 0n) return amounts.map(() => 0n);
  const exact = amounts.map((amount) => whole * amount);
  const shares = exact.map((share) => share / (sum * Usdc.microPerCent));
  let left = whole / Usdc.microPerCent - shares.reduce((all, share) => all + share, 0n);
  const lost = exact.map((share, at) => ({ at, rest: share - (shares[at] ?? 0n) * sum * Usdc.microPerCent }));
  lost.sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1));
  for (const { at } of lost) {
    if (left === 0n) break;
    shares[at] = (shares[at] ?? 0n) + 1n;
    left -= 1n;
  }
  return shares.map((share) => share * Usdc.microPerCent);
}

const shareForm = /^(\d{1,3})(?:\.(\d{1,2}))?$/;

/** Reads `"19"`, `"19.00"` or `"5.5"`, up to 100; null for anything else. */
export function parseShare(text: string): Share | null {
  const [, whole, fraction = ""] = shareForm.exec(text) ?? [];
  if (whole === undefined) return null;
  const share = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return share <= wholeShare ? share : null;
}

/** `1900` → `"19"`. */
export const plainShare = (share: Share): string => formatShare(share).replace(/\.?0+$/, "");

/** `1900` → `"19.00"`. */
export function formatShare(share: Share): string {
  return `${Math.floor(share / 100)}.${String(share % 100).padStart(2, "0")}`;
}
