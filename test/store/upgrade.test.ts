import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openBeside } from "../../src/store/beside.ts";
import { closeDatabase, type Db, openDatabase } from "../../src/store/database.ts";
import * as InvoiceStore from "../../src/store/invoice.ts";
import { lockDataDir } from "../../src/store/lock.ts";
import { newestSchema } from "../../src/store/migrations.ts";
import { makeDataDir } from "../support/data-dir.ts";
import { storeInvoice } from "../support/records.ts";

/** One database for each schema that was ever released: whoever has it must be able to go on. */
const fixtureDir = join(import.meta.dir, "fixtures");
const fixtures = readdirSync(fixtureDir).filter((name) => name.endsWith(".sql"));

function writeFixture(dataDir: string, fixture: string): void {
  mkdirSync(dataDir, { recursive: true });
  const db = new Database(join(dataDir, "till.db"), { create: true });
  db.run("PRAGMA synchronous = OFF");
  db.run(readFileSync(join(fixtureDir, fixture), "utf8"));
  db.close();
}

type Rows = Record<string, unknown>[];

/** Every row of every table as text, with the columns that are asked for. */
function contents(db: Database, columnsOf: (table: string) => string[]): Record<string, Rows> {
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const read = (table: string) => {
    const columns = columnsOf(table);
    const quoted = columns.map((column) => `quote(${column}) AS ${column}`).join(", ");
    return columns.length === 0
      ? []
      : db.query<Rows[number], []>(`SELECT ${quoted} FROM ${table} ORDER BY ${columns.join(", ")}`).all();
  };
  return Object.fromEntries(tables.map(({ name }) => [name, read(name)]));
}

function columns(db: Database, table: string): string[] {
  return db
    .query<{ name: string }, []>(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => name);
}

async function withDataDir(work: (dataDir: string) => void): Promise<void> {
  const dir = makeDataDir();
  try {
    work(join(dir.path, "data"));
  } finally {
    dir.remove();
  }
}

const pragma = (db: Db, name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0];

describe("an upgrade", () => {
  test("is tried from the first released schema on", () => {
    expect(fixtures.sort()).toEqual(["schema-04.sql", "schema-11.sql"]);
  });

  test.each(fixtures)("from %s keeps every row, after a copy", (fixture) =>
    withDataDir((dataDir) => {
      writeFixture(dataDir, fixture);
      const file = join(dataDir, "till.db");
      const old = new Database(file, { readonly: true });
      const before = contents(old, (table) => columns(old, table));
      const oldColumns = new Map(Object.keys(before).map((table) => [table, columns(old, table)]));
      const schema = Number(fixture.match(/\d+/)?.[0]);
      old.close();
      expect(before["invoice"]?.length).toBeGreaterThan(0);
      expect(before["transfer"]?.length).toBeGreaterThan(0);

      const db = openDatabase(dataDir);
      expect(pragma(db, "user_version")).toBe(BigInt(newestSchema));
      expect(pragma(db, "integrity_check")).toBe("ok");
      expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
      const after = contents(db, (table) => oldColumns.get(table) ?? []);
      expect(after).toMatchObject(before);
      const { invoices } = InvoiceStore.list(db, { limit: 10 });
      expect(invoices.map((invoice) => invoice.status).sort()).toEqual(["draft", "draft", "excess", "paid"]);
      expect(storeInvoice(db).sequence).toBe(invoices.length + 1);
      closeDatabase(db);

      const copy = `${file}.before-schema-${schema + 1}`;
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      const kept = new Database(copy, { readonly: true });
      expect(contents(kept, (table) => columns(kept, table))).toEqual(before);
      expect(kept.query("PRAGMA user_version").get()).toEqual({ user_version: schema });
      kept.close();
    }),
  );

  test("is left to the server that uses the database, also when a later command works beside it", () =>
    withDataDir((dataDir) => {
      writeFixture(dataDir, "schema-11.sql");
      const served = lockDataDir(dataDir);
      expect(() => openBeside(dataDir)).toThrow("is of an earlier version than this command");
      expect(readdirSync(dataDir).filter((name) => name.includes("before-schema"))).toEqual([]);
      served.release();
      const db = openBeside(dataDir);
      expect(pragma(db, "user_version")).toBe(BigInt(newestSchema));
      const again = lockDataDir(dataDir);
      closeDatabase(openBeside(dataDir));
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
      writeFixture(dataDir, "schema-04.sql");
      for (const [age, n] of [1, 2, 3, 4].entries()) {
        const file = join(dataDir, `till.db.before-schema-${n}`);
        Bun.spawnSync(["touch", "-d", `@${1_700_000_000 + age}`, file]);
      }
      closeDatabase(openDatabase(dataDir));
      expect(readdirSync(dataDir).sort()).toEqual([
        "till.db",
        "till.db.before-schema-3",
        "till.db.before-schema-4",
        "till.db.before-schema-5",
      ]);
    }));

  test("does not begin when no copy can be made", () =>
    withDataDir((dataDir) => {
      writeFixture(dataDir, "schema-04.sql");
      mkdirSync(join(dataDir, "till.db.before-schema-5", "in the way"), { recursive: true });
      expect(() => openDatabase(dataDir)).toThrow("no copy could be made");
      const db = new Database(join(dataDir, "till.db"), { readonly: true });
      expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 4 });
      db.close();
      expect(readdirSync(dataDir).filter((name) => name.endsWith(".upgrade"))).toEqual([]);
    }));
});
