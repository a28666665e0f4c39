import type { Person, Role } from "../domain/party/person.ts";
import { type Db, transact } from "../store/database.ts";
import { noteChange } from "../store/reports/owners.ts";
import * as EntryLinkStore from "../store/tables/desk/entry-link.ts";
import * as PasskeyStore from "../store/tables/desk/passkey.ts";
import * as PersonStore from "../store/tables/desk/person.ts";
import * as SessionStore from "../store/tables/desk/session.ts";
import {
  challengeMs,
  createChallenges,
  createPasskeys,
  type PasskeyOptions,
  type Passkeys,
} from "./passkeys.ts";
import { createPasswords, type Passwords } from "./password.ts";

/** The ways people show who they are. */
export type People = {
  passkeys: Passkeys;
  passwords: Passwords;
  proofs: Proofs;
  challenges: ReturnType<typeof createChallenges>;
};

export function createPeople(deps: {
  db: Db;
  baseUrl: string;
  now: () => number;
  shopName: () => string;
}): People {
  const challenges = createChallenges(deps.now);
  const passkeys = createPasskeys({ ...deps, challenges });
  const passwords = createPasswords();
  return { passkeys, passwords, challenges, proofs: createProofs({ ...deps, passkeys, passwords }) };
}

/** Reasons to refuse a removal: an owner must remain, and a way in for everybody. */
type RemovalRefusal = "lastOwner" | "lastWayIn" | "gone";

/** Records that an owner came, went, or may be another person now: it changes who is told about outgoing money. */
export function noteOwner(db: Db, { id, name }: Pick<Person, "id" | "name">, by: string, now: number): void {
  noteChange(db, { kind: "owner", subject: name, email: PersonStore.emailOf(db, id) }, by, now);
}

/** Removes a person (for `by`) from the desk: immediately, in every browser, with every way in. */
export function removePerson(db: Db, id: number, by: string, now: number): RemovalRefusal | null {
  return transact(db, () => {
    const person = PersonStore.byId(db, id);
    if (person === null || person.removedAt !== null) return "gone" as const;
    if (isLastOwner(db, person.role)) return "lastOwner" as const;
    SessionStore.removeOf(db, id);
    PasskeyStore.removeOf(db, id);
    EntryLinkStore.removeUnusedOf(db, id);
    EntryLinkStore.removeUnusedBy(db, id);
    PersonStore.remove(db, id, now);
    if (person.role === "owner") noteOwner(db, person, by, now);
    return null;
  });
}

/**
 * Lists the people who are known to have been removed, if a restored backup may have brought people back. Null if there
 * is nothing to decide, and for a viewer who is one of them: they do not decide it.
 */
export function broughtBack(db: Db, viewerId: number | null): { id: number; name: string }[] | null {
  const all = PersonStore.listBroughtBack(db);
  const removed = all.filter((person) => person.broughtBack === "removed");
  return all.length === 0 || removed.some(({ id }) => id === viewerId) ? null : removed;
}

/** Removes again everybody whom a restored backup is known to have brought back. Returns their names. */
export function removeBroughtBack(db: Db, viewerId: number | null, by: string, now: number): string[] {
  return transact(db, () =>
    (broughtBack(db, viewerId) ?? [])
      .filter(({ id }) => removePerson(db, id, by, now) === null)
      .map(({ name }) => name),
  );
}

/** Accepts everybody who was brought back. Recorded like a new owner: it changes who is told about outgoing money. */
export function keepBroughtBack(db: Db, by: string, now: number): void {
  transact(db, () => {
    const names = PersonStore.listBroughtBack(db).map(({ name }) => name);
    PersonStore.keepBroughtBack(db);
    noteChange(db, { kind: "owner", subject: names.join(", ") }, by, now);
  });
}

/** Sets or clears an owner's mail address. */
export function setEmail(
  db: Db,
  { id, name }: Pick<Person, "id" | "name">,
  email: string | null,
  now: number,
): void {
  transact(db, () => {
    const before = PersonStore.emailOf(db, id);
    if (before === email) return;
    PersonStore.setEmail(db, id, email);
    noteChange(db, { kind: "owner", subject: `${name} ${email ?? ""}`.trim(), email: before }, name, now);
  });
}

/** Changes somebody's role (for `by`), from their next click on. */
export function changeRole(db: Db, id: number, role: Role, by: string, now: number): RemovalRefusal | null {
  return transact(db, () => {
    const person = PersonStore.byId(db, id);
    if (person === null || person.removedAt !== null) return "gone" as const;
    if (role !== "owner" && isLastOwner(db, person.role)) return "lastOwner" as const;
    PersonStore.setRole(db, id, role);
    // What they made as an owner would let them back in as one.
    if (role !== "owner") EntryLinkStore.removeUnusedBy(db, id);
    if (role !== person.role && [role, person.role].includes("owner")) noteOwner(db, person, by, now);
    return null;
  });
}

export function removePasskey(
  db: Db,
  { id, personId }: { id: number; personId: number },
): RemovalRefusal | null {
  return transact(db, () => {
    if (isOnlyPasskey(db, personId) && !hasPassword(db, personId)) return "lastWayIn" as const;
    return PasskeyStore.remove(db, { id, personId }) ? null : ("gone" as const);
  });
}

/** Sets a new password, which ends all sessions except the one that set it. */
export function setPassword(db: Db, personId: number, passwordHash: string, sessionId: number | null): void {
  transact(db, () => {
    PersonStore.setPassword(db, personId, passwordHash);
    SessionStore.removeOf(db, personId, sessionId);
  });
}

/** Ends all other sessions of somebody who lost a device, and removes the passkey on it. */
export function endLost(
  db: Db,
  { personId, sessionId, passkeyId }: { personId: number; sessionId: number; passkeyId: number | null },
): RemovalRefusal | null {
  return transact(db, () => {
    const refused = passkeyId === null ? null : removePasskey(db, { id: passkeyId, personId });
    if (refused === null) SessionStore.removeOf(db, personId, sessionId);
    return refused;
  });
}

export function removePassword(db: Db, personId: number): RemovalRefusal | null {
  return transact(db, () => {
    if (PasskeyStore.listOf(db, personId).length === 0) return "lastWayIn" as const;
    PersonStore.setPassword(db, personId, null);
    return null;
  });
}

const isLastOwner = (db: Db, role: Role) => role === "owner" && PersonStore.countOwners(db) === 1;

const isOnlyPasskey = (db: Db, personId: number) => PasskeyStore.listOf(db, personId).length === 1;

export const hasPassword = (db: Db, personId: number) =>
  (PersonStore.credentialsOf(db, personId)?.passwordHash ?? null) !== null;

/** How a signed-in person proves that it is still them. */
export type Proof =
  /** In development nobody signs in, so nothing is asked. */
  | { kind: "none" }
  | { kind: "passkey"; options: PasskeyOptions }
  /** For people without a passkey. */
  | { kind: "password" }
  /** For people with neither, who sign in with an account elsewhere. */
  | { kind: "missing" }
  /** To add the first of these they must have signed in just now. */
  | { kind: "stale" };

/** The session that asks, and its person. */
export type Prover = { personId: number; sessionId: number };

/** Reason for rejecting a proof. */
export type ProofFault = "passkey" | "password" | "busy" | "missing";

/**
 * Proofs for actions that a stolen session must not allow: moving money, letting others in. A proof is for one purpose
 * of one session: the passkey signs a challenge that contains both, is valid for five minutes and works once. So
 * everything that the action depends on, such as an amount and an address, belongs in the purpose, as the form
 * sends it:
 *
 * ```ts
 * const purpose = `withdraw ${amount} ${address}`;
 * proofs.ask(prover, purpose);                    // for the page with the form
 * await proofs.check(prover, purpose, given);     // for the form's input; null if it is valid
 * ```
 */
export type Proofs = ReturnType<typeof createProofs>;

function createProofs(deps: { db: Db; now: () => number; passkeys: Passkeys; passwords: Passwords }) {
  const { db, now, passkeys, passwords } = deps;
  const inFull = ({ personId, sessionId }: Prover, purpose: string) =>
    JSON.stringify(["prove", personId, sessionId, purpose]);

  function passwordOf({ personId }: Prover): string | null {
    if (passkeys.arePossible && PasskeyStore.listOf(db, personId).length > 0) return null;
    return PersonStore.credentialsOf(db, personId)?.passwordHash ?? null;
  }

  const hasNone = ({ personId }: Prover) => !PersonStore.hasWayIn(db, personId);

  function isJustIn({ personId, sessionId }: Prover): boolean {
    const session = SessionStore.listOf(db, personId).find((each) => each.sessionId === sessionId);
    return session !== undefined && Math.abs(now() - session.startedAt) < challengeMs;
  }
  return {
    /** `isForFirst`: it is to add a passkey or a password. */
    ask(prover: Prover, purpose: string, isForFirst = false): Proof {
      if (hasNone(prover)) {
        if (!isForFirst) return { kind: "missing" };
        return { kind: isJustIn(prover) ? "none" : "stale" };
      }
      if (passwordOf(prover) !== null) return { kind: "password" };
      const options = passkeys.request(inFull(prover, purpose), prover.personId);
      return { kind: "passkey", options };
    },

    async check(
      prover: Prover,
      purpose: string,
      given: string,
      isForFirst = false,
    ): Promise<ProofFault | null> {
      if (hasNone(prover)) return isForFirst && isJustIn(prover) ? null : "missing";
      const hash = passwordOf(prover);
      if (hash !== null) {
        const verdict = await passwords.check(given, hash, true);
        if (verdict === "right") return null;
        return verdict === "busy" ? "busy" : "password";
      }
      const signed = await passkeys.verify(given, inFull(prover, purpose), now());
      return signed?.personId === prover.personId ? null : "passkey";
    },
  };
}
