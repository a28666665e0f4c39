import { createHash, randomBytes } from "node:crypto";

/** Lower-case letters and digits without `0`, `o`, `1` and `l`, which people mistake for one another. */
const alphabet = "23456789abcdefghijkmnpqrstuvwxyz";

/** 16 letters and digits are 80 bits: nobody finds somebody else's page by trying. */
const slugLength = 16;

/** A name for the end of a URL. */
export function newSlug(): string {
  return randomName(slugLength);
}

const slugForm = new RegExp(`^[${alphabet}]{${slugLength}}$`);

/** Whether `newSlug` may have made it. */
export function isSlug(text: string): boolean {
  return slugForm.test(text);
}

/** The name that this text always gives. As hard to guess as the text is. */
export function slugOf(text: string): string {
  return nameFrom(createHash("sha256").update(text).digest().subarray(0, slugLength));
}

/** 26 letters and digits are 130 bits. */
const idLength = 26;

/** What a thing is called for ever: `mail_` and 26 letters and digits. */
export function newId(kind: string): string {
  return idFrom(kind, randomBytes(idLength));
}

/** The id that these bytes, at least 26 of them, always give. */
export function idFrom(kind: string, bytes: Uint8Array): string {
  return `${kind}_${nameFrom(bytes.subarray(0, idLength))}`;
}

/** A random name of `length` letters and digits, 5 bits each. */
export function randomName(length: number): string {
  return nameFrom(randomBytes(length));
}

/** A name with a letter or digit for each byte, of 5 of its bits. */
function nameFrom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}
