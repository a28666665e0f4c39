import type { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { makePrivateFile, syncToDisk } from "../../lib/file.ts";

/**
 * Writes the database as it is now to one new file, readable by its owner alone. Others may use the database meanwhile.
 * Throws when the file exists or cannot be written, and leaves no file then.
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

const damageNamedMax = 10;

/** Returns the damage that SQLite finds in the file and in references between rows; empty if there is none. */
export function damageIn(db: Database): string[] {
  const pages = db
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${damageNamedMax})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((found) => found !== "ok");
  const orphans = db
    .query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check")
    .all()
    .slice(0, damageNamedMax)
    .map((row) => `a row of ${row.table} belongs to a row of ${row.parent} that is not there`);
  return [...pages, ...orphans];
}
