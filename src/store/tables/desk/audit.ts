import { columns, integer, json, orNull, selectAll, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** A setting's values as in its variable; for a mail server only the host, for an image only whether there is one. */
export type Change = { name: string; before: string; after: string };

/** An action somebody took at the desk. */
export type AuditEntry = {
  id: number;
  /** Unix time in milliseconds. */
  at: number;
  personName: string;
  /** The kind of action: `invoice.void`. */
  action: string;
  /** Its subject, by the name people use. */
  subject: string | null;
  /** Null if Till stopped before the outcome was known. */
  outcome: "done" | "failed" | null;
  /** The settings it changed. */
  changes: Change[] | null;
};

const entry = columns("audit", {
  id: integer(),
  at: integer(),
  personName: text(),
  action: text(),
  subject: orNull(text()),
  outcome: orNull(text<"done" | "failed">()),
  changes: orNull(json<Change[]>()),
});

type NewEntry = {
  at: number;
  personId: number | null;
  personName: string;
  action: string;
  subject: string | null;
  /** Null or absent if there is no session. */
  sessionId?: number | null;
};

/** Records an action before it is done. Returns its id. */
export function begin(db: Db, begun: NewEntry): number {
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO audit (at, person_id, person_name, action, subject, session_id)
       VALUES ($at, $personId, $personName, $action, $subject, $sessionId)`,
    )
    .run({ sessionId: null, ...begun });
  return Number(lastInsertRowid);
}

/** Records a completed action, in its transaction. */
export function note(db: Db, entry: NewEntry): void {
  end(db, begin(db, entry), "done");
}

type EntryEnd = {
  subject?: string | undefined;
  action?: string | undefined;
  changes?: readonly Change[] | undefined;
};

/** These replace values that were unknown at the beginning. */
export function end(
  db: Db,
  id: number,
  outcome: "done" | "failed",
  { subject, action, changes }: EntryEnd = {},
): void {
  db.query(
    `UPDATE audit SET outcome = $outcome, subject = coalesce($subject, subject), action = coalesce($action, action),
       changes = $changes WHERE id = $id`,
  ).run({
    id,
    outcome,
    subject: subject ?? null,
    action: action ?? null,
    changes: changes === undefined ? null : JSON.stringify(changes),
  });
}

/** Removes an action that did not happen, as the form had faults. */
export function forget(db: Db, id: number): void {
  db.query("DELETE FROM audit WHERE id = ?").run(id);
}

/** Newest first, those before `before`. */
export const list = (db: Db, { before, limit }: { before: number | null; limit: number }): AuditEntry[] =>
  selectAll(db, entry, "WHERE id < $before ORDER BY id DESC LIMIT $limit", {
    before: before ?? Number.MAX_SAFE_INTEGER,
    limit,
  });

export const byId = (db: Db, id: number): AuditEntry | null =>
  selectAll(db, entry, "WHERE id = ?", id)[0] ?? null;

/** The last time this action was done, or begun. */
export const newest = (db: Db, action: string): AuditEntry | null =>
  selectAll(db, entry, "WHERE action = ? AND outcome IS NOT 'failed' ORDER BY id DESC LIMIT 1", action)[0] ??
  null;

/** Actions in a session, newest first. */
export const listOfSession = (db: Db, { sessionId }: { sessionId: number }, limit: number): AuditEntry[] =>
  selectAll(db, entry, "WHERE session_id = ? ORDER BY id DESC LIMIT ?", sessionId, limit);

/** A person's actions since a time in ended sessions: all sessions but these open ones. Newest first. */
export const listEnded = (
  db: Db,
  personId: number,
  open: readonly { sessionId: number }[],
  { since, limit }: { since: number; limit: number },
): AuditEntry[] =>
  selectAll(
    db,
    entry,
    `WHERE person_id = ? AND at > ? AND session_id IS NOT NULL AND session_id NOT IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ?`,
    personId,
    since,
    JSON.stringify(open.map(({ sessionId }) => sessionId)),
    limit,
  );
