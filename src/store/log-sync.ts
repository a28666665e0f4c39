import type { Database } from "bun:sqlite";
import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";

type Log = {
  handle: number;
  /** Commits that did not wait for the disk, and how many of them are known to be on it. */
  commits: number;
  synced: number;
  /** The last sync that was begun, and how many it brings to the disk. */
  begun: { commits: number; done: Promise<void> } | null;
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
  const { commits, handle } = log;
  if (log.synced >= commits) return;
  if (log.begun?.commits !== commits) log.begun = { commits, done: sync(handle) };
  const { begun } = log;
  try {
    await begun.done;
    log.synced = Math.max(log.synced, commits);
  } finally {
    if (log.begun === begun) log.begun = null;
  }
}

function sync(handle: number): Promise<void> {
  return new Promise((resolve, reject) =>
    fdatasync(handle, (error) => (error ? reject(new SyncFailed({ cause: error })) : resolve())),
  );
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
