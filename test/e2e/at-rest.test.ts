import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startReceiver } from "../support/http/receiver.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { type DevReady, endProcesses, program, startProcess } from "../support/till/process.ts";
import { invoiceRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";

let till: TestTill | null = null;
afterEach(async () => {
  await till?.stop();
  till = null;
});
afterAll(endProcesses);

/** Of what is there still: a file of the database can go while others are looked at. */
const statOf = (file: string) => statSync(file, { throwIfNoEntry: false });

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
}

const contentsOf = (directory: string) =>
  filesOf(directory)
    .filter((file) => statOf(file)?.isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("");

const linkRequest = {
  business_name: "Corner Shop",
  expected_amount: "25.00",
  merchant_email: "owner@corner.example",
  wallet_type: "managed",
};

describe("the data directory", () => {
  test("holds no webhook secret in plain, while Till runs and after it", async () => {
    const running = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    till = running;
    const webhook_url = "http://127.0.0.1:9/hook";
    const post = (path: string, body: object, key: string) =>
      running.api("POST", path, { ...body, webhook_url }, { "idempotency-key": key });
    const secrets: string[] = [
      (await post("/api/invoices", invoiceRequest, "invoice-1")).body.webhook_secret,
      (await post("/api/links", linkRequest, "link-1")).body.webhook_secret,
      (await running.createInvoice({ webhook_url }))["webhook_secret"] ?? "",
    ];
    for (const secret of secrets) expect(secret).toMatch(/^whsec_.{44}$/);
    const found = () => secrets.filter((secret) => contentsOf(running.config.dataDir).includes(secret));
    expect(found()).toEqual([]);
    await running.pause();
    expect(found()).toEqual([]);
    await running.resume();
    expect((await post("/api/invoices", invoiceRequest, "invoice-1")).body.webhook_secret).toBe(secrets[0]);
  });

  test("moved from one row to another, a secret signs nothing", async () => {
    const receiver = await startReceiver();
    try {
      const running = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
      till = running;
      await running.createInvoice({ webhook_url: receiver.url });
      await running.createInvoice({ webhook_url: receiver.url });
      const { id } = (await running.api("GET", "/api/invoices?limit=1")).body.data[0];
      running.db.run(
        `INSERT INTO webhook_event (id, deposit_index, status, url, receiver, secret, body, state, next_attempt_at,
           created_at)
         SELECT 'evt_moved', mine.deposit_index, 'paid', mine.webhook_url, mine.webhook_url, other.webhook_secret, '{}',
           'pending', 1, 1
         FROM receivable AS mine, receivable AS other
         WHERE mine.deposit_index = (SELECT deposit_index FROM invoice WHERE id = ?)
           AND other.deposit_index <> mine.deposit_index`,
        [id],
      );
      await running.api("POST", "/api/events/evt_moved/redeliver");
      const events = await until(
        async () => (await running.api("GET", `/api/invoices/${id}/events`)).body.data,
        ([event]) => event.attempts.length > 0,
      );
      expect(events[0].attempts[0]).toMatchObject({
        http_status: null,
        reason: expect.stringContaining("decrypted"),
      });
      expect(receiver.received).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  test("can be read by its owner alone, every file of it, whatever the shell allows", async () => {
    const dir = makeDataDir();
    try {
      const command = ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh", ...program, "dev", "--json"];
      const dev = startProcess(command, { env: { TILL_DATA_DIR: join(dir.path, "data"), TILL_PORT: "0" } });
      const ready = JSON.parse(await dev.line((line) => line.includes('"ready"'))) as DevReady;
      const response = await fetch(`${ready.base_url}/api/invoices`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(invoiceRequest),
      });
      expect(response.status).toBe(201);
      const open = () =>
        filesOf(dir.path)
          .map((file) => ({ file, mode: statOf(file)?.mode ?? 0 }))
          .filter(({ mode }) => (mode & 0o077) !== 0)
          .map(({ file, mode }) => `${file} ${(mode & 0o777).toString(8)}`);
      expect(open()).toEqual([]);
      const names = ["till.db", "till.db-wal", "till.db-shm", "till.lock", "wallet.age", "mail"];
      expect(names.filter((name) => !existsSync(join(ready.data_dir, name)))).toEqual([]);
      expect(await dev.end()).toBe(0);
      expect(existsSync(join(ready.data_dir, "anvil-state.json"))).toBe(true);
      expect(open()).toEqual([]);
    } finally {
      dir.remove();
    }
  });
});
