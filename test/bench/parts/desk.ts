/** The lists and the searches of the desk, with as many invoices as a shop never makes. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beginSession } from "../../../src/people/sessions.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { until } from "../../support/till/till.ts";
import { percentile, quick } from "../figures.ts";
import { copyShop } from "../kept.ts";
import { report, tillAtMost } from "../line.ts";
import type { Holds } from "../loop-probe.ts";
import { timed } from "../rounds.ts";
import { buildTill, makeData, startServer, tillEnvironment } from "../server.ts";

/** Each with what the 95th percentile may take, in ms. */
const sizes = quick
  ? [{ count: 10_000, atMost: 10 }]
  : [
      { count: 100_000, atMost: 10 },
      { count: 1_000_000, atMost: 30 },
    ];
/** The probe writes once a second. */
const probeMs = 1_500;
/** All of the database is read first, which takes some seconds for each GB. */
const readyMsMax = 60_000;
const homeAtMost = 20;
const holdAtMost = 20;
const rounds = 15;
/** Of all invoices as CSV so much is read, in rows. */
const csvRows = 20_000;
const newline = 0x0a;

const dayMs = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
const kinds = ["all", "open", "overdue", "paid", "void"];
const days = [
  `&from=${day(1)}&to=${day(0)}`,
  `&from=${day(9)}&to=${day(3)}`,
  `&from=${day(800)}&to=${day(400)}`,
  `&to=${day(0)}`,
];

const paths = {
  home: ["/desk"],
  list: [
    ...kinds.flatMap((kind) => ["", ...days].map((narrowed) => `/desk/invoices?kind=${kind}${narrowed}`)),
    ...kinds.map((kind) => `/desk/invoices?kind=${kind}&before=INV-4711${days[3]}`),
    "/desk/customers",
    "/desk/customers?owing=1",
    "/desk/customers/7",
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
  // Only how long they hold the server up is told: words that many have, and that nobody has together.
  other: [
    "/desk/invoices?q=hotel+studio",
    "/desk/invoices?q=inv-1+hotel",
    "/desk/customers?q=hotel+studio",
    "/desk/links",
    "/desk/links?q=hotel",
    "/desk/counter",
    "/desk/money",
    "/desk/settings/health",
    "/desk/settings/webhooks",
  ],
};
const whats = { home: "Home of the desk", list: "lists of the desk", search: "searches at the desk" };

const dir = makeDataDir();
const executable = buildTill();
const chain = await startTestChain();
for (const { count, atMost } of sizes) {
  const times = { home: [] as number[], list: [] as number[], search: [] as number[], other: [] as number[] };
  let holdMs = 0;
  for (const shop of ["settled", "open"] as const) {
    const dataDir = join(dir.path, `${shop}-${count}`);
    await copyShop(dataDir, count, shop);
    const token = await makeData(dataDir, (db) => {
      const now = Date.now();
      const person = {
        name: "Mara",
        role: "owner",
        handle: "mara",
        passwordHash: null,
        createdAt: now,
      } as const;
      return beginSession(db, { personId: PersonStore.insert(db, person), device: "Bench", now }).token;
    });
    const holdsFile = join(dir.path, "holds");
    const env = {
      ...tillEnvironment(chain, dataDir),
      BUN_OPTIONS: `--preload ${join(import.meta.dir, "../loop-probe.ts")}`,
      BENCH_HOLDS: holdsFile,
    };
    const till = await startServer([executable, "serve"], env, "/health/live");
    const holds = () => JSON.parse(readFileSync(holdsFile, "utf8")) as Holds[];
    const open = async (path: string) => {
      const answer = await fetch(till.baseUrl + path, {
        headers: { cookie: `till=${token}` },
        redirect: "manual",
      });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      return answer;
    };
    await until(
      () => fetch(`${till.baseUrl}/health/ready`),
      ({ status }) => status === 200,
      readyMsMax,
    );
    // What is compiled on its first use, and read from the disk.
    for (const path of Object.values(paths).flat()) await (await open(path)).arrayBuffer();
    await Bun.sleep(probeMs);
    const before = holds().length;
    for (let round = 0; round < rounds; round++)
      for (const name of ["home", "list", "search", "other"] as const)
        for (const path of paths[name])
          times[name].push(await timed(async () => void (await (await open(path)).arrayBuffer())));
    await readSome(await open("/desk/invoices.csv"), csvRows);
    await Bun.sleep(probeMs);
    holdMs = Math.max(
      holdMs,
      ...holds()
        .slice(before)
        .map(({ clock }) => clock),
    );
    await till.stop();
    rmSync(dataDir, { recursive: true });
  }
  const size = `with ${count.toLocaleString("en")} invoices`;
  for (const name of ["home", "list", "search"] as const)
    report({
      id: `desk/${name}-${count}`,
      what: `${whats[name]}, 95th percentile, ${size}`,
      unit: "ms",
      till: percentile(times[name], 0.95),
      beside: null,
      targets: [tillAtMost(name === "home" ? homeAtMost : atMost)],
    });
  report({
    id: `desk/hold-${count}`,
    what: `longest stand-still of the server by pages of the desk, ${size}`,
    unit: "ms",
    till: holdMs,
    beside: null,
    targets: [tillAtMost(holdAtMost)],
  });
}
await chain.stop();
dir.remove();

async function readSome(answer: Response, rows: number): Promise<void> {
  let lines = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    lines += part.filter((byte) => byte === newline).length;
    if (lines > rows) return;
  }
}
