import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase, transact } from "../../src/store/database.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { DataDirInUse, lockDataDir } from "../../src/store/files/lock.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { storeInvoice } from "../support/till/records.ts";

function withDataDir(work: (path: string) => void): void {
  const dir = makeDataDir();
  try {
    work(join(dir.path, "data"));
  } finally {
    dir.remove();
  }
}

const mode = (path: string) => statSync(path).mode & 0o777;

/** The files that this process has open. */
const openFiles = () =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The listing's own is closed again.
      return [];
    }
  });

describe("openDatabase", () => {
  test("follows a link to a database that was put on another disk", () =>
    withDataDir((path) => {
      closeDatabase(openDatabase(path));
      const elsewhere = join(path, "elsewhere.db");
      renameSync(databaseFile(path), elsewhere);
      symlinkSync(elsewhere, databaseFile(path));
      const db = openDatabase(path);
      expect(transact(db, () => 1)).toBe(1);
      closeDatabase(db);
    }));

  test("commits to the disk and can be read by its owner alone", () =>
    withDataDir((path) => {
      const db = openDatabase(path);
      const pragma = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0];
      expect(pragma("journal_mode")).toBe("wal");
      expect(pragma("synchronous")).toBe(2n);
      expect(pragma("foreign_keys")).toBe(1n);
      expect([mode(path), mode(join(path, "till.db")), mode(join(path, "till.db-wal"))]).toEqual([
        0o700, 0o600, 0o600,
      ]);
      closeDatabase(db);
    }));

  test("plans a statement once, however many others there are", () =>
    withDataDir((path) => {
      const db = openDatabase(path);
      const first = db.query("SELECT 0");
      for (let i = 1; i < 200; i++) db.query(`SELECT ${i}`);
      expect(db.query("SELECT 0")).toBe(first);
      closeDatabase(db);
    }));

  test("says which directory cannot be used, and how to choose another", () => {
    expect(() => openDatabase("/dev/null/data")).toThrow(
      /data directory \/dev\/null\/data cannot.*TILL_DATA_DIR/,
    );
  });

  test("keeps amounts beyond 2^53 exact", () =>
    withDataDir((path) => {
      const db = openDatabase(path);
      const { id } = storeInvoice(db, { total: "9999999999.99" });
      expect(InvoiceStore.byId(db, id)?.total).toBe(9_999_999_999_990_000n as never);
      db.query("UPDATE receivable SET received_amount = ?").run(9_007_199_254_740_993n);
      expect(InvoiceStore.byId(db, id)?.deposit.received).toBe(9_007_199_254_740_993n as never);
      closeDatabase(db);
    }));
});

describe("transact", () => {
  test("undoes everything when the work throws", () =>
    withDataDir((path) => {
      const db = openDatabase(path);
      const work = () =>
        transact(db, () => {
          storeInvoice(db);
          throw new Error("no");
        });
      expect(work).toThrow("no");
      expect(InvoiceStore.list(db, { limit: 1 }).rows).toEqual([]);
      closeDatabase(db);
    }));

  test("is a part of the transaction that it is called in", () =>
    withDataDir((path) => {
      const db = openDatabase(path);
      const work = () =>
        transact(db, () => {
          transact(db, () => void storeInvoice(db));
          throw new Error("no");
        });
      expect(work).toThrow("no");
      expect(InvoiceStore.list(db, { limit: 1 }).rows).toEqual([]);
      closeDatabase(db);
    }));

  test("needs no room in the directory for temporary files", () =>
    withDataDir((path) => {
      const db = openDatabase(path);
      transact(db, () => Array.from({ length: 300 }, () => storeInvoice(db)));
      transact(db, () => {
        const before = openFiles();
        // More pages than SQLite keeps in memory of itself.
        expect(db.run("UPDATE receivable SET received_amount = deposit_index").changes).toBe(300);
        expect(openFiles().filter((file) => !before.includes(file))).toEqual([]);
      });
      closeDatabase(db);
    }));
});

describe("an invoice", () => {
  test("takes the next number without a gap, and keeps it and its merchant for ever", () =>
    withDataDir((path) => {
      const db = openDatabase(path);
      expect([1, 2, 3].map(() => storeInvoice(db).sequence)).toEqual([1, 2, 3]);
      for (const change of ["merchant_name = 'X'", "merchant_address = 'X'", "sequence = 9"]) {
        expect(() => db.run(`UPDATE invoice SET ${change} WHERE sequence = 1`)).toThrow("never change");
      }
      closeDatabase(db);
    }));
});

describe("lockDataDir", () => {
  test("lets one process in, names it to the next, and is free again after it", async () => {
    const dir = makeDataDir();
    const holder = Bun.spawn(
      [
        process.execPath,
        "-e",
        `const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dir, "../../src/store/files/lock.ts"))});
         lockDataDir(${JSON.stringify(dir.path)}); console.log("held"); setInterval(() => {}, 1000);`,
      ],
      { stdout: "pipe" },
    );
    try {
      for await (const _ of holder.stdout) break;
      expect(() => lockDataDir(dir.path)).toThrow(DataDirInUse);
      expect(() => lockDataDir(dir.path)).toThrow(`process ${holder.pid}`);
      holder.kill("SIGKILL");
      await holder.exited;
      lockDataDir(dir.path).release();
    } finally {
      holder.kill("SIGKILL");
      dir.remove();
    }
  });
});
