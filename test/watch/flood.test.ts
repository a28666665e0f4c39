import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type Flood, full, startFlood, strictNode, tenth } from "../support/chain/flood.ts";
import { holdersIn } from "../support/chain/holdings.ts";
import { type RpcProxy, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { usedMs } from "../support/processor.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { endProcesses } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

/** Of the processor, for who pays in a flooded block: half a second is usual. On a busy machine others hold it up as well. */
const delayMsMax = 10_000;

/** In the time of one flooded block: some looks, and two transactions of who pays in it. */
const callsPerBlockMax = 60;

/** `TEST_FLOODED_BLOCKS=20` makes it so many with each kind of node, all as full as they get; a tenth as full otherwise. */
const floodedBlocks = Number(process.env["TEST_FLOODED_BLOCKS"] ?? 2);
const isFull = process.env["TEST_FLOODED_BLOCKS"] !== undefined;

/** As Base makes them; `TEST_BLOCK_MS=2000` as it did. */
const blockMs = Number(process.env["TEST_BLOCK_MS"] ?? 200);

const { logs, transfers } = isFull ? full : tenth;

let chain: TestChain;
let flood: Flood;
let proxy: RpcProxy;
let till: TestTill | null;

beforeEach(async () => {
  chain = await startTestChain();
  await chain.mine(20);
  flood = await startFlood(chain, blockMs);
  proxy = startRpcProxy(chain.rpcUrl);
  till = null;
});
afterEach(async () => {
  await till?.stop();
  await proxy.stop();
  await flood.stop();
  await chain.stop();
  await endProcesses();
});

const start = async (environment: Record<string, string> = {}) => {
  till = await startTestTill({ rpcUrl: proxy.url, wsUrl: chain.wsUrl }, environment);
  return till;
};
type Invoice = { id: string; address: Address.Address };
async function newInvoice(running: TestTill): Promise<Invoice> {
  const { invoice_id: id = "", deposit_address = "" } = await running.createInvoice();
  return { id, address: Address.checksum(deposit_address) };
}
const isPaid = (running: TestTill, { id }: Invoice, timeoutMs?: number) =>
  until(
    async () => (await running.api("GET", `/api/invoices/${id}/status`)).body.status,
    (status) => status === "paid",
    timeoutMs,
  );
const total = 1_500_000_000n;

describe("a flood of one address", () => {
  test(`in ${floodedBlocks} blocks in a row delays nobody else, whatever the node takes`, async () => {
    // A node as Infura's, one that takes 10 blocks at a time, and one that does not know receipts of a block either.
    const nodes = [{}, { range: 10 }, { range: 10, blockReceipts: false }];
    proxy.answer = strictNode(chain, { logs });
    const running = await start();
    const victim = await newInvoice(running);
    const delays: number[] = [];
    for (const node of nodes) {
      proxy.answer = strictNode(chain, { logs, ...node });
      proxy.reset();
      for (let i = 0; i < floodedBlocks; i++) {
        const other = await newInvoice(running);
        await flood.block(victim.address, transfers, {
          payments: [{ to: other.address, amount: total }],
        });
        const before = usedMs();
        await isPaid(running, other);
        delays.push(Math.round(usedMs() - before));
      }
      expect(proxy.calls.length).toBeLessThan(floodedBlocks * callsPerBlockMax);
    }
    expect(Math.max(...delays)).toBeLessThan(delayMsMax);
    // Nothing of it is stored, and whose address it is is paid as well.
    await chain.pay(victim.address, total);
    await isPaid(running, victim);
    const { body } = await running.api("GET", `/api/invoices/${victim.id}/payments`);
    expect(body.data).toHaveLength(1);
  }, 540_000);

  test("with dust is counted, and holds nobody up", async () => {
    proxy.answer = strictNode(chain, { logs });
    const running = await start();
    const [victim, other] = [await newInvoice(running), await newInvoice(running)];
    // Together more than a cent, from which on a payment shows.
    const micro = 10n;
    let longestMs = 0;
    let last = usedMs();
    const beat = setInterval(() => {
      const at = usedMs();
      longestMs = Math.max(longestMs, at - last);
      last = at;
    }, 5);
    await flood.block(victim.address, transfers, {
      micro,
      payments: [{ to: other.address, amount: total }],
    });
    const before = usedMs();
    await isPaid(running, other, 60_000);
    clearInterval(beat);
    expect(usedMs() - before).toBeLessThan(delayMsMax);
    expect(longestMs).toBeLessThan(2_000);
    const record = await running.api("GET", `/api/invoices/${victim.id}`);
    expect(record.body.status).toBe("partial");
    expect((await running.api("GET", "/health/ready")).body.warnings.join()).toContain("flooding an address");
    expect(running.logged.filter((line) => line.includes("[chain.crowded]"))).toHaveLength(1);
    const [{ received }] = running.db
      .query<{ received: bigint }, [string]>(
        "SELECT received_amount AS received FROM receivable WHERE address = ?",
      )
      .all(victim.address) as [{ received: bigint }];
    expect(received).toBe(BigInt(transfers) * micro);
  });

  test("with dust, which a slow second node is asked about, keeps no other payment waiting", async () => {
    const second = startRpcProxy(chain.rpcUrl);
    try {
      second.answer = async () => {
        // Time itself: it is slow.
        await Bun.sleep(200);
        return undefined;
      };
      till = await startTestTill({ rpcUrl: `${proxy.url},${second.url}`, wsUrl: chain.wsUrl });
      const [victim, other] = [await newInvoice(till), await newInvoice(till)];
      for (let i = 0; i < 3; i++) await flood.block(victim.address, 400, { micro: 1n });
      await chain.pay(other.address, total);
      // One by one the dust would take minutes.
      await isPaid(till, other, 30_000);
      // Nor does the dust delay what is worth more at the same address.
      await chain.pay(victim.address, total);
      await isPaid(till, victim, 30_000);
    } finally {
      await till?.stop();
      till = null;
      await second.stop();
    }
  });

  test("is no end of a rescan, and doctor compares what is behind it", async () => {
    const running = await start();
    const [victim, other] = [await newInvoice(running), await newInvoice(running)];
    await until(() => proxy.calls.some((call) => holdersIn(call)?.length === 2), Boolean);
    await running.pause();
    const first = await flood.block(victim.address, transfers, {
      payments: [{ to: other.address, amount: total }],
    });
    await flood.block(victim.address, transfers);
    await chain.pay(victim.address, total);
    await chain.mine(100);
    const db = openDatabase(running.config.dataDir);
    db.run("UPDATE receivable SET changed_at = changed_at - 40 * 86400000");
    closeDatabase(db);
    proxy.answer = strictNode(chain, { logs });
    await running.resume();
    const env = {
      TILL_DATA_DIR: running.config.dataDir,
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: proxy.url,
      TILL_PORT: String(running.config.port),
      TILL_WALLET_PASSPHRASE: passphrase,
    };
    const rescan = await callTill(["rescan", "--from", "0"], { env });
    expect(rescan).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("2 payments found") });
    for (const invoice of [victim, other]) await isPaid(running, invoice);
    const { stdout } = await callTill(["doctor", "--from", "0"], { env });
    expect(stdout).toContain(`Block ${first} and 1 more had more transfers to deposit addresses`);
    expect(stdout).toContain("somebody may be flooding an address");
    expect(stdout).toMatch(/All transfers in blocks 0 to \d+ are recorded, and no others/);
  });
});
