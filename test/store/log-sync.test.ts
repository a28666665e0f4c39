import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { closeDatabase, type Db, isStorageFailure, openReadOnly } from "../../src/store/database.ts";
import { databaseFile, databaseFiles } from "../../src/store/files/data-dir.ts";
import { StorageFailed, stored } from "../../src/store/group-commit.ts";
import { closeLog, onDisk, openLog, SyncFailed, withoutWaiting } from "../../src/store/log.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";

const full = 2n;

let dir: ReturnType<typeof makeDataDir>;
let db: Db;
beforeEach(() => {
  dir = makeDataDir();
  db = openNewDatabase(dir.path);
  db.run("CREATE TABLE thing (name TEXT PRIMARY KEY)");
});
afterEach(() => {
  closeDatabase(db);
  dir.remove();
});

const add = (name: string) => db.query("INSERT INTO thing (name) VALUES (?)").run(name);
const level = () => db.query<{ synchronous: bigint }, []>("PRAGMA synchronous").get()?.synchronous;

describe("withoutWaiting", () => {
  test("waits for the disk again afterwards, also when its work throws", () => {
    expect(level()).toBe(full);
    expect(withoutWaiting(db, () => level())).toBe(1n);
    expect(level()).toBe(full);
    const fail = () => {
      throw new Error("no");
    };
    expect(() => withoutWaiting(db, fail)).toThrow("no");
    expect(level()).toBe(full);
  });
});

describe("onDisk", () => {
  /** A file that cannot be brought to a disk takes the place of the log. */
  function breakLog(): void {
    const [, log = ""] = databaseFiles(dir.path);
    rmSync(log);
    symlinkSync("/dev/full", log);
    closeLog(db);
    openLog(db);
  }

  test("rejects when the disk does not take what was committed, until it does", async () => {
    const reader = openReadOnly(dir.path);
    reader.run("BEGIN");
    reader.query("SELECT * FROM thing").get();
    breakLog();
    await onDisk(db);
    withoutWaiting(db, () => add("walnut"));
    for (const _ of [1, 2]) expect(await onDisk(db).catch((thrown) => thrown)).toBeInstanceOf(SyncFailed);
    // The system reports a failed sync once: what it could not write has to be written anew.
    const isInFile = () => readFileSync(databaseFile(dir.path)).includes("walnut");
    expect(isInFile()).toBe(false);
    reader.close();
    await onDisk(db);
    expect(isInFile()).toBe(true);
  });

  test("fails what was committed together, and does not call it unsaved", async () => {
    breakLog();
    const outcomes = await Promise.allSettled(["a", "b"].map((name) => stored(db, () => void add(name))));
    for (const outcome of outcomes) {
      const { reason } = outcome as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(SyncFailed);
      expect(reason).not.toBeInstanceOf(StorageFailed);
      expect(isStorageFailure(reason)).toBe(true);
    }
  });
});
