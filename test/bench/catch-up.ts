/**
 * How long Till takes to catch up after a day in which it was down, and how it answers meanwhile.
 * Run: bun test/bench/catch-up.ts [--quick]
 */

import { createRandom } from "../support/random.ts";
import { startServedTill } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";
import { percentile, print, processorMs, quick } from "./figures.ts";
import { payOver, startLongChain } from "./long-chain.ts";
import { createLink, followed, headOf, storeOpenDeposits, watchProgress } from "./open-deposits.ts";

/** A day of Base's blocks. */
const blocks = quick ? 4_320 : 43_200;
const deposits = quick ? 1_000 : 10_000;
const payments = quick ? 200 : 2_000;
const caughtUpMsMax = 180_000;

const random = createRandom(1);
const chain = await startLongChain();
await chain.mine(1);
const till = await startServedTill(chain);
const status = await createLink(till);
await followed(till);
await till.pause("SIGTERM");
const addresses = storeOpenDeposits(till.dataDir, deposits);

await payOver(chain, blocks, payments, addresses, random);
const head = await headOf(chain);

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
const end = await until(progress.now, ({ checkpoint }) => checkpoint >= head, caughtUpMsMax);
const caughtUpAt = performance.now();
const usedMs = processorMs(till.pid);
done = true;
await polling;
const requests = (await till.text("/metrics")).match(/till_rpc_requests_total\{.*/g) ?? [];
progress.close();
await till.stop();
chain.stop();

print(`Catching up on ${blocks} blocks with ${deposits} open deposits`, {
  "ready to answer": `${(readyAt - downAt).toFixed(0)} ms`,
  "caught up, from its start": `${((caughtUpAt - downAt) / 1000).toFixed(1)} s`,
  "processor time": `${(usedMs / 1000).toFixed(1)} s`,
  "payments found": `${end.transfers} of ${payments}`,
  "answers meanwhile": answerMs.length,
  "answer time, p50": `${percentile(answerMs, 0.5).toFixed(1)} ms`,
  "answer time, p99": `${percentile(answerMs, 0.99).toFixed(1)} ms`,
  "answer time, worst": `${percentile(answerMs, 1).toFixed(1)} ms`,
  "calls to the node": requests.map((line) => line.replace(/.*method="(\w+)"\} /, "$1 ")).join(", "),
});
