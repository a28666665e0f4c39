import { closeDatabase } from "../../../src/store/database.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as EventStore from "../../../src/store/tables/outbox/event.ts";
import * as DepositTransferStore from "../../../src/store/tables/watch/deposit-transfer.ts";
import type { TestChain } from "../chain/chain.ts";
import { holdersIn } from "../chain/holdings.ts";
import { type RpcCall, type RpcProxy, startRpcProxy } from "../chain/rpc-proxy.ts";
import { newWallet } from "../chain/settlement.ts";
import { makeDataDir, openNewDatabase } from "../till/data-dir.ts";
import { storeInvoice } from "../till/records.ts";
import { until } from "../till/till.ts";
import { startTestWatcher } from "./watcher.ts";

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A watcher with an invoice of 100 USDC, a database and nodes of its own, on a chain that it shares with others. */
export async function startWorld(
  chain: TestChain,
  {
    nodes = 1,
    environment = {},
    now = Date.now,
    clock = now,
  }: {
    nodes?: number;
    environment?: Record<string, string>;
    now?: () => number;
    clock?: () => number;
  } = {},
) {
  const proxies = Array.from({ length: nodes }, () => startRpcProxy(chain.rpcUrl));
  const data = makeDataDir();
  const db = openNewDatabase(data.path);
  const invoice = storeInvoice(db, { total: "100.00", now: now(), payoutWallet: newWallet() });
  const urls = { TILL_RPC_URL: proxies.map(({ url }) => url).join(","), TILL_RPC_WS_URL: chain.wsUrl };
  const watcher = startTestWatcher(db, { ...urls, ...environment }, now, clock);
  await until(() => watcher.state().head, Number.isInteger);
  const { index, address } = invoice.deposit;
  return {
    db,
    invoice,
    watcher,
    nodes: proxies,
    get node(): RpcProxy {
      if (!proxies[0]) throw new Error("There is no node");
      return proxies[0];
    },
    async pay(amount = "100.00") {
      const { txHash, blockNumber } = await chain.pay(address, amount);
      return {
        txHash,
        block: Number(blockNumber),
        raw: await chain.rpc("debug_getRawTransaction", [txHash]),
      };
    },
    transfers: () => DepositTransferStore.list(db, index),
    status: () => InvoiceStore.byId(db, invoice.id)?.status,
    is: (wanted: string, timeoutMs?: number) =>
      until(
        () => InvoiceStore.byId(db, invoice.id)?.status,
        (status) => status === wanted,
        timeoutMs,
      ),
    /** How often it was told that it was paid, and that it was not. */
    told: () => ({
      paid: EventStore.count(db, index, "invoice.paid"),
      reversed: EventStore.count(db, index, "invoice.payment_reversed"),
    }),
    async stop() {
      await watcher.stop();
      closeDatabase(db);
      data.remove();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
    },
  };
}

const hex = (value: number) => `0x${value.toString(16)}`;

/** Answers as a node does whose newest block is the one that `headOf` makes of the chain's. */
export function lagging(chain: TestChain, headOf: (head: number) => number) {
  return async (call: RpcCall) => {
    const { method, params } = call;
    const head = headOf(Number(await chain.rpc("eth_blockNumber")));
    const isAbove = (tag: unknown) => typeof tag === "string" && tag.startsWith("0x") && Number(tag) > head;
    if (holdersIn(call) && params[1] === "latest")
      return { result: await chain.rpc(method, [params[0], hex(head)]) };
    if (method === "eth_getBlockByNumber" && params[0] === "latest")
      return { result: await chain.rpc(method, [hex(head), params[1]]) };
    if (method === "eth_getBlockByNumber" && isAbove(params[0])) return { result: null };
    if (method === "eth_getLogs") {
      const [filter] = params as [{ fromBlock: string; toBlock: string }];
      if (isAbove(filter.fromBlock)) return { result: [] };
      if (isAbove(filter.toBlock))
        return { result: await chain.rpc(method, [{ ...filter, toBlock: hex(head) }]) };
    }
    if (method === "eth_getTransactionReceipt") {
      const receipt = (await chain.rpc(method, params)) as { blockNumber: string } | null;
      return { result: isAbove(receipt?.blockNumber) ? null : receipt };
    }
    return undefined;
  };
}
