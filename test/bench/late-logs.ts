/**
 * How soon Till counts a payment whose logs a node leaves out for a while without an error, on a chain with a block every
 * 200 ms: the first node, the second, or both; and one of which a WebSocket says nothing that stays open. Nothing else
 * tells of the payment, as no WebSocket is configured otherwise. `bun test/bench/late-logs.ts`: about seven minutes.
 */
import { startTestChain } from "../support/chain/chain.ts";
import { type RpcCall, startTcpProxy } from "../support/chain/rpc-proxy.ts";
import { until } from "../support/till/till.ts";
import { startWorld } from "../support/watch/world.ts";
import { print } from "./figures.ts";

const creditedMsMax = 200_000;
/** A payment counts when it is so old. */
const countsMs = 10_000;

const chain = await startTestChain({ blockMs: 200 });

type Log = { blockNumber: string };

/** Answers as a node does that has no logs yet of what comes after a block. */
const upTo = (block: number) => async (call: RpcCall) => {
  if (call.method !== "eth_getLogs") return undefined;
  const logs = (await chain.rpc(call.method, call.params)) as Log[];
  return { result: logs.filter(({ blockNumber }) => Number(blockNumber) <= block) };
};

type Case = { who: "the only node" | "first" | "second" | "both"; hiddenSec: number; range: number };

async function hidden({ who, hiddenSec, range }: Case): Promise<string> {
  const world = await startWorld(chain, {
    nodes: who === "the only node" ? 1 : 2,
    environment: { TILL_LOG_RANGE: `${range}`, TILL_CONFIRMATIONS: "10s", TILL_RPC_WS_URL: "" },
  });
  try {
    const [first, second] = world.nodes;
    const hides = { first: [first], second: [second], both: world.nodes, "the only node": [first] }[who];
    const answer = upTo(Number(await chain.rpc("eth_blockNumber")));
    for (const node of hides) if (node) node.answer = answer;
    await world.pay();
    const paidAt = performance.now();
    const countsAt = world.is("paid", creditedMsMax + hiddenSec * 1_000).then(() => performance.now());
    await Bun.sleep(hiddenSec * 1_000);
    for (const node of hides) if (node) node.answer = null;
    const thereAt = performance.now();
    const afterMs = (await countsAt) - Math.max(thereAt, paidAt + countsMs);
    const { paid: times, reversed } = world.told();
    const isOnce = world.transfers().length === 1 && times === 1 && reversed === 0;
    return `${(afterMs / 1_000).toFixed(1)} s${isOnce ? "" : ", NOT ONCE"}`;
  } finally {
    await world.stop();
  }
}

/** The payment comes while the WebSocket is silent. */
async function silent(): Promise<string> {
  const wire = startTcpProxy(Number(new URL(chain.wsUrl).port));
  const environment = { TILL_CONFIRMATIONS: "10s", TILL_RPC_WS_URL: `ws://127.0.0.1:${wire.port}` };
  const world = await startWorld(chain, { environment });
  try {
    await until(
      () => world.watcher.logged.join(),
      (all) => all.includes("listening to the chain"),
    );
    await Bun.sleep(5_000);
    wire.freeze();
    await world.pay();
    const paidAt = performance.now();
    await world.is("paid", creditedMsMax);
    return `${((performance.now() - paidAt - countsMs) / 1_000).toFixed(1)} s`;
  } finally {
    await world.stop();
    wire.stop();
  }
}

const rows: Record<string, string> = {};
const cases = [3, 30, 60, 300].flatMap((hiddenSec) =>
  (["the only node", "first", "second", "both"] as const).flatMap((who) =>
    (who === "the only node" ? [10, 2_000] : [2_000]).map((range) => ({ who, hiddenSec, range })),
  ),
);
await Promise.all([
  ...cases.map(async (one) => {
    const { who, hiddenSec, range } = one;
    rows[`${who}, ${hiddenSec} s, ${range} blocks a call`] = await hidden(one);
  }),
  silent().then((took) => {
    rows["a silent WebSocket"] = took;
  }),
]);
print(
  "Counts so long after the logs are there (or after it is ten seconds old, if that is later)",
  Object.fromEntries(
    Object.keys(rows)
      .toSorted()
      .map((name) => [name, rows[name] ?? ""]),
  ),
);
await chain.stop();
process.exit();
