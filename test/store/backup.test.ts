import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import { restoreBackup } from "../../src/store/files/restore.ts";
import { setGasAddress } from "../../src/store/tables/installation/wallet.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { payoutWallet, storeInvoice } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";

const dir = makeDataDir();
afterAll(dir.remove);

const walletText =
  "-----BEGIN AGE ENCRYPTED FILE-----\nbm90IGEgcmVhbCBvbmU=\n-----END AGE ENCRYPTED FILE-----\n";
const times = Number(process.env["TEST_BACKUPS"] || 4);

function makeInstallation(name: string): string {
  const dataDir = join(dir.path, name);
  const db = openNewDatabase(dataDir);
  setGasAddress(db, payoutWallet);
  closeDatabase(db);
  writeFileSync(join(dataDir, "wallet.age"), walletText, { mode: 0o600 });
  return dataDir;
}

const backUp = (dataDir: string, file: string, force = false) =>
  makeBackup({ dataDir, file, force, version: "1.2.3", now: Date.now() });

describe("makeBackup", () => {
  test("loses nothing that was acknowledged before it began, while another process writes", async () => {
    const dataDir = makeInstallation("busy");
    const writer = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/writer.ts"), dataDir], {
      stdout: "pipe",
    });
    let acknowledged = 0;
    const read = (async () => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of writer.stdout) {
        const lines = (text + decoder.decode(chunk)).split("\n");
        text = lines.pop() ?? "";
        acknowledged = Number(lines.at(-1) ?? acknowledged);
      }
    })();
    try {
      const counts: number[] = [];
      for (let i = 0; i < times; i++) {
        const before = acknowledged;
        const least = await until(
          () => acknowledged,
          (count) => count > before,
        );
        const file = join(dir.path, `busy-${i}.db`);
        backUp(dataDir, file);
        const restored = join(dir.path, `restored-${i}`);
        mkdirSync(restored);
        restoreBackup({
          dataDir: restored,
          file,
          force: false,
          nextInvoice: 1_000_000,
          now: Date.now(),
          hotMs: 1,
        });
        const db = openDatabase(restored);
        const row = db
          .query<{ count: bigint; highest: bigint; items: bigint }, []>(
            `SELECT count(*) AS count, max(sequence) AS highest, (SELECT count(*) FROM line_item) AS items FROM invoice`,
          )
          .get();
        expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
        closeDatabase(db);
        expect(Number(row?.count)).toBeGreaterThanOrEqual(least);
        // Whole invoices, and none in between left out.
        expect([row?.highest, row?.items]).toEqual([row?.count, row?.count]);
        counts.push(Number(row?.count));
      }
      expect(counts.length).toBe(times);
      expect(counts.at(-1)).toBeGreaterThan(counts[0] ?? Number.NaN);
    } finally {
      writer.kill("SIGKILL");
      await read;
    }
  });

  test("is one file for its owner alone, with the wallet in it, and leaves nothing else", () => {
    const dataDir = makeInstallation("quiet");
    const db = openDatabase(dataDir);
    storeInvoice(db);
    const target = join(dir.path, "out");
    mkdirSync(target);
    const report = backUp(dataDir, join(target, "a.db"));
    expect(report).toMatchObject({ invoices: 1, links: 0, block: null, walletMissing: null });
    expect(readdirSync(target)).toEqual(["a.db"]);
    expect(statSync(report.file).mode & 0o777).toBe(0o600);
    expect(statSync(report.file).size).toBe(report.bytes);
    const copy = new Database(report.file, { readonly: true });
    expect(copy.query("SELECT till_version, wallet FROM backup").get()).toEqual({
      till_version: "1.2.3",
      wallet: walletText,
    });
    copy.close();
    closeDatabase(db);
  });

  test("replaces another file only with force, and Till's own files never", () => {
    const dataDir = makeInstallation("force");
    const file = join(dir.path, "once.db");
    writeFileSync(file, "precious");
    expect(() => backUp(dataDir, file)).toThrow("--force");
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect(backUp(dataDir, file, true).bytes).toBeGreaterThan(1_000);
    for (const name of ["till.db", "till.db-wal", "wallet.age", "till.lock"]) {
      expect(() => backUp(dataDir, join(dataDir, name), true)).toThrow("Till's own file");
    }
    expect(readFileSync(join(dataDir, "wallet.age"), "utf8")).toBe(walletText);
    expect(readdirSync(dir.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("works on a volume without links, as all that keeps what is there does: export, wallet, restore, update", () => {
    const dataDir = makeInstallation("without-links");
    const target = join(dir.path, "stick");
    mkdirSync(target);
    const fixture = join(import.meta.dir, "fixtures/without-links.ts");
    const { stdout, stderr } = Bun.spawnSync([process.execPath, fixture, target, dataDir]);
    expect(stderr.toString()).toBe("");
    expect(JSON.parse(stdout.toString())).toEqual({
      backup: [null, "BackupExists"],
      export: [null, "a,b\n", "OutputExists"],
      wallet: [null, "12 words", "KeystoreExistsError"],
      taken: ["EEXIST", "a,b\n"],
      replaced: ["SQLite format 3", "another wallet"],
      update: ["fresh", "till", 0o755],
      left: [],
    });
  });

  test("says when the wallet is not in it", () => {
    const dataDir = makeInstallation("no-wallet");
    writeFileSync(join(dataDir, "wallet.age"), walletText.slice(0, 10));
    expect(backUp(dataDir, join(dir.path, "cut.db")).walletMissing).toContain("cannot be read");
    Bun.spawnSync(["rm", join(dataDir, "wallet.age")]);
    expect(backUp(dataDir, join(dir.path, "gone.db")).walletMissing).toContain("is not there");
  });

  test("names the file that cannot be written, and what to look at", () => {
    const dataDir = makeInstallation("unwritable");
    expect(() => backUp(dataDir, "/proc/till.db")).toThrow(
      /^No backup was made, as \/proc\/till.db could not be written \(ENOENT.*\)\. Check whether .* full or broken\.$/,
    );
  });

  test("refuses a damaged database, and a directory without one", () => {
    const dataDir = makeInstallation("damaged");
    const db = openDatabase(dataDir);
    db.run("PRAGMA foreign_keys = OFF");
    db.run(
      "INSERT INTO line_item (sequence, position, description, quantity, unit_price, line_total) VALUES (99, 0, 'x', 1, 1, 1)",
    );
    closeDatabase(db);
    const file = join(dir.path, "damaged.db");
    expect(() => backUp(dataDir, file)).toThrow("line_item belongs to a row of invoice that is not there");
    expect(readdirSync(dir.path).filter((name) => name.startsWith("damaged."))).toEqual([]);
    expect(() => backUp(join(dir.path, "nowhere"), file)).toThrow("TILL_DATA_DIR");
  });
});
