import * as Usdc from "../usdc.ts";

/** Keypad input at a till: cents enter from the right, `1` `2` `6` `0` for 12.60. */

/** Up to 9,999,999.99; larger sums belong on an invoice. */
const digitsMax = 9;

export const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", "erase"] as const;

/** Returns the digits after a key press; unknown keys change nothing. */
export function press(digits: string, key: string): string {
  if (key === "erase") return digits.slice(0, -1);
  const next = /^0{1,2}$|^[1-9]$/.test(key) ? (digits + key).replace(/^0+/, "") : digits;
  return next.length > digitsMax ? digits : next;
}

/** The digits in a text, normalised as by `press`; empty if it is anything else. */
export function digitsOf(text: string): string {
  return /^\d{1,9}$/.test(text) ? text.replace(/^0+/, "") : "";
}

/** `1260` → `12.60`. */
export function decimalOf(digits: string): string {
  const padded = digits.padStart(3, "0");
  return `${padded.slice(0, -2)}.${padded.slice(-2)}`;
}

/** The digits as an amount. */
export const amountOf = (digits: string): Usdc.Billed =>
  Usdc.fromMicro(BigInt(digits || "0") * Usdc.microPerCent);
