import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, DatabaseDamaged, mustBeWhole, openDatabase } from "../../src/store/database.ts";
import * as InvoiceStore from "../../src/store/invoice.ts";
import { lockDataDir } from "../../src/store/lock.ts";
import { makeDataDir } from "../support/data-dir.ts";
import { endProcesses, fromSource, startProcess } from "../support/process.ts";
import { storeInvoice } from "../support/records.ts";

let dir: ReturnType<typeof makeDataDir>;
const file = (name = "till.db") => join(dir.path, name);

beforeEach(() => {
  dir = makeDataDir();
});
afterEach(async () => {
  await endProcesses();
  dir.remove();
});

/** A database of some pages, with a wallet's file beside it, as Till leaves them. */
function makeData(): void {
  const db = openDatabase(dir.path);
  for (let i = 0; i < 60; i++) storeInvoice(db);
  closeDatabase(db);
  writeFileSync(file("wallet.json"), "{}");
}

function openAndCheck(): unknown {
  try {
    const db = openDatabase(dir.path);
    try {
      mustBeWhole(db);
    } finally {
      db.close();
    }
    return null;
  } catch (thrown) {
    return thrown;
  }
}

function overwrite(fromByte: number, bytes: number): void {
  const content = readFileSync(file());
  content.fill(0xa5, fromByte, fromByte + bytes);
  writeFileSync(file(), content);
}

const size = () => statSync(file()).size;

describe("a database that is not whole", () => {
  const damages: [string, () => void][] = [
    ["something else", () => writeFileSync(file(), "This is a text about invoices.\n".repeat(500))],
    ["without its header", () => overwrite(0, 100)],
    ["cut off in the middle", () => truncateSync(file(), Math.floor(size() / 2))],
    ["cut off by its last page", () => truncateSync(file(), size() - 4096)],
    ["cut off within its first page", () => truncateSync(file(), 1000)],
    ["overwritten in a page", () => overwrite(4096 * 3, 4096)],
    ["overwritten in its schema", () => overwrite(100, 3996)],
  ];
  test.each(damages)("is refused: %s", (_title, damage) => {
    makeData();
    expect(openAndCheck()).toBeNull();
    damage();
    const before = readFileSync(file());
    expect(openAndCheck()).toBeInstanceOf(DatabaseDamaged);
    expect(String(openAndCheck())).toContain("till restore FILE");
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  test("is refused without the log that holds its last changes", () => {
    makeData();
    // What a process that is killed leaves behind, copied while the database is open.
    const db = openDatabase(dir.path);
    const { id } = storeInvoice(db);
    for (const name of ["till.db", "till.db-wal", "till.db-shm"])
      copyFileSync(file(name), file(`copy-${name}`));
    closeDatabase(db);
    for (const name of ["till.db", "till.db-wal", "till.db-shm"])
      copyFileSync(file(`copy-${name}`), file(name));
    rmSync(file("till.db-wal"));
    expect(String(openAndCheck())).toContain("till.db-wal, which holds the last changes, is missing");
    copyFileSync(file("copy-till.db-wal"), file("till.db-wal"));
    const again = openDatabase(dir.path);
    expect(InvoiceStore.byId(again, id)?.id).toBe(id);
    closeDatabase(again);
  });

  test("is not opened at all when the lock beside it is something else, which may be deleted", async () => {
    makeData();
    writeFileSync(file("till.lock"), "not a lock ".repeat(1000));
    expect(() => lockDataDir(dir.path)).toThrow("delete it while no Till runs");
    rmSync(file("till.lock"));
    lockDataDir(dir.path).release();
  });

  test("stops the start with a sentence and no stack", async () => {
    makeData();
    overwrite(4096 * 3, 4096);
    const till = startProcess([...fromSource, "serve"], {
      env: {
        TILL_RPC_URL: "http://127.0.0.1:9",
        TILL_DATA_DIR: dir.path,
        TILL_WALLET_PASSPHRASE: "correct horse",
      },
    });
    expect(await till.exited).toBe(1);
    expect(till.output()).toMatch(
      /^till serve: The database .*till\.db is damaged: .*Bring the last backup back.*\n$/s,
    );
    expect(till.output()).not.toContain("    at ");
  });
});
