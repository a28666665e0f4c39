import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as Address from "../../src/domain/wallet/address.ts";
import { closeDatabase } from "../../src/store/database.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { shared } from "../support/per-file.ts";
import { makeDataDir, openNewDatabase, passphrase } from "../support/till/data-dir.ts";
import { endProcesses, type ServedTill, startProcess, startServedTill } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import { invoiceRequest, until } from "../support/till/till.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
afterAll(endProcesses);

/** Runs another command beside the server, which is a process of its own. */
async function command(dataDir: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { TILL_DATA_DIR: dataDir, TILL_WALLET_PASSPHRASE: passphrase };
  const { exitCode, stdout, stderr } = await callTill(args, { env });
  return { code: exitCode, output: `${stdout}${stderr}` };
}

const newInvoice = { ...invoiceRequest, send_now: false };
const ready = (served: ServedTill) => () => served.api("GET", "/health/ready");

const source = (path: string) => join(import.meta.dir, "../../src", path);

const lost = [
  "was removed",
  "was moved away",
  "was replaced by another file",
  "lost its log",
  "went with the whole directory",
];
const begun = "was replaced before its check was over";
const kept = "is as it was";

/** Opens databases as Till does, has them lost in these ways, and says what became of what was to be stored. */
const losing = (dir: string) => `
  import { cpSync, renameSync, unlinkSync } from "node:fs";
  import { join } from "node:path";
  import { databaseFiles } from "${source("store/files/data-dir.ts")}";
  import { keepInPlace } from "${source("store/files/in-place.ts")}";
  import { parseConfig } from "${source("config/config.ts")}";
  import { createLog } from "${source("lib/log.ts")}";
  import { openInstallation } from "${source("till/installation.ts")}";
  import { openDatabase, transact } from "${source("store/database.ts")}";
  const ways = {
    "was removed": (dir) => ["", "-wal", "-shm"].forEach((end) => unlinkSync(join(dir, "till.db" + end))),
    "was moved away": (dir) => renameSync(join(dir, "till.db"), join(dir, "till.old")),
    "was replaced by another file": (dir) => {
      cpSync(join(dir, "till.db"), join(dir, "other.db"));
      renameSync(join(dir, "other.db"), join(dir, "till.db"));
    },
    "lost its log": (dir) => unlinkSync(join(dir, "till.db-wal")),
    "went with the whole directory": (dir) => renameSync(dir, dir + ".old"),
    "${kept}": () => {},
  };
  const opened = Object.entries(ways).map(([way, lose]) => {
    const dir = join("${dir}", way);
    const db = openDatabase(dir);
    const lost = Promise.withResolvers();
    keepInPlace(db, databaseFiles(dir), () => lost.resolve()).begin();
    lose(dir);
    return { way, db, lost: lost.promise };
  });
  await Promise.all(opened.filter(({ way }) => way !== "${kept}").map(({ lost }) => lost));
  // Its check goes on in a thread of its own, and has not ended yet.
  const checked = join("${dir}", "${begun}");
  const installation = openInstallation({
    config: parseConfig({ TILL_RPC_URL: "http://127.0.0.1:9", TILL_DATA_DIR: checked, TILL_WALLET_PASSPHRASE: "p" }),
    log: createLog({ format: "text", level: "error", write() {} }),
    now: Date.now,
    numbers: () => ({}),
    words: undefined,
    onUnsound() {},
  });
  installation.wallet.catch(() => {});
  ways["was replaced by another file"](checked);
  await installation.whole.catch((thrown) => console.log("${begun}: " + thrown.name));
  for (const { way, db } of opened) {
    try {
      transact(db, () => db.run("INSERT INTO probe (content) VALUES (zeroblob(1))"));
      console.log(way + ": stored");
    } catch (thrown) {
      console.log(way + ": " + thrown.name);
    }
  }`;

describe("a database under a running server that", () => {
  test("was removed, moved, replaced, or lost what lies beside it takes nothing more", async () => {
    const dir = makeDataDir();
    for (const way of [...lost, begun, kept]) closeDatabase(openNewDatabase(join(dir.path, way)));
    const child = startProcess([process.execPath, "-e", losing(dir.path)]);
    expect(await child.exited).toBe(137);
    expect(child.output().trim().split("\n")).toEqual([
      `${begun}: DatabaseReplaced`,
      ...lost.map((way) => `${way}: DatabaseReplaced`),
      `${kept}: stored`,
    ]);
    dir.remove();
  });

  test("went is noticed: health says so, and nothing is stored", async () => {
    await using served = await startServedTill(chain);
    const created = await served.api("POST", "/api/invoices", { ...newInvoice, webhook_url: receiver.url });
    expect(created.status).toBe(201);
    await until(
      () => served.api("GET", "/health/ready"),
      ({ status }) => status === 200,
    );

    renameSync(served.dataDir, `${served.dataDir}.old`);
    const noticed = await until(ready(served), ({ status }) => status === 503);
    expect(noticed.body.reasons.join()).toContain("no longer till.db in the data directory");
    expect(noticed.body.reasons.join()).toContain("till restore FILE");
    for (const path of ["/api/invoices", `/api/invoices/${created.body.invoice_id}/send`]) {
      const refused = await served.api("POST", path, path.endsWith("send") ? {} : newInvoice);
      expect([refused.status, refused.body.code]).toEqual([500, "storage_failed"]);
      expect(refused.body.detail).toContain("moved, removed or overwritten");
    }

    // A payment is not put into books that are gone, and nobody is told of it.
    await chain.pay(Address.checksum(created.body.deposit_address), "1500.00");
    await until(served.output, (text) => text.includes("[payment.unstored]"));
    const status = await served.api("GET", `/api/invoices/${created.body.invoice_id}/status`);
    expect(status.body.status).toBe("draft");
    expect(receiver.received).toHaveLength(0);
    expect(served.output().match(/\[database\.replaced\]/g)).toHaveLength(1);
    renameSync(`${served.dataDir}.old`, served.dataDir);
  });

  test("is only read or copied is none of these; one overwritten by a copy is noticed, and the copy stays as it is", async () => {
    await using served = await startServedTill(chain);
    await served.api("POST", "/api/invoices", newInvoice);
    const backup = `${served.dataDir}.backup`;
    expect((await command(served.dataDir, "backup", backup)).code).toBe(0);
    expect((await command(served.dataDir, "key", "list")).code).toBe(0);
    expect((await command(served.dataDir, "restore", backup)).output).toContain("already serves");
    // Time itself: in it Till looks at its files more than once.
    await Bun.sleep(2_500);
    expect((await ready(served)()).status).toBe(200);
    for (let i = 0; i < 3; i++) await served.api("POST", "/api/invoices", newInvoice);

    copyFileSync(backup, join(served.dataDir, "till.db"));
    await until(ready(served), ({ status }) => status === 503);
    expect((await served.api("POST", "/api/invoices", newInvoice)).body.code).toBe("storage_failed");
    await served.pause("SIGTERM").catch(() => {});
    expect(readFileSync(join(served.dataDir, "till.db")).equals(readFileSync(backup))).toBe(true);
    expect(readdirSync(served.dataDir)).toContain("till.db-wal.of-overwritten-database");

    const restored = await command(served.dataDir, "restore", backup, "--next-invoice", "5");
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining("INV-0005")]);
    await served.resume();
    await until(ready(served), ({ status }) => status === 200);
    const next = await served.api("POST", "/api/invoices", newInvoice);
    expect([next.status, next.body.invoice_number]).toEqual([201, "INV-0005"]);
    rmSync(backup);
  });
});
