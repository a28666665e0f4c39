import { beforeEach, expect, test } from "bun:test";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, type TestTill, until, untilIs } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, {}, patient));
let link: Payable;

type Payable = { url: string; to: Address };

/** Nobody who waits is answered because of the time, however slow the machine is. */
const patient = { longPollHoldMs: 600_000 };

beforeEach(async () => {
  link = await newLink(till);
});

async function newLink(of: TestTill): Promise<Payable> {
  const { body } = await of.api("POST", "/api/links", linkRequest);
  return { url: `${of.localUrl}/pay/${body.slug}/told`, to: body.deposit_address };
}

const unpaid = "pending 0 0";

/** Waits for something else than what is shown. */
const wait = ({ url }: Payable, shown = unpaid, init: RequestInit = {}) =>
  fetch(`${url}?shown=${encodeURIComponent(shown)}`, init);

/** As many waits as one address may have, when they have begun; and the answer to one more. */
async function waitFully(payable: Payable, init: RequestInit = {}) {
  const ended: Response[] = [];
  const waits = Array.from({ length: 21 }, async () => {
    const answer = await wait(payable, unpaid, init);
    ended.push(answer);
    return await answer.text();
  });
  const [refused] = await until(
    () => ended,
    ({ length }) => length > 0,
  );
  return { waits, ended, refused };
}

test("who waits is told as soon as money comes, and nobody who waits for something else", async () => {
  const invoice = await till.createInvoice();
  const ofInvoice = {
    url: `${till.localUrl}${new URL(invoice["invoice_url"] ?? "").pathname}/told`,
    to: invoice["deposit_address"] as Address,
  };
  const [others, waits] = [wait(link), wait(ofInvoice, "draft 0 0")];
  expect(await (await fetch(ofInvoice.url)).text()).toBe("draft 0 0");
  await chain.pay(ofInvoice.to, "1.00");
  expect(await (await waits).text()).toBe("partial 1000000 0");
  expect(Bun.peek.status(others)).toBe("pending");
  await chain.pay(link.to, "25.00");
  expect(await (await others).text()).toBe("confirmed 25000000 0");
});

test("a reusable link and an unknown one tell of nothing", async () => {
  expect((await fetch(`${till.localUrl}/pay/nothing/told`)).status).toBe(404);
  expect((await fetch(`${till.localUrl}/i/nothing/told`)).status).toBe(404);
});

test("twenty of one address wait at most, and give their places back when they go", async () => {
  const leaving = new AbortController();
  const { waits, ended, refused } = await waitFully(link, { signal: leaving.signal });
  expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([429, "5"]);
  leaving.abort();
  await Promise.allSettled(waits);
  expect(ended.length).toBe(1);
  await untilIs(async () => {
    const waiting = wait(link, await (await fetch(link.url)).text());
    await chain.pay(link.to, "0.01");
    return (await waiting).status;
  }, 200);
});

test("those whom Till cannot tell apart are counted in all alone", async () => {
  const own = await startTestTill(chain, { TILL_TRUST_PROXY: "127.0.0.0/8" }, patient);
  const paid = await newLink(own);
  const waits = Array.from({ length: 30 }, () => wait(paid).then(({ status }) => status));
  await chain.pay(paid.to, "25.00");
  expect(new Set(await Promise.all(waits))).toEqual(new Set([200]));
  await own.stop();
});

test("those who wait are answered when Till ends, which does not wait for them", async () => {
  const own = await startTestTill(chain, {}, patient);
  const { waits } = await waitFully(await newLink(own));
  await own.stop();
  const answers = await Promise.all(waits);
  expect(answers.filter((answer) => answer === unpaid).length).toBe(20);
});
