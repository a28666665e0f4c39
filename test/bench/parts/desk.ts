/** The lists and the searches of the desk, with as many invoices as a shop never makes. */
import { join } from "node:path";
import { beginSession } from "../../../src/people/sessions.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { percentile, quick } from "../figures.ts";
import { storeShop } from "../fill.ts";
import { report, tillAtMost } from "../line.ts";
import { timed } from "../rounds.ts";
import { makeData, startTillServer } from "../server.ts";

/** Each with what the 95th percentile may take, in ms. */
const sizes = quick
  ? [{ count: 10_000, atMost: 10 }]
  : [
      { count: 100_000, atMost: 10 },
      { count: 1_000_000, atMost: 30 },
    ];
const rounds = 25;

const paths = {
  list: [
    "/desk/invoices",
    "/desk/invoices?kind=open",
    "/desk/invoices?kind=overdue",
    "/desk/invoices?kind=paid&from=2024-01-01&to=2024-12-31",
    "/desk/invoices?kind=void&before=INV-4711",
    "/desk/customers",
    "/desk/customers?owing=1",
  ],
  search: [
    "/desk/invoices?q=INV-9471",
    "/desk/invoices?q=morgenrot",
    "/desk/invoices?q=cafe+halden+77",
    "/desk/invoices?q=accounts",
    "/desk/invoices?q=PO-004",
    "/desk/invoices?q=1%2C738.80",
    "/desk/invoices?q=linde&kind=void",
    "/desk/invoices?q=nobody",
    "/desk/customers?q=hotel",
  ],
};

const dir = makeDataDir();
const chain = await startTestChain();
for (const { count, atMost } of sizes) {
  const dataDir = join(dir.path, String(count));
  const token = await makeData(dataDir, (db) => {
    storeShop(db, count);
    const now = Date.now();
    const person = {
      name: "Mara",
      role: "owner",
      handle: "mara",
      passwordHash: null,
      createdAt: now,
    } as const;
    return beginSession(db, { personId: PersonStore.insert(db, person), device: "Bench", now });
  });
  const { baseUrl, stop } = await startTillServer(chain, dataDir);
  const ask = async (path: string) => {
    const answer = await fetch(baseUrl + path, { headers: { cookie: `till=${token}` }, redirect: "manual" });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    await answer.arrayBuffer();
  };
  for (const name of ["list", "search"] as const) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++)
      for (const path of paths[name]) {
        const ms = await timed(() => ask(path));
        if (round > 0) times.push(ms);
      }
    report({
      id: `desk/${name}-${count}`,
      what: `${name === "list" ? "lists of the desk" : "searches at the desk"}, 95th percentile, with ${count.toLocaleString("en")} invoices`,
      unit: "ms",
      till: percentile(times, 0.95),
      beside: null,
      targets: [tillAtMost(atMost)],
    });
  }
  await stop();
}
await chain.stop();
dir.remove();
