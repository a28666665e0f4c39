/**
 * Whether time and memory stay flat from block to block with very many open deposits and very many transfers.
 * Run: bun test/bench/scale.ts [--quick]
 */
import { startTestChain } from "../support/chain/chain.ts";
import { createPayer } from "../support/chain/payer.ts";
import { createRandom } from "../support/random.ts";
import { startServedTill } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";
import { percentile, print, processorMs, quick } from "./figures.ts";
import { createLink, followed, headOf, storeOpenDeposits, watchProgress } from "./open-deposits.ts";

const deposits = quick ? 10_000 : 100_000;
const transfersPerBlock = quick ? 100 : 1_000;
const blocks = quick ? 25 : 45;
/** With every scan the 15 blocks before are read again: until there are as many, each takes longer than the last. */
const warmUpBlocks = 15;
/** What is compared: so many first blocks with so many last ones. */
const sample = Math.floor((blocks - warmUpBlocks) / 3);
const blockMsMax = 60_000;

const random = createRandom(1);
const chain = await startTestChain();
await chain.rpc("evm_setBlockGasLimit", ["0x3b9aca00"]);
await chain.mine(1);
const payer = createPayer(chain, { sent: () => {} }, random, "0x2faf0800");
const till = await startServedTill(chain);
await createLink(till);
await followed(till);
await till.pause("SIGTERM");
const storedAt = performance.now();
const addresses = storeOpenDeposits(till.dataDir, deposits);
const storeMs = performance.now() - storedAt;

const rss = async () =>
  Number(/^process_resident_memory_bytes (\d+)/m.exec(await till.text("/metrics"))?.[1] ?? 0) / 2 ** 20;

const startedAt = performance.now();
await till.resume();
const progress = watchProgress(till.dataDir);
await until(
  () => till.text("/metrics"),
  (text) => Number(/^till_chain_head_block (\d+)/m.exec(text)?.[1] ?? 0) >= 1,
  blockMsMax,
);
const startMs = performance.now() - startedAt;
const rssStart = await rss();

const blockMs: number[] = [];
const usedMs: number[] = [];
const rssMb: number[] = [];
for (let block = 1; block <= blocks; block++) {
  const payments = Array.from({ length: transfersPerBlock }, () => ({
    to: random.pick(addresses),
    amount: BigInt(random.between(1, 150_000_000)),
  }));
  const before = await headOf(chain);
  const usedBefore = processorMs(till.pid);
  await payer.payTogether(payments);
  await until(
    () => headOf(chain),
    (head) => head > before,
  );
  const minedAt = performance.now();
  await until(progress.now, ({ transfers }) => transfers >= block * transfersPerBlock, blockMsMax);
  const foundMs = performance.now() - minedAt;
  if (block <= warmUpBlocks) continue;
  blockMs.push(foundMs);
  usedMs.push(processorMs(till.pid) - usedBefore);
  rssMb.push(await rss());
}
progress.close();
await till.stop();
await chain.stop();

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const compare = (values: number[], unit: string) => {
  const [first, last] = [mean(values.slice(0, sample)), mean(values.slice(-sample))];
  return `first ${sample}: ${first.toFixed(0)} ${unit}, last ${sample}: ${last.toFixed(0)} ${unit}, ratio ${(last / first).toFixed(2)}`;
};
print(`${deposits} open deposits, ${blocks} blocks of ${transfersPerBlock} transfers`, {
  "storing the deposits": `${(storeMs / 1000).toFixed(1)} s`,
  "start to the first scan": `${(startMs / 1000).toFixed(1)} s`,
  "block to database": compare(blockMs, "ms"),
  "processor time of a block": compare(usedMs, "ms"),
  "worst block": `${percentile(blockMs, 1).toFixed(0)} ms`,
  "resident memory": `${compare(rssMb, "MB")}; ${rssStart.toFixed(0)} MB before`,
});
