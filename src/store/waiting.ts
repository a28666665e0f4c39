import type { Db } from "./database.ts";

/** The state of a row that waits for its `next_attempt_at`, by table. */
const waitingState = { mail: "queued", webhook_event: "pending" } as const;

/**
 * Makes due whatever is scheduled after `latest`, further ahead than any schedule reaches: the clock was wrong then, or
 * is now.
 */
export function bringForward(db: Db, table: keyof typeof waitingState, now: number, latest: number): void {
  const waits = `state = '${waitingState[table]}'`;
  // Read first: a write would wait for others' writes, and there is almost never anything to do.
  const row = db
    .query<{ last: bigint | null }, []>(`SELECT max(next_attempt_at) AS last FROM ${table} WHERE ${waits}`)
    .get();
  if (row?.last == null || row.last <= latest) return;
  db.query(`UPDATE ${table} SET next_attempt_at = ? WHERE ${waits} AND next_attempt_at > ?`).run(now, latest);
}
