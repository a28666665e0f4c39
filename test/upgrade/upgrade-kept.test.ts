import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { restoreBackup } from "../../src/store/files/restore.ts";
import { newestSchema, schemaOf } from "../../src/store/migrations.ts";
import { endProcesses, program, startProcess, type TillProcess } from "../support/till/process.ts";
import { keptNames, unpack } from "./kept.ts";
import { laterSteps, type Rows, rowsOf } from "./later.ts";

const upgrading = [process.execPath, join(import.meta.dir, "upgrading.ts")];
/** How often it is killed at a statement, and how often while the copy grows. */
const kills = { atStatement: 20, inCopy: 4 };

const [name = ""] = keptNames().slice(-1);
const kept = unpack(name);
closeDatabase(openDatabase(kept.dataDir));
const before = rowsOf(databaseFile(kept.dataDir));
const home = mkdtempSync(join(tmpdir(), "till-test-"));
let made = 0;

afterEach(() => rmSync(join(home, `${made}`), { recursive: true, force: true }));
afterAll(async () => {
  await endProcesses();
  kept.remove();
  rmSync(home, { recursive: true });
});

function newCopy(): string {
  made += 1;
  const dataDir = join(home, `${made}`);
  cpSync(kept.dataDir, dataDir, { recursive: true });
  return dataDir;
}

const upgrade = (dataDir: string, point = 0): TillProcess => startProcess([...upgrading, dataDir, `${point}`]);
const copyOf = (dataDir: string) => `${databaseFile(dataDir)}.before-schema-${newestSchema + 1}`;
const unfinishedIn = (dataDir: string) => readdirSync(dataDir).filter((file) => file.includes(".upgrade"));

/** What is there has every row, and either Till goes on with it: the old one, with the copy if it has to. */
function expectAll(dataDir: string): void {
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

const request = (dataDir: string) => ({
  ...{ dataDir, force: false, nextInvoice: null, now: Date.now(), hotMs: 30 * 86_400_000 },
});

/** How many rows fewer each table has. A restore changes some, as it says, and ends what lets people in. */
function lostRows(from: Rows, to: Rows): Record<string, number> {
  const ended = ["session", "entry_link", "backup_made", "reminders_seen"];
  return Object.fromEntries(
    Object.entries(from)
      .map(([table, { rows }]) => [table, rows.length - (to[table]?.rows.length ?? 0)] as const)
      .filter(([table, lost]) => lost > 0 && !ended.includes(table)),
  );
}

describe("an upgrade of a year's data", () => {
  test("keeps every row, and a copy", async () => {
    const dataDir = newCopy();
    expect(await upgrade(dataDir).exited).toBe(0);
    expectAll(dataDir);
    const db = openDatabase(dataDir, laterSteps);
    expect(schemaOf(db)).toBe(laterSteps.length);
    expect(db.query("SELECT count(*) AS n FROM gift").get()).toEqual(db.query("SELECT count(*) AS n FROM invoice").get());
    expect(db.query("SELECT count(*) AS n FROM original WHERE remark <> 'No. ' || id").get()).toEqual({ n: 0n });
    closeDatabase(db);
  });

  test(`loses nothing when it is killed at any of ${kills.atStatement} statements`, async () => {
    const whole = newCopy();
    const ended = upgrade(whole);
    expect(await ended.exited).toBe(0);
    const points = Number(ended.stdout());
    expect(points).toBeGreaterThan(kills.atStatement);
    rmSync(whole, { recursive: true });
    const seen = new Set<number>();
    for (let kill = 1; kill <= kills.atStatement; kill++) {
      const dataDir = newCopy();
      const killed = upgrade(dataDir, Math.ceil((kill * points) / kills.atStatement));
      expect(await killed.exited).toBe(137);
      const db = openDatabase(dataDir, laterSteps.slice(0, schemaIn(dataDir)));
      seen.add(schemaOf(db));
      closeDatabase(db);
      expectAll(dataDir);
      rmSync(dataDir, { recursive: true });
    }
    // Before, between and after the steps.
    expect([...seen]).toEqual(laterSteps.map((_, at) => at + 1).slice(newestSchema - 1));
  });

  test("loses nothing when it is killed while it copies", async () => {
    for (let kill = 0; kill < kills.inCopy; kill++) {
      const dataDir = newCopy();
      const child = upgrade(dataDir);
      const size = () => unfinishedIn(dataDir).map((file) => statSync(join(dataDir, file), { throwIfNoEntry: false })?.size ?? 0)[0];
      const grown = (statSync(databaseFile(dataDir)).size * kill) / kills.inCopy;
      while (existsSync(`/proc/${child.pid}`) && !((size() ?? -1) >= grown)) await Bun.sleep(0);
      await child.end("SIGKILL");
      expectAll(dataDir);
      rmSync(dataDir, { recursive: true });
    }
  });

  test("is done once when two processes begin it at the same time", async () => {
    const dataDir = newCopy();
    const both = [upgrade(dataDir), upgrade(dataDir)];
    expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([0, 0]);
    expectAll(dataDir);
  });
});

function schemaIn(dataDir: string): number {
  const db = openDatabase(dataDir, laterSteps.slice(0, newestSchema));
  closeDatabase(db);
  return newestSchema;
}
