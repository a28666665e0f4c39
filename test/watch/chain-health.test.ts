import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as CheckpointStore from "../../src/store/tables/watch/checkpoint.ts";
import { holdersIn, holdingsAnswer } from "../support/chain/holdings.ts";
import { startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { hurry } from "../support/hurry.ts";
import { db } from "../support/till/database.ts";
import { storeInvoice } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";
import { putCheckpoint } from "../support/watch/looked.ts";
import { begin, chain, end, halt, proxy, start } from "../support/watch/proxied.ts";
import type { TestWatcher } from "../support/watch/watcher.ts";

hurry();

describe("the chain watcher", () => {
  beforeEach(begin);
  afterEach(end);

  const isPaid = (id: string) =>
    until(
      () => InvoiceStore.byId(db, id)?.status,
      (status) => status === "paid",
    );

  /** What each look changes or logs. */
  const looks = (watcher: TestWatcher) =>
    `${CheckpointStore.latest(db)?.number} ${watcher.logged.filter((line) => line.includes("[chain.behind]")).length}`;

  test("is well and not delayed through a failure of three seconds", async () => {
    let clockMs = 0;
    const invoice = storeInvoice(db);
    const watcher = start({ TILL_RPC_WS_URL: chain.wsUrl }, Date.now, () => clockMs);
    await until(
      () => watcher.state().head,
      (head) => typeof head === "number",
    );
    proxy.answer = () => new Response("no", { status: 503 });
    await chain.pay(invoice.deposit.address, "100.00");
    await until(() => watcher.logged.some((line) => line.includes("[chain.unreadable]")), Boolean);
    const states: ReturnType<typeof watcher.state>[] = [];
    while (clockMs < 3_000) {
      clockMs += 1_000;
      // It fails again at this time.
      const asked = proxy.calls.length;
      await until(
        () => states.push(watcher.state()) && proxy.calls.length,
        (count) => count > asked,
      );
    }
    proxy.answer = null;
    await isPaid(invoice.id);
    expect(states.flatMap(({ problems }) => problems)).toEqual([]);
    expect(states.some(({ isDelayed }) => isDelayed)).toBe(false);
  });

  test("is delayed after a minute without a look that went through", async () => {
    let aheadMs = 0;
    const { deposit } = storeInvoice(db);
    const watcher = start({}, () => Date.now() + aheadMs);
    await until(
      () => watcher.state().head,
      (head) => typeof head === "number",
    );
    proxy.answer = (call) => (holdersIn(call) ? { result: null } : undefined);
    aheadMs = 20_000;
    watcher.depositCreated(deposit);
    await until(() => watcher.logged.some((line) => line.includes("[chain.unreadable]")), Boolean);
    expect(watcher.state()).toMatchObject({ isDelayed: false, problems: [] });
    aheadMs = 90_000;
    expect(watcher.state().isDelayed).toBe(true);
    expect(
      watcher
        .state()
        .problems.map(({ message }) => message)
        .join(),
    ).toMatch(/last read \d+ s ago/);
    proxy.answer = null;
    await until(
      () => watcher.state(),
      (state) => state?.problems.length === 0,
    );
    expect(watcher.state().isDelayed).toBe(false);
  });

  for (const tag of ["safe", "finalized"] as const) {
    test(`confirms what is ${tag} for the node`, async () => {
      const invoice = storeInvoice(db);
      const watcher = start({ TILL_RPC_WS_URL: chain.wsUrl, TILL_CONFIRMATIONS: tag });
      await chain.pay(invoice.deposit.address, "100.00");
      await until(
        () => proxy.calls.filter(({ params }) => params[0] === tag).length,
        (count) => count >= 2,
      );
      expect(InvoiceStore.byId(db, invoice.id)?.status).toBe("draft");
      await chain.mine(100);
      await isPaid(invoice.id);
      expect(watcher.state().problems).toEqual([]);
    });
  }

  const refusals = {
    null: { result: null },
    "an unknown block": { error: { code: -39001, message: "Unknown block" } },
    "invalid params": { error: { code: -32602, message: "invalid block tag" } },
  };
  for (const [name, answer] of Object.entries(refusals)) {
    test(`says at once what to set when the node answers a tag with ${name}`, async () => {
      proxy.answer = ({ params }) => (params[0] === "finalized" ? answer : undefined);
      const watcher = start({ TILL_CONFIRMATIONS: "finalized" });
      const [problem] = await until(
        () => watcher.state().problems ?? [],
        (problems) => problems.length > 0,
      );
      expect(problem?.message).toContain("has no finalized block");
      expect(problem?.message).toContain("Set TILL_CONFIRMATIONS to a time, such as 10s");
      proxy.reset();
      await until(
        () => proxy.calls.filter(({ params }) => params[0] === "finalized").length,
        (count) => count >= 3,
      );
      expect(watcher.logged.filter((line) => line.includes("finalized block"))).toHaveLength(1);
      proxy.answer = null;
      await until(
        () => watcher.state().problems,
        (problems) => problems?.length === 0,
      );
    });
  }

  test("says at once that no token is at the address to watch, and misses no payment meanwhile", async () => {
    const invoice = storeInvoice(db);
    const wrong = start({ TILL_USDC_ADDRESS: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" });
    const [problem] = await until(
      () => wrong.state().problems ?? [],
      (problems) => problems.length > 0,
    );
    expect(problem?.message).toContain("There is no token at 0x8ba1f109551bD432803012645Ac136ddd64DBA72");
    expect(problem?.message).toContain("Correct TILL_USDC_ADDRESS");
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(100);
    await halt();
    expect(wrong.logged.filter((line) => line.includes("[chain.refused]"))).toHaveLength(1);
    expect(CheckpointStore.latest(db)).toBeNull();
    start();
    await isPaid(invoice.id);
  });

  test("survives a database that cannot be read for a moment", async () => {
    const invoice = storeInvoice(db);
    db.run("ALTER TABLE receivable RENAME TO hidden");
    const watcher = start();
    await until(
      () => watcher.state().problems,
      (problems) => problems?.length === 1,
    );
    db.run("ALTER TABLE hidden RENAME TO receivable");
    await chain.pay(invoice.deposit.address, "100.00");
    await isPaid(invoice.id);
  });

  test("finds back from a checkpoint that was never on the chain, and loses no payment", async () => {
    const invoice = storeInvoice(db);
    let watcher = start();
    await until(
      () => watcher.state().head,
      (head) => typeof head === "number",
    );
    await watcher.stop();
    putCheckpoint(db, { number: 9_000_000, hash: `0x${"e".repeat(64)}` });
    await chain.pay(invoice.deposit.address, "100.00");
    watcher = start();
    await isPaid(invoice.id);
    expect(watcher.logged.some((line) => line.includes("[chain.reorg]"))).toBe(true);
  });

  test("finds back from it also when both nodes have one host", async () => {
    let aheadMs = 0;
    const invoice = storeInvoice(db);
    const now = () => Date.now() + aheadMs;
    const nodes = { TILL_RPC_URL: `${proxy.url}/one,${proxy.url}/two` };
    let watcher = start(nodes, now);
    await until(() => watcher.state().head, Number.isInteger);
    await watcher.stop();
    putCheckpoint(db, { number: 9_000_000, hash: `0x${"e".repeat(64)}` });
    await chain.pay(invoice.deposit.address, "100.00");
    watcher = start(nodes, now);
    for (let i = 0; i < 60 && CheckpointStore.latest(db)?.number === 9_000_000; i++) {
      const before = looks(watcher);
      aheadMs += 20_000;
      await chain.rpc("evm_setNextBlockTimestamp", [Math.ceil(now() / 1000)]);
      await chain.mine(1);
      // Wakes it.
      void watcher.readNow();
      await until(() => looks(watcher) !== before, Boolean);
    }
    await isPaid(invoice.id);
  });

  test("finds back in minutes from what a second made up while the first was away, however far ahead it is", async () => {
    let aheadMs = 0;
    const invoice = storeInvoice(db);
    const now = () => Date.now() + aheadMs;
    const liar = startRpcProxy(chain.rpcUrl);
    try {
      let head = 1_000_000;
      const hashOf = (number: number) => `0x${number.toString(16).padStart(64, "e")}`;
      const block = (number: number) => ({
        number: `0x${number.toString(16)}`,
        hash: hashOf(number),
        parentHash: hashOf(number - 1),
        timestamp: `0x${Math.floor(now() / 1000).toString(16)}`,
      });
      liar.answer = (call) => {
        const { method, params } = call;
        const holders = holdersIn(call);
        if (holders) {
          head += 1_500;
          const at = { number: head, timestampSec: Math.floor(now() / 1000), parentHash: hashOf(head - 1) };
          return {
            result: holdingsAnswer(
              at,
              holders.map(() => ({ balance: 0n })),
            ),
          };
        }
        if (method === "eth_getLogs") return { result: [] };
        if (method !== "eth_getBlockByNumber") return undefined;
        if (params[0] !== "latest")
          return Number(params[0]) < 1_000 ? undefined : { result: block(Number(params[0])) };
        return { result: block(head) };
      };
      const watcher = start({ TILL_RPC_URL: `${proxy.url},${liar.url}` }, now);
      await until(() => watcher.state().head, Number.isInteger);
      proxy.answer = () => new Response("no", { status: 503 });
      await chain.pay(invoice.deposit.address, "100.00");
      const step = async () => {
        const before = looks(watcher);
        aheadMs += 10_000;
        await chain.rpc("evm_setNextBlockTimestamp", [Math.ceil(now() / 1000)]);
        await chain.mine(1);
        void watcher.readNow();
        await until(() => looks(watcher) !== before, Boolean);
      };
      for (let i = 0; i < 10 && (CheckpointStore.latest(db)?.number ?? 0) < 1_004_000; i++) await step();
      expect(CheckpointStore.latest(db)?.number).toBeGreaterThan(1_004_000);
      proxy.answer = null;
      for (let i = 0; i < 40 && (CheckpointStore.latest(db)?.number ?? 0) > 1_000; i++) await step();
      await isPaid(invoice.id);
      expect(watcher.state().warnings.filter(({ about }) => about === "node")).toEqual([]);
    } finally {
      await halt();
      await liar.stop();
    }
  });
});
