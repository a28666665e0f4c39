import { integer, orNull, type Row, columns as table, text } from "../../columns.ts";
import { type Db, numberOf, textOf, transact } from "../../database.ts";

/** Why blocks are read again. The watcher's policy defines what each reason requires. */
export type RereadReason = "rescan" | "late";

const columns = table("reread", {
  id: integer(),
  reason: text<RereadReason>(),
  from: integer("from_block"),
  /** The last block; null until it begins, for the newest one then. */
  to: orNull(integer("to_block")),
  /** The block to continue with; null until it begins. */
  next: orNull(integer("next_block")),
  /** The deposits to read for, by index. */
  firstDeposit: integer(),
  lastDeposit: integer(),
  /** When the next slice is due, in Unix milliseconds. */
  dueAt: integer(),
  /** How many slices have failed. */
  failures: integer(),
  /** Transfers found that were not recorded before. */
  transfers: integer(),
  /** The latest problem; for a finished row the one that ended it. */
  problem: orNull(text()),
  request: orNull(integer()),
  finishedAt: orNull(integer()),
});

/** Blocks to read again: a row of the watcher's work list. */
export type Reread = ReturnType<typeof columns.fromRow>;

const range = columns.pick("reason", "from", "to", "firstDeposit", "lastDeposit", "dueAt", "request");
type RereadRange = ReturnType<typeof range.fromRow>;

const changing = columns.omit("reason", "from", "request", "finishedAt");

/** Deposits per row, at most: a node takes that many addresses in one call. */
const depositsPerRow = 1_000;

function insert(db: Db, row: RereadRange): void {
  db.query(range.insert()).run(range.values(row));
}

/** Asks the server to read blocks again for every deposit. Returns the request's id. */
export function request(db: Db, { from, to }: { from: number; to: number | null }, now: number): number {
  return transact(db, () => {
    const id = (numberOf(db, "SELECT max(request) FROM reread") ?? 0) + 1;
    // Only where there are deposits, as each epoch begins billions of indexes above the last.
    const sql = `SELECT DISTINCT deposit_index / ${depositsPerRow} AS nth FROM receivable ORDER BY nth`;
    const rows = db.query<{ nth: bigint }, []>(sql).all();
    // Whoever asked also hears of it when there are none.
    for (const { nth } of rows.length === 0 ? [{ nth: 0n }] : rows) {
      const firstDeposit = Number(nth) * depositsPerRow;
      const lastDeposit = firstDeposit + depositsPerRow - 1;
      insert(db, { reason: "rescan", from, to, firstDeposit, lastDeposit, dueAt: now, request: id });
    }
    return id;
  });
}

/**
 * Adds blocks with money that no log reported. Deposits with nearby indexes share a row that was not tried yet; those
 * in between are read along.
 */
export function addLate(
  db: Db,
  deposits: readonly number[],
  { from, to }: { from: number; to: number },
  now: number,
): void {
  transact(db, () => {
    for (const group of Map.groupBy(deposits, (index) => Math.floor(index / depositsPerRow)).values()) {
      const range = { first: Math.min(...group), last: Math.max(...group) };
      const lowest = Math.floor(range.first / depositsPerRow) * depositsPerRow;
      const { changes } = db
        .query(
          `UPDATE reread SET from_block = min(from_block, $from), to_block = max(to_block, $to),
             first_deposit = min(first_deposit, $first), last_deposit = max(last_deposit, $last)
           WHERE id = (SELECT id FROM reread
             WHERE reason = 'late' AND finished_at IS NULL AND next_block IS NULL AND failures = 0
               AND first_deposit BETWEEN $lowest AND $highest LIMIT 1)`,
        )
        .run({ from, to, ...range, lowest, highest: lowest + depositsPerRow - 1 });
      if (changes > 0) continue;
      const { first: firstDeposit, last: lastDeposit } = range;
      insert(db, { reason: "late", from, to, firstDeposit, lastDeposit, dueAt: now, request: null });
    }
  });
}

/** Adds blocks whose logs are all to be read for these deposits. */
export function addRescan(
  db: Db,
  deposits: readonly number[],
  { from, to }: { from: number; to: number },
  now: number,
): void {
  for (const group of Map.groupBy(deposits, (index) => Math.floor(index / depositsPerRow)).values()) {
    const firstDeposit = Math.min(...group);
    const lastDeposit = Math.max(...group);
    insert(db, { reason: "rescan", from, to, firstDeposit, lastDeposit, dueAt: now, request: null });
  }
}

/** Returns whether every block from `from` on is being read for a deposit that got late money. */
export function isLate(db: Db, deposit: number, from: number): boolean {
  const sql = `SELECT 1 FROM reread WHERE reason = 'late' AND finished_at IS NULL
    AND ? BETWEEN first_deposit AND last_deposit AND from_block <= ? LIMIT 1`;
  return db.query(sql).get(deposit, from) !== null;
}

/** Returns whether blocks are being read for a deposit's late money for the first time, without a failure so far. */
export function isLateAtFirst(db: Db, deposit: number): boolean {
  const sql = `SELECT 1 FROM reread WHERE reason = 'late' AND finished_at IS NULL AND failures = 0
    AND ? BETWEEN first_deposit AND last_deposit LIMIT 1`;
  return db.query(sql).get(deposit) !== null;
}

/** Unfinished rows, oldest first per reason. */
export function listOpen(db: Db): Reread[] {
  return db
    .query<Row<Reread>, []>(
      `SELECT ${columns.list} FROM reread WHERE finished_at IS NULL ORDER BY reason, id`,
    )
    .all()
    .map(columns.fromRow);
}

/** Why late money has not been found, from the latest attempt; null if there is no problem. */
export function lateProblem(db: Db): string | null {
  const sql = `SELECT problem FROM reread
    WHERE reason = 'late' AND finished_at IS NULL AND problem IS NOT NULL ORDER BY id LIMIT 1`;
  return textOf(db, sql);
}

/** The rows of a request, in order. */
export function listByRequest(db: Db, request: number): Reread[] {
  return db
    .query<Row<Reread>, [number]>(`SELECT ${columns.list} FROM reread WHERE request = ? ORDER BY id`)
    .all(request)
    .map(columns.fromRow);
}

/** Begins a row: fixes its blocks, and those of every row of the same request. */
export function begin(db: Db, { id }: Reread, to: number): void {
  transact(db, () => {
    db.query("UPDATE reread SET next_block = from_block WHERE id = ?").run(id);
    db.query(
      `UPDATE reread SET to_block = $to
       WHERE id = $id OR (next_block IS NULL AND request = (SELECT request FROM reread WHERE id = $id))`,
    ).run({ id, to });
  });
}

export function save(db: Db, row: Reread): void {
  db.query(
    `UPDATE reread SET to_block = $to, next_block = $next, first_deposit = $firstDeposit, last_deposit = $lastDeposit,
       due_at = $dueAt, failures = $failures, transfers = $transfers, problem = $problem WHERE id = $id`,
  ).run(changing.values(row));
}

/** Removes a row, or keeps it as finished if somebody requested it. */
export function finish(db: Db, { id }: Reread, problem: string | null, now: number): void {
  db.query("UPDATE reread SET problem = ?, finished_at = ? WHERE id = ? AND request IS NOT NULL").run(
    problem,
    now,
    id,
  );
  db.query("DELETE FROM reread WHERE id = ? AND request IS NULL").run(id);
}
