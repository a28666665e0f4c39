import { createHash } from "node:crypto";
import { newSlug } from "../lib/crypto.ts";

/** The field `once` of a new form: sending the form twice makes one thing. */
export const newOnce = newSlug;

/** The key of a form and what it asks for: the same form with other fields makes another thing. */
export function formKey(once: string, asked: object): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([once, asked]))
    .digest("base64url");
  return `desk-${hash}`;
}
