import { afterAll, describe, expect, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { newestSchema, schemaOf } from "../../src/store/migrations.ts";
import { endProcesses } from "../support/till/process.ts";
import { expectAll, newCopy, removeCopies, schemaIn, unfinishedIn, upgrade } from "./copies.ts";
import { laterSteps } from "./later.ts";

/** How often it is killed at a statement, and how often while the copy grows. */
const kills = { atStatement: Number(process.env["TEST_UPGRADE_KILLS"] ?? 7), inCopy: 2 };
/** So many points there are at which it can be killed: around each statement. */
let points = 0;

afterAll(async () => {
  await endProcesses();
  removeCopies();
});

describe("an upgrade of a year's data", () => {
  test("keeps every row, and a copy", async () => {
    const dataDir = newCopy();
    const ended = upgrade(dataDir);
    expect(await ended.exited).toBe(0);
    points = Number(ended.stdout());
    expectAll(dataDir);
    const db = openDatabase(dataDir, laterSteps);
    expect(schemaOf(db)).toBe(laterSteps.length);
    expect(db.query("SELECT count(*) AS n FROM gift").get()).toEqual(
      db.query("SELECT count(*) AS n FROM invoice").get(),
    );
    expect(db.query("SELECT count(*) AS n FROM original WHERE remark <> 'No. ' || id").get()).toEqual({
      n: 0n,
    });
    closeDatabase(db);
  });

  test(`loses nothing when it is killed at any of ${kills.atStatement} statements`, async () => {
    expect(points).toBeGreaterThan(kills.atStatement);
    const seen = new Set<number>();
    for (let kill = 1; kill <= kills.atStatement; kill++) {
      const dataDir = newCopy();
      const killed = upgrade(dataDir, { point: Math.ceil((kill * points) / kills.atStatement) });
      expect(await killed.exited).toBe(137);
      seen.add(schemaIn(dataDir));
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
      const size = () =>
        unfinishedIn(dataDir).map(
          (file) => statSync(join(dataDir, file), { throwIfNoEntry: false })?.size ?? 0,
        )[0];
      const grown = (statSync(databaseFile(dataDir)).size * kill) / kills.inCopy;
      let isOver = false;
      void child.exited.then(() => {
        isOver = true;
      });
      // Time itself: the kill comes while the file grows.
      while (!isOver && (size() ?? -1) < grown) await Bun.sleep(0);
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
