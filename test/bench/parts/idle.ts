/**
 * What Till asks of its node while nothing happens, with a thousand open deposits on a chain with a block every
 * 200 ms, beside a watcher of the same addresses that polls. Counted over an hour: some calls come once or twice in one.
 */
import { startTestChain } from "../../support/chain/chain.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { type ServedTill, startServedTill } from "../../support/till/process.ts";
import { report, tillAtMost } from "../line.ts";
import { createLink, followed, storeOpenDeposits } from "../open-deposits.ts";
import { startViemWatcher } from "../viem-watcher.ts";

const minutes = Number(process.env["BENCH_MINUTES"] ?? 60);
const deposits = 1_000;
/** Subscribing, the first scan, the first comparison of what was made just now. */
const settleMs = 150_000;
/** What the heartbeat asks. */
const heartbeat = "eth_chainId";

async function counts(till: ServedTill): Promise<Map<string, number>> {
  const lines = (await till.text("/metrics")).matchAll(/till_rpc_requests_total\{method="(\w+)"\} (\d+)/g);
  return new Map([...lines].map(([, method = "", count]) => [method, Number(count)]));
}

const chain = await startTestChain({ blockMs: 200 });
const till = await startServedTill(chain, { TILL_CONFIRMATIONS: "10s", TILL_SETTLE: "manual" });
await createLink(till);
await followed(till);
await till.pause("SIGTERM");
// The link is one of them. One more, and logs are asked for in two calls.
const to = storeOpenDeposits(till.dataDir, deposits - 1);
await till.resume();
const proxy = startRpcProxy(chain.rpcUrl);
const polling = await startViemWatcher({ url: proxy.url, usdc: chain.usdc, to });
await Bun.sleep(settleMs);
const before = await counts(till);
proxy.reset();
await Bun.sleep(minutes * 60_000);
const asked = [...(await counts(till))].map(
  ([method, count]) => [method, count - (before.get(method) ?? 0)] as const,
);
const polls = proxy.calls.length;
polling.stop();
await till.stop();
await proxy.stop();
await chain.stop();

const inAnHour = (count: number) => (count / minutes) * 60;
const sum = (wanted: (method: string) => boolean) =>
  asked.reduce((total, [method, count]) => total + (wanted(method) ? count : 0), 0);
const beats = inAnHour(sum((method) => method === heartbeat));
report({
  id: "idle/polling",
  what:
    `calls to the node in an idle hour with ${deposits.toLocaleString("en")} open deposits, ` +
    `without ${beats.toFixed(0)} heartbeats (from ${minutes} min)`,
  unit: "calls",
  till: inAnHour(sum((method) => method !== heartbeat)),
  beside: { name: "viem watchEvent, polling", value: inAnHour(polls) },
  targets: [tillAtMost(300)],
});
