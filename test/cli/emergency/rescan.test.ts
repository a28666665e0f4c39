import { afterAll, afterEach, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { lockDataDir } from "../../../src/store/files/lock.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { holdersIn } from "../../support/chain/holdings.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { shared } from "../../support/per-file.ts";
import { endProcesses, program, startProcess } from "../../support/till/process.ts";
import { callTill, runTill } from "../../support/till/run-till.ts";
import { startTestTill, until, untilIs } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const proxy = shared(() => startRpcProxy(chain.rpcUrl));
const till = shared(() =>
  startTestTill({ rpcUrl: proxy.url, wsUrl: chain.wsUrl }, { TILL_LOG_RANGE: "100" }),
);
afterEach(() => {
  proxy.answer = null;
  proxy.reset();
});
afterAll(endProcesses);

async function rescan(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const env = { TILL_DATA_DIR: till.config.dataDir };
  const { exitCode, stdout, stderr } = await callTill(["rescan", ...args], { env });
  return { exitCode, output: stdout + stderr };
}

const statusOf = async (invoice: Record<string, string>): Promise<string> =>
  (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;

/** An invoice of long ago that has been paid since, which nobody has noticed. */
async function forgottenInvoice(): Promise<{ invoice: Record<string, string>; block: number }> {
  const invoice = await till.createInvoice();
  await until(() => proxy.calls.some((call) => holdersIn(call)?.length), Boolean);
  await till.pause();
  const { blockNumber } = await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), "1500.00");
  await chain.mine(100);
  const db = openDatabase(till.config.dataDir);
  db.run("UPDATE receivable SET changed_at = changed_at - 40 * 86400000");
  closeDatabase(db);
  return { invoice, block: Number(blockNumber) };
}

describe("till rescan", () => {
  test("credits what came to an address that is no longer watched, and says so when it is done", async () => {
    const { invoice, block } = await forgottenInvoice();
    await till.resume();
    // What is watched is credited.
    const other = await till.createInvoice();
    await chain.pay(Address.checksum(other["deposit_address"] ?? ""), "1500.00");
    await untilIs(() => statusOf(other), "paid");
    expect(await statusOf(invoice)).toBe("draft");
    const { exitCode, output } = await rescan("--from", String(block), "--json");
    const lines = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toEqual({ event: "done", blocks_done: 101, blocks: 101, transfers_found: 1 });
    expect(exitCode).toBe(0);
    expect(await statusOf(invoice)).toBe("paid");

    // Once more finds nothing that is not known, and it is watched again.
    const again = await runTill(["rescan", "--from", "0"], { env: { TILL_DATA_DIR: till.config.dataDir } });
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("0 payments found") });
    await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), "1.00");
    await untilIs(() => statusOf(invoice), "excess");
  });

  test("is done at the next start when no server runs", async () => {
    const { invoice, block } = await forgottenInvoice();
    const { exitCode, output } = await rescan("--from", String(block));
    expect(exitCode).toBe(1);
    expect(output).toContain("till serve");
    await till.resume();
    await untilIs(() => statusOf(invoice), "paid");
  });

  test("does not delay a payment, with more addresses than one call takes", async () => {
    await chain.mine(1_000);
    const invoice = await till.createInvoice();
    const db = openDatabase(till.config.dataDir);
    db.run(
      `INSERT INTO receivable (deposit_index, kind, merchant_email, merchant, wallet_type, webhook_events, address,
         payout_wallet, salt, factory, expected_amount, tolerance_amount, created_at, created_block, changed_at,
         explained_block, compare_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       SELECT i + 1000, 'link', 'm', 'm', 'byo', 'contract', printf('0x%040x', i), '0x', printf('%d', i), '0x', 1, 0, 0, 0, 0, 0, ?
       FROM n`,
      [Date.now() + 3_600_000],
    );
    closeDatabase(db);
    await till.pause();
    const held = Promise.withResolvers<void>();
    let isReading = false;
    proxy.answer = async ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ topics }] = params as [{ topics: [string, null, string[]] }];
      if (topics[2].length === 1) return undefined;
      isReading = true;
      await held.promise;
      return undefined;
    };
    await till.resume();
    proxy.reset();
    let isOver = false;
    const running = rescan("--from", "0", "--json").finally(() => {
      isOver = true;
    });
    await until(() => isReading, Boolean);
    const other = await till.createInvoice();
    await chain.pay(Address.checksum(other["deposit_address"] ?? ""), "1500.00");
    await untilIs(() => statusOf(other), "paid");
    expect(isOver).toBe(false);
    held.resolve();
    expect((await running).exitCode).toBe(0);
    expect(await statusOf(invoice)).toBe("draft");
    const chunks = proxy.calls.flatMap(({ method, params }) =>
      method === "eth_getLogs" ? [(params[0] as { topics: [string, null, string[]] }).topics[2].length] : [],
    );
    expect(Math.max(...chunks)).toBe(1_000);
  });

  test("says so too when it was seen with all blocks read and not yet done", async () => {
    await till.pause();
    const { dataDir } = till.config;
    const lock = lockDataDir(dataDir);
    const db = openDatabase(dataDir);
    try {
      const running = rescan("--from", "0");
      const isAsked = () =>
        db.query("SELECT 1 FROM reread WHERE reason = 'rescan' AND finished_at IS NULL").get() !== null;
      await until(isAsked, Boolean);
      db.run("UPDATE reread SET to_block = 9, next_block = 10 WHERE finished_at IS NULL");
      // Time itself: the command looks at it.
      await Bun.sleep(600);
      db.run("UPDATE reread SET finished_at = 1 WHERE finished_at IS NULL");
      expect(await running).toEqual({ exitCode: 0, output: "10 of 10 blocks, 0 payments found\n" });
    } finally {
      closeDatabase(db);
      lock.release();
    }
    await till.resume();
  });

  test("ends with an error when the node does not have the blocks", async () => {
    const { exitCode, output } = await rescan("--from", "5000000");
    expect(exitCode).toBe(1);
    expect(output).toContain("the chain is at block");
    expect(output).not.toContain("payments found");
  });

  test("says what it wants when it is called wrongly", async () => {
    expect(await rescan()).toMatchObject({ exitCode: 2, output: expect.stringContaining("--from BLOCK") });
    expect(await rescan("--from", "1,5")).toMatchObject({ exitCode: 2 });
    expect(await rescan("--from", "9", "--to", "8")).toMatchObject({ exitCode: 2 });
    const nowhere = await callTill(["rescan", "--from", "1"], { env: { TILL_DATA_DIR: "/nowhere" } });
    expect(nowhere.exitCode).toBe(1);
    expect(nowhere.stderr).toContain("There is no database in /nowhere");
  });

  test("says that the server is held up when nothing goes on", async () => {
    await proxy.stop();
    const running = startProcess([...program, "rescan", "--from", "0"], {
      env: { TILL_DATA_DIR: till.config.dataDir },
    });
    await until(
      () => running.output(),
      (output) => output.includes("till health shows what is wrong"),
      60_000,
    );
    await running.end();
    expect(running.output().match(/has made no progress/g)).toHaveLength(1);
  });
});
