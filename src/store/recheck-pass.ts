import { type Db, numberOrNull } from "./database.ts";

/** How far a regular pass over blocks that have been read before is. */
export type RecheckPass = {
  /** When the next one begins, in Unix milliseconds. */
  dueAt: number;
  /** Where the last one and the one before ended. */
  last: number | null;
  beforeLast: number | null;
  /** What the one under way still has to read; nothing when `next` is above `to`. */
  next: number;
  to: number;
};

type PassRow = {
  due_at: bigint;
  last_block: bigint | null;
  before_last_block: bigint | null;
  next_block: bigint;
  to_block: bigint;
};

export function byName(db: Db, name: string): RecheckPass | null {
  const row = db
    .query<PassRow, [string]>(
      "SELECT due_at, last_block, before_last_block, next_block, to_block FROM recheck_pass WHERE name = ?",
    )
    .get(name);
  return (
    row && {
      dueAt: Number(row.due_at),
      last: numberOrNull(row.last_block),
      beforeLast: numberOrNull(row.before_last_block),
      next: Number(row.next_block),
      to: Number(row.to_block),
    }
  );
}

export function save(db: Db, name: string, { dueAt, last, beforeLast, next, to }: RecheckPass): void {
  db.query(
    `INSERT OR REPLACE INTO recheck_pass (name, due_at, last_block, before_last_block, next_block, to_block)
     VALUES ($name, $dueAt, $last, $beforeLast, $next, $to)`,
  ).run({ name, dueAt, last, beforeLast, next, to });
}
