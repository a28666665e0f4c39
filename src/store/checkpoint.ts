import { type Database, SQLiteError } from "bun:sqlite";
import { isLost } from "./files/in-place.ts";

/** Brings the log into the database; resolves when it has, or has failed to. */
type Run = () => Promise<unknown>;

type Checkpoints = {
  /** Pages of the log at which it is brought into the database. */
  pages: number;
  /** Null where SQLite does it. */
  run: Run | null;
  /** Resolves when the run that is under way is over; null while there is none. */
  over: Promise<unknown> | null;
  /** Resolves when it is over or has taken too long. */
  quiet: Promise<unknown> | null;
  /** Pages of the log before which not to try again: somebody reads what is in it, or has written meanwhile. */
  retryAt: number;
  isLooking: boolean;
};

const checkpoints = new WeakMap<Database, Checkpoints>();

/** At so many pages SQLite brings the log in at a commit, whatever the thread does: 256 MB. */
const pagesMax = 64_000;

/**
 * From so many pages on, 64 MB, writes wait longer for a checkpoint that is under way: a disk that takes seconds for each
 * sync would have the log grow as fast as others ask. What has waited is committed together.
 */
const crowded = { pages: 16_000, msMax: 5_000 };

/** How much the log grows between two attempts, as a part of its usual length. */
const retryPart = 1 / 8;

/** How long writes are put off for a checkpoint: the log begins anew only after one without a write. */
const quietMsMax = 1_000;

function stateOf(db: Database): Checkpoints {
  const known = checkpoints.get(db);
  if (known) return known;
  const state = { pages: 1_000, run: null, over: null, quiet: null, retryAt: 0, isLooking: false };
  checkpoints.set(db, state);
  return state;
}

/** Chooses how long the log gets, in pages of 4 KiB, before it is brought into the database. */
export function setLogPages(db: Database, pages: number): void {
  const state = stateOf(db);
  state.pages = pages;
  db.run(`PRAGMA wal_autocheckpoint = ${state.run ? pagesMax : pages}`);
}

/**
 * From now on, and at once, `run` brings the log into the database. It is to do that in another thread: the disk takes
 * tens of milliseconds. Null gives that back to SQLite, which does it at a commit.
 */
export function checkpointBy(db: Database, run: Run | null): void {
  const state = stateOf(db);
  state.run = run;
  setLogPages(db, state.pages);
  if (run) begin(db, run);
}

function begin(db: Database, run: Run): void {
  const state = stateOf(db);
  state.over = run().finally(() => {
    state.over = null;
    state.quiet = null;
    checkpointSoon(db);
  });
  state.quiet = Promise.race([state.over, Bun.sleep(quietMsMax)]);
}

/** To be called after a commit. Begins a checkpoint in the next turn if one is due and none is under way. */
export function checkpointSoon(db: Database): void {
  const state = stateOf(db);
  if (!state.run || state.quiet || state.isLooking) return;
  state.isLooking = true;
  setImmediate(() => {
    state.isLooking = false;
    const { run } = state;
    if (run && isDue(db, state) && !isLost(db)) begin(db, run);
  });
}

function isDue(db: Database, state: Checkpoints): boolean {
  const { log, checkpointed } = logLength(db);
  if (log < state.pages) state.retryAt = 0;
  if (log < Math.max(state.pages, state.retryAt) || log === checkpointed) return false;
  state.retryAt = log + state.pages * retryPart;
  return true;
}

/**
 * Pages that the log has, and how many of them are in the database; none while this connection reads something. Needs
 * SQLite 3.51: an older one brings the log in when it is asked.
 */
export function logLength(db: Database): { log: number; checkpointed: number } {
  type Row = Record<"busy" | "log" | "checkpointed", bigint>;
  try {
    const row = db.query<Row, []>("PRAGMA wal_checkpoint(NOOP)").get();
    return { log: Number(row?.log), checkpointed: Number(row?.checkpointed) };
  } catch (thrown) {
    if (thrown instanceof SQLiteError && thrown.code === "SQLITE_LOCKED") return { log: 0, checkpointed: 0 };
    throw thrown;
  }
}

/** Resolves when no checkpoint is under way, or it takes too long to be waited for. */
export async function quietLog(db: Database): Promise<void> {
  const state = stateOf(db);
  await state.quiet;
  if (state.over && logLength(db).log > crowded.pages)
    await Promise.race([state.over, Bun.sleep(crowded.msMax)]);
}
