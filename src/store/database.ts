import { Database, SQLiteError } from "bun:sqlite";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "./migrations.ts";

export type Db = Database;

/** How long a write waits for another process's write, for example a backup's. */
const busyTimeoutMs = 5_000;
const ownerOnlyDir = 0o700;
const ownerOnlyFile = 0o600;

/** Makes the data directory, readable by its owner alone. Throws a DataDirUnusable when it cannot. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: ownerOnlyDir });
    chmodSync(dataDir, ownerOnlyDir);
  } catch (thrown) {
    throw new DataDirUnusable(dataDir, { cause: thrown });
  }
}

/**
 * Opens `till.db` in a data directory, made and migrated when needed. Every commit is on the disk when it
 * returns (WAL with synchronous FULL): a payment that was recorded survives a power cut. Integers come back
 * as bigint.
 */
export function openDatabase(dataDir: string): Db {
  prepareDataDir(dataDir);
  const file = join(dataDir, "till.db");
  const db = new Database(file, { create: true, strict: true, safeIntegers: true });
  chmodSync(file, ownerOnlyFile);
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  db.run("PRAGMA foreign_keys = ON");
  migrate(db);
  return db;
}

/**
 * Runs `work` as one transaction that takes the write lock at its start, and returns what it returns. `work`
 * must not be asynchronous: SQLite would commit at its first await.
 */
export function transact<T>(db: Db, work: () => T extends PromiseLike<unknown> ? never : T): T {
  return db.transaction(work).immediate() as T;
}

/** Whether SQLite threw it: the disk is full, the file is locked or damaged. */
export function isDatabaseError(thrown: unknown): boolean {
  return thrown instanceof SQLiteError;
}

/** Folds the log into the database file and closes it. */
export function closeDatabase(db: Db): void {
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

export class DataDirUnusable extends Error {
  override readonly name = "DataDirUnusable";
  constructor(dataDir: string, options: ErrorOptions) {
    super(`The data directory ${dataDir} cannot be used; TILL_DATA_DIR chooses another`, options);
  }
}
