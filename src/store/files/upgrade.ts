import { Database } from "bun:sqlite";
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../lib/error.ts";
import { syncToDisk } from "../../lib/file.ts";
import { migrate, schemaOf } from "../migrations.ts";
import { copyMark, readableCopy } from "./copies.ts";
import { copyDatabase } from "./copy.ts";

/**
 * Takes a database through the steps that are new to it, after a copy of it. Throws a NoCopyBeforeUpgrade or an
 * UpgradeStopped.
 */
export function upgrade(db: Database, file: string, steps: readonly string[]): void {
  const from = schemaOf(db);
  if (from >= steps.length) return;
  if (from > 0) keepCopy(db, file, from);
  try {
    migrate(db, steps);
  } catch (thrown) {
    throw from > 0 ? new UpgradeStopped(file, { from, to: steps.length, at: schemaOf(db) }, thrown) : thrown;
  }
}

/** How many copies of earlier upgrades to keep beside the database. */
const copiesMax = 3;

/**
 * Copies the database to `till.db.before-schema-N` beside it, N being the first step of the upgrade: the way back to the
 * previous Till. Throws a NoCopyBeforeUpgrade and changes nothing then.
 */
function keepCopy(db: Database, file: string, schema: number): void {
  const unfinished = `${file}.${process.pid}.upgrade`;
  try {
    rmSync(unfinished, { force: true });
    removeAbandoned(file);
    copyDatabase(db, unfinished);
    // Another process may have upgraded it in between, after making its own copy.
    if (schemaOfFile(unfinished) === schema) renameSync(unfinished, `${file}${copyMark}${schema + 1}`);
    syncToDisk(dirname(file));
  } catch (thrown) {
    throw new NoCopyBeforeUpgrade(file, { cause: thrown });
  } finally {
    rmSync(unfinished, { force: true });
  }
  const copies = besides(file)
    .filter((path) => path.startsWith(`${file}${copyMark}`) && /\d$/.test(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const copy of copies.slice(copiesMax)) rmSync(copy, { force: true });
}

const besides = (file: string) => readdirSync(dirname(file)).map((name) => join(dirname(file), name));

/** Removes what processes have left that were killed while they copied. */
function removeAbandoned(file: string): void {
  for (const path of besides(file)) {
    const { pid } = /^\.(?<pid>\d+)\.upgrade(-journal)?$/.exec(path.slice(file.length))?.groups ?? {};
    if (path.startsWith(file) && pid !== undefined && !isRunning(Number(pid))) rmSync(path, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function schemaOfFile(file: string): number {
  using db = new Database(file, { readonly: true });
  return schemaOf(db);
}

class NoCopyBeforeUpgrade extends Error {
  override readonly name = "NoCopyBeforeUpgrade";
  constructor(file: string, { cause }: { cause: unknown }) {
    super(
      `${file} was written by an earlier version, and no copy could be made before its upgrade (${messageOf(cause)}). ` +
        "Nothing was changed: the earlier version can still use it. See that this user may write there and that the disk " +
        "has room for the copy; then start this version again.",
    );
  }
}

export class UpgradeStopped extends Error {
  override readonly name = "UpgradeStopped";
  constructor(
    file: string,
    { from, to, at }: { from: number; to: number; at: number },
    readonly reason: unknown,
  ) {
    const earlier =
      at === from
        ? "Nothing was changed: the earlier version can still use it."
        : `What was there before is kept: with the earlier version, till restore ${readableCopy(file, from)} --force.`;
    super(
      `The upgrade of ${file} from schema ${from} to ${to} stopped at ${at} (${messageOf(reason)}). Nothing is lost. See ` +
        "that this user may write there, that the disk has room, and that no other program keeps the database locked; then " +
        `start this version again. ${earlier}`,
    );
  }
}
