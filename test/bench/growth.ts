/**
 * Whether Till's memory grows under a steady, mixed load: status, pages, new invoices and links, PDFs and payments.
 * Run: bun test/bench/growth.ts [MINUTES], an hour unless given.
 */
import * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { invoiceRequest, linkRequest } from "../support/till/till.ts";
import { print } from "./figures.ts";
import { buildTill, makeData, residentMb, startServer, tillEnvironment } from "./server.ts";

const minutes = Number(process.argv[2] ?? 60);
const lookEveryMinutes = Math.max(1, Math.round(minutes / 12));
const minuteMs = 60_000;
/** How often each is asked for in a second, and how many of the invoices are open in somebody's browser. */
const perSecond = { status: 100, page: 10, pdf: 2, invoice: 1, payment: 1 };
const openMax = 200;

const dir = makeDataDir();
const chain = await startTestChain();
await makeData(dir.path, () => {});
const till = await startServer([buildTill(), "serve"], tillEnvironment(chain, dir.path), "/health/live");

async function ask(path: string, body?: object): Promise<Response> {
  const init = body && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const answer = await fetch(till.baseUrl + path, init);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

const link = (await (await ask("/api/links", linkRequest)).json()) as { slug: string };
const invoices: { id: string; slug: string; address: string }[] = [];
async function createInvoice(): Promise<void> {
  const answer = await ask("/api/invoices", { ...invoiceRequest, send_now: false });
  const { invoice_id, slug, deposit_address } = (await answer.json()) as Record<string, string>;
  invoices.push({ id: invoice_id ?? "", slug: slug ?? "", address: deposit_address ?? "" });
  if (invoices.length > openMax) invoices.shift();
}
await createInvoice();
const any = () => invoices[Math.floor(Math.random() * invoices.length)] ?? { id: "", slug: "", address: "" };

const work: Record<keyof typeof perSecond, () => Promise<unknown>> = {
  status: async () => (await ask(`/api/payments/status/${link.slug}`)).text(),
  page: async () => (await ask(`/i/${any().slug}`)).text(),
  pdf: async () => (await ask(`/api/invoices/${any().id}/pdf`)).bytes(),
  invoice: createInvoice,
  payment: () => chain.pay(Address.checksum(any().address), "1.00"),
};

const endsAt = performance.now() + minutes * minuteMs;
const counts: Record<string, number> = {};
async function repeat(name: keyof typeof perSecond): Promise<void> {
  while (performance.now() < endsAt) {
    const next = performance.now() + 1000 / perSecond[name];
    await work[name]();
    counts[name] = (counts[name] ?? 0) + 1;
    await Bun.sleep(Math.max(0, next - performance.now()));
  }
}
const running = Promise.all((Object.keys(perSecond) as (keyof typeof perSecond)[]).map(repeat));

const looks: Record<string, string> = { "0 min": `${residentMb(till.pid).toFixed(0)} MB` };
for (let at = lookEveryMinutes; at <= minutes; at += lookEveryMinutes) {
  await Promise.race([
    running,
    Bun.sleep(Math.max(0, endsAt - (minutes - at) * minuteMs - performance.now())),
  ]);
  looks[`${at} min`] = `${residentMb(till.pid).toFixed(0)} MB`;
  console.error(`${at} min: ${looks[`${at} min`]}`);
}
await running;
print(`Memory under ${minutes} minutes of load`, { ...looks, requests: JSON.stringify(counts) });
await till.stop();
await chain.stop();
dir.remove();
process.exit(0);
