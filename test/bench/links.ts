/**
 * Whether creating and polling payment links stays as fast when there are many: the last thousand of 10,000 beside
 * the first thousand, in one run. Run: bun test/bench/links.ts
 */
import { startTestChain } from "../support/chain.ts";
import { startTestTill } from "../support/till.ts";

const links = 10_000;
const sample = 1_000;

const chain = await startTestChain();
const till = await startTestTill(chain, { TILL_LOG_LEVEL: "error" });
const request = {
  business_name: "Shop",
  expected_amount: "25.00",
  merchant_email: "a@shop.example",
  wallet_type: "managed",
};

const createMs: number[] = [];
const slugs: string[] = [];
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const pollMs: number[] = [];
async function pollAll(some: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const slug of some) times.push(await timed(() => till.api("GET", `/api/payments/status/${slug}`)));
  return median(times);
}

for (let i = 0; i < links; i++) {
  createMs.push(
    await timed(async () => {
      const { status, body } = await till.api("POST", "/api/links", request);
      if (status !== 201) throw new Error(JSON.stringify(body));
      slugs.push(body.slug);
    }),
  );
  if (i === sample - 1) pollMs.push(await pollAll(slugs));
}
pollMs.push(await pollAll(slugs.slice(-sample)));
await till.stop();
await chain.stop();

const row = (what: string, first: number, last: number) =>
  console.log(
    `${what}: first thousand ${first.toFixed(2)} ms, last of ${links} ${last.toFixed(2)} ms, ratio ${(last / first).toFixed(2)}`,
  );
row("create (median)", median(createMs.slice(0, sample)), median(createMs.slice(-sample)));
row("poll   (median)", pollMs[0] ?? 0, pollMs[1] ?? 0);
