import { type Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync, realpathSync } from "node:fs";
import { sleep } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import { isLost, mustBeInPlace } from "./files/in-place.ts";

/** The database's log (WAL): how it reaches the disk and the database. docs/house.md says why each part is there. */
type Log = {
  handle: number;
  /** Number of commits that did not wait for the disk, and how many of them are known to be on it. */
  commits: number;
  synced: number;
  /** The latest sync, and how many commits it covers. */
  begun: { commits: number; done: Promise<void> } | null;
  /** Whether a sync has failed since the log last reached the disk by other means. */
  isDoubtful: boolean;
};

const logs = new WeakMap<Database, Log>();

/**
 * Runs `work` so that SQLite does not wait for the disk when it commits. Nobody outside may hear of it before `onDisk`
 * has resolved. Every other commit still waits, and brings these to the disk as well, as they share a log. Not for use
 * in a transaction.
 */
export function withoutWaiting<T>(db: Database, work: () => T): T {
  logOf(db).commits += 1;
  db.query("PRAGMA synchronous = NORMAL").run();
  try {
    return work();
  } finally {
    db.query("PRAGMA synchronous = FULL").run();
  }
}

/** Resolves when everything committed is on the disk; another thread does the waiting. Rejects with a SyncFailed. */
export async function onDisk(db: Database): Promise<void> {
  const log = logOf(db);
  const { commits } = log;
  if (log.synced >= commits) return;
  if (!log.isDoubtful) {
    if (log.begun?.commits !== commits) log.begun = { commits, done: sync(log) };
    const { begun } = log;
    try {
      await begun.done;
    } finally {
      if (log.begun === begun) log.begun = null;
    }
  }
  // The system reports a failed write only once: the next sync succeeds without it.
  if (log.isDoubtful) foldIn(db);
  log.isDoubtful = false;
  log.synced = Math.max(log.synced, commits);
}

function sync(log: Log): Promise<void> {
  return new Promise((resolve, reject) =>
    world.sync(log.handle, (error) => {
      if (!error) return resolve();
      log.isDoubtful = true;
      reject(new SyncFailed({ cause: error }));
    }),
  );
}

/** Writes the whole log into the database and waits for the disk. Throws a SyncFailed. */
function foldIn(db: Database): void {
  type Folded = { busy: bigint; log: bigint; checkpointed: bigint };
  try {
    mustBeInPlace(db);
    const folded = db.query<Folded, []>("PRAGMA wal_checkpoint(PASSIVE)").get();
    if (folded?.busy !== 0n || folded.log !== folded.checkpointed)
      throw new Error("the log is in use just now");
  } catch (thrown) {
    throw new SyncFailed({ cause: thrown });
  }
}

function logOf(db: Database): Log {
  const log = logs.get(db);
  if (!log) throw new Error("The log of this database is not open");
  return log;
}

/**
 * Call it once a database is open in WAL mode. SQLite keeps the log next to the file that a symbolic link points to.
 */
export function openLog(db: Database): void {
  logs.set(db, {
    handle: openSync(`${realpathSync(db.filename)}-wal`, "r"),
    commits: 0,
    synced: 0,
    begun: null,
    isDoubtful: false,
  });
}

/** Call it once the database is closed. */
export function closeLog(db: Database): void {
  const log = logs.get(db);
  if (log) closeSync(log.handle);
  logs.delete(db);
}

export class SyncFailed extends Error {
  override readonly name = "SyncFailed";
  constructor(options: ErrorOptions) {
    super("The disk failed. Check whether this was saved before you try again. See the server log.", options);
  }
}

/** Checkpoints the log into the database; resolves when that is done or has failed. */
type Run = () => Promise<unknown>;

type Checkpoints = {
  /** Log size in pages at which a checkpoint is due. */
  pages: number;
  /** Null where SQLite does it. */
  run: Run | null;
  /** Resolves when the current run is over; null if there is none. */
  over: Promise<unknown> | null;
  /** Resolves when the run is over or has taken too long; null if there is none. */
  quiet: Promise<unknown> | null;
  /** Log size in pages below which not to retry: somebody is reading from it, or wrote meanwhile. */
  retryAt: number;
  isLooking: boolean;
};

const checkpoints = new WeakMap<Database, Checkpoints>();

/** Log size in pages, 256 MB, at which SQLite itself checkpoints at a commit, whatever the thread does. */
const pagesMax = 64_000;

/**
 * From this log size on, 64 MB, writes wait longer for a running checkpoint: on a disk that takes seconds for each sync
 * the log would otherwise grow as fast as requests arrive. Writes that waited are committed together.
 */
const crowded = { pages: 16_000, msMax: 5_000 };

const pageBytes = 4_096;

/** Makes SQLite truncate an oversized log file when the log restarts. */
export function limitLogFile(db: Database): void {
  db.run(`PRAGMA journal_size_limit = ${crowded.pages * pageBytes}`);
}

/** Growth of the log between two attempts, as a fraction of its usual size. */
const retryPart = 1 / 8;

/** How long writes are delayed for a checkpoint: the log restarts only after one without concurrent writes. */
const quietMsMax = 1_000;

function stateOf(db: Database): Checkpoints {
  const known = checkpoints.get(db);
  if (known) return known;
  const state = { pages: 1_000, run: null, over: null, quiet: null, retryAt: 0, isLooking: false };
  checkpoints.set(db, state);
  return state;
}

/** Sets the log size, in pages of 4 KiB, at which it is checkpointed. */
export function setLogPages(db: Database, pages: number): void {
  const state = stateOf(db);
  state.pages = pages;
  db.run(`PRAGMA wal_autocheckpoint = ${state.run ? pagesMax : pages}`);
}

/**
 * Has `run` do the checkpoints from now on, beginning at once. It should use another thread, as the disk takes tens of
 * milliseconds. Null leaves them to SQLite, which does them at commits.
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
  state.quiet = Promise.race([state.over, sleep(quietMsMax)]);
}

/** Call it after a commit. Begins a checkpoint in the next turn if one is due and none is running. */
export function checkpointSoon(db: Database): void {
  const state = stateOf(db);
  if (!state.run || state.quiet || state.isLooking) return;
  state.isLooking = true;
  world.setImmediate(() => {
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
 * Size of the log in pages, and how many of them are checkpointed; zeros while this connection is reading. Needs SQLite
 * 3.51: older versions would run a checkpoint instead.
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

/** Bytes of the log that are not in the database yet; 0 where SQLite does not say. */
export function pendingLogBytes(db: Database): number {
  if (!canAskForLength(db)) return 0;
  const { log, checkpointed } = logLength(db);
  return (log - checkpointed) * pageBytes;
}

/** On macOS, Bun uses the system's SQLite, which may be older: there SQLite keeps checkpointing at commits. */
export function canAskForLength(db: Database): boolean {
  const row = db.query<{ version: string }, []>("SELECT sqlite_version() AS version").get();
  return Bun.semver.order(row?.version ?? "", "3.51.0") >= 0;
}

/** Resolves when no checkpoint is running, or it takes too long to wait for. */
export async function quietLog(db: Database): Promise<void> {
  const state = stateOf(db);
  await state.quiet;
  if (state.over && logLength(db).log > crowded.pages) await Promise.race([state.over, sleep(crowded.msMax)]);
}
