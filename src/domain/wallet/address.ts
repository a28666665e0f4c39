/**
 * Ethereum addresses. Inside Till an address is always in the mixed-case form of EIP-55, so that equal addresses are
 * equal strings, and a page, an answer and a database row show the same one.
 */

import { keccak256 } from "../../lib/crypto.ts";
import { faulty } from "../../lib/text/text.ts";

declare const brand: unique symbol;

/** An address in EIP-55 checksum form. */
export type Address = `0x${string}` & { readonly [brand]: "Address" };

export const zero = "0x0000000000000000000000000000000000000000" as Address;

/** In any case: explorers show addresses without a checksum. */
export const pattern = "^0x[0-9a-fA-F]{40}$";
export const wanted = "an address: 0x and 40 hex digits";
const form = new RegExp(pattern);
const charCodeOf8 = 0x38;

/**
 * Converts an address to EIP-55 form, whatever the case of its letters. Throws a RangeError unless it is `0x` and 40
 * hex digits; use `parse` for a caller's text.
 */
export function checksum(hex: string): Address {
  if (!form.test(hex)) throw new RangeError(`Not an Ethereum address: ${JSON.stringify(hex)}`);
  const digits = hex.slice(2).toLowerCase();
  // EIP-55: a letter is upper case when the digit at its place in the hash of the lower-case text is 8 or more.
  const hash = Buffer.from(keccak256(digits)).toString("hex");
  let out = "0x";
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    out += hash.charCodeAt(i) >= charCodeOf8 ? digit.toUpperCase() : digit;
  }
  return out as Address;
}

/**
 * Parses an address that a person wrote, requiring a correct checksum: a wrong one means a typing error, and money sent
 * there is lost, so no corrected form is offered. Text without upper-case letters has no checksum and is refused too;
 * `expected` is the form to use after comparing it.
 */
export function parse(text: string) {
  if (!form.test(text)) return faulty("shape", { wants: wanted });
  const address = checksum(text);
  if (address === text) return { ok: true, address } as const;
  return /[A-F]/.test(text) ? faulty("address_mistyped") : faulty("address_unchecked", { expected: address });
}
