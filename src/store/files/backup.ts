import { Database } from "bun:sqlite";
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { randomName } from "../../lib/crypto.ts";
import { messageOf } from "../../lib/error.ts";
import { nameFile, syncToDisk } from "../../lib/file.ts";
import { type Db, isDiskFailure, numberOf, openReadOnly, textOf } from "../database.ts";
import { applicationId, schemaOf } from "../migrations.ts";
import { copyDatabase, damageIn } from "./copy.ts";
import { databaseFiles, lockFile, walletFile } from "./data-dir.ts";

type BackupRequest = {
  dataDir: string;
  file: string;
  /** Replace an existing file. */
  force: boolean;
  /** Till's version, recorded in the backup. */
  version: string;
  now: number;
};

type BackupReport = ReturnType<typeof complete> & { file: string; bytes: number };

/**
 * Copies database and wallet into one file, an SQLite database readable by its owner alone, and checks the copy. Works
 * beside a running server: whatever that had answered before the call is in the backup. The file appears whole or not
 * at all. Throws a BackupExists, a BackupUnwritable, a BackupDamaged or a NoDatabase.
 */
export function makeBackup({ dataDir, file, force, version, now }: BackupRequest): BackupReport {
  const target = resolve(file);
  if (!existsSync(dirname(target))) throw new Error(`There is no directory ${dirname(target)} to write to.`);
  const db = openReadOnly(dataDir);
  const unfinished = `${target}.${randomName(8)}.tmp`;
  try {
    if (isOwnFile(dataDir, target)) throw new BackupExists(target, "it is Till's own file");
    if (!force && existsSync(target)) throw new BackupExists(target, "--force replaces it");
    copyDatabase(db, unfinished);
    const report = { ...complete(unfinished, dataDir, version, now), file: target };
    publish(unfinished, target, force);
    return { ...report, bytes: statSync(target).size };
  } catch (thrown) {
    const isFailure = isDiskFailure(thrown) || (thrown instanceof Error && "syscall" in thrown);
    throw isFailure ? new BackupUnwritable(target, thrown) : thrown;
  } finally {
    rmSync(unfinished, { force: true });
    db.close();
  }
}

function complete(file: string, dataDir: string, version: string, now: number) {
  using copy = new Database(file, { strict: true, safeIntegers: true });
  const damage = damageIn(copy);
  if (damage.length > 0) throw new BackupDamaged(dataDir, damage);
  const { wallet, missing } = readWallet(copy, dataDir);
  copy.transaction(() => {
    // If somebody copies it over the database by hand, it must not pass for the one the server runs on.
    copy.run(`PRAGMA application_id = ${applicationId(0)}`);
    copy.run("DROP TABLE IF EXISTS backup");
    copy.run(
      `CREATE TABLE backup (id INTEGER PRIMARY KEY CHECK (id = 1), made_at INTEGER NOT NULL,
         till_version TEXT NOT NULL, wallet TEXT) STRICT`,
    );
    copy
      .query("INSERT INTO backup (id, made_at, till_version, wallet) VALUES (1, ?, ?, ?)")
      .run(now, version, wallet);
  })();
  return {
    schema: schemaOf(copy),
    invoices: numberOf(copy, "SELECT count(*) FROM invoice") ?? 0,
    links: numberOf(copy, "SELECT count(*) FROM link") ?? 0,
    /** The block up to which the chain had been read; null before the first. */
    block: numberOf(copy, "SELECT max(block_number) FROM checkpoint"),
    hasWallet: wallet !== null,
    /** Why the wallet is missing from it; null when it is there, or when there is none yet. */
    walletMissing: missing,
  };
}

/** The form of a wallet file (age-encryption.org/v1, ASCII armour). */
const wholeWallet = /^-----BEGIN AGE ENCRYPTED FILE-----\s[\w+/=\s]+\s-----END AGE ENCRYPTED FILE-----\s*$/;

/** The encrypted wallet from the data directory, or from the database of an interrupted restore. */
function readWallet(db: Db, dataDir: string): { wallet: string | null; missing: string | null } {
  const waiting = waitingWallet(db);
  if (waiting !== null) return { wallet: waiting, missing: null };
  const file = walletFile(dataDir);
  const begun = db.query("SELECT 1 FROM wallet").get() !== null;
  if (!existsSync(file)) return { wallet: null, missing: begun ? `${file} is not there` : null };
  try {
    const wallet = readFileSync(file, "utf8");
    if (!wholeWallet.test(wallet))
      throw new Error("it is not a whole age file with ASCII armour (age -p -a)");
    return { wallet, missing: null };
  } catch (thrown) {
    return { wallet: null, missing: `${file} cannot be read: ${messageOf(thrown)}` };
  }
}

/** The wallet that a backup contains; null when there is none, or the database is not a backup. */
export function waitingWallet(db: Db): string | null {
  if (!isBackup(db)) return null;
  return textOf(db, "SELECT wallet FROM backup");
}

export function isBackup(db: Db): boolean {
  return db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup'").get() !== null;
}

function publish(unfinished: string, target: string, force: boolean): void {
  syncToDisk(unfinished);
  if (force) renameSync(unfinished, target);
  else {
    try {
      // Another backup may have taken the name meanwhile.
      nameFile(unfinished, target);
    } catch (thrown) {
      if (existsSync(target)) throw new BackupExists(target, "--force replaces it");
      throw thrown;
    }
  }
  syncToDisk(dirname(target));
}

/** Not even `force` lets a backup overwrite Till's own files. */
function isOwnFile(dataDir: string, target: string): boolean {
  const own = [...databaseFiles(dataDir), walletFile(dataDir), lockFile(dataDir)];
  const place = (path: string) => join(realpathSync(dirname(path)), basename(path));
  return own.map(place).includes(place(target));
}

class BackupExists extends Error {
  override readonly name = "BackupExists";
  constructor(file: string, why: string) {
    super(`${file} is there already and was not replaced: ${why}.`);
  }
}

class BackupUnwritable extends Error {
  override readonly name = "BackupUnwritable";
  constructor(file: string, thrown: unknown) {
    super(
      `No backup was made, as ${file} could not be written (${messageOf(thrown)}). Check whether this user may write ` +
        "there, and whether that disk, or the data directory's, is full or broken.",
    );
  }
}

class BackupDamaged extends Error {
  override readonly name = "BackupDamaged";
  constructor(dataDir: string, damage: readonly string[]) {
    super(
      `The database in ${dataDir} is damaged, and no backup was made of it: ${damage.join("; ")}. ` +
        "Keep the backups that you have, and run till doctor.",
    );
  }
}
