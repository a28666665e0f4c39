/**
 * How fast a payment counts, with one confirmation and a block every 200 ms: from the moment the node's notification is on
 * the wire to the commit of the new status, beside what viem takes to hand over the same kind of event; and from the commit
 * to the webhook's bytes at the receiver.
 */
import { join } from "node:path";
import { parseConfig } from "../../../src/config/config.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createLog } from "../../../src/lib/log.ts";
import { startTill } from "../../../src/till/till.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { createPayer } from "../../support/chain/payer.ts";
import { startTcpProxy } from "../../support/chain/rpc-proxy.ts";
import { newWallet } from "../../support/chain/settlement.ts";
import { createRandom } from "../../support/random.ts";
import { makeDataDir, passphrase } from "../../support/till/data-dir.ts";
import { until } from "../../support/till/till.ts";
import { percentile } from "../figures.ts";
import { ratioAtMost, report, tillAtMost } from "../line.ts";
import { startViemWatcher } from "../viem-watcher.ts";

const rounds = 60;
/** The first ones pay for what is compiled on its first use. */
const warmUpRounds = 10;
/** A polling watcher takes up to a second each time. */
const pollingEvery = 8;
const paidMsMax = 10_000;

const chain = await startTestChain({ blockMs: 200 });
const payer = createPayer(chain, { sent: () => {} }, createRandom(1));
const dir = makeDataDir();

/** A way to the node that notes when it carried a notification. */
function startWire() {
  const wire = { hintAt: 0, url: "", stop: () => {} };
  const proxy = startTcpProxy(Number(new URL(chain.wsUrl).port), (chunk) => {
    if (wire.hintAt === 0 && chunk.includes("eth_subscription")) wire.hintAt = performance.now();
  });
  return Object.assign(wire, { url: `ws://127.0.0.1:${proxy.port}`, stop: proxy.stop });
}

const wire = startWire();
const viemWire = startWire();
let committedAt = 0;
let receivedAt = 0;
const receiver = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    receivedAt = performance.now();
    return new Response();
  },
});
const till = await startTill({
  config: parseConfig({
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: wire.url,
    TILL_DATA_DIR: join(dir.path, "data"),
    TILL_PORT: "0",
    TILL_SETTLE: "manual",
    TILL_WALLET_PASSPHRASE: passphrase,
  }),
  log: createLog({
    format: "text",
    level: "info",
    write(line) {
      // Written right after the transaction.
      if (line.includes("to=confirmed")) committedAt = performance.now();
    },
  }),
});
const [viemTo, pollingTo] = [newWallet(), newWallet()];
const viem = await startViemWatcher({ url: viemWire.url, usdc: chain.usdc, to: [viemTo] });
const polling = await startViemWatcher({ url: chain.rpcUrl, usdc: chain.usdc, to: [pollingTo] });

const tillMs: number[] = [];
const webhookMs: number[] = [];
const viemMs: number[] = [];
const pollingMs: number[] = [];

async function payTill(): Promise<void> {
  const created = await fetch(`${till.baseUrl}/api/links`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      business_name: "Shop",
      expected_amount: "25.00",
      merchant_email: "a@shop.example",
      wallet_type: "managed",
      webhook_url: `http://127.0.0.1:${receiver.port}/`,
    }),
  });
  const { deposit_address } = (await created.json()) as Record<string, string>;
  // The new subscription has to stand, and the looks before to be so long ago that the next is made at once.
  await Bun.sleep(1_000);
  wire.hintAt = committedAt = receivedAt = 0;
  await payer.pay({ to: Address.checksum(deposit_address ?? ""), amount: 25_000_000n });
  await until(
    () => receivedAt,
    (at) => at > 0,
    paidMsMax,
  );
  tillMs.push(committedAt - wire.hintAt);
  webhookMs.push(receivedAt - committedAt);
}

async function payViem(): Promise<void> {
  viemWire.hintAt = 0;
  const heard = viem.next(paidMsMax);
  await payer.pay({ to: viemTo, amount: 25_000_000n });
  viemMs.push((await heard) - viemWire.hintAt);
}

async function payPolling(): Promise<void> {
  // At any moment between two polls.
  await Bun.sleep(Math.random() * 1_000);
  const heard = polling.next(paidMsMax);
  await payer.pay({ to: pollingTo, amount: 25_000_000n });
  const minedAt = performance.now();
  pollingMs.push(Math.max(0, (await heard) - minedAt));
}

for (let round = 0; round < warmUpRounds + rounds; round++) {
  if (round === warmUpRounds) for (const list of [tillMs, webhookMs, viemMs, pollingMs]) list.length = 0;
  for (const pay of round % 2 === 0 ? [payTill, payViem] : [payViem, payTill]) await pay();
  if (round % pollingEvery === 0) await payPolling();
}
viem.stop();
polling.stop();
await till.stop();
await receiver.stop(true);
wire.stop();
viemWire.stop();
await chain.stop();
dir.remove();

for (const [name, share] of [
  ["p50", 0.5],
  ["p99", 0.99],
] as const) {
  const line = {
    what: `block to stored status, ${name}`,
    unit: "ms",
    till: percentile(tillMs, share),
  } as const;
  const own = name === "p99" ? [tillAtMost(10)] : [];
  report({
    ...line,
    id: `latency/viem-${name}`,
    beside: { name: "viem watchEvent, WebSocket", value: percentile(viemMs, share) },
    targets: name === "p99" ? [...own, ratioAtMost(1)] : [],
  });
  report({
    ...line,
    id: `latency/polling-${name}`,
    beside: { name: "viem watchEvent, polling", value: percentile(pollingMs, share) },
    targets: [ratioAtMost(1)],
  });
}
report({
  id: "latency/webhook",
  what: "stored status to the webhook's bytes at the receiver, p50",
  unit: "ms",
  till: percentile(webhookMs, 0.5),
  beside: null,
  targets: [tillAtMost(10)],
});
