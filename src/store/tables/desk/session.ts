import type { Person } from "../../../domain/party/person.ts";
import { columns, integer, join, orNull, type Row, selectAll, text } from "../../columns.ts";
import type { Db } from "../../database.ts";
import { personColumns } from "./person.ts";

/** A browser with somebody signed in. */
export type Session = {
  sessionId: number;
  device: string;
  /** Unix times in milliseconds. */
  startedAt: number;
  seenAt: number;
  /** The passkey that began it, which may have been removed since; null for a password. */
  passkeyId: number | null;
};

const session = columns("session", {
  sessionId: integer(),
  device: text(),
  startedAt: integer(),
  seenAt: integer(),
  passkeyId: orNull(integer()),
});
const withPerson = join(session, personColumns);

/** Returns the id. */
export function insert(
  db: Db,
  begun: { personId: number; tokenHash: string; device: string; startedAt: number; passkeyId: number | null },
): number {
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO session (person_id, token_hash, device, started_at, seen_at, passkey_id)
       VALUES ($personId, $tokenHash, $device, $startedAt, $startedAt, $passkeyId)`,
    )
    .run(begun);
  return Number(lastInsertRowid);
}

/** The session of this token that began and was seen between these times, unless its person was removed. */
export function byToken(
  db: Db,
  filter: { tokenHash: string; startedAfter: number; seenAfter: number; seenBefore: number },
): (Session & Person) | null {
  const row = db
    .query<Row<Session & Person>, Record<string, string | number>>(
      `SELECT ${withPerson.list} FROM session JOIN person ON person.id = session.person_id
       WHERE token_hash = $tokenHash AND started_at > $startedAfter AND seen_at > $seenAfter
         AND seen_at < $seenBefore AND removed_at IS NULL`,
    )
    .get(filter);
  return row && withPerson.fromRow(row);
}

/** A start after `seenAt` comes from a clock that was set back since; it becomes `seenAt`. */
export function setSeen(db: Db, id: number, seenAt: number): void {
  db.query("UPDATE session SET seen_at = ?1, started_at = min(started_at, ?1) WHERE session_id = ?2").run(
    seenAt,
    id,
  );
}

/** Most recently used first. */
export const listOf = (db: Db, personId: number): Session[] =>
  selectAll(db, session, "WHERE person_id = +? ORDER BY seen_at DESC", personId);

/** Returns false when the person has no such session. */
export function remove(db: Db, { id, personId }: { id: number; personId: number }): boolean {
  return db.query("DELETE FROM session WHERE session_id = ? AND person_id = ?").run(id, personId).changes > 0;
}

export function removeByToken(db: Db, tokenHash: string): void {
  db.query("DELETE FROM session WHERE token_hash = ?").run(tokenHash);
}

/** Ends all of a person's sessions, except one that may stay. */
export function removeOf(db: Db, personId: number, exceptId: number | null = null): void {
  db.query("DELETE FROM session WHERE person_id = ? AND session_id IS NOT ?").run(personId, exceptId);
}

export function removeAll(db: Db): void {
  db.run("DELETE FROM session");
}

/** Removes expired sessions. */
export function removeEnded(
  db: Db,
  { startedBefore, seenBefore }: { startedBefore: number; seenBefore: number },
): void {
  db.query("DELETE FROM session WHERE started_at <= ? OR seen_at <= ?").run(startedBefore, seenBefore);
}
