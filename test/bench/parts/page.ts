/** The page of an invoice, made anew for each request, beside the same bytes from memory. */
import { join } from "node:path";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { storeInvoices } from "../fill.ts";
import { ratioAtLeast, report } from "../line.ts";
import { load } from "../load.ts";
import { alternate } from "../rounds.ts";
import { makeData, startPeer, startTillServer } from "../server.ts";

const connections = 32;
/** Pages that people have open, of all that there are. */
const open = 200;
const rounds = 5;
const seconds = 2;

const dir = makeDataDir();
const chain = await startTestChain();
const invoices = await makeData(dir.path, (db) => storeInvoices(db, 10_000));
const till = await startTillServer(chain, dir.path);
const paths = invoices.slice(0, open).map(({ slug }) => `/i/${slug}`);
const file = join(dir.path, "page.html");
const answer = await fetch(till.baseUrl + paths[0]);
if (answer.status !== 200) throw new Error(`no page: ${answer.status}`);
const bytes = await Bun.write(file, await answer.text());
const page = await startPeer("static.ts", { BENCH_PAGE: file });

const rate = (baseUrl: string) => async () =>
  (await load({ baseUrl, paths, connections, seconds })).perSecond;
const measured = await alternate(rounds, { till: rate(till.baseUrl), page: rate(page.baseUrl) });
report({
  id: "page/static",
  what: `invoice page of ${(bytes / 1000).toFixed(0)} kB, one of ${open} open ones, ${connections} connections`,
  unit: "/s",
  till: measured.till,
  beside: { name: "the same bytes by Bun.serve", value: measured.page },
  targets: [ratioAtLeast(0.5)],
});
await till.stop();
await page.stop();
await chain.stop();
dir.remove();
