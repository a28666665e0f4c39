import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { logWarnings } from "../../src/doctor/database-findings.ts";
import { closeDatabase, type Db, openReadOnly, transact } from "../../src/store/database.ts";
import { startDatabaseThread } from "../../src/store/files/thread.ts";
import { transactTogether } from "../../src/store/group-commit.ts";
import { checkpointBy, logLength } from "../../src/store/log.ts";
import { createVersion } from "../../src/store/version.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { until } from "../support/till/till.ts";

/** At so many pages of the log a checkpoint is due. */
const pages = 1_000;

let dir: ReturnType<typeof makeDataDir>;
let db: Db;
beforeEach(() => {
  dir = makeDataDir();
  db = openNewDatabase(dir.path);
  db.run("CREATE TABLE thing (content TEXT)");
});
afterEach(() => {
  closeDatabase(db);
  dir.remove();
});

/** Fills two pages. */
const add = () => void db.query("INSERT INTO thing (content) VALUES (?)").run("x".repeat(6_000));
const addTogether = () => transactTogether(db, add);
const commitsDue = pages / 2;

async function addUntilDue(): Promise<void> {
  for (let i = 0; i < commitsDue; i++) await addTogether();
}

describe("with a thread for it", () => {
  let thread: ReturnType<typeof startDatabaseThread>;
  beforeEach(async () => {
    thread = startDatabaseThread(db, dir.path);
    await thread.whole;
  });
  afterEach(async () => {
    thread.stop();
    await thread.ended;
  });

  test("the log begins anew again and again while there is always somebody who writes", async () => {
    let longest = 0;
    let beginnings = 0;
    let last = 0;
    for (let i = 0; i < 6 * commitsDue; i++) {
      await Promise.all([addTogether(), addTogether()]);
      const { log } = logLength(db);
      if (log < last) beginnings += 1;
      last = log;
      longest = Math.max(longest, log);
    }
    expect(beginnings).toBeGreaterThan(4);
    expect(longest).toBeLessThan(2 * pages);
  });

  test("what somebody still reads is brought in later", async () => {
    const reader = openReadOnly(dir.path);
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM thing").get();
    await addUntilDue();
    await addUntilDue();
    expect(logLength(db).log).toBeGreaterThan(2 * pages);
    reader.close();
    await until(
      () => addTogether().then(() => logLength(db).log),
      (length) => length < pages,
    );
  });

  test("what a reader keeps in the log for long is told of, and its file is short again afterwards", async () => {
    const told = () => logWarnings(db).map(({ message }) => message);
    const reader = openReadOnly(dir.path);
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM thing").get();
    expect(told()).toEqual([]);
    transact(db, () => void db.query("INSERT INTO thing (content) VALUES (zeroblob(140000000))").run());
    expect(told()).toEqual([expect.stringMatching(/till\.db-wal, has grown to 13\d MiB/)]);
    reader.close();
    await until(
      () => addTogether().then(() => logLength(db).log),
      (length) => length < pages,
    );
    expect(told()).toEqual([]);
    expect(statSync(`${db.filename}-wal`).size).toBeLessThan(70_000_000);
  });

  test("the first commit to the new log, for which SQLite waits for the disk, is the thread's", async () => {
    for (let i = 0; i < commitsDue; i++) transact(db, add);
    const before = createVersion(db)();
    await until(
      () => logLength(db).log,
      (log) => log === 1,
    );
    expect(createVersion(db)()).not.toBe(before);
  });
});

/** Checkpoints that are over when the test says so. */
function holdCheckpoints(): { runs: number; end(): void } {
  let over = Promise.withResolvers<void>();
  const held = {
    runs: 0,
    end() {
      over.resolve();
      over = Promise.withResolvers();
    },
  };
  checkpointBy(db, () => {
    held.runs += 1;
    return over.promise;
  });
  return held;
}

test("commits that can wait do so for a checkpoint, others do not, and it comes again when the log has grown", async () => {
  const held = holdCheckpoints();
  const order: string[] = [];
  const committed = addTogether().then(() => order.push("waited"));
  for (let i = 0; i < commitsDue; i++) transact(db, add);
  await new Promise(setImmediate);
  order.push("over");
  held.end();
  await committed;
  expect(order).toEqual(["over", "waited"]);
  await new Promise(setImmediate);
  expect(held.runs).toBe(2);

  held.end();
  // Nothing was brought in, and the log has hardly grown since.
  for (let i = 0; i < 10; i++) await addTogether();
  expect(held.runs).toBe(2);
  for (let i = 0; i < commitsDue / 4; i++) transact(db, add);
  await new Promise(setImmediate);
  expect(held.runs).toBe(3);
  held.end();
});

test("a checkpoint that hangs holds commits up once, not each of them", async () => {
  checkpointBy(db, () => new Promise(() => {}));
  await addTogether();
  const began = performance.now();
  for (let i = 0; i < 30; i++) await addTogether();
  // Each is held up for a second, if it is.
  expect(performance.now() - began).toBeLessThan(20_000);
});

test("above 64 MB commits wait for a checkpoint that takes long, and then go together", async () => {
  const held = holdCheckpoints();
  // Time itself: so long do commits wait below that.
  await Bun.sleep(1_100);
  await addTogether();
  db.transaction(() => {
    for (let i = 0; i < 12_000; i++) add();
  })();
  const { log } = logLength(db);
  expect(log).toBeGreaterThan(16_000);
  let isCommitted = false;
  const many = Promise.all(Array.from({ length: 100 }, addTogether)).then(() => {
    isCommitted = true;
  });
  // Time itself: longer than commits wait below that.
  await Bun.sleep(1_500);
  expect(isCommitted).toBe(false);
  held.end();
  await many;
  expect(logLength(db).log - log).toBeLessThan(1_000);
  held.end();
});

test("SQLite does it once the thread has ended", async () => {
  const thread = startDatabaseThread(db, dir.path);
  await thread.whole;
  thread.stop();
  await thread.ended;
  for (let i = 0; i < 2 * commitsDue; i++) transact(db, add);
  expect(logLength(db).log).toBeLessThan(1.1 * pages);
});
