import { Database, SQLiteError } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../lib/error.ts";
import { ownerOnlyFile } from "../lib/file.ts";
import { DatabaseReplaced, isLost, mustBeInPlace } from "./in-place.ts";
import { keepBeforeUpgrade } from "./keep-before-upgrade.ts";
import { migrate } from "./migrations.ts";

/**
 * Calls that are made often compare with `= +?` in a query with a join or an ORDER BY: beside a plain `= ?` SQLite
 * plans it anew for each value, which takes longer than to answer it.
 */
export type Db = Database;

/** What one connection keeps of the database, in KiB, only as far as it is used: a day's payments fit in it. */
const cacheKib = 16_384;

/** How long a write waits for another process's write, for example a backup's. */
const busyTimeoutMs = 5_000;
const ownerOnlyDir = 0o700;

/** Makes the data directory, readable by its owner alone. Throws a DataDirUnusable when it cannot. */
export function prepareDataDir(dataDir: string): void {
  change(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: ownerOnlyDir });
    chmodSync(dataDir, ownerOnlyDir);
  });
}

function change(dataDir: string, work: () => void): void {
  try {
    work();
  } catch (thrown) {
    throw new DataDirUnusable(dataDir, { cause: thrown });
  }
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, "till.db");
}

/** The database, and what SQLite keeps beside it while it is used. */
export function databaseFiles(dataDir: string): string[] {
  return ["", "-wal", "-shm"].map((end) => `${databaseFile(dataDir)}${end}`);
}

/** Held by the process that serves the data directory. */
export function lockFile(dataDir: string): string {
  return join(dataDir, "till.lock");
}

/** The encrypted wallet, which the chain room reads and writes. */
export function walletFile(dataDir: string): string {
  return join(dataDir, "wallet.json");
}

/**
 * Opens `till.db` in a data directory, made when needed, and migrated after a copy of what is there. Every commit is
 * on the disk when it returns (WAL with synchronous FULL): a payment that was recorded survives a power cut. What is
 * deleted is overwritten. Integers come back as bigint. Throws a DataDirUnusable or a DatabaseDamaged.
 */
export function openDatabase(dataDir: string): Db {
  prepareDataDir(dataDir);
  const file = databaseFile(dataDir);
  // SQLite makes the log first and removes it last: shared memory without a log means that somebody took it away.
  if (existsSync(`${file}-shm`) && !existsSync(`${file}-wal`)) {
    throw new DatabaseDamaged(file, `${file}-wal, which holds the last changes, is missing`);
  }
  let db: Db | null = null;
  try {
    db = new Database(file, { create: true, strict: true, safeIntegers: true });
    change(dataDir, () => chmodSync(file, ownerOnlyFile));
    db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = FULL");
    db.run(`PRAGMA cache_size = -${cacheKib}`);
    db.run("PRAGMA foreign_keys = ON");
    db.run("PRAGMA secure_delete = ON");
    keepBeforeUpgrade(db, file);
    migrate(db);
    return db;
  } catch (thrown) {
    db?.close();
    throw isDamage(thrown) ? new DatabaseDamaged(file, messageOf(thrown)) : thrown;
  }
}

/**
 * Reads all of the database and throws a DatabaseDamaged when it is not whole. Serving a damaged one could take
 * a payment for unknown, or give the address of one invoice to another.
 */
export function mustBeWhole(db: Db): void {
  try {
    const row = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
    if (row?.quick_check !== "ok") throw new DatabaseDamaged(db.filename, row?.quick_check ?? "no answer");
    // What was read is not what will be asked for.
    db.run("PRAGMA shrink_memory");
  } catch (thrown) {
    throw isDamage(thrown) ? new DatabaseDamaged(db.filename, messageOf(thrown)) : thrown;
  }
}

/** Whether a file is no database, or no longer one. */
export function isDamage(thrown: unknown): boolean {
  return thrown instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code ?? "");
}

/** Whether the disk or another process, and not a mistake in Till, is why something was not stored or read. */
export function isStorageFault(thrown: unknown): boolean {
  if (thrown instanceof DatabaseReplaced) return true;
  if (!(thrown instanceof SQLiteError)) return false;
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB|PERM)/.test(thrown.code ?? "");
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
 * must not be asynchronous: SQLite would commit at its first await. Throws a DatabaseReplaced when what is committed
 * would be lost.
 */
export function transact<T>(db: Db, work: () => T extends PromiseLike<unknown> ? never : T): T {
  mustBeInPlace(db);
  return db.transaction(work).immediate() as T;
}

/** A column that may be empty, or a row that may be missing. */
export function numberOrNull(value: bigint | null | undefined): number | null {
  return value == null ? null : Number(value);
}

/**
 * Writes the whole file anew, without what its free pages held, and empties the log. Returns false when another
 * process was reading and the log had to be left.
 */
export function rewrite(db: Db): boolean {
  db.run("VACUUM");
  return db.query<{ busy: bigint }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0n;
}

/** Folds the log into the database file, or leaves that to the next who may write it, and closes it. */
export function closeDatabase(db: Db): void {
  // The log would go into a file that is not its own.
  if (isLost(db)) return;
  try {
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (thrown) {
    // What was committed is in the log.
    if (!isStorageFault(thrown)) throw thrown;
  } finally {
    db.close();
  }
}

export class DatabaseDamaged extends Error {
  override readonly name = "DatabaseDamaged";
  constructor(file: string, fault: string) {
    super(
      `The database ${file} is damaged: ${fault}. Till does not run on it. Bring the last backup back with: ` +
        "till restore FILE. Payments that came since are found on the chain again, newer invoices are not.",
    );
  }
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
    super(
      `The data directory ${dataDir} cannot be used. It must belong, with all files in it, to the user that Till runs ` +
        "as, on a writable disk; TILL_DATA_DIR chooses another",
      options,
    );
  }
}
