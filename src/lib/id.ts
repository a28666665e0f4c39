import { randomBytes } from "node:crypto";

/** Lower-case letters and digits without `0`, `o`, `1` and `l`, which people mistake for one another. */
const alphabet = "23456789abcdefghijkmnpqrstuvwxyz";

/** 16 letters and digits are 80 bits: nobody finds somebody else's page by trying. */
const slugLength = 16;

/** A name for the end of a URL. */
export function newSlug(): string {
  return randomName(slugLength);
}

/** What a thing is called for ever: `mail_` and 26 letters and digits, 130 bits. */
export function newId(kind: string): string {
  return `${kind}_${randomName(26)}`;
}

/** A random name of `length` letters and digits, 5 bits each. */
export function randomName(length: number): string {
  let name = "";
  for (const byte of randomBytes(length)) name += alphabet[byte & 31];
  return name;
}
