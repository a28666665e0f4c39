import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ownerOnlyFile } from "../lib/file.ts";
import { keepBeforeUpgrade } from "./keep-before-upgrade.ts";
import { migrate } from "./migrations.ts";

export type Db = Database;

/** How long a write waits for another process's write, for example a backup's. */
const busyTimeoutMs = 5_000;
const ownerOnlyDir = 0o700;

/** Makes the data directory, readable by its owner alone. Throws a DataDirUnusable when it cannot. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: ownerOnlyDir });
    chmodSync(dataDir, ownerOnlyDir);
  } catch (thrown) {
    throw new DataDirUnusable(dataDir, { cause: thrown });
  }
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, "till.db");
}

/** The encrypted wallet, which the chain room reads and writes. */
export function walletFile(dataDir: string): string {
  return join(dataDir, "wallet.json");
}

/**
 * Opens `till.db` in a data directory, made and migrated when needed, after a copy of what is there. Every commit is on the disk when it
 * returns (WAL with synchronous FULL): a payment that was recorded survives a power cut. Integers come back
 * as bigint.
 */
export function openDatabase(dataDir: string): Db {
  prepareDataDir(dataDir);
  const file = databaseFile(dataDir);
  const db = new Database(file, { create: true, strict: true, safeIntegers: true });
  chmodSync(file, ownerOnlyFile);
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  db.run("PRAGMA foreign_keys = ON");
  keepBeforeUpgrade(db, file);
  migrate(db);
  return db;
}

/**
 * Opens the database of a data directory to read it as it is, whatever its schema, also beside a running server.
 * Throws a NoDatabase when there is none.
 */
export function openReadOnly(dataDir: string): Db {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) throw new NoDatabase(dataDir);
  const db = new Database(file, { readonly: true, strict: true, safeIntegers: true });
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  return db;
}

/**
 * Runs `work` as one transaction that takes the write lock at its start, and returns what it returns. `work`
 * must not be asynchronous: SQLite would commit at its first await.
 */
export function transact<T>(db: Db, work: () => T extends PromiseLike<unknown> ? never : T): T {
  return db.transaction(work).immediate() as T;
}

/** Folds the log into the database file and closes it. */
export function closeDatabase(db: Db): void {
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

export class NoDatabase extends Error {
  override readonly name = "NoDatabase";
  constructor(dataDir: string) {
    super(`There is no database in ${dataDir}. TILL_DATA_DIR says where Till keeps its data`);
  }
}

export class DataDirUnusable extends Error {
  override readonly name = "DataDirUnusable";
  constructor(dataDir: string, options: ErrorOptions) {
    super(`The data directory ${dataDir} cannot be used; TILL_DATA_DIR chooses another`, options);
  }
}
