import type { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { makePrivateFile, syncToDisk } from "../../lib/file.ts";

/**
 * Writes the database as it is now to a new file with nothing beside it, readable by its owner alone. Others may
 * read and write the database meanwhile. Throws when the file is there already or cannot be written; then there is
 * no file.
 */
export function copyDatabase(db: Database, file: string): void {
  makePrivateFile(file);
  try {
    db.query("VACUUM INTO ?").run(file);
    syncToDisk(file);
  } catch (thrown) {
    rmSync(file, { force: true });
    throw thrown;
  }
}

const faultsNamedMax = 10;

/** What SQLite finds wrong with the file and with the references between its rows; empty when all is well. */
export function databaseFaults(db: Database): string[] {
  const faults = db
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${faultsNamedMax})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((fault) => fault !== "ok");
  const orphans = db
    .query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check")
    .all()
    .slice(0, faultsNamedMax)
    .map((row) => `a row of ${row.table} belongs to a row of ${row.parent} that is not there`);
  return [...faults, ...orphans];
}
