/** The call that every open checkout polls, with 100,000 payment links. */
import { join } from "node:path";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { quick } from "../figures.ts";
import { storeLinks } from "../fill.ts";
import { ratioAtLeast, report } from "../line.ts";
import { load } from "../load.ts";
import { alternate } from "../rounds.ts";
import { hasPeer, makeData, startPeer, startTillServer } from "../server.ts";

const links = 100_000;
const connections = 32;
const rounds = quick ? 3 : 5;
const seconds = 2;

const dir = makeDataDir();
const chain = await startTestChain();
const slugs = await makeData(dir.path, (db) => storeLinks(db, links));
const paths = slugs.map((slug) => `/api/payments/status/${slug}`);
const env = { BENCH_DB: join(dir.path, "till.db"), BENCH_LINKS: "yes" };
const withExpress = !quick && hasPeer("express") && hasPeer("better-sqlite3");
const till = await startTillServer(chain, dir.path);
const elysia = await startPeer("elysia.ts", env);
const express = withExpress ? await startPeer("express.mjs", env) : null;

const answers = await Promise.all(
  [till, elysia, ...(express ? [express] : [])].map(async ({ baseUrl }) =>
    (await fetch(baseUrl + paths[0])).text(),
  ),
);
if (new Set(answers).size !== 1) throw new Error(`not the same answers: ${answers.join(" ")}`);

const rate = (baseUrl: string) => async () =>
  (await load({ baseUrl, paths, connections, seconds })).perSecond;
const measured = await alternate<string>(rounds, {
  till: rate(till.baseUrl),
  elysia: rate(elysia.baseUrl),
  ...(express ? { express: rate(express.baseUrl) } : {}),
});
const what = `status of one of ${links.toLocaleString("en")} links, ${connections} connections`;
const own = { what, unit: "/s", till: measured["till"] ?? Number.NaN } as const;
report({
  ...own,
  id: "status/elysia",
  beside: { name: "bare Elysia + bun:sqlite", value: measured["elysia"] ?? null },
  // Who asks, how often, and which page may read the answer: the bare one asks nothing.
  targets: [ratioAtLeast(0.65)],
});
if (!quick) {
  report({
    ...own,
    id: "status/express",
    beside: { name: "Express + better-sqlite3", value: measured["express"] ?? null },
    targets: [ratioAtLeast(4)],
  });
}
for (const server of [till, elysia, express]) await server?.stop();
await chain.stop();
dir.remove();
