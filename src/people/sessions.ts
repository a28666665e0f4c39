import { createHmac, timingSafeEqual } from "node:crypto";
import type { Person } from "../domain/party/person.ts";
import { isToken, newToken, tokenHash } from "../lib/crypto.ts";
import { world } from "../lib/world.ts";
import { type Db, ifStorable, transact } from "../store/database.ts";
import * as SessionStore from "../store/tables/desk/session.ts";

const hourMs = 3_600_000;
/** After this long without a request, somebody else may be at the screen. */
export const idleMsMax = 12 * hourMs;
/** Applies however active the session is. */
export const ageMsMax = 30 * 24 * hourMs;

/** Use is recorded at most this often, so that not every request costs a write. */
const seenIntervalMs = 60_000;

export type ActiveSession = { sessionId: number; person: Person };

/**
 * Begins a session and returns its id and its token, which is not stored. The token is always new: whatever token the
 * browser came with, from whomever, opens nothing. Deletes sessions that have ended. `passkeyId` is the passkey that
 * began it; null for a password.
 */
export function beginSession(
  db: Db,
  {
    personId,
    device,
    now,
    passkeyId = null,
  }: { personId: number; device: string; now: number; passkeyId?: number | null },
): { token: string; sessionId: number } {
  const token = newToken();
  const sessionId = transact(db, () => {
    SessionStore.removeEnded(db, { startedBefore: now - ageMsMax, seenBefore: now - idleMsMax });
    return SessionStore.insert(db, {
      personId,
      tokenHash: tokenHash(token),
      device,
      startedAt: now,
      passkeyId,
    });
  });
  return { token, sessionId };
}

/**
 * Returns the session and person of a token; null if there is none. A session last seen well in the future is invalid:
 * the clock was set back, so nobody knows how long it was idle. `isUse`: somebody is at the screen, which keeps it.
 */
export function sessionOf(
  db: Db,
  token: string,
  now: number,
  { isUse = true }: { isUse?: boolean } = {},
): ActiveSession | null {
  if (!isToken(token)) return null;
  const session = SessionStore.byToken(db, {
    tokenHash: tokenHash(token),
    startedAfter: now - ageMsMax,
    seenAfter: now - idleMsMax,
    seenBefore: now + idleMsMax,
  });
  if (!session) return null;
  const { sessionId, device: _, startedAt: __, passkeyId: ___, seenAt, ...person } = session;
  const isNews = Math.abs(now - seenAt) > seenIntervalMs && (isUse || now < seenAt);
  if (isNews) ifStorable(db, () => SessionStore.setSeen(db, sessionId, now));
  return { sessionId, person };
}

/** Ends the session of this token, if there is one. */
export function endSession(db: Db, token: string): void {
  SessionStore.removeByToken(db, tokenHash(token));
}

/** Lists a person's open sessions, most recently used first. */
export function listSessions(db: Db, personId: number, now: number): SessionStore.Session[] {
  return SessionStore.listOf(db, personId).filter(
    ({ startedAt, seenAt }) => startedAt > now - ageMsMax && Math.abs(now - seenAt) < idleMsMax,
  );
}

/** Returns the token for all forms of a session. A page of an earlier session, or of another site, does not have it. */
export function formTokenOf(token: string): string {
  return createHmac("sha256", token).update("form").digest("base64url");
}

/** The order matters: each of the first ones also claims to be a later one. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Returns a browser's name for people, from its User-Agent: "Firefox, Android". Empty if nothing is recognised. */
export function deviceOf(userAgent: string): string {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(", ");
}

/**
 * A mark that a browser keeps after signing in with a password. Its attempts are counted separately, so that a stranger
 * guessing a password all day does not lock the owner out of their own browsers. The mark is derived from the
 * password's hash: nothing is stored, and a new password invalidates it.
 */
const nonceBytes = 12;
const form = /^(\d{1,15})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

export function knownMark(personId: number, passwordHash: string): string {
  const nonce = world.randomBytes(nonceBytes).toString("base64url");
  return `${personId}.${nonce}.${proofOf(personId, nonce, passwordHash)}`;
}

/** Returns the key for counting a known browser's attempts; null for one unknown to this person. */
export function knownBrowser(mark: string | null, personId: number, passwordHash: string): string | null {
  const [, id, nonce = "", proof = ""] = form.exec(mark ?? "") ?? [];
  if (Number(id) !== personId) return null;
  const expected = proofOf(personId, nonce, passwordHash);
  return timingSafeEqual(Buffer.from(proof), Buffer.from(expected)) ? `browser ${nonce}` : null;
}

function proofOf(personId: number, nonce: string, passwordHash: string): string {
  return createHmac("sha256", passwordHash).update(`known ${personId} ${nonce}`).digest("base64url");
}
