/**
 * How fast a payment counts, with one confirmation: from the moment the node's notification reaches Till to the
 * commit of the new status, and from the block to the answer of the API that says so.
 * Run: bun test/bench/payment-latency.ts [--quick]
 */
import { join } from "node:path";
import { startTill } from "../../src/cli/till.ts";
import { parseConfig } from "../../src/config.ts";
import * as Address from "../../src/domain/address.ts";
import { createLog } from "../../src/lib/log.ts";
import { startTestChain } from "../support/chain.ts";
import { makeDataDir } from "../support/data-dir.ts";
import { createPayer } from "../support/payer.ts";
import { createRandom } from "../support/random.ts";
import { startTcpProxy } from "../support/rpc-proxy.ts";
import { percentile, print, quick } from "./figures.ts";

const rounds = quick ? 50 : 300;
/** The first ones pay for what is compiled on its first use. */
const warmUpRounds = 10;
const paidMsMax = 10_000;

const chain = await startTestChain();
const payer = createPayer(chain, { sent: () => {} }, createRandom(1));
const dir = makeDataDir();
let hintAt = 0;
let committedAt = 0;
const wire = startTcpProxy(Number(new URL(chain.wsUrl).port), (chunk) => {
  if (hintAt === 0 && chunk.includes("eth_subscription")) hintAt = performance.now();
});
const till = await startTill({
  config: parseConfig({
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_RPC_WS_URL: `ws://127.0.0.1:${wire.port}`,
    TILL_DATA_DIR: join(dir.path, "data"),
    TILL_PORT: "0",
    TILL_WALLET_PASSPHRASE: "correct horse battery staple",
  }),
  log: createLog({
    format: "text",
    level: "info",
    write(line) {
      // Written right after the transaction.
      if (line.includes("now=confirmed")) committedAt = performance.now();
    },
  }),
});

const commitMs: number[] = [];
const answerMs: number[] = [];
for (let round = 0; round < warmUpRounds + rounds; round++) {
  const created = await fetch(`${till.baseUrl}/api/links`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      business_name: "Shop",
      expected_amount: "25.00",
      merchant_email: "a@shop.example",
      wallet_type: "managed",
    }),
  });
  const { slug, deposit_address } = (await created.json()) as Record<string, string>;
  // The new subscription has to stand, and the first scan to be over.
  await Bun.sleep(60);
  hintAt = 0;
  committedAt = 0;
  await payer.pay({ to: Address.checksum(deposit_address ?? ""), amount: 25_000_000n });
  const minedAt = performance.now();
  for (;;) {
    const answer = await fetch(`${till.baseUrl}/api/payments/status/${slug}`);
    if (((await answer.json()) as { status: string }).status === "confirmed") break;
    if (performance.now() - minedAt > paidMsMax) throw new Error(`not paid within ${paidMsMax} ms`);
    await Bun.sleep(1);
  }
  if (round < warmUpRounds) continue;
  answerMs.push(performance.now() - minedAt);
  commitMs.push(committedAt - hintAt);
}
await till.stop();
wire.stop();
await chain.stop();
dir.remove();

const row = (values: number[]) =>
  [0.5, 0.95, 0.99, 1]
    .map((share) => `${share === 1 ? "worst" : `p${share * 100}`} ${percentile(values, share).toFixed(1)} ms`)
    .join(", ");
print(`${rounds} payments with one confirmation`, {
  "notification to commit": row(commitMs),
  "block to the answer of the API": row(answerMs),
});
