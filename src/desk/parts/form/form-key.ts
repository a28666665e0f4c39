import { createHash } from "node:crypto";
import { newSlug, randomName } from "../../../lib/crypto.ts";

/** The field `once` of a new form: sending the form twice makes one thing. */
export const newOnce = newSlug;

/** The key of a form and what it asks for: the same form with other fields makes another thing. */
export function formKey(once: string, asked: object): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([once, asked]))
    .digest("base64url");
  return `desk-${hash}`;
}

const keyLength = 26;

/** The field `key` of a new form: sending the form twice makes one thing, whatever its fields say by then. */
export const newKey = () => randomName(keyLength);

/** The key of a form as it was sent; a new one when it is none. */
export function keyOf(form: URLSearchParams): string {
  const key = form.get("key") ?? "";
  return /^[a-z0-9]{26}$/.test(key) ? key : newKey();
}
