import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { lockDataDir, openShared, readShared } from "../../src/store/files/lock.ts";
import { differencesFrom, fingerprintOf, newestFingerprint } from "../../src/store/fingerprint.ts";
import { newestSchema, schemaOf, schemaSteps } from "../../src/store/migrations.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { storeInvoice } from "../support/till/records.ts";

/** The schema of an invented next version of Till: a table more, and a column that old rows get a value for. */
const nextSteps = [
  ...schemaSteps,
  `CREATE TABLE gift (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL REFERENCES invoice) STRICT;
   ALTER TABLE invoice ADD COLUMN remark TEXT NOT NULL DEFAULT '';
   UPDATE invoice SET remark = 'No. ' || sequence;`,
];
const next = newestSchema + 1;

function withDataDir(work: (dataDir: string) => void): void {
  const dir = makeDataDir();
  try {
    work(join(dir.path, "data"));
  } finally {
    dir.remove();
  }
}

/** A database as this version of Till leaves it. */
function makeDatabase(dataDir: string): void {
  const db = openDatabase(dataDir);
  for (const _ of [1, 2, 3]) storeInvoice(db);
  closeDatabase(db);
}

/** Every row of every table of a file, as text, but for what the desk looks through, which is made of the others. */
function contents(file: string): Record<string, unknown[]> {
  const db = new Database(file, { readonly: true });
  try {
    const tables = db
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' AND name <> 'customer'",
      )
      .all();
    return Object.fromEntries(tables.map(({ name }) => [name, db.query(`SELECT * FROM ${name}`).all()]));
  } finally {
    db.close();
  }
}

const copiesIn = (dataDir: string) =>
  readdirSync(dataDir).filter((name) => name.startsWith("till.db.before-schema-"));

describe("an upgrade", () => {
  test("keeps every row, after a copy of the database as it was", () =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      const file = join(dataDir, "till.db");
      const before = contents(file);

      const db = openDatabase(dataDir, nextSteps);
      expect(schemaOf(db)).toBe(next);
      expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
      expect(storeInvoice(db).sequence).toBe(4);
      // What is not open is in no sum.
      db.run(
        "UPDATE invoice SET status = 'paid' WHERE sequence = 4; DELETE FROM line_item WHERE sequence = 4",
      );
      db.run("DELETE FROM invoice WHERE sequence = 4");
      db.run("DELETE FROM receivable WHERE deposit_index = 3");
      closeDatabase(db);
      expect(contents(file)).toMatchObject(before);
      expect(contents(file)).toMatchObject({
        invoice: [{ remark: "No. 1" }, { remark: "No. 2" }, { remark: "No. 3" }],
        gift: [],
      });

      const copy = `${file}.before-schema-${next}`;
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      expect(contents(copy)).toEqual(before);
    }));

  test("is undone whole when a step fails", () =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      const before = contents(join(dataDir, "till.db"));
      const broken = [...nextSteps, "CREATE TABLE half (id); INSERT INTO nowhere VALUES (1)"];
      expect(() => openDatabase(dataDir, broken)).toThrow("nowhere");
      const db = openDatabase(dataDir, nextSteps);
      expect(schemaOf(db)).toBe(next);
      closeDatabase(db);
      expect(contents(join(dataDir, "till.db"))).toMatchObject(before);
      expect(contents(join(dataDir, "till.db"))["half"]).toBeUndefined();
    }));

  test("is left to the server that uses the database, also when a later command works beside it", () =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      const served = lockDataDir(dataDir);
      expect(() => openShared(dataDir, nextSteps)).toThrow("is of an earlier version than this command");
      expect(copiesIn(dataDir)).toEqual([]);
      served.release();
      const db = openShared(dataDir, nextSteps);
      expect(schemaOf(db)).toBe(next);
      const again = lockDataDir(dataDir);
      closeDatabase(openShared(dataDir, nextSteps));
      again.release();
      closeDatabase(db);
    }));

  test("makes no copy of a new database, nor of one that needs no step", () =>
    withDataDir((dataDir) => {
      closeDatabase(openDatabase(dataDir));
      closeDatabase(openDatabase(dataDir));
      expect(readdirSync(dataDir)).toEqual(["till.db"]);
    }));

  test("keeps three copies at most, the latest", () =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      for (const [age, n] of [96, 97, 98, 99].entries()) {
        const file = join(dataDir, `till.db.before-schema-${n}`);
        Bun.spawnSync(["touch", "-d", `@${1_700_000_000 + age}`, file]);
      }
      closeDatabase(openDatabase(dataDir, nextSteps));
      expect(copiesIn(dataDir).sort()).toEqual(
        [next, 98, 99].map((n) => `till.db.before-schema-${n}`).sort(),
      );
    }));

  test("does not begin when no copy can be made", () =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      mkdirSync(join(dataDir, `till.db.before-schema-${next}`, "in the way"), { recursive: true });
      expect(() => openDatabase(dataDir, nextSteps)).toThrow("no copy could be made");
      const db = openDatabase(dataDir);
      expect(schemaOf(db)).toBe(newestSchema);
      expect(InvoiceStore.list(db, { limit: 10 }).rows).toHaveLength(3);
      closeDatabase(db);
      expect(readdirSync(dataDir).filter((name) => name.endsWith(".upgrade"))).toEqual([]);
    }));
});

describe("a database of another version, or of another program,", () => {
  test("is refused and left alone when it is of a later version", () =>
    withDataDir((dataDir) => {
      closeDatabase(openDatabase(dataDir, nextSteps));
      const before = readFileSync(join(dataDir, "till.db"));
      const tooNew = `written by a later version of Till (schema ${next}; this one knows ${newestSchema})`;
      for (const open of [openDatabase, openShared, readShared]) expect(() => open(dataDir)).toThrow(tooNew);
      expect(readFileSync(join(dataDir, "till.db")).equals(before)).toBe(true);
    }));

  test("has a fingerprint, which the code names", () =>
    withDataDir((dataDir) => {
      const db = openDatabase(dataDir);
      expect(fingerprintOf(db, schemaSteps)).toBe(newestFingerprint);
      expect(differencesFrom(db, schemaSteps)).toEqual([]);
      closeDatabase(db);
    }));

  test.each([
    ["DROP TABLE recurring_made", "recurring_made is missing"],
    ["DROP TRIGGER receivable_marked", "receivable_marked is missing"],
    ["ALTER TABLE invoice ADD COLUMN remark TEXT", "invoice is another one"],
    ["DROP INDEX link_by_store; CREATE INDEX link_by_store ON link (id)", "link_by_store is another one"],
  ])("is refused and left alone when its schema is not what its number says: %s", (sql, difference) =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      const file = join(dataDir, "till.db");
      const other = new Database(file);
      other.run(sql);
      other.close();
      const before = readFileSync(file);
      for (const open of [openDatabase, openShared, readShared])
        expect(() => open(dataDir)).toThrow(`has schema 1, but not as this Till makes it: ${difference}`);
      expect(() => openDatabase(dataDir, nextSteps)).toThrow(difference);
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(copiesIn(dataDir)).toEqual([]);
    }),
  );

  test("may hold what other programs have added", () =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      const other = new Database(join(dataDir, "till.db"));
      other.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
      other.run("CREATE INDEX invoice_by_note ON invoice (notes)");
      other.close();
      closeDatabase(openDatabase(dataDir));
    }));

  test("is not read when it is of an earlier version", () =>
    withDataDir((dataDir) => {
      makeDatabase(dataDir);
      closeDatabase(readShared(dataDir));
      const db = openDatabase(dataDir);
      db.run("PRAGMA user_version = 0");
      closeDatabase(db);
      expect(() => readShared(dataDir)).toThrow("written by an earlier version of Till");
    }));

  test.each([
    ["0x54690000", 6],
    ["0x546c0000", 1],
    ["0x546d0000", 1],
  ])("is refused and left alone when it is from before the first release: %s", (id, schema) =>
    withDataDir((dataDir) => {
      mkdirSync(dataDir);
      const file = join(dataDir, "till.db");
      const early = new Database(file, { create: true });
      early.run(`PRAGMA application_id = ${id}`);
      early.run(`PRAGMA user_version = ${schema}`);
      early.close();
      const before = readFileSync(file);
      for (const open of [openDatabase, openShared, readShared])
        expect(() => open(dataDir)).toThrow("from before its first release, and this one cannot read it");
      expect(readFileSync(file).equals(before)).toBe(true);
    }),
  );

  test.each(["CREATE TABLE invoice (id)", "PRAGMA application_id = 1", "PRAGMA user_version = 18"])(
    "is refused and left alone when it is not Till's: %s",
    (sql) =>
      withDataDir((dataDir) => {
        mkdirSync(dataDir);
        const file = join(dataDir, "till.db");
        const other = new Database(file, { create: true });
        other.run(sql);
        other.close();
        chmodSync(file, 0o644);
        const before = readFileSync(file);
        for (const open of [openDatabase, openShared, readShared])
          expect(() => open(dataDir)).toThrow("is not a database of Till");
        expect(readFileSync(file).equals(before)).toBe(true);
        expect(statSync(file).mode & 0o777).toBe(0o644);
      }),
  );
});
