/** The quantity of a line item, held exactly: a whole number of millionths. */

import { withoutEnd } from "../../lib/text/english.ts";
import * as Usdc from "../usdc.ts";

declare const brand: unique symbol;

/** Millionths of one unit: `1_500_000n` is 1.5. Never zero; negative when something is taken back. */
export type Quantity = bigint & { readonly [brand]: "Quantity" };

/** 1, in millionths. */
export const one = 1_000_000n;

export const max = 1_000_000;
export const decimalsMax = 6;

const plainForm = /^(\d+)(?:\.(\d+))?$/;

/**
 * Converts a JSON number as it was written: `0.1` is one tenth. A number within the limits has at most 13 significant
 * digits, which a double keeps apart, so its shortest decimal form is the one the caller wrote. Returns null if it is
 * 0, negative without `mayTakeBack`, beyond 1,000,000, or has more than 6 decimals.
 */
export function fromNumber(value: number, { mayTakeBack = false } = {}): Quantity | null {
  if (value < 0 && mayTakeBack) return fromNumber(-value) && (-(fromNumber(-value) ?? 0n) as Quantity);
  if (!(value > 0 && value <= max)) return null;
  const match = plainForm.exec(String(value));
  if (!match) return null;
  const [, whole = "", fraction = ""] = match;
  if (fraction.length > decimalsMax) return null;
  return BigInt(whole + fraction.padEnd(decimalsMax, "0")) as Quantity;
}

/**
 * Parses a quantity as typed to the number that the API takes; null if it is invalid or ambiguous. `mark` is the
 * decimal mark of the person's language.
 */
export function parseTyped(text: string, mark: string): number | null {
  const [, minus, size = ""] = /^\s*([-−]?)(.*)$/s.exec(text) ?? [];
  const plain = Usdc.plainDecimal(size, mark);
  return plain === null ? null : Number(plain) * (minus ? -1 : 1);
}

/** Converts stored millionths. Throws a RangeError at zero: that is a bug here. */
export function fromMillionths(millionths: bigint): Quantity {
  if (millionths === 0n) throw new RangeError("A quantity must not be zero");
  return millionths as Quantity;
}

/** The JSON number in the API. */
export function toNumber(quantity: Quantity): number {
  return Number(format(quantity));
}

/** `1_500_000n` → `"1.5"`, `2_000_000n` → `"2"`. */
export function format(quantity: Quantity): string {
  const digits = (quantity < 0n ? -quantity : quantity).toString().padStart(decimalsMax + 1, "0");
  const whole = `${quantity < 0n ? "-" : ""}${digits.slice(0, -decimalsMax)}`;
  const fraction = withoutEnd(digits.slice(-decimalsMax), "0");
  return fraction ? `${whole}.${fraction}` : whole;
}
