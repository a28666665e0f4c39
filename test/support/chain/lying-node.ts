import { RpcError } from "../../../src/chain/node/rpc.ts";
import { topicOf } from "../../../src/chain/transfer/transfer-log.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import type { Random } from "../random.ts";
import type { TestChain } from "./chain.ts";
import { holdersIn, holdingsAnswer, withBalances } from "./holdings.ts";
import type { RpcCall, RpcProxy } from "./rpc-proxy.ts";

type Log = Record<string, unknown> & { blockNumber: string; topics: string[]; data: string };
type Block = Record<string, unknown>;
type Filter = { fromBlock: string; toBlock: string; topics: [string, null, string[]] };

/** A branch of the chain as a node remembers it that has not heard of the reorg. */
export type Branch = { head: number; blocks: Map<number, Block>; logs: Log[] };

export const lies = [
  "429",
  "500",
  "garbage",
  "html",
  "hang",
  "slow",
  "refusal",
  "missing logs",
  "old head",
  "other token",
  "other address",
  "twice",
  "removed",
  "wrong hash",
  "other chain",
  "other branch",
  "crossed answers",
  "no logs",
  "no block",
  "more than asked",
  "no balances",
  "more than there is",
  "wrong parent",
] as const;
export type Lie = (typeof lies)[number];

const branchBlocks = 40;
const oldHeadBlocks = 20;

/** The chain as it is now, to be told again by `other branch`. */
export async function remember(chain: TestChain): Promise<Branch> {
  const head = Number(await chain.rpc("eth_blockNumber"));
  const blocks = new Map<number, Block>();
  for (let number = Math.max(0, head - branchBlocks); number <= head; number++) {
    blocks.set(number, (await chain.rpc("eth_getBlockByNumber", [hex(number), false])) as Block);
  }
  const logs = (await chain.rpc("eth_getLogs", [
    { address: chain.usdc, fromBlock: "0x0", toBlock: "latest" },
  ])) as Log[];
  return { head, blocks, logs };
}

/** Makes the proxy tell one kind of lie, some of the time; returns what ends it. */
export function tell(
  lie: Lie,
  {
    proxy,
    chain,
    random,
    branch,
    probability: given,
  }: { proxy: RpcProxy; chain: TestChain; random: Random; branch: Branch | null; probability?: number },
): () => void {
  const ended = new AbortController();
  const often = random.pick([0.3, 0.7, 1]);
  const lagBlocks = random.between(1, 4);
  const busy = (status: number) => new Response("busy", { status });
  const until = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      ended.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });

  async function logs(call: RpcCall, change: (logs: Log[]) => Log[]) {
    try {
      return { result: change((await chain.rpc(call.method, call.params)) as Log[]) };
    } catch (thrown) {
      // A reorg can have made the chain shorter than what was asked for: the node says so, and so does this one.
      if (thrown instanceof RpcError) return { error: { code: thrown.code, message: "block out of range" } };
      throw thrown;
    }
  }
  async function held(call: RpcCall, change: (answer: unknown) => string) {
    if (holdersIn(call) === null) return undefined;
    const answer = await chain.rpc(call.method, call.params).catch(() => undefined);
    return answer === undefined ? undefined : { result: change(answer) };
  }
  const isLogs = (call: RpcCall) => call.method === "eth_getLogs";
  const each = (change: Block) => (call: RpcCall) =>
    isLogs(call) ? logs(call, (all) => all.map((log) => ({ ...log, ...change }))) : undefined;

  const tellers: Record<Lie, NonNullable<RpcProxy["answer"]>> = {
    "429": () => busy(429),
    "500": () => busy(500),
    garbage: () => new Response(`{"jsonrpc":"2.0","id":1,"resu`),
    html: () =>
      new Response("<!doctype html><title>Sorry</title>", { headers: { "content-type": "text/html" } }),
    async hang() {
      await until(3_000);
      return busy(504);
    },
    /** Half of the answers are as the chain was when they were asked for: a reorg can come before they are read. */
    async slow({ method, params }) {
      const isOld = /^eth_get(Block|Logs)/.test(method) && random.chance(0.5);
      const result = isOld ? await chain.rpc(method, params).catch(() => undefined) : undefined;
      await until(300);
      return result === undefined ? undefined : { result };
    },
    refusal: () => ({ error: { code: -32005, message: "limit exceeded" } }),
    async "missing logs"(call) {
      if (!isLogs(call)) return undefined;
      const head = Number(await chain.rpc("eth_blockNumber"));
      return logs(call, (all) => all.filter((log) => Number(log.blockNumber) <= head - lagBlocks));
    },
    async "old head"({ method, params: [first, second] }) {
      const head = Number(await chain.rpc("eth_blockNumber"));
      const old = hex(Math.max(0, head - oldHeadBlocks));
      if (method === "eth_call" && second === "latest")
        return { result: await chain.rpc(method, [first, old]) };
      if (method !== "eth_getBlockByNumber" || first !== "latest") return undefined;
      return { result: await chain.rpc(method, [old, false]) };
    },
    "other token": each({ address: "0x2222222222222222222222222222222222222222" }),
    "other address": (call) =>
      isLogs(call)
        ? logs(call, (all) =>
            all.map((log) => ({ ...log, topics: [...log.topics.slice(0, 2), `0x${"7".padStart(64, "0")}`] })),
          )
        : undefined,
    twice: (call) => (isLogs(call) ? logs(call, (all) => [...all, ...all]) : undefined),
    removed: each({ removed: true }),
    "wrong hash": each({ blockHash: `0x${"cd".repeat(32)}` }),
    "other chain": (call) => {
      const { method, params } = call;
      if (method === "eth_chainId") return { result: "0x1" };
      if (method === "eth_getLogs") return { result: [] };
      const holders = holdersIn(call);
      if (holders)
        return {
          result: holdingsAnswer(
            elsewhere,
            holders.map(() => ({ balance: 0n })),
          ),
        };
      const number = params[0] === "latest" ? 9_999_999 : Number(params[0]);
      const hash = `0x${number.toString(16).padStart(64, "e")}`;
      return { result: { number: hex(number), hash, timestamp: hex(1_700_000_000) } };
    },
    "other branch": (call) => {
      if (branch === null) return undefined;
      const { method, params } = call;
      const holders = holdersIn(call);
      if (holders) return heldIn(branch, params[1], holders);
      if (method === "eth_getBlockByNumber") {
        const number = params[0] === "latest" ? branch.head : Number(params[0]);
        if (number > branch.head) return { result: null };
        const block = branch.blocks.get(number);
        return block && { result: block };
      }
      if (method !== "eth_getLogs") return undefined;
      const { fromBlock, toBlock, topics } = params[0] as Filter;
      const fits = (log: Log) =>
        Number(log.blockNumber) >= Number(fromBlock) &&
        Number(log.blockNumber) <= Number(toBlock) &&
        topics[2].includes(log.topics[2] ?? "");
      return { result: branch.logs.filter(fits) };
    },
    "no logs": (call) => (isLogs(call) ? { result: [] } : undefined),
    "no block": ({ method }) => (method === "eth_getBlockByNumber" ? { result: null } : undefined),
    "more than asked": (call) =>
      isLogs(call)
        ? logs(
            { ...call, params: [{ ...(call.params[0] as Filter), fromBlock: "0x0", topics: [] }] },
            (all) => all,
          )
        : undefined,
    "crossed answers": () => Response.json({ jsonrpc: "2.0", id: 987_654, result: [] }),
    "no balances": (call) => held(call, (answer) => withBalances(answer, () => 0n)),
    "more than there is": (call) =>
      held(call, (answer) => withBalances(answer, (balance) => balance + 1_000_000n)),
    "wrong parent": (call) =>
      held(call, (answer) => String(answer).replace(/^(.{34}).{64}/, `$1${"cd".repeat(32)}`)),
  };
  // One chain or the other for a while, as a wrong URL would: everything else comes and goes by the call.
  const probability = given ?? (lie === "other chain" ? 1 : often);
  proxy.answer = (call) => (random.chance(probability) ? tellers[lie](call) : undefined);
  return () => {
    proxy.answer = null;
    ended.abort();
  };
}

/** A block of a chain that is none of ours. */
const elsewhere = { number: 9_999_999, timestampSec: 1_700_000_000, parentHash: `0x${"e".repeat(64)}` };

/** What addresses held on a branch that is gone: nothing leaves a deposit address there. */
function heldIn({ head, blocks, logs }: Branch, tag: unknown, holders: readonly Address[]) {
  const number = tag === "latest" ? head : Number(tag);
  const block = blocks.get(number);
  if (number > head) return { error: { code: -32000, message: "header not found" } };
  if (!block) return undefined;
  const of = holders.map((holder) => {
    const came = logs.filter(
      ({ topics, blockNumber }) => topics[2] === topicOf(holder) && Number(blockNumber) <= number,
    );
    return { balance: came.reduce((sum, { data }) => sum + BigInt(data), 0n) };
  });
  const at = { number, timestampSec: Number(block["timestamp"]), parentHash: String(block["parentHash"]) };
  return { result: holdingsAnswer(at, of) };
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}
