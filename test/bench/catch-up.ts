/**
 * How long Till takes to catch up after a day in which it was down, 432,000 blocks of Base, and how it answers meanwhile.
 * Run: bun test/bench/catch-up.ts [--quick] [--range=10] [--archive]: so many blocks it asks for at a time, 2,000 unless
 * told; a node that tells what was there in old blocks.
 */

import { createRandom } from "../support/random.ts";
import { startServedTill } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";
import { percentile, print, processorMs, quick } from "./figures.ts";
import { payOver, startLongChain } from "./long-chain.ts";
import { createLink, followed, storeOpenDeposits, watchProgress } from "./open-deposits.ts";
import { startStretchedNode } from "./stretched.ts";

const daySec = 86_400;
/** Anvil's blocks, each with so many of Base's before it. */
const [blocks, factor] = quick ? [432, 1_000] : [4_320, 100];
const range = Number(/--range=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 2_000);
const deposits = quick ? 1_000 : 10_000;
const payments = quick ? 200 : 2_000;
const caughtUpMsMax = 1_800_000;

const random = createRandom(1);
const chain = await startLongChain(process.argv.includes("--archive") ? { states: 2 * blocks } : {});
await chain.mine(1);
const node = await startStretchedNode(chain, { factor, range, ageSec: daySec });
const urls = { rpcUrl: node.url, wsUrl: "" };
const till = await startServedTill(urls, { TILL_LOG_RANGE: `${range}`, TILL_CONFIRMATIONS: "10s" });
const status = await createLink(till);
await followed(till);
await till.pause("SIGTERM");
const addresses = storeOpenDeposits(till.dataDir, deposits);

await payOver(chain, blocks, payments, addresses, random);

const downAt = performance.now();
await till.resume();
const readyAt = performance.now();
const answerMs: number[] = [];
let done = false;
const polling = (async () => {
  while (!done) {
    const askedAt = performance.now();
    await till.api("GET", status);
    answerMs.push(performance.now() - askedAt);
    await Bun.sleep(10);
  }
})();
const progress = watchProgress(till.dataDir);
const end = await until(progress.now, ({ transfers }) => transfers >= payments, caughtUpMsMax);
const caughtUpAt = performance.now();
const usedMs = processorMs(till.pid);
done = true;
await polling;
const requests = (await till.text("/metrics")).match(/till_rpc_requests_total\{.*/g) ?? [];
progress.close();
await till.stop();
await node.stop();
chain.stop();

print(
  `Catching up on ${blocks * factor} blocks, ${range} a call,${process.argv.includes("--archive") ? " from an archive," : ""} with ${deposits} open deposits`,
  {
    "ready to answer": `${(readyAt - downAt).toFixed(0)} ms`,
    "caught up, from its start": `${((caughtUpAt - downAt) / 1000).toFixed(1)} s`,
    "processor time": `${(usedMs / 1000).toFixed(1)} s`,
    "payments found": `${end.transfers} of ${payments}`,
    "answers meanwhile": answerMs.length,
    "answer time, p50": `${percentile(answerMs, 0.5).toFixed(1)} ms`,
    "answer time, p99": `${percentile(answerMs, 0.99).toFixed(1)} ms`,
    "answer time, worst": `${percentile(answerMs, 1).toFixed(1)} ms`,
    "calls to the node": requests.map((line) => line.replace(/.*method="(\w+)"\} /, "$1 ")).join(", "),
  },
);
