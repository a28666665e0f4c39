import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * A mark that a browser keeps after a sign-in with a password. Its tries are counted apart, so that a stranger who guesses
 * somebody's password all day keeps that person out of no browser that they use. The mark is made with the hash of the
 * password: it is stored nowhere, and worth nothing once the password is another.
 */
const nonceBytes = 12;
const form = /^(\d{1,15})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

export function knownMark(personId: number, passwordHash: string): string {
  const nonce = randomBytes(nonceBytes).toString("base64url");
  return `${personId}.${nonce}.${proofOf(personId, nonce, passwordHash)}`;
}

/** What to count the tries of a known browser for; null for one that is not known to this person. */
export function knownBrowser(mark: string | null, personId: number, passwordHash: string): string | null {
  const [, id, nonce = "", proof = ""] = form.exec(mark ?? "") ?? [];
  if (Number(id) !== personId) return null;
  const expected = proofOf(personId, nonce, passwordHash);
  return timingSafeEqual(Buffer.from(proof), Buffer.from(expected)) ? `browser ${nonce}` : null;
}

function proofOf(personId: number, nonce: string, passwordHash: string): string {
  return createHmac("sha256", passwordHash).update(`known ${personId} ${nonce}`).digest("base64url");
}
