import { Database } from "bun:sqlite";
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { keepAs, syncToDisk } from "../../lib/file.ts";
import { databaseFile } from "./data-dir.ts";

/** Where a database is prepared that is to be put into place. Removes what a process that was killed left there. */
export function newStaged(dataDir: string): string {
  const staged = `${databaseFile(dataDir)}.restoring`;
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${staged}${end}`, { force: true });
  return staged;
}

/** Renames the prepared database into place, and keeps the previous one under another name. */
export function replaceDatabase(dataDir: string, staged: string, now: number): string | null {
  const file = databaseFile(dataDir);
  let replaced: string | null = null;
  if (existsSync(file)) {
    foldLog(file, dataDir);
    replaced = freeName(file, now);
    keepAs(file, replaced);
    const log = `${file}-wal`;
    // Only a database that cannot be read leaves a log with content. Keep that log away from the new one.
    if (existsSync(log) && statSync(log).size > 0) keepAs(log, `${replaced}-wal`);
  }
  for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  syncToDisk(dataDir);
  renameSync(staged, file);
  syncToDisk(dataDir);
  return replaced;
}

/** Folds the log of commits into the database. Throws a DatabaseInUse while another program reads it. */
function foldLog(file: string, dataDir: string): void {
  try {
    using db = new Database(file);
    const result = db.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (result?.busy) throw new DatabaseInUse(dataDir);
  } catch (thrown) {
    if (thrown instanceof DatabaseInUse) throw thrown;
    // Damaged: keep it as it is.
  }
}

/** An unused name beside the file, for the one being replaced now. */
export function freeName(file: string, now: number): string {
  const base = `${file}.replaced-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "")}`;
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!existsSync(name)) return name;
  }
}

/** What another program reads is not folded in, and the log would be lost, whatever anybody wants. */
class DatabaseInUse extends Error {
  override readonly name = "DatabaseInUse";
  constructor(dataDir: string) {
    super(
      `Nothing was changed in ${dataDir}: another program is using the database there. Stop it, for example Litestream or ` +
        "a sqlite3 shell (fuser till.db names it), and run this again.",
    );
  }
}

export class RestoreRefused extends Error {
  override readonly name = "RestoreRefused";
  /** `why` in sentences. */
  constructor(dataDir: string, why: string) {
    super(
      `Nothing was changed in ${dataDir}: ${why} With --force the backup takes its place all the same, and what is ` +
        "there is kept under another name.",
    );
  }
}
