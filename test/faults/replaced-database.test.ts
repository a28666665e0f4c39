import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { endProcesses, type ServedTill, startServedTill } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import { invoiceRequest, until } from "../support/till/till.ts";

let chain: TestChain;
let till: ServedTill | null = null;
let receiver: Receiver;
beforeAll(async () => {
  chain = await startTestChain();
  receiver = await startReceiver();
});
afterEach(async () => {
  await till?.stop();
  till = null;
});
afterAll(async () => {
  await endProcesses();
  await receiver.stop();
  await chain.stop();
});

/** Runs another command beside the server, which is a process of its own. */
async function command(dataDir: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { TILL_DATA_DIR: dataDir, TILL_WALLET_PASSPHRASE: passphrase };
  const { exitCode, stdout, stderr } = await callTill(args, { env });
  return { code: exitCode, output: `${stdout}${stderr}` };
}

const newInvoice = { ...invoiceRequest, send_now: false };
const ready = (served: ServedTill) => () => served.api("GET", "/health/ready");

const ways: Record<string, (dataDir: string) => void> = {
  "was removed": (dataDir) => {
    for (const end of ["", "-wal", "-shm"]) unlinkSync(join(dataDir, `till.db${end}`));
  },
  "was moved away": (dataDir) => renameSync(join(dataDir, "till.db"), join(dataDir, "till.old")),
  "was replaced by another file": (dataDir) => {
    copyFileSync(join(dataDir, "till.db"), join(dataDir, "other.db"));
    renameSync(join(dataDir, "other.db"), join(dataDir, "till.db"));
  },
  "lost its log": (dataDir) => unlinkSync(join(dataDir, "till.db-wal")),
  "went with the whole directory": (dataDir) => {
    renameSync(dataDir, `${dataDir}.old`);
  },
};

describe("a database under a running server that", () => {
  test.each(Object.keys(ways))("%s is noticed: health says so, and nothing is stored", async (way) => {
    const served = await startServedTill(chain);
    till = served;
    const created = await served.api("POST", "/api/invoices", { ...newInvoice, webhook_url: receiver.url });
    expect(created.status).toBe(201);
    await until(
      () => served.api("GET", "/health/ready"),
      ({ status }) => status === 200,
    );

    ways[way]?.(served.dataDir);
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
    if (way.startsWith("went")) renameSync(`${served.dataDir}.old`, served.dataDir);
  });

  test("was overwritten by a copy is noticed, and the copy stays as it is", async () => {
    const served = await startServedTill(chain);
    till = served;
    await served.api("POST", "/api/invoices", newInvoice);
    const backup = `${served.dataDir}.backup`;
    expect((await command(served.dataDir, "backup", backup)).code).toBe(0);
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

  test("is only read or copied by other commands is none of these", async () => {
    const served = await startServedTill(chain);
    till = served;
    await served.api("POST", "/api/invoices", newInvoice);
    const backup = `${served.dataDir}.backup`;
    expect((await command(served.dataDir, "backup", backup)).code).toBe(0);
    expect((await command(served.dataDir, "key", "list")).code).toBe(0);
    expect((await command(served.dataDir, "restore", backup)).output).toContain("already serves");
    // Time itself: in it Till looks at its files more than once.
    await Bun.sleep(2_500);
    expect((await ready(served)()).status).toBe(200);
    expect((await served.api("POST", "/api/invoices", newInvoice)).status).toBe(201);
    rmSync(backup);
  });
});
