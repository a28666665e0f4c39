/** New invoices, each on the disk before it is answered, beside one row in a transaction of its own. */
import { join } from "node:path";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { invoiceRequest } from "../../support/till/till.ts";
import { percentile, quick } from "../figures.ts";
import { ratioAtLeast, report, tillAtMost } from "../line.ts";
import { load } from "../load.ts";
import { alternate, timed } from "../rounds.ts";
import { makeData, startPeer, startTillServer } from "../server.ts";

const connections = 32;
const rounds = quick ? 3 : 5;
const seconds = 2;
/** More than PDFs can be made, so that one is being made all the time. */
const pacedPerSecond = 50;
const pacedSeconds = 8;
const warmUp = 50;

const dir = makeDataDir();
const chain = await startTestChain();
const body = JSON.stringify({ ...invoiceRequest, send_now: false });
const post = { method: "POST", headers: { "content-type": "application/json" }, body };

async function start(name: string) {
  const dataDir = join(dir.path, name);
  await makeData(dataDir, () => {});
  const server = await startTillServer(chain, dataDir);
  const url = `${server.baseUrl}/api/invoices`;
  const answer = await fetch(url, post);
  if (answer.status !== 201) throw new Error(`no invoice: ${await answer.text()}`);
  return { ...server, url };
}

if (!quick) {
  const till = await start("paced");
  // The first ones pay for what is compiled on its first use, and for the start of the worker.
  for (let i = 0; i < warmUp; i++) await (await fetch(till.url, post)).arrayBuffer();
  const times: number[] = [];
  const asking: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < pacedPerSecond * pacedSeconds; count++) {
    await Bun.sleep(Math.max(0, startedAt + (count * 1000) / pacedPerSecond - performance.now()));
    asking.push(
      timed(async () => {
        const answer = await fetch(till.url, post);
        if (answer.status !== 201) throw new Error(`no invoice: ${await answer.text()}`);
        await answer.arrayBuffer();
      }).then((ms) => void times.push(ms)),
    );
  }
  await Promise.all(asking);
  await till.stop();
  report({
    id: "create/p99",
    what: `new invoice while PDFs render, ${pacedPerSecond} a second, p99`,
    unit: "ms",
    till: percentile(times, 0.99),
    beside: null,
    targets: [tillAtMost(10)],
  });
}

const till = await start("till");
const bare = await startPeer("elysia.ts", { BENCH_DB: join(dir.path, "bare.db") });
const rate = (baseUrl: string) => async () =>
  (await load({ baseUrl, paths: ["/api/invoices"], body, connections, seconds })).perSecond;
const measured = await alternate(rounds, { till: rate(till.baseUrl), bare: rate(bare.baseUrl) });
report({
  id: "create/bare",
  what: `new invoices, ${connections} connections`,
  unit: "/s",
  till: measured.till,
  beside: { name: "Elysia + bun:sqlite, one durable row", value: measured.bare },
  targets: [ratioAtLeast(0.7)],
});
await till.stop();
await bare.stop();
await chain.stop();
dir.remove();
