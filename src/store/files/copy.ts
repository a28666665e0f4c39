import { Database } from "bun:sqlite";
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makePrivateFile, syncToDisk } from "../../lib/file.ts";
import { schemaOf } from "../migrations.ts";

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

/** What SQLite finds damaged in the file and in references between rows; empty when all is well. */
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

/** How many copies of earlier upgrades to keep beside the database. */
const copiesMax = 3;

/**
 * Copies the database to `till.db.before-schema-N` beside it before an upgrade to the `newest` schema, N being the
 * first step of the upgrade: the way back to the previous Till. Throws a NoCopyBeforeUpgrade and changes nothing then.
 */
export function keepBeforeUpgrade(db: Database, file: string, newest: number): void {
  const schema = schemaOf(db);
  if (schema === 0 || schema >= newest) return;
  const prefix = `${file}.before-schema-`;
  const unfinished = `${file}.${process.pid}.upgrade`;
  try {
    rmSync(unfinished, { force: true });
    copyDatabase(db, unfinished);
    // Another process may have upgraded it in between, after making its own copy.
    if (schemaOfFile(unfinished) === schema) renameSync(unfinished, `${prefix}${schema + 1}`);
    syncToDisk(dirname(file));
  } catch (thrown) {
    throw new NoCopyBeforeUpgrade(file, { cause: thrown });
  } finally {
    rmSync(unfinished, { force: true });
  }
  const copies = readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(prefix)) && /\d$/.test(name))
    .map((name) => join(dirname(file), name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const copy of copies.slice(copiesMax)) rmSync(copy, { force: true });
}

function schemaOfFile(file: string): number {
  using db = new Database(file, { readonly: true });
  return schemaOf(db);
}

class NoCopyBeforeUpgrade extends Error {
  override readonly name = "NoCopyBeforeUpgrade";
  constructor(file: string, options: ErrorOptions) {
    super(
      `${file} was written by an earlier version, and no copy could be made before its upgrade. Nothing was changed`,
      options,
    );
  }
}
