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
import { beginSession } from "./sessions.ts";

/** Short: whoever asked for a link is at the screen. */
export const linkMs = 5 * 60_000;
/** Long: an invitation may wait in a mailbox. */
export const invitationMs = 7 * 24 * 60 * 60_000;

/** The recipient of a link: an existing person, or a new one with a role and perhaps a name. */
export type Guest = { person: Person } | { person: null; role: Role; name: string | null };

/** The content of a valid link. */
export type Entry = Guest & {
  /** Instead of the link's id, which a later link may get once this one is withdrawn. */
  tokenHash: string;
  expiresAt: number;
  /** WebAuthn's user handle for the person. */
  handle: string;
  /** Purpose that their passkey signs. */
  purpose: string;
};

/**
 * Creates a link that lets somebody in once, and returns its path. The token is not stored. `by`: the owner who makes it
 * at the desk, and whose removal ends it; null on the server.
 */
export function makeEntryLink(
  db: Db,
  guest: Guest,
  { by, now, lastsMs }: { by: number | null; now: number; lastsMs: number },
): string {
  const token = newToken();
  transact(db, () => {
    EntryLinkStore.removeExpired(db, now);
    // Only a person's newest link works, so a lost one is worthless.
    if (guest.person !== null || guest.name === null) {
      EntryLinkStore.removeUnusedOf(db, guest.person?.id ?? null);
    }
    EntryLinkStore.insert(db, {
      tokenHash: tokenHash(token),
      personId: guest.person?.id ?? null,
      role: guest.person === null ? guest.role : guest.person.role,
      name: guest.person === null ? guest.name : null,
      madeBy: by,
      createdAt: now,
      expiresAt: now + lastsMs,
    });
  });
  return `/desk/enter/${token}`;
}

/** Looks up a link without using it up; null if it was used, has expired, or never existed. */
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
    // The same each time the page is shown, so nothing is stored before somebody is there.
    handle: credentials?.handle ?? createHmac("sha256", token).update("handle").digest("base64url"),
    purpose: `enter ${hash}`,
  };
}

/** A person's new way to sign in; null leaves it unchanged, for people coming back. */
export type WayIn = { passkey: NewPasskey } | { passwordHash: string } | null;

/**
 * Uses up a link: creates the person or lets them back in, stores their new way in, and begins a session. Returns the
 * session's token; null if somebody else was faster.
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
    // The desk has an owner now, so other first links become worthless.
    EntryLinkStore.removeUnusedOf(db, null);
    const personName = entry.person?.name ?? name;
    const { token, sessionId } = beginSession(db, { personId, device, now, passkeyId });
    if (entry.person === null && entry.role === "owner" && !isFirst)
      noteChange(db, { kind: "owner", subject: name }, name, now);
    const auditEntry = { at: now, personId, personName, action: "session.enter", subject: device, sessionId };
    AuditStore.note(db, auditEntry);
    return token;
  });
}
