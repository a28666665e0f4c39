import { randomBytes } from "node:crypto";

/** Lower-case letters and digits without `0`, `o`, `1` and `l`, which people mistake for one another. */
const alphabet = "23456789abcdefghijkmnpqrstuvwxyz";

/** 16 letters and digits are 80 bits: nobody finds somebody else's page by trying. */
const slugLength = 16;

/** A name for the end of a URL. */
export function newSlug(): string {
  return randomName(slugLength);
}

/** A random name of `length` letters and digits, 5 bits each. */
export function randomName(length: number): string {
  return nameFrom(randomBytes(length));
}

/** A name with a letter or digit for each byte, of 5 of its bits. */
export function nameFrom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}
