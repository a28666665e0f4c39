import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * A mark that a browser keeps after a sign-in with a password. Its attempts are counted separately, so that a stranger
 * guessing a password all day does not lock its owner out of their own browsers. The mark is derived from the
 * password's hash: nothing is stored, and a new password invalidates it.
 */
const nonceBytes = 12;
const form = /^(\d{1,15})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

export function knownMark(personId: number, passwordHash: string): string {
  const nonce = randomBytes(nonceBytes).toString("base64url");
  return `${personId}.${nonce}.${proofOf(personId, nonce, passwordHash)}`;
}

/** The key to count a known browser's attempts under; null for one unknown to this person. */
export function knownBrowser(mark: string | null, personId: number, passwordHash: string): string | null {
  const [, id, nonce = "", proof = ""] = form.exec(mark ?? "") ?? [];
  if (Number(id) !== personId) return null;
  const expected = proofOf(personId, nonce, passwordHash);
  return timingSafeEqual(Buffer.from(proof), Buffer.from(expected)) ? `browser ${nonce}` : null;
}

function proofOf(personId: number, nonce: string, passwordHash: string): string {
  return createHmac("sha256", passwordHash).update(`known ${personId} ${nonce}`).digest("base64url");
}
