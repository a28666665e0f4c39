/**
 * How soon a page can be used on a phone of 2019: a browser whose processor is four times slower, over a mobile network with
 * a delay of 150 ms and 1.6 Mbit/s, that has nothing of the page yet. From the click until it is drawn, loaded, and its
 * script has let go of the processor.
 */
import type { Browser } from "playwright-core";
import { beginSession } from "../../../src/people/sessions.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { storeShop } from "../fill.ts";
import { report, tillAtMost } from "../line.ts";
import { median } from "../rounds.ts";
import { buildTill, makeData, startServer, tillEnvironment } from "../server.ts";

const rounds = 7;
const slowdown = 4;
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const screen = { width: 390, height: 844 };
/** A page that did nothing for so long has done what it does. */
const quietMs = 500;

const dir = makeDataDir();
const chain = await startTestChain();
const { slug, token } = await makeData(dir.path, (db) => {
  storeShop(db, 1_000, "open");
  const now = Date.now();
  const person = { name: "Mara", role: "owner", handle: "mara", passwordHash: null, createdAt: now } as const;
  return {
    slug: db.query<{ slug: string }, []>("SELECT slug FROM invoice ORDER BY sequence DESC LIMIT 1").get()
      ?.slug,
    token: beginSession(db, { personId: PersonStore.insert(db, person), device: "Bench", now }).token,
  };
});
const till = await startServer([buildTill(), "serve"], tillEnvironment(chain, dir.path), "/health/live");
const browser = await startBrowser();

type Visit = { readyMs: number; bytes: number };

/** Opens a page as somebody does who was never there. */
async function visit(by: Browser, path: string): Promise<Visit> {
  const context = await by.newContext({
    viewport: screen,
    deviceScaleFactor: 3,
    isMobile: true,
    hasTouch: true,
  });
  await context.addCookies([{ name: "till", value: token, url: till.baseUrl }]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", network);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  let bytes = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(`globalThis.busyUntil = 0; new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) busyUntil = startTime + duration;
  }).observe({ type: "longtask", buffered: true })`);
  await page.goto(till.baseUrl + path, { waitUntil: "load" });
  // Time itself: what is measured is when nothing follows any more.
  await Bun.sleep(quietMs);
  const readyMs = Number(
    await page.evaluate(`Math.max(busyUntil, performance.getEntriesByType("navigation")[0].loadEventEnd,
      performance.getEntriesByName("first-contentful-paint")[0].startTime)`),
  );
  await context.close();
  return { readyMs, bytes };
}

const places = [
  { id: "payer", path: `/i/${slug}`, what: "invoice page", msMax: 1_000, kbMax: 60 },
  { id: "desk", path: "/desk", what: "Home of the desk", msMax: 1_500, kbMax: null },
];
for (const { id, path, what, msMax, kbMax } of places) {
  const visits: Visit[] = [];
  for (let round = 0; round <= rounds; round++) visits.push(await visit(browser, path));
  // The first one pays for what the server compiles and reads on its first use.
  const seen = visits.slice(1);
  report({
    id: `phone/${id}`,
    what: `${what} on a phone of 2019 over a mobile network, until it can be used`,
    unit: "ms",
    till: median(seen.map(({ readyMs }) => readyMs)),
    beside: null,
    targets: [tillAtMost(msMax)],
  });
  report({
    id: `phone/${id}-bytes`,
    what: "the same: what goes over the network",
    unit: "kB",
    till: median(seen.map(({ bytes }) => bytes)) / 1_000,
    beside: null,
    targets: kbMax === null ? [] : [tillAtMost(kbMax)],
  });
}
await browser.close();
await till.stop();
await chain.stop();
dir.remove();
