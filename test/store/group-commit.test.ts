import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { enter, world } from "../../src/lib/world.ts";
import { closeDatabase, type Db } from "../../src/store/database.ts";
import { rehearse, StorageFailed, transactTogether } from "../../src/store/group-commit.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";

const system = { ...world };
let dir: ReturnType<typeof makeDataDir>;
let db: Db;
beforeEach(() => {
  dir = makeDataDir();
  db = openNewDatabase(dir.path);
  db.run("CREATE TABLE thing (name TEXT PRIMARY KEY)");
});
afterEach(() => {
  enter(system);
  closeDatabase(db);
  dir.remove();
});

/** What is asked for in one turn is one transaction, however slow the machine is: its time would be over otherwise. */
const stopClock = () => enter({ ...system, uptime: () => 0 });

const add = (name: string) => db.query("INSERT INTO thing (name) VALUES (?)").run(name);
const names = () => db.query<{ name: string }, []>("SELECT name FROM thing ORDER BY name").all();
/** Pages in the log: a commit leaves each page that it changed there once. */
const pagesInLog = () =>
  Number(db.query<{ log: bigint }, []>("PRAGMA wal_checkpoint(PASSIVE)").get()?.log ?? 0);

describe("tried", () => {
  test("answers what a work would, beside others, and undoes what it did", async () => {
    const outcomes = await Promise.all([
      transactTogether(db, () => void add("a")),
      rehearse(db, () => [add("b").changes, names().length]),
      rehearse(db, () => null),
    ]);
    expect(outcomes).toEqual([undefined, [1, 2], null]);
    expect(names()).toEqual([{ name: "a" }]);
    await expect(rehearse(db, () => add("a"))).rejects.toThrow(StorageFailed);
  });
});

describe("transactTogether", () => {
  test("resolves with what each work returned, once it is committed", async () => {
    const first = transactTogether(db, () => add("a").changes);
    const second = transactTogether(db, () => "b");
    expect(db.inTransaction).toBe(false);
    expect(names()).toEqual([]);
    expect(await Promise.all([first, second])).toEqual([1, "b"]);
    expect(db.inTransaction).toBe(false);
    expect(names()).toEqual([{ name: "a" }]);
  });

  test("undoes what a work did that throws, and nothing else", async () => {
    const outcomes = await Promise.allSettled([
      transactTogether(db, () => void add("a")),
      transactTogether(db, () => {
        add("b");
        throw new Error("no b");
      }),
      transactTogether(db, () => void add("a")),
      transactTogether(db, () => void add("c")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(names()).toEqual([{ name: "a" }, { name: "c" }]);
  });

  test("fails all of them, and stores nothing, when the commit fails", async () => {
    stopClock();
    db.run("CREATE TABLE child (name TEXT REFERENCES thing DEFERRABLE INITIALLY DEFERRED) STRICT");
    const outcomes = await Promise.allSettled([
      transactTogether(db, () => void add("a")),
      // Noticed at the commit only.
      transactTogether(db, () => void db.run("INSERT INTO child VALUES ('nobody')")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(names()).toEqual([]);
    await transactTogether(db, () => void add("later"));
    expect(names()).toEqual([{ name: "later" }]);
  });

  test("resolves nothing that is not stored, and rejects nothing that is, when the disk is full", async () => {
    const pages = db.query<{ page_count: bigint }, []>("PRAGMA page_count").get()?.page_count ?? 0n;
    db.run(`PRAGMA max_page_count = ${pages + 2n}`);
    const all = ["a", `big ${"x".repeat(100_000)}`, "c"];
    const outcomes = await Promise.allSettled(all.map((name) => transactTogether(db, () => void add(name))));
    const resolved = all.filter((_, i) => outcomes[i]?.status === "fulfilled");
    expect(outcomes[1]?.status).toBe("rejected");
    expect(names().map(({ name }) => name)).toEqual(resolved);
  });

  test("answers others in between when much is asked for at once, and keeps the order", async () => {
    const slowly = (name: string) => () => {
      add(name);
      Bun.sleepSync(6);
      return names().length;
    };
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const many = ["a", "b", "c", "d", "e", "f"].map((name) => transactTogether(db, slowly(name)));
    const counts = await Promise.all(many);
    isDone = true;
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  test("waits for the disk once for all that is asked for at once", async () => {
    stopClock();
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    const many = Array.from({ length: 50 }, (_, i) => transactTogether(db, () => void add(`thing ${i}`)));
    await Promise.all(many);
    expect(names().length).toBe(50);
    expect(pagesInLog()).toBeLessThan(10);
  });
});
