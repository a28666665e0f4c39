import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { makePrivate, ownerOnlyFile, syncToDisk } from "../../lib/file.ts";
import { type Db, numberOf, openReadOnly } from "../database.ts";
import { schemaOf } from "../migrations.ts";
import { walletFile } from "./data-dir.ts";
import { columnsOf } from "./left-behind.ts";
import { lockDataDir } from "./lock.ts";
import { nouns, numbered } from "./nouns.ts";
import { newStaged, replaceDatabase } from "./replace.ts";

/** Compares a database with an earlier copy of itself that is to replace it. */

const numberIn = (db: Db, what: string, table: string) => numberOf(db, `SELECT ${what} FROM ${table}`) ?? 0;

/**
 * Returns what a database has and an earlier copy of it lacks, in words such as "2 invoices"; reads newer schemas too.
 */
export function cameSince(copyFile: string, dataDir: string): string[] {
  using copy = new Database(copyFile, { readonly: true, strict: true, safeIntegers: true });
  using now = openReadOnly(dataDir);
  const isIn = (db: Db, table: string, column: string) => columnsOf(db)(table, column);
  const has = (db: Db, table: string) =>
    db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== null;
  return Object.entries(nouns).flatMap(([table, noun]) => {
    if (!has(now, table)) return [];
    // Of a table that only the later schema has, all rows came since.
    const before = has(copy, table) ? numberIn(copy, "count(*)", table) : 0;
    const more = numberIn(now, "count(*)", table) - before;
    if (more !== 0) return [numbered(Math.abs(more), noun)];
    const changed = (noun.changed ?? []).filter(
      (column) => isIn(copy, table, column) && isIn(now, table, column),
    );
    if (before === 0 || changed.length === 0) return [];
    const isLater = changed.map((column) => `${column} > ${numberIn(copy, `max(${column})`, table)}`);
    const later = numberIn(now, `count(*) FILTER (WHERE ${isLater.join(" OR ")})`, table);
    return later > 0 ? [numbered(later, noun)] : [];
  });
}

/** The schema's number of a database or a copy. */
export function schemaIn(file: string): number {
  using db = new Database(file, { readonly: true });
  return schemaOf(db);
}

/**
 * Puts a copy in the place of the database as it is: for one after which nothing came. Returns where the database is now
 * that was there.
 */
export function putBack(copyFile: string, dataDir: string, now: number): string | null {
  const lock = lockDataDir(dataDir);
  const staged = newStaged(dataDir);
  try {
    copyFileSync(copyFile, staged);
    makePrivate(staged, ownerOnlyFile);
    // The wallet that is there may have a new passphrase since; the next start would put the copy's into its place.
    if (existsSync(walletFile(dataDir))) dropBackup(staged);
    syncToDisk(staged);
    return replaceDatabase(dataDir, staged, now);
  } finally {
    rmSync(staged, { force: true });
    lock.release();
  }
}

function dropBackup(file: string): void {
  using db = new Database(file);
  db.run("DROP TABLE IF EXISTS backup");
}
