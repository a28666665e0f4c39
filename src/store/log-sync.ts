import type { Database } from "bun:sqlite";
import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { mustBeInPlace } from "./files/in-place.ts";

type Log = {
  handle: number;
  /** Commits that did not wait for the disk, and how many of them are known to be on it. */
  commits: number;
  synced: number;
  /** The last sync that was begun, and how many it brings to the disk. */
  begun: { commits: number; done: Promise<void> } | null;
  /** Whether a sync has failed since the log was last brought to the disk by other means. */
  isDoubtful: boolean;
};

const logs = new WeakMap<Database, Log>();

/**
 * Runs `work` so that SQLite does not wait for the disk when it commits. Nobody outside may hear of it before `onDisk`
 * has resolved. Every other commit still waits, and brings these to the disk as well: they share a log. Not for use in
 * a transaction.
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

/** Resolves when all that is committed is on the disk; another thread waits for that. Rejects with a SyncFailed. */
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
  // The system tells of what it could not write once, and calls the next sync a success without it.
  if (log.isDoubtful) foldIn(db);
  log.isDoubtful = false;
  log.synced = Math.max(log.synced, commits);
}

function sync(log: Log): Promise<void> {
  return new Promise((resolve, reject) =>
    fdatasync(log.handle, (error) => {
      if (!error) return resolve();
      log.isDoubtful = true;
      reject(new SyncFailed({ cause: error }));
    }),
  );
}

/** Writes all that the log holds anew, into the database, and waits for the disk. Throws a SyncFailed. */
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

/** To be called once a database is open in WAL mode. SQLite keeps the log beside the file that a link leads to. */
export function openLog(db: Database): void {
  logs.set(db, {
    handle: openSync(`${realpathSync(db.filename)}-wal`, "r"),
    commits: 0,
    synced: 0,
    begun: null,
    isDoubtful: false,
  });
}

/** To be called once the database is closed. */
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
