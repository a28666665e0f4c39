import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { backupAgeMsMax, backupWarnings, unmadeMsMax } from "../../src/doctor/database-findings.ts";
import { type Network, networks } from "../../src/domain/wallet/network.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { walletFile } from "../../src/store/files/data-dir.ts";
import { restoreBackup } from "../../src/store/files/restore.ts";
import * as BackupStore from "../../src/store/tables/installation/backup.ts";
import { setGasAddress } from "../../src/store/tables/installation/wallet.ts";
import { shared } from "../support/per-file.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { payoutWallet, storeInvoice } from "../support/till/records.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill } from "../support/till/till.ts";

const dayMs = 86_400_000;
const dir = makeDataDir();
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }, { TILL_CHAIN: "base" }));
beforeAll(() => till.createInvoice());
afterAll(() => dir.remove());

const env = () => ({
  TILL_CHAIN: "base",
  TILL_RPC_URL: "http://127.0.0.1:9",
  TILL_DATA_DIR: till.config.dataDir,
  TILL_BASE_URL: till.baseUrl,
  TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
});

/** What the doctor, the metrics, the report of health and Home say of the newest backup. */
async function said() {
  const { stdout } = await callTill(["doctor", "--json"], { env: env() });
  const findings = JSON.parse(stdout).findings as { check: string; level: string; message: string }[];
  const { warnings = [] } = (await till.api("GET", "/health/ready")).body as { warnings?: string[] };
  const age = /^till_backup_age_seconds (\S+)$/m.exec((await till.api("GET", "/metrics")).body);
  return {
    doctor: findings
      .filter(({ check }) => check === "backup")
      .map(({ level, message }) => `${level}: ${message}`),
    passedOn: findings.filter(({ check, message }) => check === "running Till" && message.includes("backup")),
    health: warnings.filter((warning) => warning.includes("backup")),
    metric: age && Number(age[1]),
    home:
      /<h3[^>]*>((?:The newest|There is no) backup[^<]*)</.exec((await till.api("GET", "/desk")).body)?.[1] ??
      null,
  };
}

describe("of the newest backup", () => {
  test("nothing is said before there was one, until it is missed", async () => {
    expect(await said()).toEqual({ doctor: [], passedOn: [], health: [], metric: null, home: null });
    till.db.run("UPDATE receivable SET created_at = created_at - ?", [4 * dayMs]);
    expect(await said()).toEqual({
      doctor: [
        expect.stringMatching(/^warning: No backup is known, and the first invoice or link is 4 days old/),
      ],
      passedOn: [],
      health: [expect.stringMatching(/^no backup is known.*till backup FILE/)],
      metric: expect.closeTo((4 * dayMs) / 1000, -3),
      home: "There is no backup yet",
    });
  });

  test("everybody who asks hears how old it is, and once it is old, that it is", async () => {
    const { exitCode } = await callTill(["backup", join(dir.path, "first.db")], { env: env() });
    expect(exitCode).toBe(0);
    const fresh = await said();
    expect(fresh.doctor).toEqual([expect.stringMatching(/^ok: The newest backup is 0 hours old/)]);
    expect(fresh).toMatchObject({ passedOn: [], health: [], home: null });
    expect(fresh.metric).toBeGreaterThanOrEqual(0);
    expect(fresh.metric).toBeLessThan(600);

    till.db.run("UPDATE backup_made SET made_at = made_at - ?", [3 * dayMs]);
    const old = await said();
    expect(old.doctor).toEqual([expect.stringMatching(/^warning: The newest backup is 3 days old/)]);
    expect(old.passedOn).toEqual([]);
    expect(old.health).toEqual([expect.stringMatching(/^the newest backup is 3 days old.*till backup/)]);
    expect(old.metric).toBeGreaterThan((3 * dayMs) / 1000 - 1);
    expect(old.home).toBe("The newest backup is old");
  });

  test("it is told that the wallet is not in it, though the installation has one", async () => {
    const wallet = walletFile(till.config.dataDir);
    renameSync(wallet, `${wallet}.away`);
    const { exitCode, stderr } = await callTill(["backup", join(dir.path, "bare.db")], { env: env() });
    renameSync(`${wallet}.away`, wallet);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("the wallet is not in the backup")]);
    const bare = await said();
    expect(bare.doctor).toEqual([expect.stringMatching(/^warning: The newest backup .* lacks the wallet/)]);
    expect(bare.health).toEqual([expect.stringContaining("lacks the wallet")]);
    expect(bare.home).toBe("The newest backup does not contain the wallet");
  });
});

describe("a backup", () => {
  const state = (
    made: { at: number; hasWallet: boolean } | null,
    now: number,
    {
      issuedAt,
      network = networks.base,
      change,
    }: { issuedAt?: number; network?: Network; change?: string } = {},
  ) => {
    const path = join(dir.path, `state-${Math.random()}`);
    const db = openNewDatabase(path);
    setGasAddress(db, payoutWallet);
    if (made) BackupStore.note(db, made.at, made.hasWallet);
    if (issuedAt !== undefined) storeInvoice(db, { now: issuedAt });
    if (change !== undefined) db.run(change);
    const found = backupWarnings(db, now, network).map(({ message }) => message);
    closeDatabase(db);
    return found;
  };

  test("is old after two days, and one of the future is not fresh for ever", () => {
    const now = Date.UTC(2026, 0, 10);
    expect(state({ at: now - backupAgeMsMax, hasWallet: true }, now)).toEqual([]);
    expect(state({ at: now - backupAgeMsMax - 1, hasWallet: true }, now)).toHaveLength(1);
    expect(state({ at: now + 30 * dayMs, hasWallet: true }, now)).toEqual([
      "the newest backup is dated 2026-02-09T00:00:00.000Z, which is in the future",
    ]);
  });

  test("is missed three days after the first invoice, but not of test money, nor beside Litestream", () => {
    const now = Date.UTC(2026, 0, 10);
    const issued = { issuedAt: now - unmadeMsMax - 1 };
    expect(state(null, now)).toEqual([]);
    expect(state(null, now, { issuedAt: now - unmadeMsMax })).toEqual([]);
    expect(state(null, now, issued)).toEqual([
      "no backup is known, and the first invoice or link is 3 days old",
    ]);
    expect(state({ at: now, hasWallet: true }, now, issued)).toEqual([]);
    expect(state(null, now, { ...issued, network: networks.anvil })).toEqual([]);
    const change = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)";
    expect(state(null, now, { ...issued, change })).toEqual([]);
  });

  test("that was made before there was a wallet lacks it once there is one", async () => {
    const path = join(dir.path, "young");
    const db = openNewDatabase(path);
    const backup = () =>
      callTill(["backup", join(dir.path, "young.db"), "--json"], { env: { TILL_DATA_DIR: path } });
    const { exitCode, stdout } = await backup();
    expect([exitCode, JSON.parse(stdout).wallet]).toEqual([0, false]);
    expect(backupWarnings(db, Date.now(), networks.base)).toEqual([]);
    setGasAddress(db, payoutWallet);
    expect(backupWarnings(db, Date.now(), networks.base)).toMatchObject([
      { message: expect.stringContaining("lacks the wallet") },
    ]);
    closeDatabase(db);
  });

  test("that was restored is the newest that is known; of another copy none is", async () => {
    const source = join(dir.path, "source");
    const db = openNewDatabase(source);
    BackupStore.note(db, 1, true);
    closeDatabase(db);
    const file = join(dir.path, "source-backup.db");
    const before = Date.now();
    await callTill(["backup", file], { env: { TILL_DATA_DIR: source } });
    const newestIn = (from: string) => {
      const dataDir = join(dir.path, `restored-${Math.random()}`);
      mkdirSync(dataDir);
      restoreBackup({ dataDir, file: from, force: false, nextInvoice: 1, now: Date.now(), hotMs: 1 });
      const restored = openDatabase(dataDir);
      const newest = BackupStore.newest(restored);
      closeDatabase(restored);
      return newest;
    };
    const newest = newestIn(file);
    expect(newest?.madeAt).toBeGreaterThanOrEqual(before);
    expect(newest?.hasWallet).toBe(false);
    expect(newestIn(join(source, "till.db"))).toBeNull();
  });
});
