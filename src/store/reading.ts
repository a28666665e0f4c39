import { type Db, numberOrNull, transact } from "./database.ts";
import * as DepositStore from "./deposit.ts";

/** Blocks to be read once more, for every address of the installation or for some. */
export type Reading = {
  id: number;
  kind: "rescan" | "late";
  from: number;
  /** The last block as it was asked for; null for the head at the time of taking it up. */
  wantedTo: number | null;
  /** The last block to read; null until it is taken up. */
  to: number | null;
  /** The block and the deposit to go on with. */
  next: number;
  nextDeposit: number;
  /** Up to here all blocks from `next` on are read for one chunk of deposits after the other; null in between. */
  sliceTo: number | null;
  /** Transfers found that were not known. */
  found: number;
  /** What went wrong last; what ended it when it is finished. */
  problem: string | null;
  finishedAt: number | null;
};

type ReadingRow = {
  id: bigint;
  kind: string;
  from_block: bigint;
  wanted_to: bigint | null;
  to_block: bigint | null;
  next_block: bigint;
  next_deposit: bigint;
  slice_to: bigint | null;
  found: bigint;
  problem: string | null;
  finished_at: bigint | null;
};

const columns =
  "id, kind, from_block, wanted_to, to_block, next_block, next_deposit, slice_to, found, problem, finished_at";

function fromRow(row: ReadingRow): Reading {
  return {
    id: Number(row.id),
    kind: row.kind as Reading["kind"],
    from: Number(row.from_block),
    wantedTo: numberOrNull(row.wanted_to),
    to: numberOrNull(row.to_block),
    next: Number(row.next_block),
    nextDeposit: Number(row.next_deposit),
    sliceTo: numberOrNull(row.slice_to),
    found: Number(row.found),
    problem: row.problem,
    finishedAt: numberOrNull(row.finished_at),
  };
}

/** Asks the server for a rescan of all addresses; returns its id. */
export function request(db: Db, blocks: { from: number; to: number | null }, now: number): number {
  return insert(db, "rescan", blocks.from, blocks.to, now);
}

function insert(db: Db, kind: Reading["kind"], from: number, to: number | null, now: number): number {
  const row = db
    .query<{ id: bigint }, [string, number, number | null, number]>(
      `INSERT INTO reading (kind, from_block, next_block, wanted_to, requested_at) VALUES (?1, ?2, ?2, ?3, ?4)
       RETURNING id`,
    )
    .get(kind, from, to, now);
  return Number(row?.id);
}

/** Puts deposits on the list of those whose blocks are to be read, as one reading with others that has not begun. */
export function addLate(
  db: Db,
  deposits: readonly number[],
  blocks: { from: number; to: number },
  now: number,
): void {
  transact(db, () => {
    const waiting = db
      .query<{ id: bigint }, []>(
        `SELECT id FROM reading WHERE kind = 'late' AND finished_at IS NULL AND to_block IS NULL LIMIT 1`,
      )
      .get();
    const id = waiting ? Number(waiting.id) : insert(db, "late", blocks.from, blocks.to, now);
    db.query(
      `UPDATE reading SET from_block = min(from_block, $from), next_block = min(next_block, $from),
         wanted_to = max(wanted_to, $to) WHERE id = $id`,
    ).run({ id, from: blocks.from, to: blocks.to });
    for (const deposit of deposits) {
      db.query(
        "INSERT INTO reading_deposit (reading_id, deposit_index) VALUES (?, ?) ON CONFLICT DO NOTHING",
      ).run(id, deposit);
    }
  });
}

/** Whether blocks are still to be read in which late money came to a deposit. */
export function isLate(db: Db, deposit: number): boolean {
  return (
    db
      .query(
        `SELECT 1 FROM reading JOIN reading_deposit ON reading_id = id
         WHERE kind = 'late' AND finished_at IS NULL AND deposit_index = ?`,
      )
      .get(deposit) !== null
  );
}

/** A reading of a kind that is not finished: one with a problem before the others, else the oldest. */
export function open(db: Db, kind: Reading["kind"]): Reading | null {
  const row = db
    .query<ReadingRow, [string]>(
      `SELECT ${columns} FROM reading WHERE kind = ? AND finished_at IS NULL ORDER BY problem IS NULL, id LIMIT 1`,
    )
    .get(kind);
  return row && fromRow(row);
}

/** The ids of those of a kind that are not finished, the oldest first. */
export function listOpen(db: Db, kind: Reading["kind"]): number[] {
  return db
    .query<{ id: bigint }, [string]>(
      "SELECT id FROM reading WHERE kind = ? AND finished_at IS NULL ORDER BY id",
    )
    .all(kind)
    .map(({ id }) => Number(id));
}

export function byId(db: Db, id: number): Reading | null {
  const row = db.query<ReadingRow, [number]>(`SELECT ${columns} FROM reading WHERE id = ?`).get(id);
  return row && fromRow(row);
}

/** At most `limit` of the deposits that a reading is for, from an index on. */
export function listDeposits(db: Db, reading: Reading, limit: number): DepositStore.WatchedDeposit[] {
  if (reading.kind === "rescan") return DepositStore.listFrom(db, reading.nextDeposit, limit);
  return db
    .query<DepositStore.WatchedRow, [number, number, number]>(
      `SELECT deposit_index, address FROM reading_deposit JOIN deposit USING (deposit_index)
       WHERE reading_id = ? AND deposit_index >= ? ORDER BY deposit_index LIMIT ?`,
    )
    .all(reading.id, reading.nextDeposit, limit)
    .map(DepositStore.watchedFromRow);
}

/** Takes deposits off the list of a reading: there is nothing more to find for them. */
export function dropDeposits(db: Db, id: number, deposits: readonly number[]): void {
  transact(db, () => {
    const drop = db.query("DELETE FROM reading_deposit WHERE reading_id = ? AND deposit_index = ?");
    for (const deposit of deposits) drop.run(id, deposit);
  });
}

export function save(db: Db, reading: Reading): void {
  const { id, to, next, nextDeposit, sliceTo, found, problem, finishedAt } = reading;
  db.query(
    `UPDATE reading SET to_block = $to, next_block = $next, next_deposit = $nextDeposit, slice_to = $sliceTo,
       found = $found, problem = $problem, finished_at = $finishedAt WHERE id = $id`,
  ).run({ id, to, next, nextDeposit, sliceTo, found, problem, finishedAt });
}
