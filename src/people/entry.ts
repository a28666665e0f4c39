import { createHmac } from "node:crypto";
import type { Person, Role } from "../domain/party/person.ts";
import { isToken, newToken, tokenHash } from "../lib/crypto.ts";
import { type Db, transact } from "../store/database.ts";
import { noteChange } from "../store/reports/owners.ts";
import * as AuditStore from "../store/tables/desk/audit.ts";
import * as EntryLinkStore from "../store/tables/desk/entry-link.ts";
import * as PasskeyStore from "../store/tables/desk/passkey.ts";
import * as PersonStore from "../store/tables/desk/person.ts";
import type { NewPasskey } from "./passkeys.ts";
import { setPassword } from "./people.ts";
import { openSession } from "./sessions.ts";

/** Whoever asked for a link is at the screen. */
export const linkMs = 5 * 60_000;
/** An invitation may wait in a mailbox. */
export const invitationMs = 7 * 24 * 60 * 60_000;

/** Whom a link is for: an existing person, or somebody new with a role and perhaps a name. */
export type Guest = { person: Person } | { person: null; role: Role; name: string | null };

/** What a valid link opens. */
export type Entry = Guest & {
  /** Not the link's id, which may be given to a later link once this one is withdrawn. */
  tokenHash: string;
  expiresAt: number;
  /** WebAuthn's user handle for the person. */
  handle: string;
  /** What their passkey signs. */
  purpose: string;
};

/** Creates a link that lets somebody in once, and returns its path; the token is not stored. */
export function makeEntryLink(
  db: Db,
  guest: Guest,
  { now, lastsMs }: { now: number; lastsMs: number },
): string {
  const token = newToken();
  transact(db, () => {
    EntryLinkStore.removeExpired(db, now);
    // Only a person's newest link works, so that a lost one is worthless.
    if (guest.person !== null || guest.name === null) {
      EntryLinkStore.removeUnusedOf(db, guest.person?.id ?? null);
    }
    EntryLinkStore.insert(db, {
      tokenHash: tokenHash(token),
      personId: guest.person?.id ?? null,
      role: guest.person === null ? guest.role : guest.person.role,
      name: guest.person === null ? guest.name : null,
      createdAt: now,
      expiresAt: now + lastsMs,
    });
  });
  return `/desk/enter/${token}`;
}

/** What a link opens; null when it was used, has expired, or never existed. Looking does not use it up. */
export function entryOf(db: Db, token: string, now: number): Entry | null {
  if (!isToken(token)) return null;
  const hash = tokenHash(token);
  const link = EntryLinkStore.byToken(db, { tokenHash: hash, now });
  if (!link) return null;
  const person = link.personId === null ? null : PersonStore.byId(db, link.personId);
  const credentials = person && PersonStore.credentialsOf(db, person.id);
  return {
    ...(person === null ? { person, role: link.role, name: link.name } : { person }),
    tokenHash: hash,
    expiresAt: link.expiresAt,
    // The same each time the page is shown, without storing anything before somebody is there.
    handle: credentials?.handle ?? createHmac("sha256", token).update("handle").digest("base64url"),
    purpose: `enter ${hash}`,
  };
}

/** How somebody signs in from now on; anybody coming back may leave it unchanged. */
export type WayIn = { passkey: NewPasskey } | { passwordHash: string } | null;

/**
 * Uses up a link: creates the person or lets them back in, stores their new way in, and begins a session. Returns its
 * token; null when somebody else was faster.
 */
export function enter(
  db: Db,
  entry: Entry,
  { name, wayIn, device, now }: { name: string; wayIn: WayIn; device: string; now: number },
): string | null {
  return transact(db, () => {
    if (entry.person === null && PersonStore.byName(db, name) !== null) return null;
    if (!EntryLinkStore.use(db, entry.tokenHash, now)) return null;
    const isFirst = PersonStore.countOwners(db) === 0;
    const passwordHash = wayIn !== null && "passwordHash" in wayIn ? wayIn.passwordHash : null;
    const { handle } = entry;
    const personId =
      entry.person?.id ??
      PersonStore.insert(db, {
        name,
        role: entry.person === null ? entry.role : "staff",
        handle,
        passwordHash,
        createdAt: now,
      });
    if (entry.person !== null && passwordHash !== null) setPassword(db, personId, passwordHash, null);
    const passkeyId =
      wayIn !== null && "passkey" in wayIn
        ? PasskeyStore.insert(db, { ...wayIn.passkey, personId, name: device, createdAt: now })
        : null;
    // The desk has an owner now: other first links become worthless.
    EntryLinkStore.removeUnusedOf(db, null);
    const personName = entry.person?.name ?? name;
    const { token, sessionId } = openSession(db, { personId, device, now, passkeyId });
    if (entry.person === null && entry.role === "owner" && !isFirst)
      noteChange(db, { kind: "owner", subject: name }, name, now);
    const deed = { at: now, personId, personName, action: "session.enter", subject: device, sessionId };
    AuditStore.note(db, deed);
    return token;
  });
}
