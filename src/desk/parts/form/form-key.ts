import { createHash } from "node:crypto";
import { newSlug, randomName } from "../../../lib/crypto.ts";

/** Creates the field `once` of a new form, so that sending the form twice creates one thing. */
export const newOnce = newSlug;

/** Returns the key of a form and its request: the same form with other fields creates another thing. */
export function formKey(once: string, asked: object): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([once, asked]))
    .digest("base64url");
  return `desk-${hash}`;
}

/** Identifies the state that a form was filled in from, so that nobody overwrites changes they have not seen. */
export const seenOf = (shown: object) => formKey("", shown);

const keyLength = 26;

/** Creates the field `key` of a new form: sending the form twice creates one thing, even if its fields have changed. */
export const newKey = () => randomName(keyLength);

/** Returns the key of a submitted form; a new one if it has none. */
export function keyOf(form: URLSearchParams): string {
  const key = form.get("key") ?? "";
  return /^[a-z0-9]{26}$/.test(key) ? key : newKey();
}
