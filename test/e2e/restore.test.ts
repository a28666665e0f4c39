import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import * as Address from "../../src/domain/wallet/address.ts";
import { openReadOnly } from "../../src/store/database.ts";
import { databaseFile, walletFile } from "../../src/store/files/data-dir.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { endProcesses, type ServedTill, startServedTill } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

let chain: TestChain;
const dir = makeDataDir();

beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(async () => {
  await endProcesses();
  await chain.stop();
  dir.remove();
});

async function till(dataDir: string, ...args: string[]): Promise<{ exitCode: number; output: string }> {
  const { exitCode, stdout, stderr } = await callTill(args, { env: { TILL_DATA_DIR: dataDir } });
  return { exitCode, output: stdout + stderr };
}

const statusOf = (server: TestTill, id: string | undefined) =>
  until(
    async () => (await server.api("GET", `/api/invoices/${id}/status`)).body.status,
    (status) => status !== "draft",
  );

describe("till backup and till restore", () => {
  test("carry a running Till to a new machine, which credits what was paid in between, and tells of it under the same ids", async () => {
    const receiver = await startReceiver();
    const file = join(dir.path, "till.backup");
    const first = await startTestTill(chain);
    const second = await startTestTill(chain);
    try {
      const endpoint = { url: receiver.url, types: ["invoice.paid"] };
      const { secret } = (await first.api("POST", "/api/webhook-endpoints", endpoint)).body;
      const before = await first.createInvoice();
      const partly = await first.createInvoice();
      await chain.pay(Address.checksum(partly["deposit_address"] ?? ""), "100.00");
      await statusOf(first, partly["invoice_id"]);

      const made = await till(first.config.dataDir, "backup", file, "--json");
      expect(made.exitCode).toBe(0);
      expect(JSON.parse(made.output)).toMatchObject({ file, invoices: 2, links: 0, wallet: true });
      expect(await till(first.config.dataDir, "backup", file)).toMatchObject({ exitCode: 1 });
      const refused = await till(first.config.dataDir, "restore", file);
      expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining("already serves") });

      // After the backup: a payment to what it knows, and an invoice that it does not know.
      const lost = await first.createInvoice();
      await chain.pay(Address.checksum(before["deposit_address"] ?? ""), "1500.00");
      await chain.pay(Address.checksum(partly["deposit_address"] ?? ""), "1400.00");
      await chain.pay(Address.checksum(lost["deposit_address"] ?? ""), "1500.00");
      const toldOf = ({ invoice_id = "" }: Record<string, string>) =>
        receiver.received.filter(({ raw }) => raw.includes(invoice_id));
      for (const each of [before, partly, lost])
        await until(
          () => toldOf(each),
          ({ length }) => length === 1,
        );
      await chain.mine(500);
      await first.pause();
      await second.pause();

      const dataDir = second.config.dataDir;
      rmSync(dataDir, { recursive: true });
      mkdirSync(dataDir);
      const unsure = await till(dataDir, "restore", file);
      expect(unsure).toMatchObject({ exitCode: 1, output: expect.stringContaining("--next-invoice 3") });
      const done = await till(dataDir, "restore", file, "--next-invoice", "INV-0004");
      expect(done.output).toContain("The next invoice is INV-0004. The last one of the backup is INV-0002");
      expect(done.output).toContain(
        "The next credit note is CN-1001. The backup has none; the numbers in between",
      );
      expect(done.exitCode).toBe(0);
      await second.resume();
      expect(await statusOf(second, before["invoice_id"])).toBe("paid");
      expect(
        await until(
          () => statusOf(second, partly["invoice_id"]),
          (status) => status !== "partial",
        ),
      ).toBe("paid");
      expect((await second.api("GET", `/api/invoices/${lost["invoice_id"]}`)).status).toBe(404);

      // It was told of before: the receiver knows both again by their ids, and checks them with the secret that it has.
      for (const each of [before, partly]) {
        const [one, two] = await until(
          () => toldOf(each),
          ({ length }) => length === 2,
        );
        expect(two?.headers["webhook-id"]).toBe(one?.headers["webhook-id"] ?? "");
        expect(() => new Webhook(secret).verify(two?.raw.toString() ?? "", two?.headers ?? {})).not.toThrow();
      }

      // The new invoice has the wallet of the lost one, and neither its number nor its money.
      const next = await second.createInvoice();
      expect(next["invoice_number"]).toBe("INV-0004");
      expect(next["deposit_address"]).not.toBe(lost["deposit_address"]);
      await chain.pay(Address.checksum(next["deposit_address"] ?? ""), "1.00");
      expect(await statusOf(second, next["invoice_id"])).toBe("partial");
      const { body } = await second.api("GET", `/api/invoices/${next["invoice_id"]}`);
      expect(body.received_amount).toBe("1.00");
    } finally {
      await first.stop();
      await second.stop();
      await receiver.stop();
    }
  });

  test("leave a restore that was cut off to the next start, which opens the wallet that came with it", async () => {
    const file = join(dir.path, "cut-off.backup");
    const [source, target] = [await startServedTill(chain), await startServedTill(chain)];
    try {
      expect((await till(source.dataDir, "backup", file)).exitCode).toBe(0);
      const gasAccountOf = (server: ServedTill) => {
        const db = openReadOnly(server.dataDir);
        const address = WalletStore.gasAddress(db);
        db.close();
        return address;
      };
      const [restored, replaced] = [gasAccountOf(source), gasAccountOf(target)];
      expect(restored).not.toBe(replaced);
      await target.pause("SIGTERM");
      // As a restore leaves it that ends between the database and the wallet.
      copyFileSync(file, databaseFile(target.dataDir));
      await target.resume();
      expect(gasAccountOf(target)).toBe(restored);
      expect(readFileSync(walletFile(target.dataDir), "utf8")).toBe(
        readFileSync(walletFile(source.dataDir), "utf8"),
      );
    } finally {
      await source.stop();
      await target.stop();
    }
  });

  test("are called wrongly with exit code 2", async () => {
    for (const args of [
      ["backup"],
      ["backup", dir.path, "--force"],
      ["restore"],
      ["restore", "a", "b"],
      ["restore", "a", "--next-invoice", "x"],
    ]) {
      expect((await till(dir.path, ...args)).exitCode).toBe(2);
    }
  });
});
