import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { chownSync, cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { restoreBackup } from "../../src/store/files/restore.ts";
import { schemaOf } from "../../src/store/migrations.ts";
import { endProcesses, program, startProcess } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import {
  before,
  copyOf,
  expectAll,
  lostRows,
  newCopy,
  removeCopies,
  request,
  schemaIn,
  upgrade,
} from "./copies.ts";
import { laterSteps, rowsOf } from "./later.ts";

afterAll(async () => {
  await endProcesses();
  removeCopies();
});

const stillUsed = "Nothing was changed: the earlier version can still use it.";

async function failed(upgrading: ReturnType<typeof upgrade>): Promise<string> {
  expect(await upgrading.exited).toBe(1);
  return upgrading.output();
}

describe("an upgrade", () => {
  test("does not begin where the disk has no room for the copy", async () => {
    const dataDir = newCopy();
    const limited = ["sh", "-c", 'ulimit -f 500; exec "$@"', "sh"];
    const said = await failed(upgrade(dataDir, { as: limited }));
    expect(said).toContain("no copy could be made before its upgrade");
    expect(said).toContain(stillUsed);
    expect(schemaIn(dataDir)).toBe(1);
    expectAll(dataDir);
  });

  test("stops whole when the disk becomes full in its first step, and in a later one", async () => {
    for (const [fullAt, at] of [
      [1, 1],
      [3, 3],
    ] as const) {
      const dataDir = newCopy();
      const said = await failed(upgrade(dataDir, { fullAt }));
      expect(said).toContain(
        `from schema 1 to 4 stopped at ${at} (database or disk is full). Nothing is lost.`,
      );
      expect(said).toContain("start this version again.");
      expect(said).toContain(
        at === 1 ? stillUsed : `with the earlier version, till restore ${copyOf(dataDir)} --force.`,
      );
      expect(schemaIn(dataDir)).toBe(at);
      expectAll(dataDir);
    }
  });

  test("changes nothing where this user may not write", async () => {
    const own = (dataDir: string, id: number) => {
      for (const path of [dataDir, ...readdirSync(dataDir).map((file) => join(dataDir, file))])
        chownSync(path, id, id);
    };
    for (const [read, says] of [
      [() => {}, "It must belong, with all files in it, to the user that Till runs as, on a writable disk"],
      // With the files that SQLite keeps for a reader, the database itself can be opened.
      [rowsOf, `permission denied`],
    ] as const) {
      const dataDir = newCopy();
      read(databaseFile(dataDir));
      own(dataDir, 1234);
      const said = await failed(
        upgrade(dataDir, { as: ["setpriv", "--bounding-set", "-dac_override,-fowner"] }),
      );
      expect(said).toContain(says);
      if (read === rowsOf) expect(said).toContain(`${stillUsed} See that this user may write there`);
      own(dataDir, 0);
      expect(schemaIn(dataDir)).toBe(1);
      expectAll(dataDir);
    }
  });

  test("waits for a program that keeps the database locked, and then leaves it as it was", async () => {
    const dataDir = newCopy();
    const other = new Database(databaseFile(dataDir));
    other.run("BEGIN IMMEDIATE");
    const said = await failed(upgrade(dataDir));
    other.run("ROLLBACK");
    other.close();
    expect(said).toContain("stopped at 1 (database is locked)");
    expect(said).toContain(stillUsed);
    expectAll(dataDir);
  });

  test("is made of a backup of the earlier version, too", () => {
    const dataDir = newCopy();
    const file = join(dataDir, "now.db");
    makeBackup({ dataDir, file, force: false, version: "1.0.0", now: Date.now() });
    for (const backup of [file, join(dataDir, "till-backup.db")]) {
      const there = rowsOf(backup);
      delete there["backup"];
      const restored = newCopy();
      restoreBackup({ ...request(restored), file: backup, force: true, steps: laterSteps });
      const db = openDatabase(restored, laterSteps);
      expect(schemaOf(db)).toBe(laterSteps.length);
      expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
      closeDatabase(db);
      expect(lostRows(there, rowsOf(databaseFile(restored), there))).toEqual({});
    }
  });
});

test("an older Till refuses a newer database, names the command that goes back, and that does", async () => {
  const dataDir = newCopy();
  expect(await upgrade(dataDir).exited).toBe(0);
  const file = databaseFile(dataDir);
  const newer = rowsOf(file);
  const env = {
    TILL_DATA_DIR: dataDir,
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: "http://127.0.0.1:9",
    TILL_WALLET_PASSPHRASE: "x",
    TILL_PORT: "0",
  };
  const served = startProcess([...program, "serve"], { env });
  expect(await served.exited).toBe(2);
  const said = served.output();
  expect(said).toContain(
    `${file} was written by a later version of Till (schema 4; this one knows 1). Start that version`,
  );
  expect(said).toContain(`till restore ${copyOf(dataDir)} --force.`);
  expect(rowsOf(file)).toEqual(newer);
  expect((await callTill(["restore", copyOf(dataDir), "--force"], { env })).exitCode).toBe(0);
  expect(lostRows(before, rowsOf(file, before))).toEqual({});
  closeDatabase(openDatabase(dataDir));

  // Without the copy, any backup from before does.
  const alone = newCopy();
  expect(await upgrade(alone).exited).toBe(0);
  cpSync(copyOf(alone), join(alone, "elsewhere.db"));
  rmSync(copyOf(alone));
  expect(() => openDatabase(alone)).toThrow("till restore FILE --force");
});
