import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as DepositTransferStore from "../../../src/store/tables/watch/deposit-transfer.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import { storeInvoice } from "../../support/till/records.ts";
import { until } from "../../support/till/till.ts";
import { type ColdWorld, hourMs, startColdWorld } from "../../support/watch/cold-world.ts";

let world: ColdWorld;
beforeEach(async () => {
  world = await startColdWorld();
});
afterEach(() => world.stop());

describe("late money", () => {
  test("goes on where it was when it is interrupted, and with a node that takes few blocks", async () => {
    const { chain, proxy, later, status, isStatus, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.mine(30);
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method }) =>
      method === "eth_getLogs" ? { error: { code: -32005, message: "limit exceeded" } } : undefined;
    await later(22 * hourMs);
    await until(world.late, Boolean);
    await until(
      () => proxy.calls.filter(({ method }) => method === "eth_getLogs").length,
      (count) => count >= 3,
    );
    expect(status(invoice)).not.toBe("paid");
    proxy.answer = ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      if (Number(toBlock) - Number(fromBlock) < 40) return undefined;
      return { error: { code: -32600, message: "up to a 40 block range" } };
    };
    await later(0);
    await isStatus(invoice, "paid");
  });

  test("is found with another node when the first one has forgotten the logs of those blocks", async () => {
    const { chain, proxy, later, isStatus, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(60);
    const head = Number(await chain.rpc("eth_blockNumber"));
    proxy.answer = ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock }] = params as [{ fromBlock: string }];
      return Number(fromBlock) < head - 30
        ? { error: { code: 4444, message: "pruned history unavailable" } }
        : undefined;
    };
    await later(22 * hourMs, { TILL_RPC_URL: `${proxy.url},${chain.rpcUrl}` });
    await isStatus(invoice, "paid");
  });

  test("is found with another node however long ago it was that the first one failed", async () => {
    const { chain, proxy, pass, later, status, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(60);
    const head = Number(await chain.rpc("eth_blockNumber"));
    let tries = 0;
    proxy.answer = ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock }] = params as [{ fromBlock: string }];
      if (Number(fromBlock) >= head - 30) return undefined;
      tries += 1;
      return { error: { code: 4444, message: "pruned history unavailable" } };
    };
    await later(22 * hourMs, { TILL_RPC_URL: `${proxy.url},${chain.rpcUrl}` });
    let seen = 0;
    const look = () => {
      // Each rest is over at once, and the first node's turn has come again.
      if (tries > seen) pass(301_000);
      seen = tries;
      return status(invoice);
    };
    await until(look, (found) => found === "paid");
  });

  test("is found in full when more of it came while the blocks of the first could not be read", async () => {
    const { chain, proxy, db, later, isStatus, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "60.00");
    await chain.mine(3);
    proxy.answer = ({ method }) =>
      method === "eth_getLogs" ? new Response("busy", { status: 503 }) : undefined;
    await later(22 * hourMs);
    await until(() => RereadStore.lateProblem(db), Boolean);
    await chain.mine(100);
    await chain.pay(invoice.deposit.address, "40.00");
    await chain.mine(100);
    const head = Number(await chain.rpc("eth_blockNumber"));
    // Before the next check of balances, which would see it too.
    await later(10 * hourMs);
    await until(
      () => CheckpointStore.latest(db)?.number,
      (number) => number === head - 1,
    );
    proxy.answer = null;
    await isStatus(invoice, "paid");
  });

  const forgetful = {
    "cannot be read": () => new Response("gone", { status: 503 }),
    "are told of without it": () => ({ result: [] }),
  };
  for (const [what, answer] of Object.entries(forgetful)) {
    test(`is found while blocks that money came in before ${what}`, async () => {
      const { chain, proxy, db, later, compared, isStatus, noLate, coldInvoice } = world;
      const other = storeInvoice(db, { total: "100.00" });
      const invoice = await coldInvoice();
      await chain.pay(other.deposit.address, "100.00");
      // So slow that the ten minutes below what was compared last are 40 blocks.
      await chain.rpc("anvil_mine", ["0x64", "0xf"]);
      const aged = { TILL_CONFIRMATIONS: "10s" };
      proxy.answer = ({ method, params }) => {
        if (method !== "eth_getLogs") return undefined;
        const [{ fromBlock }] = params as [{ fromBlock: string }];
        return Number(fromBlock) < 20 ? answer() : undefined;
      };
      await later(22 * hourMs, aged);
      await until(() => RereadStore.lateProblem(db), Boolean);
      await compared();
      await chain.pay(invoice.deposit.address, "100.00");
      await chain.rpc("anvil_mine", ["0x2", "0xf"]);
      await later(22 * hourMs, aged);
      await isStatus(invoice, "paid");
      expect(RereadStore.lateProblem(db)).toMatch(
        /HTTP 503|tells of no transfer from block 0 on for money that came to 0x\w{40}$/,
      );
      proxy.answer = null;
      await later(0);
      await isStatus(other, "paid");
      await noLate();
    });
  }

  test("is found with another node when the first one leaves it out without an error", async () => {
    const { chain, proxy, db, pass, later, isStatus, noLate, coldInvoice } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined);
    await later(22 * hourMs, { TILL_RPC_URL: `${proxy.url},${chain.rpcUrl}` });
    await until(() => RereadStore.lateProblem(db), Boolean);
    pass(301_000);
    await isStatus(invoice, "paid");
    await noLate();
    expect(DepositTransferStore.list(db, invoice.deposit.index)).toHaveLength(1);
  });

  test("is looked for no longer when it was moved on unseen", async () => {
    const { chain, proxy, db, pass, later, status, noLate, coldInvoice, takeAway } = world;
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined);
    await later(22 * hourMs);
    await until(() => RereadStore.lateProblem(db), Boolean);
    await takeAway(invoice, "100.00");
    pass(301_000);
    await noLate();
    expect(status(invoice)).toBe("draft");
  });
});
