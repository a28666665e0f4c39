/** Memory when nothing happens, and after a load, beside a bare server that does the same work. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { storeLinks } from "../fill.ts";
import { ratioAtMost, report } from "../line.ts";
import { load } from "../load.ts";
import { buildPeer, buildTill, makeData, residentMb, startServer, tillEnvironment } from "../server.ts";

const connections = 32;
/** Long enough for what a start took to be given back. */
const idleMs = 15_000;
const seconds = 20;

const dir = makeDataDir();
const chain = await startTestChain();
const slugs = await makeData(dir.path, (db) => storeLinks(db, 100_000));
const paths = slugs.map((slug) => `/api/payments/status/${slug}`);
const bareDb = join(dir.path, "bare.db");
copyFileSync(join(dir.path, "till.db"), bareDb);
// Both as executables: so it is run, and without a compiler in its memory.
const till = await startServer([buildTill(), "serve"], tillEnvironment(chain, dir.path), "/health/live");
const bareFile = buildPeer("elysia.ts", join(dir.path, "bare"));
const bare = await startServer([bareFile], { BENCH_DB: bareDb, BENCH_LINKS: "yes" });

function tell(id: string, what: string, atMost: number): void {
  report({
    id,
    what,
    unit: "MB",
    till: residentMb(till.pid),
    beside: { name: "bare Elysia + bun:sqlite", value: residentMb(bare.pid) },
    targets: [ratioAtMost(atMost)],
  });
}

await Bun.sleep(idleMs);
// Pages, documents and the chain are there from the start.
tell("memory/idle", "resident memory when idle", 2.1);
for (const { baseUrl } of [till, bare]) await load({ baseUrl, paths, connections, seconds });
tell("memory/load", `resident memory after ${seconds} s of status calls, ${connections} connections`, 1.6);
await till.stop();
await bare.stop();
await chain.stop();
dir.remove();
