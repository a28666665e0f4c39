import type { Role } from "../../../domain/party/person.ts";
import { columns, integer, orNull, type Row, selectAll, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** A link that lets one person in once. */
export type EntryLink = {
  id: number;
  /** The returning person; null for a new one. */
  personId: number | null;
  /** The role of a new person. */
  role: Role;
  /** Name of the invited person, as the inviter wrote it. */
  name: string | null;
  /** Unix times in milliseconds. */
  createdAt: number;
  expiresAt: number;
};

const link = columns("entry_link", {
  id: integer(),
  personId: orNull(integer()),
  role: text<Role>(),
  name: orNull(text()),
  createdAt: integer(),
  expiresAt: integer(),
});

/** `madeBy`: the owner at the desk; null on the server. Returns the id. */
export function insert(
  db: Db,
  link: Omit<EntryLink, "id"> & { tokenHash: string; madeBy: number | null },
): number {
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO entry_link (token_hash, person_id, role, name, made_by, created_at, expires_at)
       VALUES ($tokenHash, $personId, $role, $name, $madeBy, $createdAt, $expiresAt)`,
    )
    .run(link);
  return Number(lastInsertRowid);
}

/**
 * Ordinary clock corrections stay within this. A link made further in the future comes from a clock that was set back.
 */
const slackMs = 60_000;

/** The link of this token if it still works: unused, not expired, and its person was not removed. */
export function byToken(db: Db, { tokenHash, now }: { tokenHash: string; now: number }): EntryLink | null {
  const row = db
    .query<Row<EntryLink>, Record<string, string | number>>(
      `SELECT ${link.list} FROM entry_link LEFT JOIN person ON person.id = person_id
       WHERE token_hash = $tokenHash AND used_at IS NULL AND expires_at > $now AND removed_at IS NULL
         AND entry_link.created_at <= $now + ${slackMs}`,
    )
    .get({ tokenHash, now });
  return row && link.fromRow(row);
}

/** Returns false when it was used, has expired or was withdrawn. */
export function use(db: Db, tokenHash: string, now: number): boolean {
  const { changes } = db
    .query(
      "UPDATE entry_link SET used_at = $now WHERE token_hash = $tokenHash AND used_at IS NULL AND expires_at > $now",
    )
    .run({ tokenHash, now });
  return changes > 0;
}

/** Open invitations, oldest first. */
export const listInvitations = (db: Db, now: number): EntryLink[] =>
  selectAll(
    db,
    link,
    "WHERE person_id IS NULL AND name IS NOT NULL AND used_at IS NULL AND expires_at > ? ORDER BY id",
    now,
  );

/** Withdraws an invitation. Returns false when there is none. */
export function removeInvitation(db: Db, id: number): boolean {
  const { changes } = db
    .query(
      "DELETE FROM entry_link WHERE id = ? AND person_id IS NULL AND name IS NOT NULL AND used_at IS NULL",
    )
    .run(id);
  return changes > 0;
}

/** Removes a person's unused links; null removes those for a first owner, who has no name yet. */
export function removeUnusedOf(db: Db, personId: number | null): void {
  db.query(
    `DELETE FROM entry_link
     WHERE used_at IS NULL AND person_id IS $personId AND (name IS NULL OR $personId IS NOT NULL)`,
  ).run({ personId });
}

/** Removes the unused links that an owner made, for whomever. */
export function removeUnusedBy(db: Db, ownerId: number): void {
  db.query("DELETE FROM entry_link WHERE used_at IS NULL AND made_by = ?").run(ownerId);
}

export function removeExpired(db: Db, now: number): void {
  db.query("DELETE FROM entry_link WHERE expires_at <= ?").run(now);
}

export function removeAll(db: Db): void {
  db.run("DELETE FROM entry_link");
}
