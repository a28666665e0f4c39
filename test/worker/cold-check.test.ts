import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import type { Invoice } from "../../src/domain/invoice.ts";
import * as CheckpointStore from "../../src/store/checkpoint.ts";
import * as ColdBalanceStore from "../../src/store/cold-balance.ts";
import { closeDatabase, type Db, openDatabase, transact } from "../../src/store/database.ts";
import * as DepositStore from "../../src/store/deposit.ts";
import * as InvoiceStore from "../../src/store/invoice.ts";
import * as ReadingStore from "../../src/store/reading.ts";
import * as SettlementStore from "../../src/store/settlement.ts";
import * as TransferStore from "../../src/store/transfer.ts";
import { startTestChain, type TestChain } from "../support/chain.ts";
import { makeDataDir } from "../support/data-dir.ts";
import { encode, send } from "../support/evm.ts";
import { storeInvoice, usdc } from "../support/records.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { until } from "../support/till.ts";
import { startTestWatcher, type TestWatcher } from "../support/watcher.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let chain: TestChain;
let proxy: RpcProxy;
let data: ReturnType<typeof makeDataDir>;
let db: Db;
let watcher: TestWatcher | null;
let aheadMs: number;

beforeEach(async () => {
  chain = await startTestChain();
  proxy = startRpcProxy(chain.rpcUrl);
  data = makeDataDir();
  db = openDatabase(data.path);
  watcher = null;
  aheadMs = 0;
});
afterEach(async () => {
  await watcher?.stop();
  closeDatabase(db);
  data.remove();
  await proxy.stop();
  await chain.stop();
});

/** Stops the watcher and starts it again so much later. */
async function later(ms: number, environment: Record<string, string> = {}): Promise<void> {
  await watcher?.stop();
  aheadMs += ms;
  proxy.reset();
  watcher = startTestWatcher(db, { TILL_RPC_URL: proxy.url, ...environment }, () => Date.now() + aheadMs);
}
const check = () => ColdBalanceStore.check(db);
const checkDone = () =>
  until(check, (found) => found !== null && found.underWay === null && found.dueAt > Date.now() + aheadMs);
const status = ({ id }: Invoice) => InvoiceStore.byId(db, id)?.status;
const isPaid = (invoice: Invoice) =>
  until(
    () => status(invoice),
    (found) => found === "paid",
  );
const noLate = () =>
  until(
    () => ReadingStore.open(db, "late"),
    (reading) => reading === null,
  );
const calls = (method: string) => proxy.calls.filter((call) => call.method === method).length;

/** An invoice that has been watched, and has turned cold after a check has seen its balance. */
async function coldInvoice(): Promise<Invoice> {
  const invoice = storeInvoice(db, { total: "100.00" });
  await later(0);
  await until(check, Boolean);
  await turnCold();
  return invoice;
}

/** Lets the time pass after which nothing is watched any more; checks see the balances meanwhile. */
async function turnCold(): Promise<void> {
  for (const ms of [28 * dayMs, 22 * hourMs, 3 * dayMs]) {
    await later(ms);
    await checkDone();
  }
}

/** Moves money to the payout wallet, as anybody may. */
async function takeAway({ deposit: { address, payoutWallet } }: Invoice, amount: string): Promise<void> {
  await chain.giveEth(address);
  await chain.rpc("anvil_impersonateAccount", [address]);
  const data = encode(usdcArtifact.abi, "transfer", [payoutWallet, usdc(amount)]);
  await send(chain, { to: chain.usdc, data, from: address });
}

describe("money that comes late", () => {
  test("to an address that is no longer watched is credited by the next check, once", async () => {
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(3);
    await later(22 * hourMs);
    await isPaid(invoice);
    expect(TransferStore.listByDeposit(db, invoice.deposit.index)).toHaveLength(1);
    await noLate();
    // It is hot again: the next payment needs no check.
    await chain.pay(invoice.deposit.address, "1.00");
    await later(0);
    await until(
      () => status(invoice),
      (found) => found === "excess",
    );
  });

  test("costs a handful of calls a day when there is none, and no call before the next day", async () => {
    await coldInvoice();
    await later(22 * hourMs);
    await checkDone();
    await Bun.sleep(1_200);
    expect(proxy.calls.length).toBeLessThanOrEqual(10);
    expect(calls("eth_call")).toBe(1);
    expect(calls("eth_getLogs")).toBe(0);
    await later(hourMs);
    await Bun.sleep(500);
    expect(calls("eth_call")).toBe(0);
  });

  test("is found although the check before saw the same balance minus what was settled", async () => {
    const invoice = await coldInvoice();
    const { index } = invoice.deposit;
    // As the check of before the settlement saw it.
    const [known] = ColdBalanceStore.listUnchangedSince(db, Date.now() + 99 * dayMs, index, 1);
    expect(known?.balance).toBe(0n as never);
    ColdBalanceStore.save(db, index, 500_000_000n as never, Date.now() + aheadMs);
    await chain.pay(invoice.deposit.address, "100.00");
    await later(22 * hourMs);
    await isPaid(invoice);
  });

  test("is found although the check before saw the same balance, which was settled since", async () => {
    const invoice = await coldInvoice();
    const { address, index } = invoice.deposit;
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await until(
      () => status(invoice),
      (found) => found === "partial",
    );
    await turnCold();
    await takeAway(invoice, "50.00");
    transact(db, () =>
      SettlementStore.recordElsewhere(
        db,
        { index, received: usdc("50.00"), balance: 0n },
        Date.now() + aheadMs,
      ),
    );
    await chain.pay(address, "50.00");
    await later(22 * hourMs);
    await isPaid(invoice);
  });

  test("while Till did not run for months is found when it starts again", async () => {
    const invoice = storeInvoice(db, { total: "100.00" });
    await later(0);
    await until(check, Boolean);
    await watcher?.stop();
    await chain.mine(40);
    await chain.pay(invoice.deposit.address, "100.00");
    await chain.mine(40);
    await later(90 * dayMs);
    await isPaid(invoice);
  });

  test("goes on where it was when it is interrupted, and with a node that takes few blocks", async () => {
    const invoice = await coldInvoice();
    await chain.mine(30);
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method }) =>
      method === "eth_getLogs" ? { error: { code: -32005, message: "limit exceeded" } } : undefined;
    await later(22 * hourMs);
    await until(() => ReadingStore.open(db, "late"), Boolean);
    await Bun.sleep(300);
    expect(status(invoice)).not.toBe("paid");
    proxy.answer = ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      if (Number(toBlock) - Number(fromBlock) < 40) return undefined;
      return { error: { code: -32600, message: "up to a 40 block range" } };
    };
    await later(0);
    await isPaid(invoice);
  });

  test("is found with another node when the first one has forgotten the logs of those blocks", async () => {
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
    await isPaid(invoice);
  });

  test("is found with another node however long ago it was that the first one failed", async () => {
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
    for (let i = 0; i < 400 && status(invoice) !== "paid"; i++) {
      // Each rest is over at once, and the first node's turn has come again.
      if (tries > seen) aheadMs += 301_000;
      seen = tries;
      await Bun.sleep(10);
    }
    expect(status(invoice)).toBe("paid");
  });

  test("is found in full when more of it came while the blocks of the first could not be read", async () => {
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "60.00");
    await chain.mine(3);
    proxy.answer = ({ method }) =>
      method === "eth_getLogs" ? new Response("busy", { status: 503 }) : undefined;
    await later(22 * hourMs);
    await until(() => ReadingStore.open(db, "late")?.problem, Boolean);
    await chain.mine(100);
    await chain.pay(invoice.deposit.address, "40.00");
    await chain.mine(100);
    const head = Number(await chain.rpc("eth_blockNumber"));
    // Before the next check of balances, which would see it too.
    await later(10 * hourMs);
    await until(
      () => CheckpointStore.latest(db)?.number,
      (number) => number === head,
    );
    proxy.answer = null;
    await isPaid(invoice);
  });

  const forgetful = {
    "cannot be read": () => new Response("gone", { status: 503 }),
    "are told of without it": () => ({ result: [] }),
  };
  for (const [what, answer] of Object.entries(forgetful)) {
    test(`is found while blocks that money came in before ${what}`, async () => {
      const other = storeInvoice(db, { total: "100.00" });
      const invoice = await coldInvoice();
      await chain.pay(other.deposit.address, "100.00");
      await chain.mine(100);
      proxy.answer = ({ method, params }) => {
        if (method !== "eth_getLogs") return undefined;
        const [{ fromBlock }] = params as [{ fromBlock: string }];
        return Number(fromBlock) < 20 ? answer() : undefined;
      };
      await later(22 * hourMs);
      await until(() => ReadingStore.open(db, "late")?.problem, Boolean);
      await checkDone();
      await chain.pay(invoice.deposit.address, "100.00");
      await later(22 * hourMs);
      await isPaid(invoice);
      expect(ReadingStore.open(db, "late")?.problem).toMatch(
        /HTTP 503|tells of no transfer in blocks 0 to 1\d\d for money that came to 0x\w{40}$/,
      );
      proxy.answer = null;
      await later(0);
      await isPaid(other);
      await noLate();
    });
  }

  test("is found with another node when the first one leaves it out without an error", async () => {
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined);
    await later(22 * hourMs, { TILL_RPC_URL: `${proxy.url},${chain.rpcUrl}` });
    await until(() => ReadingStore.open(db, "late")?.problem, Boolean);
    aheadMs += 301_000;
    await isPaid(invoice);
    await noLate();
    expect(TransferStore.listByDeposit(db, invoice.deposit.index)).toHaveLength(1);
  });

  test("is looked for no longer when it was moved on unseen", async () => {
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined);
    await later(22 * hourMs);
    await until(() => ReadingStore.open(db, "late")?.problem, Boolean);
    await takeAway(invoice, "100.00");
    aheadMs += 301_000;
    await noLate();
    expect(status(invoice)).toBe("draft");
  });

  test("is read for but not watched again when it is only what is known and was never settled", async () => {
    const invoice = storeInvoice(db, { total: "100.00" });
    await chain.pay(invoice.deposit.address, "100.00");
    await later(0);
    await isPaid(invoice);
    // No check saw the balance before it turned cold.
    await later(40 * dayMs);
    await checkDone();
    await noLate();
    expect(DepositStore.listHot(db, Date.now() + aheadMs - 30 * dayMs)).toEqual([]);
    await chain.pay(invoice.deposit.address, "1.00");
    await later(22 * hourMs);
    await until(
      () => status(invoice),
      (found) => found === "excess",
    );
  });

  test("is found without Multicall3 as well", async () => {
    const invoice = await coldInvoice();
    await chain.pay(invoice.deposit.address, "100.00");
    proxy.answer = ({ method, params }) => {
      const [call] = params as [{ to?: string }];
      const isMulticall = method === "eth_call" && call.to === "0xcA11bde05977b3631167028862bE2a173976CA11";
      return isMulticall ? { result: "0x" } : undefined;
    };
    await later(22 * hourMs);
    await isPaid(invoice);
    expect(watcher?.logged.some((line) => line.includes("[chain.no_multicall]"))).toBe(true);
  });

  test("is not believed of a node that answers for another chain", async () => {
    const invoice = await coldInvoice();
    const balance = `0x${"1".padStart(64, "0")}`;
    let asked = 0;
    proxy.answer = ({ method }) => {
      if (method === "eth_call") asked += 1;
      if (asked === 0) return undefined;
      if (method === "eth_call") return { result: balance };
      return method === "eth_getBlockByNumber" ? { result: null } : undefined;
    };
    await later(22 * hourMs);
    await until(() => asked, Boolean);
    await Bun.sleep(300);
    expect(ReadingStore.open(db, "late")).toBeNull();
    expect(ColdBalanceStore.listUnchangedSince(db, Date.now() + 99 * dayMs, 0, 1)[0]?.balance).toBe(
      0n as never,
    );
    expect(status(invoice)).toBe("draft");
  });
});
