import { expect } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { closeDatabase, openDatabase, openReadOnly } from "../../src/store/database.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { restoreBackup } from "../../src/store/files/restore.ts";
import { newestSchema, schemaOf } from "../../src/store/migrations.ts";
import { startProcess, type TillProcess } from "../support/till/process.ts";
import { keptNames, unpack } from "./kept.ts";
import { laterSteps, type Rows, rowsOf } from "./later.ts";

const upgrading = [process.execPath, join(import.meta.dir, "upgrading.ts")];
const [name = ""] = keptNames().slice(-1);
let kept: ReturnType<typeof unpack> | null = null;
let made = 0;

function keptDir(): string {
  if (kept === null) {
    kept = unpack(name);
    tidy(kept.dataDir);
  }
  return kept.dataDir;
}

/** As a Till leaves it: whoever only reads leaves files of SQLite's behind. */
const tidy = (dataDir: string) => closeDatabase(openDatabase(dataDir));

/** Every row of the newest kept directory. */
export const before = rowsOf(databaseFile(keptDir()));
tidy(keptDir());

/** Removes all that was made here; for `afterAll`. */
export function removeCopies(): void {
  kept?.remove();
  kept = null;
}

/** A data directory as this Till left it, to be upgraded by a later one. */
export function newCopy(): string {
  made += 1;
  const dataDir = join(dirname(keptDir()), `${made}`);
  cpSync(keptDir(), dataDir, { recursive: true });
  return dataDir;
}

/** Has a later Till upgrade it, in a process of its own: see upgrading.ts. */
export const upgrade = (dataDir: string, { point = 0, fullAt = 0, as = [] as string[] } = {}): TillProcess =>
  startProcess([...as, ...upgrading, dataDir, `${point}`, `${fullAt}`]);
export const copyOf = (dataDir: string) => `${databaseFile(dataDir)}.before-schema-${newestSchema + 1}`;
export const unfinishedIn = (dataDir: string) =>
  readdirSync(dataDir).filter((file) => file.includes(".upgrade"));

/** What is there has every row, and either Till goes on with it: the old one, with the copy if it has to. */
export function expectAll(dataDir: string): void {
  const file = databaseFile(dataDir);
  expect(rowsOf(file, before)).toEqual(before);
  const aside = `${dataDir}-old`;
  cpSync(dataDir, aside, { recursive: true });
  try {
    openOld(aside, dataDir);
    closeDatabase(openDatabase(dataDir, laterSteps));
    expect(rowsOf(file, before)).toEqual(before);
    expect(rowsOf(copyOf(dataDir), before)).toEqual(before);
    expect(unfinishedIn(dataDir)).toEqual([]);
  } finally {
    rmSync(aside, { recursive: true });
  }
}

function openOld(aside: string, dataDir: string): void {
  const open = () => closeDatabase(openDatabase(aside));
  let refusal = "";
  try {
    open();
  } catch (thrown) {
    refusal = String(thrown);
  }
  if (refusal === "") {
    expect(rowsOf(databaseFile(aside), before)).toEqual(before);
    return;
  }
  expect(refusal).toContain(`till restore ${copyOf(aside)} --force`);
  restoreBackup({ ...request(aside), file: copyOf(aside), force: true });
  open();
  expect(lostRows(before, rowsOf(databaseFile(aside), before))).toEqual({});
  expect(existsSync(databaseFile(dataDir))).toBe(true);
}

export const request = (dataDir: string) => ({
  ...{ dataDir, force: false, nextInvoice: null, now: Date.now(), hotMs: 30 * 86_400_000 },
});

/** How many rows fewer each table has. A restore changes some, as it says, and ends what lets people in. */
export function lostRows(from: Rows, to: Rows): Record<string, number> {
  const ended = ["session", "entry_link", "backup_made", "reminders_seen"];
  return Object.fromEntries(
    Object.entries(from)
      .map(([table, { rows }]) => [table, rows.length - (to[table]?.rows.length ?? 0)] as const)
      .filter(([table, lost]) => lost > 0 && !ended.includes(table)),
  );
}

export function schemaIn(dataDir: string): number {
  using db = openReadOnly(dataDir);
  return schemaOf(db);
}
