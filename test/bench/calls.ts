/**
 * What Till asks a node, by the blocks that it may ask for at a time, the time of a block and the open links: in an idle
 * hour, for a payment, and after the node was away. `bun test/bench/calls.ts [SECONDS] [RANGE]`: so long is each part watched,
 * 60 unless told, and with so many blocks at a time alone. The idle hour is told from it, so watch for some minutes where that counts: a look comes every two of them.
 */

import { startTestChain } from "../support/chain/chain.ts";
import { type RpcCall, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { storeLink } from "../support/till/records.ts";
import { linkRequest, startTestTill, until } from "../support/till/till.ts";

const watchedMs = Number(process.argv[2] ?? 60) * 1_000;
const paymentsMax = 3;
const worlds = [
  { range: 5, blockMs: 200, links: 100 },
  { range: 10, blockMs: 200, links: 100 },
  { range: 10, blockMs: 200, links: 10_000 },
  { range: 100, blockMs: 200, links: 100 },
  { range: 2_000, blockMs: 200, links: 1_000 },
  { range: 2_000, blockMs: 2_000, links: 100 },
];

type World = (typeof worlds)[number];
type Counted = Record<string, number>;

function counted(calls: readonly RpcCall[], times = 1): Counted {
  const found: Counted = {};
  for (const { method } of calls) found[method] = (found[method] ?? 0) + times;
  return Object.fromEntries(Object.entries(found).map(([method, count]) => [method, Math.round(count)]));
}

const total = (of: Counted) => Object.values(of).reduce((sum, count) => sum + count, 0);
const inWords = (of: Counted) =>
  `${total(of)} (${Object.entries(of)
    .toSorted(([, a], [, b]) => b - a)
    .map(([method, count]) => `${method.replace("eth_", "")} ${count}`)
    .join(", ")})`;

const numberIn = (hex: unknown) => (typeof hex === "string" && hex.startsWith("0x") ? Number(hex) : null);

/** A node that gives the logs of so many blocks at a time. */
function limitTo(range: number, { method, params }: RpcCall) {
  const [{ fromBlock, toBlock } = { fromBlock: null, toBlock: null }] = params as Record<string, unknown>[];
  const [from, to] = [numberIn(fromBlock), numberIn(toBlock)];
  if (method !== "eth_getLogs" || from === null || to === null || to - from < range) return undefined;
  return { error: { code: -32_600, message: `query exceeds max block range ${range}` } };
}

async function measure({ range, blockMs, links }: World): Promise<object> {
  const chain = await startTestChain({ blockMs });
  const node = startRpcProxy(chain.rpcUrl);
  node.answer = (call) => limitTo(range, call);
  const till = await startTestTill(
    { rpcUrl: node.url, wsUrl: chain.wsUrl },
    { TILL_LOG_RANGE: `${range}`, TILL_CONFIRMATIONS: "10s" },
  );
  try {
    for (let stored = 0; stored < links; stored++) storeLink(till.db, { now: Date.now() });
    await till.pause();
    await till.resume();
    const make = async () => (await till.api("POST", "/api/links", linkRequest)).body;
    const isPaid = async (slug: string) =>
      (await till.api("GET", `/api/payments/status/${slug}`)).body.status === "confirmed";
    const pay = async () => {
      const { slug, deposit_address } = await make();
      await chain.pay(deposit_address, "25.00");
      return slug as string;
    };
    const first = await pay();
    await until(() => isPaid(first), Boolean, 120_000);
    await Bun.sleep(10_000);

    node.reset();
    await Bun.sleep(watchedMs);
    const idle = counted(node.calls, 3_600_000 / watchedMs);

    node.reset();
    const countsAfterMs: number[] = [];
    for (let nth = 0; nth < paymentsMax; nth++) {
      const slug = await pay();
      const paidAt = performance.now();
      await until(() => isPaid(slug), Boolean, 120_000);
      countsAfterMs.push(Math.round(performance.now() - paidAt));
    }
    const payment = counted(node.calls, 1 / paymentsMax);

    const isAway = { now: true };
    node.answer = (call) => (isAway.now ? new Response("away", { status: 503 }) : limitTo(range, call));
    const meanwhile = await pay();
    await Bun.sleep(watchedMs);
    node.reset();
    isAway.now = false;
    const backAt = performance.now();
    await until(() => isPaid(meanwhile), Boolean, 300_000);
    const creditedMs = Math.round(performance.now() - backAt);
    await Bun.sleep(10_000);
    return {
      idle: inWords(idle),
      payment: inWords(payment),
      "counts after, ms": countsAfterMs.join(", "),
      "after the outage": inWords(counted(node.calls)),
      "counts after it, ms": creditedMs,
    };
  } finally {
    await till.stop();
    await node.stop();
    await chain.stop();
  }
}

const [, , , range] = process.argv;
for (const world of worlds.filter((each) => range === undefined || each.range === Number(range))) {
  const found = await measure(world);
  console.log(`${world.range} blocks a call, ${world.blockMs} ms a block, ${world.links} open links`);
  for (const [what, value] of Object.entries(found)) console.log(`  ${what}: ${value}`);
}
process.exit();
