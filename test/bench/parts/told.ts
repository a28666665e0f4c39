/**
 * How soon people see a payment on a chain with a block every 200 ms: from the node's word of the block to the invoice page,
 * the checkout and the counter in a browser, and to a terminal that waits; and to the page while 900 others wait as well.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { topicOf, transferTopic } from "../../../src/chain/transfer/transfer-log.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { createPayer } from "../../support/chain/payer.ts";
import { createRandom } from "../../support/random.ts";
import { startProcess } from "../../support/till/process.ts";
import { linkRequest, startTestTill, until } from "../../support/till/till.ts";
import { percentile } from "../figures.ts";
import { report, tillAtMost } from "../line.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const rounds = values.quick ? 10 : 20;
/** The first ones pay for what is compiled on its first use. */
const warmUpRounds = 3;
const crowd = 900;
const shownMsMax = 20_000;
const cli = join(import.meta.dir, "../../../src/cli");

const random = createRandom(1);
const chain = await startTestChain({ blockMs: 200 });
const payer = createPayer(chain, { sent: () => {} }, random);
// Everybody of the crowd has an address of their own.
const till = await startTestTill(chain, {
  TILL_TRUST_PROXY: "127.0.0.0/8",
  TILL_CONFIRMATIONS: "1",
  TILL_LIMIT_READS: "1000000",
});
const browser = await startBrowser();

/** When the node told of a block with the payment; by the topic of its recipient. */
const blockAt = new Map<string, number>();
const node = new WebSocket(chain.wsUrl);
await new Promise((resolve) => node.addEventListener("open", resolve));
node.onmessage = ({ data }) => {
  const to = JSON.parse(String(data)).params?.result.topics[2];
  if (to) blockAt.set(to, performance.now());
};
const filter = { address: chain.usdc, topics: [transferTopic] };
node.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["logs", filter] }));

type Place = { to: Address; shownAt: (received: number) => Promise<number> };

const large = { expected_amount: "100000.00" };
const newLink = async () => (await till.api("POST", "/api/links", { ...linkRequest, ...large })).body;

/** A page in the browser, and when a sum is in what it says of the payment. */
async function openPage(url: string, act = async (_: Page) => {}) {
  const page = await (await browser.newContext({ locale: "en" })).newPage();
  let [text, changedAt] = ["", 0];
  await page.exposeFunction("changed", (now: string) => {
    [text, changedAt] = [now, performance.now()];
  });
  await page.addInitScript(`addEventListener("DOMContentLoaded", () =>
    new MutationObserver(() => changed(document.querySelector("[data-payment], #sale")?.textContent ?? ""))
      .observe(document.body, { subtree: true, childList: true, characterData: true }))`);
  await page.goto(url);
  await act(page);
  const shownAt = async (received: number) => {
    await until(
      () => text,
      (now) => now.includes(`${received}.00 of `),
      shownMsMax,
    );
    return changedAt;
  };
  return { page, shownAt };
}

const places: Record<string, Place> = {};
const invoice = await till.createInvoice({
  line_items: [{ description: "Tea", quantity: 1, unit_price: "100000.00" }],
});
const invoiceUrl = invoice["invoice_url"] ?? "";
places["invoice page"] = { ...(await openPage(invoiceUrl)), to: invoice["deposit_address"] as Address };
const link = await newLink();
places["checkout"] = { ...(await openPage(link.payment_link)), to: link.deposit_address };
const counter = await openPage(`${till.baseUrl}/desk/counter`, async (page) => {
  await page.keyboard.type("10000000");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#sale-codes");
});
const sale = LinkStore.bySlug(till.db, counter.page.url().split("/").at(-1) ?? "");
places["counter"] = { ...counter, to: sale?.deposit.address as Address };
const watched = await newLink();
const terminal = startProcess([
  ...[process.execPath, "-e"],
  `const { createClient } = await import(${JSON.stringify(`${cli}/api/client.ts`)});
  const { watch } = await import(${JSON.stringify(`${cli}/commands/issue/issue.ts`)});
  const payment = { path: "/api/payments/status/${watched.slug}", page: "/pay/${watched.slug}", name: "It", ids: {} };
  await watch(createClient({ TILL_BASE_URL: ${JSON.stringify(till.baseUrl)} }), payment, { json: false });`,
]);
await terminal.line((line) => line.startsWith("Waiting"));
places["terminal"] = {
  to: watched.deposit_address,
  async shownAt(received) {
    await terminal.line(
      (line) => line.includes(`: ${received}.00 of `) || line.includes(` ${received}.00 of `),
    );
    return performance.now();
  },
};

/** Pays a dollar again and again, at any moment between two blocks, and seldom enough for a look at once. Returns how long each took to show, in ms. */
async function measure({ to, shownAt }: Place, from: number): Promise<number[]> {
  const took: number[] = [];
  const topic = topicOf(to);
  for (let round = 1; round <= warmUpRounds + rounds; round++) {
    await Bun.sleep(random.between(1_100, 1_500));
    blockAt.delete(topic);
    await payer.pay({ to, amount: 1_000_000n });
    const at = await shownAt(from + round);
    if (round > warmUpRounds) took.push(at - (blockAt.get(topic) ?? Number.NaN));
  }
  return took;
}

function tell(id: string, where: string, took: readonly number[]): void {
  for (const [name, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ] as const)
    report({
      id: `told/${id}-${name}`,
      what: `block to ${where}, ${name}`,
      unit: "ms",
      till: percentile(took, share),
      beside: null,
      targets: name === "p99" ? [tillAtMost(300)] : [],
    });
}

for (const [name, place] of Object.entries(places))
  tell(
    name.replace(" ", "-"),
    `the ${name}${name === "terminal" ? "" : " in a browser"}`,
    await measure(place, 0),
  );

const waiters = startProcess(
  [
    ...[process.execPath, "-e"],
    `const waiting = Array.from({ length: ${crowd} }, async (_, at) => {
      const headers = { "x-forwarded-for": "10.0." + (at >> 8) + "." + (at & 255) };
      for (let shown = "", begun = false; ; ) {
        const answer = await fetch(${JSON.stringify(`${invoiceUrl}/told?shown=`)} + encodeURIComponent(shown), { headers });
        if (answer.ok) shown = await answer.text();
        if (!begun) console.log("begun");
        begun = true;
        await Bun.sleep(100);
      }
    });
    await Promise.all(waiting);`,
  ],
  { env: { BUN_CONFIG_MAX_HTTP_REQUESTS: `${2 * crowd}` } },
);
await until(
  () => waiters.stdout().split("begun").length,
  (count) => count > crowd,
  shownMsMax,
);
const first = places["invoice page"];
if (first)
  tell(
    "crowd",
    `the invoice page in a browser, while ${crowd} others wait for the same`,
    await measure(first, warmUpRounds + rounds),
  );

await waiters.end("SIGKILL");
await terminal.end("SIGKILL");
await browser.close();
node.close();
await till.stop();
await chain.stop();
process.exit();
