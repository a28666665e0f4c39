import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseConfig } from "../../src/config/config.ts";
import { createLimits } from "../../src/http/access/limits.ts";
import type { HttpDeps } from "../../src/http/route/deps.ts";
import { createLog } from "../../src/lib/log.ts";
import {
  closeDatabase,
  DatabaseDamaged,
  type Db,
  numberOf,
  openDatabase,
  transact,
} from "../../src/store/database.ts";
import { DataDirUnusable } from "../../src/store/files/data-dir.ts";
import { isAsClosed } from "../../src/store/files/in-place.ts";
import { lockDataDir } from "../../src/store/files/lock.ts";
import { startDatabaseThread } from "../../src/store/files/thread.ts";
import { transactTogether } from "../../src/store/group-commit.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { createApp } from "../../src/till/app.ts";
import { ownPort } from "../support/http/port.ts";
import { makeDataDir, makeWallet } from "../support/till/data-dir.ts";
import { endProcesses, program, startProcess } from "../support/till/process.ts";
import { storeInvoice } from "../support/till/records.ts";
import { invoiceRequest, until } from "../support/till/till.ts";

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
function makeData(alter = (_: Db) => writeFileSync(file("wallet.age"), "{}")): void {
  const db = openDatabase(dir.path);
  for (let i = 0; i < 60; i++) storeInvoice(db);
  alter(db);
  closeDatabase(db);
}

/** The check of each row takes a tenth of a second or more, all of them minutes. */
function addSlowRows(): void {
  const db = openDatabase(dir.path);
  db.run("PRAGMA ignore_check_constraints = ON");
  db.run("CREATE TABLE slow (bytes INTEGER CHECK (length(hex(zeroblob(bytes))) > 0))");
  transact(db, () => {
    for (let i = 0; i < 2_000; i++) db.run("INSERT INTO slow VALUES (100000000)");
  });
  closeDatabase(db);
}

/** Till on this port answers, as it does before the check is over. */
const answers = (port: number) =>
  until(
    () => fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null),
    (answer) => answer !== null,
  );

/** What is wrong with the database according to a start, which stores something when nothing is. */
async function openAndCheck(): Promise<unknown> {
  try {
    const db = openDatabase(dir.path);
    try {
      const thread = startDatabaseThread(db, dir.path);
      await thread.whole.then(() => storeInvoice(db)).finally(thread.stop);
      await thread.ended;
    } finally {
      closeDatabase(db);
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

/** Damages an index that no start reads, of a database that is as Till closed it, as a disk does: nobody is told. */
function damageUnseen(): void {
  const db = openDatabase(dir.path);
  const root = numberOf(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'credit_note_by_day'") ?? 0;
  closeDatabase(db);
  expect(isAsClosed(file())).toBe(true);
  overwrite(4096 * (root - 1), 4096);
  const { ino, size: bytes, ctimeNs } = statSync(file(), { bigint: true });
  writeFileSync(file("till.db.closed"), `${ino} ${bytes} ${ctimeNs}`);
}

const settings = () => ({
  TILL_RPC_URL: "http://127.0.0.1:9",
  TILL_DATA_DIR: dir.path,
  TILL_WALLET_PASSPHRASE: "correct horse",
  // Somebody may use the usual one.
  TILL_PORT: "0",
});
const serve = (changes: Record<string, string> = {}) =>
  startProcess([...program, "serve"], { env: { ...settings(), ...changes } });

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
  test.each(damages)("is refused: %s", async (_title, damage) => {
    makeData();
    damage();
    const before = readFileSync(file());
    const thrown = await openAndCheck();
    expect(thrown).toBeInstanceOf(DatabaseDamaged);
    expect(String(thrown)).toContain("till restore FILE");
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  test("is refused without the log that holds its last changes", async () => {
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
    expect(String(await openAndCheck())).toContain("till.db-wal, which holds the last changes, is missing");
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

  test.each(["till.db-wal", "till.lock-journal"])("is not blamed when %s cannot be written", async (name) => {
    makeData();
    mkdirSync(file(name));
    const begin = () => {
      lockDataDir(dir.path).release();
      closeDatabase(openDatabase(dir.path));
    };
    expect(begin).toThrow(DataDirUnusable);
    expect(begin).toThrow(dir.path);
  });

  test("takes nothing while it is being checked, and everything once it was found whole", async () => {
    makeData();
    const db = openDatabase(dir.path);
    const thread = startDatabaseThread(db, dir.path);
    const before = InvoiceStore.nextSequence(db);
    expect(() => storeInvoice(db)).toThrow("readonly");
    await thread.whole;
    storeInvoice(db);
    expect(InvoiceStore.nextSequence(db)).toBe(before + 1);
    thread.stop();
    await thread.ended;
    closeDatabase(db);
  });

  test("is worked on at once when nothing has changed it since it was found whole and closed", async () => {
    makeData();
    expect(await openAndCheck()).toBeNull();
    damageUnseen();
    expect([await openAndCheck(), await openAndCheck()]).toEqual([null, null]);
    // As what rewrites a file in place leaves it: with the same content and the same time.
    const { atime, mtime } = statSync(file());
    writeFileSync(file(), readFileSync(file()));
    utimesSync(file(), atime, mtime);
    expect(await openAndCheck()).toBeInstanceOf(DatabaseDamaged);
  });

  test.each([
    ["by itself", async (db: Db, work: () => void) => transact(db, work)],
    ["together with others", (db: Db, work: () => void) => transactTogether(db, work)],
  ])("is checked first at the next start when a write %s came upon damage", async (_, store) => {
    makeData();
    const db = openDatabase(dir.path);
    const root = numberOf(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'invoice'") ?? 0;
    const thread = startDatabaseThread(db, dir.path);
    await thread.whole;
    thread.stop();
    await thread.ended;
    db.run("PRAGMA shrink_memory");
    overwrite(4096 * (root - 1), 4096);
    await expect(store(db, () => void storeInvoice(db))).rejects.toThrow("malformed");
    closeDatabase(db);
    expect(isAsClosed(file())).toBe(false);
  });

  test("is found by the check beside the work, and ends Till for good", async () => {
    const { gasAddress } = await makeWallet({ file: file("wallet.age"), passphrase: "correct horse" });
    makeData((db) => WalletStore.setGasAddress(db, gasAddress));
    expect(await openAndCheck()).toBeNull();
    damageUnseen();
    const till = serve();
    expect(await till.exited).toBe(2);
    expect(till.output()).toMatch(/stop\.failed.*The database .*till\.db is damaged: /);
    // Now the check comes first.
    const again = serve();
    expect(await again.exited).toBe(2);
    expect(again.output()).toMatch(/^till serve: The database .*till\.db is damaged: /m);
  });

  test("stores nothing that is asked for meanwhile", async () => {
    makeData();
    // So much that the check takes a while; what is damaged comes last.
    const large = openDatabase(dir.path);
    for (let i = 0; i < 10; i++) large.run("INSERT INTO probe (content) VALUES (zeroblob(4000000))");
    closeDatabase(large);
    overwrite(size() - 3 * 4096, 4096);
    const before = readFileSync(file());

    const port = ownPort();
    const till = serve({ TILL_PORT: String(port) });
    let isRunning = true;
    const ended = till.exited.finally(() => {
      isRunning = false;
    });
    const statuses = new Set<number>();
    while (isRunning) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/invoices`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(invoiceRequest),
      }).catch(() => null);
      if (answer) statuses.add(answer.status);
      // Time itself: it is asked again and again until it ends.
      else await Bun.sleep(1);
    }
    expect(await ended).toBe(2);
    expect(till.output()).toMatch(
      /^till serve: The database .*till\.db is damaged: .*Bring the last backup back.*\n$/ms,
    );
    expect(till.output()).not.toContain("    at ");
    expect([...statuses].filter((status) => status !== 500)).toEqual([]);
    expect(readFileSync(file()).equals(before)).toBe(true);
  });
});

describe("while the database is being checked", () => {
  test.each([
    ["brought into its file afterwards", false],
    ["not brought into a file that took its place meanwhile", true],
  ])("what is written first is %s", async (_title, isReplaced) => {
    makeData();
    const [before, other] = [readFileSync(file()), Buffer.alloc(size(), "other")];
    const db = openDatabase(dir.path);
    const thread = startDatabaseThread(db, dir.path, {
      begin() {
        storeInvoice(db);
        if (isReplaced) writeFileSync(file(), other);
      },
    });
    await thread.whole;
    thread.stop();
    await thread.ended;
    const after = readFileSync(file());
    expect([after.equals(before), after.equals(other)]).toEqual([false, isReplaced]);
    if (isReplaced) writeFileSync(file(), before);
    closeDatabase(db);
  });

  test("SIGTERM ends the start at once, and cleanly", async () => {
    makeData();
    addSlowRows();

    const port = ownPort();
    const till = serve({ TILL_PORT: String(port) });
    await answers(port);
    // The check would go on for minutes.
    expect(await till.end("SIGTERM")).toBe(0);
    expect(till.output()).toContain("finishing what was begun");
    expect(till.output()).not.toContain("Till is ready");
    lockDataDir(dir.path).release();
  });

  test.each([
    ["found whole", 404],
    ["found damaged", 500],
  ])("who reads is answered, and who writes waits until it was %s", async (found, expected) => {
    makeData();
    const db = openDatabase(dir.path);
    const [invoice] = InvoiceStore.list(db, { limit: 1 }).rows;
    const working = Promise.withResolvers<void>();
    const port = ownPort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const config = parseConfig(settings());
    const log = createLog({ format: "text", level: "error", write: () => {} });
    // What these requests have nothing to do with is left out.
    const proxyWatch = { saw() {} };
    const parts = { limits: createLimits(config), invoices: {}, links: {}, creditNotes: {}, proxyWatch };
    const deps = { working: working.promise, config, db, log, baseUrl, now: Date.now, dev: null, ...parts };
    const app = createApp(deps as unknown as HttpDeps, { host: "127.0.0.1", port });
    app.listen();
    let isAnswered = false;
    const written = fetch(`${baseUrl}/api/events/unknown/redeliver`, { method: "POST" }).finally(() => {
      isAnswered = true;
    });
    for (let asked = 0; asked < 20; asked++)
      expect((await fetch(`${baseUrl}/api/invoices/${invoice?.id}/status`)).status).toBe(200);
    expect(isAnswered).toBe(false);
    if (found === "found whole") working.resolve();
    else working.reject(new DatabaseDamaged("till.db", "a page of it is something else"));
    expect((await written).status).toBe(expected);
    await app.stop();
    closeDatabase(db);
  });
});
