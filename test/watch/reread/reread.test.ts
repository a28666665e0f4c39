import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { topicOf } from "../../../src/chain/transfer/transfer-log.ts";
import type { BlockRef } from "../../../src/domain/payment/block.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { type RpcProxy, startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { db } from "../../support/till/database.ts";
import { storeInvoice } from "../../support/till/records.ts";
import { until } from "../../support/till/till.ts";
import { begin, chain, end, halt, proxy, start } from "../../support/watch/proxied.ts";
import type { TestWatcher } from "../../support/watch/watcher.ts";

beforeEach(begin);
afterEach(end);

/** An invoice of long ago, which nobody watches any more. */
function dormantInvoice() {
  const invoice = storeInvoice(db, { total: "100.00" });
  db.run("UPDATE deposit SET changed_at = changed_at - 40 * 86400000");
  return invoice;
}

async function startAtHead(): Promise<TestWatcher> {
  const watcher = start();
  await until(() => CheckpointStore.latest(db), Boolean);
  return watcher;
}

describe("a slice of blocks that are read again", () => {
  test("is not booked when its checkpoint was undone between its check and its booking", async () => {
    await chain.mine(3);
    const { deposit } = dormantInvoice();
    const running = await startAtHead();
    const watched = storeInvoice(db, { total: "1.00" });
    await chain.mine(2);
    const paid = Number((await chain.pay(deposit.address, "100.00")).blockNumber);
    await chain.mine(2);
    const head = paid + 2;
    const before = new Map<number, unknown>();
    for (const number of [paid, head])
      before.set(number, await chain.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]));

    let isReading = false;
    let undone: BlockRef | null = null;
    proxy.answer = async ({ method, params }) => {
      if (method === "eth_getLogs") {
        const [{ topics }] = params as [{ topics: [string, null, string[]] }];
        isReading ||= topics[2].includes(topicOf(deposit.address));
        return undefined;
      }
      const number = Number(params[0]);
      const block = before.get(number);
      if (!isReading || block === undefined) return undefined;
      // Each header as it was when it was asked for the first time, the second of them only after the reorg.
      before.delete(number);
      if (before.size > 0) return { result: block };
      undone = CheckpointStore.latest(db);
      await chain.reorg(4);
      running.depositCreated(watched.deposit);
      await until(
        () => CheckpointStore.latest(db)?.hash,
        (hash) => hash !== undone?.hash,
      );
      return { result: block };
    };
    RereadStore.request(db, { from: 0, to: null }, Date.now());
    await until(
      () => RereadStore.listByRequest(db, 1),
      (rows) => rows.every(({ finishedAt }) => finishedAt !== null),
    );
    expect(undone as BlockRef | null).toMatchObject({ number: head });
    expect(running.logged.join("\n")).toContain(`Block ${head} was replaced while it was being read`);
    expect(TransferStore.listByDeposit(db, deposit.index)).toEqual([]);
    expect(RereadStore.listByRequest(db, 1)).toMatchObject([{ transfers: 0, problem: null }]);
  });

  test("does not wait for a time that a clock planned which was ahead by hours", async () => {
    await chain.mine(3);
    dormantInvoice();
    await startAtHead();
    RereadStore.request(db, { from: 0, to: null }, Date.now() + 3 * 3_600_000);
    await until(
      () => RereadStore.listByRequest(db, 1),
      (rows) => rows.length > 0 && rows.every(({ finishedAt }) => finishedAt !== null),
    );
  });

  test("is asked of the next node when one does not have the blocks, and goes on with it", async () => {
    await chain.mine(3);
    const { deposit } = dormantInvoice();
    await startAtHead();
    await halt();
    await chain.pay(deposit.address, "100.00");
    await chain.mine(30);
    proxy.answer = ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock }] = params as [{ fromBlock: string }];
      return Number(fromBlock) < 20
        ? { error: { code: 4444, message: "pruned history unavailable" } }
        : undefined;
    };
    const other = startRpcProxy(chain.rpcUrl);
    try {
      const nodes = { TILL_RPC_URL: `${proxy.url},${other.url}`, TILL_LOG_RANGE: "5" };
      start(nodes);
      proxy.reset();
      RereadStore.request(db, { from: 0, to: null }, Date.now());
      await until(
        () => RereadStore.listByRequest(db, 1),
        ([row]) => row?.finishedAt !== null,
      );
      expect(RereadStore.listByRequest(db, 1)).toMatchObject([{ transfers: 1, problem: null }]);
      const slices = (node: RpcProxy) => node.calls.filter(({ method }) => method === "eth_getLogs").length;
      expect(slices(other)).toBeGreaterThanOrEqual(7);
    } finally {
      await halt();
      await other.stop();
    }
  });
});

describe("a block that a node announced transfers in", () => {
  test("is given up after a minute when no node has it, so that a lie does not make Till ask for ever", async () => {
    let aheadMs = 0;
    storeInvoice(db);
    const watcher = start({}, () => Date.now() + aheadMs);
    await until(() => watcher.state().head, Number.isInteger);
    RereadStore.announce(db, 2 ** 40, Date.now());
    let tries = 0;
    while (RereadStore.listOpen(db).some(({ reason }) => reason === "announced") && tries < 100) {
      const failures = () => RereadStore.listOpen(db).find(({ reason }) => reason === "announced")?.failures;
      const before = failures();
      await until(failures, (count) => count !== before);
      if (failures() !== undefined) aheadMs += 250 * 2 ** tries;
      tries += 1;
    }
    expect(tries).toBe(9);
    expect(aheadMs).toBe(63_750);
  });

  test("has another node asked when the first does not come to have it", async () => {
    let aheadMs = 0;
    const { deposit } = storeInvoice(db);
    const other = startRpcProxy(chain.rpcUrl);
    try {
      const nodes = { TILL_RPC_URL: `${proxy.url},${other.url}` };
      const watcher = start(nodes, () => Date.now() + aheadMs);
      await until(() => watcher.state().head, Number.isInteger);
      const last = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as { number: string };
      proxy.answer = ({ method, params: [tag] }) => {
        if (method !== "eth_getBlockByNumber") return undefined;
        if (tag === "latest") return { result: last };
        return Number(tag) > Number(last.number) ? { result: null } : undefined;
      };
      const { blockNumber } = await chain.pay(deposit.address, "1.00");
      RereadStore.announce(db, Number(blockNumber), Date.now());
      await until(
        () => {
          aheadMs += 4_000;
          return TransferStore.listByDeposit(db, deposit.index);
        },
        (transfers) => transfers.length === 1,
      );
    } finally {
      await halt();
      await other.stop();
    }
  });
});
