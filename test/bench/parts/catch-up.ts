/**
 * Catching up after a time without Till, beside the time that the node alone takes for the same calls for logs, and
 * beside an indexer that stores the same transfers.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { type RpcCall, startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { createRandom } from "../../support/random.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { until } from "../../support/till/till.ts";
import { startTestWatcher } from "../../support/watch/watcher.ts";
import { ratioAtMost, report } from "../line.ts";
import { type LongChain, payOver, startLongChain } from "../long-chain.ts";
import { headOf, storeOpenDeposits, watchProgress } from "../open-deposits.ts";
import { finalDepthBlocks, preparePonder } from "../ponder.ts";
import { alternate, timed } from "../rounds.ts";

/** A quarter of an hour of Base's blocks, in which a day's payments of a thousand shops came: what counts is how many. */
const blocks = 4_500;
const deposits = 10_000;
const payments = 10_417;
const rounds = 5;
const caughtUpMsMax = 60_000;

const dir = makeDataDir();
const [before, copy] = [join(dir.path, "before"), join(dir.path, "copy")];
const random = createRandom(1);
const chain = await startLongChain();
await chain.mine(1);
openData(before);
const addresses = storeOpenDeposits(before, deposits);
await follow(before, chain);
const base = await headOf(chain);
await payOver(chain, blocks, payments, addresses, random);
const head = await headOf(chain);

function openData(dataDir: string): void {
  closeDatabase(openDatabase(dataDir));
}

/** Runs the watcher on these data until it has seen all of the chain; returns the milliseconds. */
async function follow(dataDir: string, node: Pick<LongChain, "rpcUrl" | "usdc">): Promise<number> {
  const target = await headOf(chain);
  const db = openDatabase(dataDir);
  const startedAt = performance.now();
  const watcher = startTestWatcher(db, { TILL_RPC_URL: node.rpcUrl });
  while ((watcher.state().head ?? -1) < target) {
    if (performance.now() - startedAt > caughtUpMsMax) throw new Error(watcher.logged.join("\n"));
    await Bun.sleep(1);
  }
  const took = performance.now() - startedAt;
  await watcher.stop();
  closeDatabase(db);
  return took;
}

async function catchUp(rpcUrl = chain.rpcUrl): Promise<number> {
  rmSync(copy, { recursive: true, force: true });
  cpSync(before, copy, { recursive: true });
  return follow(copy, { ...chain, rpcUrl });
}

const proxy = startRpcProxy(chain.rpcUrl);
await catchUp(proxy.url);
const calls: RpcCall[] = proxy.calls.filter(({ method }) => method === "eth_getLogs");
await proxy.stop();

async function ask(): Promise<number> {
  return timed(async () => {
    for (const [id, call] of calls.entries()) {
      const answer = await fetch(chain.rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id, ...call }),
      });
      await answer.arrayBuffer();
    }
  });
}

const measured = await alternate(rounds, { till: () => catchUp(), node: ask });
const found = watchProgress(copy);
await until(found.now, ({ transfers }) => transfers === payments, 1_000);
found.close();
report({
  id: "catch-up/node",
  what:
    `catching up on ${blocks.toLocaleString("en")} blocks with ${deposits.toLocaleString("en")} open deposits ` +
    `and ${payments.toLocaleString("en")} payments`,
  unit: "ms",
  till: measured.till,
  beside: { name: `the node alone, the same ${calls.length} eth_getLogs`, value: measured.node },
  targets: [ratioAtMost(1.3)],
});

/** Each way once, from nothing: it takes long. */
const index = preparePonder(dir.path);
if (index) await chain.mine(finalDepthBlocks);

async function askPonder(nodes: number): Promise<number | null> {
  if (!index) return null;
  const indexed = await index({ chain, deposits: addresses, from: base + 1, to: head, nodes });
  if (indexed.transfers !== payments) throw new Error(`Ponder stored ${indexed.transfers} of ${payments}`);
  return indexed.ms;
}

report({
  id: "catch-up/ponder",
  what: "the same",
  unit: "ms",
  till: measured.till,
  beside: {
    name: "Ponder as it comes (about 20 calls a second), without its start",
    value: await askPonder(1),
  },
  targets: [ratioAtMost(0.1)],
});
report({
  id: "catch-up/ponder-unlimited",
  what: "the same",
  unit: "ms",
  till: measured.till,
  beside: {
    name: "Ponder with its limit of calls out of the way, without its start",
    value: await askPonder(32),
  },
  targets: [ratioAtMost(0.286)],
});
chain.stop();
dir.remove();
