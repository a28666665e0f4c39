import { Database, SQLiteError, type SQLQueryBindings } from "bun:sqlite";
import { existsSync } from "node:fs";
import { messageOf } from "../lib/error.ts";
import { makePrivate, ownerOnlyFile } from "../lib/file.ts";
import { DataDirUnusable, databaseFile, inDataDir, prepareDataDir } from "./files/data-dir.ts";
import {
  DatabaseReplaced,
  isAsClosed,
  isLost,
  mustBeInPlace,
  noteClosed,
  setSound,
} from "./files/in-place.ts";
import { UpgradeStopped, upgrade } from "./files/upgrade.ts";
import {
  checkpointBy,
  checkpointSoon,
  closeLog,
  limitLogFile,
  openLog,
  SyncFailed,
  setLogPages,
  withoutWaiting,
} from "./log.ts";
import { knownSchemaOf, schemaSteps } from "./migrations.ts";

/**
 * Frequent calls compare with `= +?` in queries with a join or an ORDER BY: for a plain `= ?` SQLite plans the query
 * anew for each value, which takes longer than running it.
 */
export type Db = Database;

/**
 * Number of prepared statements kept, about 28 KiB each: enough for all that run often. Bun's default is 20, fewer than
 * it takes to watch the chain and serve a page.
 */
Database.MAX_QUERY_CACHE_SIZE = 200;

/**
 * The page cache of a connection, in KiB, and how many pages of 4 KiB the log may have before a checkpoint. The system
 * caches the file as well, so a small cache is enough; but a transaction that does not fit is written twice, and a
 * day's payments change the same pages again and again: they need the wide one.
 */
const caches = {
  narrow: { kib: 2_048, logPages: 1_000 },
  wide: { kib: 16_384, logPages: 4_000 },
};

/**
 * How long a write waits for another process's write, in ms. All requests to a server wait with it; programs that copy
 * the database continuously, such as Litestream, lock it for less.
 */
const busyTimeouts = { command: 5_000, server: 500 };
/**
 * Opens `till.db` in a data directory, creates it if needed, and upgrades it after making a copy. Every commit is on
 * the disk when it returns (WAL with synchronous FULL), except those made by `withoutWaiting`. Deleted data is
 * overwritten. Integers come back as bigint. Throws a DataDirUnusable, a DatabaseDamaged, or whatever `migrate` throws.
 */
export function openDatabase(dataDir: string, steps = schemaSteps): Db {
  prepareDataDir(dataDir);
  const file = databaseFile(dataDir);
  // SQLite creates the log first and removes it last: shared memory without a log means that somebody removed the log.
  if (existsSync(`${file}-shm`) && !existsSync(`${file}-wal`)) {
    throw new DatabaseDamaged(file, `${file}-wal, which holds the last changes, is missing`);
  }
  const isUnchanged = isAsClosed(file);
  let db: Db | null = null;
  try {
    db = new Database(file, { create: true, strict: true, safeIntegers: true });
    db.run(`PRAGMA busy_timeout = ${busyTimeouts.command}`);
    // Must precede any write, in case the file is not Till's, or belongs to a newer Till.
    knownSchemaOf(db, steps);
    inDataDir(dataDir, () => makePrivate(file, ownerOnlyFile));
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = FULL");
    limitLogFile(db);
    setCache(db, "narrow");
    db.run("PRAGMA foreign_keys = ON");
    db.run("PRAGMA secure_delete = ON");
    upgrade(db, file, steps);
    // For rolling back a statement SQLite keeps what it changes, above 64 KiB in a temporary file: slower than the
    // change itself, and payments could not be stored while /tmp is full or read-only.
    db.run("PRAGMA temp_store = MEMORY");
    openLog(db);
    setSound(db, isUnchanged);
    return db;
  } catch (thrown) {
    db?.close();
    const reason = thrown instanceof UpgradeStopped ? thrown.reason : thrown;
    if (isDamage(reason)) throw new DatabaseDamaged(file, messageOf(reason));
    throw isDiskFailure(thrown) ? new DataDirUnusable(dataDir, { cause: thrown }) : thrown;
  }
}

/** Makes writes of this connection fail soon while another process writes for long. */
export function waitAsServer(db: Db): void {
  db.run(`PRAGMA busy_timeout = ${busyTimeouts.server}`);
}

/** Runs `work`, failing at once if another process is writing: with a DatabaseLocked, or as SQLite does. */
export function atOnce<T>(db: Db, work: () => T): T {
  const before = numberOf(db, "PRAGMA busy_timeout");
  db.query("PRAGMA busy_timeout = 0").run();
  try {
    return work();
  } finally {
    db.run(`PRAGMA busy_timeout = ${before}`);
  }
}

/** Reads the whole database and returns what is damaged; null if nothing is. */
export function faultIn(db: Db): string | null {
  try {
    const row = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
    return row?.quick_check === "ok" ? null : (row?.quick_check ?? "no answer");
  } catch (thrown) {
    if (isDamage(thrown)) return messageOf(thrown);
    throw thrown;
  }
}

/** Sets the cache size of a connection; any excess is released at once. */
export function setCache(db: Db, width: keyof typeof caches): void {
  const { kib, logPages } = caches[width];
  db.run(`PRAGMA cache_size = -${kib}`);
  setLogPages(db, logPages);
  if (width === "narrow") db.run("PRAGMA shrink_memory");
}

/** Returns whether a file is not a database, or no longer one. */
export function isDamage(thrown: unknown): boolean {
  return hasCode(thrown, /^SQLITE_(CORRUPT|NOTADB)/);
}

/** Call it with the error of a failed write: after damage the next start checks the database first. */
export function noteDamage(db: Db, thrown: unknown): void {
  if (isDamage(thrown)) setSound(db, false);
}

/** Returns whether the disk is full, or refuses this user's files. */
export function isDiskFailure(thrown: unknown): boolean {
  return hasCode(thrown, /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM)/);
}

function hasCode(thrown: unknown, codes: RegExp): boolean {
  return thrown instanceof SQLiteError && codes.test(thrown.code ?? "");
}

/** Returns whether another process kept writing to the database. */
export function isLocked(thrown: unknown): boolean {
  return thrown instanceof DatabaseLocked || hasCode(thrown, /^SQLITE_(BUSY|LOCKED)/);
}

/** Returns whether the disk or another process prevented storing or reading, as opposed to a bug in Till. */
export function isStorageFailure(thrown: unknown): boolean {
  if ([DatabaseReplaced, DatabaseDamaged, SyncFailed].some((kind) => thrown instanceof kind)) return true;
  return isDamage(thrown) || isDiskFailure(thrown) || isLocked(thrown);
}

/** Writes what may be lost, so that no disk and no other process holds up readers. Not for use in a transaction. */
export function ifStorable(db: Db, write: () => void): void {
  try {
    atOnce(db, () => withoutWaiting(db, write));
  } catch (thrown) {
    if (!isStorageFailure(thrown)) throw thrown;
  }
}

/**
 * Opens the database of a data directory read-only, whatever its schema, even beside a running server. Throws a
 * NoDatabase if there is none.
 */
export function openReadOnly(dataDir: string): Db {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) throw new NoDatabase(dataDir);
  const db = new Database(file, { readonly: true, strict: true, safeIntegers: true });
  db.run(`PRAGMA busy_timeout = ${busyTimeouts.command}`);
  return db;
}

/** Opens a second connection to an open database, for another thread. Its commits do not wait for the disk. */
export function openBeside(dataDir: string): Db {
  const db = new Database(databaseFile(dataDir), {
    readwrite: true,
    create: false,
    strict: true,
    safeIntegers: true,
  });
  db.run(`PRAGMA busy_timeout = ${busyTimeouts.command}`);
  db.run("PRAGMA synchronous = NORMAL");
  limitLogFile(db);
  return db;
}

type Transaction = ReturnType<typeof Database.prototype.transaction<[work: () => unknown], unknown>>;
const transactions = new WeakMap<Db, Transaction>();

/** Runs work as a transaction, or as a savepoint inside one. Cached, as creating it takes longer than running it. */
export function transactionOf(db: Db): Transaction {
  const known = transactions.get(db);
  if (known) return known;
  const created = db.transaction((work: () => unknown) => work());
  transactions.set(db, created);
  return created;
}

/**
 * Runs `work` as one transaction that takes the write lock at its start, and returns its result. `work` must not be
 * asynchronous: SQLite would commit at its first await. Inside another transaction it becomes part of that, and an
 * error must end both. Throws a DatabaseReplaced when the commit would be lost, and a DatabaseLocked.
 */
export function transact<T>(db: Db, work: () => T extends PromiseLike<unknown> ? never : T): T {
  // In a savepoint SQLite copies a page again for each statement that changes it: half the time of a payment.
  if (db.inTransaction) return work() as T;
  mustBeInPlace(db);
  try {
    return transactionOf(db).immediate(work) as T;
  } catch (thrown) {
    noteDamage(db, thrown);
    throw isLocked(thrown) ? new DatabaseLocked() : thrown;
  } finally {
    checkpointSoon(db);
  }
}

/** Converts a column that may be empty, or a row that may be missing. */
export function numberOrNull(value: bigint | null | undefined): number | null {
  return value == null ? null : Number(value);
}

/** The number in the first column of a query's first row; null if it is empty or there is no row. */
export function numberOf(db: Db, sql: string, ...values: SQLQueryBindings[]): number | null {
  const row = db.query<Record<string, bigint | null>, SQLQueryBindings[]>(sql).get(...values);
  return numberOrNull(row && Object.values(row)[0]);
}

/** The text in the first column of a query's first row; null if it is empty or there is no row. */
export function textOf<T extends string>(db: Db, sql: string, ...values: SQLQueryBindings[]): T | null {
  const row = db.query<Record<string, T | null>, SQLQueryBindings[]>(sql).get(...values);
  return (row && Object.values(row)[0]) ?? null;
}

/** Closes the database, after folding the log into the file or leaving that to the next process that may write it. */
export function closeDatabase(db: Db): void {
  // The log would be written into a file that it does not belong to.
  if (isLost(db)) return;
  checkpointBy(db, null);
  try {
    atOnce(db, () => db.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  } catch (thrown) {
    // Everything committed is in the log.
    if (!isStorageFailure(thrown)) throw thrown;
  } finally {
    db.close();
    closeLog(db);
    noteClosed(db);
  }
}

export class DatabaseDamaged extends Error {
  override readonly name = "DatabaseDamaged";
  readonly isLasting = true;
  constructor(file: string, fault: string) {
    super(
      `The database ${file} is damaged: ${fault}. Till does not run on it. Bring the last backup back with: ` +
        "till restore FILE. Payments that came since are found on the chain again, newer invoices are not.",
    );
  }
}

export class DatabaseLocked extends Error {
  override readonly name = "DatabaseLocked";
  constructor() {
    super(
      "another program keeps the database locked, for example a sqlite3 shell with an open transaction: end it, and " +
        "Till goes on by itself",
    );
  }
}

export class NoDatabase extends Error {
  override readonly name = "NoDatabase";
  constructor(dataDir: string) {
    super(`There is no database in ${dataDir}. TILL_DATA_DIR says where Till keeps its data`);
  }
}
