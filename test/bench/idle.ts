/**
 * What Till asks of its node while nothing happens, on a chain with a block every 2 s: with no open deposit, and
 * with a thousand. Run: bun test/bench/idle.ts [--quick]
 */
import { startTestChain } from "../support/chain.ts";
import { type ServedTill, startServedTill } from "../support/process.ts";
import { print, quick } from "./figures.ts";
import { createLink, followed, storeOpenDeposits } from "./open-deposits.ts";

const minutes = quick ? 1 : Number(process.env["BENCH_MINUTES"] ?? 2);
const deposits = 1_000;
/** Subscribing, the first scan. */
const settleMs = 5_000;

const chain = await startTestChain({ confirmations: 5 });

async function counts(till: ServedTill): Promise<Map<string, number>> {
  const lines = (await till.text("/metrics")).matchAll(/till_rpc_requests_total\{method="(\w+)"\} (\d+)/g);
  return new Map([...lines].map(([, method = "", count]) => [method, Number(count)]));
}

async function perMinute(till: ServedTill): Promise<string> {
  await Bun.sleep(settleMs);
  const before = await counts(till);
  await Bun.sleep(minutes * 60_000);
  const rates = [...(await counts(till))]
    .map(([method, count]) => [method, (count - (before.get(method) ?? 0)) / minutes] as const)
    .filter(([, rate]) => rate > 0);
  return rates.length === 0
    ? "none"
    : rates.map(([method, rate]) => `${method} ${rate.toFixed(1)}`).join(", ");
}

async function withOpenDeposits(): Promise<string> {
  const till = await startServedTill(chain, { TILL_CONFIRMATIONS: "5" });
  await createLink(till);
  await followed(till);
  await till.pause("SIGTERM");
  // The link is one of them. One more, and logs are asked for in two calls.
  storeOpenDeposits(till.dataDir, deposits - 1);
  await till.resume();
  const rates = await perMinute(till);
  await till.stop();
  return rates;
}

async function withNone(): Promise<string> {
  const till = await startServedTill(chain);
  const rates = await perMinute(till);
  await till.stop();
  return rates;
}

const [none, open] = await Promise.all([withNone(), withOpenDeposits()]);
await chain.stop();
print(`Requests to the node in a minute, over ${minutes} min`, {
  "no open deposit": none,
  [`${deposits} open deposits`]: open,
});
