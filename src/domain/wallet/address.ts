/**
 * Ethereum addresses. Inside Till an address is always in the mixed-case form of EIP-55, so that two equal
 * addresses are equal strings and a page, an answer and a row of the database show the same one.
 */

import { keccak256 } from "../../lib/crypto.ts";
import { faulty } from "../../lib/text/text.ts";

declare const brand: unique symbol;

/** An address in EIP-55 checksum form. */
export type Address = `0x${string}` & { readonly [brand]: "Address" };

export const zero = "0x0000000000000000000000000000000000000000" as Address;

/** In any case: explorers show addresses without checksum. */
export const pattern = "^0x[0-9a-fA-F]{40}$";
export const wanted = "an address: 0x and 40 hex digits";
const form = new RegExp(pattern);
const charCodeOf8 = 0x38;

/**
 * Writes an address in EIP-55 form, whatever the case of its letters.
 * Throws a RangeError when it is not `0x` and 40 hex digits: for text that a caller wrote, use `parse`.
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
 * Reads an address that a person wrote, and takes it only with a right checksum: a wrong one means a typing
 * error, and money sent there is lost, so no right form of it is handed out. Text without any upper-case letter has no
 * checksum and is refused too; `expected` is the form to take once it was compared.
 */
export function parse(text: string) {
  if (!form.test(text)) return faulty("shape", { wants: wanted });
  const address = checksum(text);
  if (address === text) return { ok: true, address } as const;
  return /[A-F]/.test(text) ? faulty("address_mistyped") : faulty("address_unchecked", { expected: address });
}
