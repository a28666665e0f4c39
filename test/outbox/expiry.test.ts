import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLog } from "../../src/lib/log.ts";
import { createExpiry } from "../../src/outbox/expiry.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import * as EventStore from "../../src/store/tables/outbox/event.ts";
import { site } from "../support/till/records.ts";
import { linkRequest, startTestTill, type TestTill } from "../support/till/till.ts";

/** That a link's time is over is told once, and of none that is paid, void, or may have been paid in time. */

const node = { rpcUrl: "http://127.0.0.1:9" };
let till: TestTill;
let nowMs = Date.now();
let readTo = Number.POSITIVE_INFINITY;
let unwatched: number[] = [];
let queued = 0;
const expiry = () =>
  createExpiry({
    db: till.db,
    log: createLog({ format: "text", level: "error", write: () => {} }),
    now: () => nowMs,
    site: { ...site, baseUrl: till.baseUrl },
    isReadBeyond: (at) => readTo > at,
    watchAgain: (deposits) => {
      const isAny = deposits.some((deposit) => unwatched.includes(deposit));
      unwatched = [];
      return isAny;
    },
    onQueued: () => {
      queued += 1;
    },
  });
beforeAll(async () => {
  till = await startTestTill(node);
});
afterAll(() => till.stop());

async function make(minutes: number, changes: object = {}) {
  const expires_at = new Date(nowMs + minutes * 60_000).toISOString();
  const { status, body } = await till.api("POST", "/api/links", { ...linkRequest, expires_at, ...changes });
  expect([status, body.errors]).toEqual([201, undefined]);
  const link = LinkStore.bySlug(till.db, body.slug);
  if (link === null) throw new Error("no link");
  return link;
}
const told = ({ deposit: { index } }: LinkStore.LinkHead) => EventStore.count(till.db, index, "link.expired");

test("once, when every payment made in time is known, and not of what is void or marked", async () => {
  const [open, later, gone, marked] = [await make(10), await make(60), await make(10), await make(10)];
  await till.api("POST", `/api/links/${gone.slug}/void`, { reason: "Sold" });
  await till.api("POST", `/api/links/${marked.slug}/mark`, { as: "paid" });
  nowMs += 11 * 60_000;
  readTo = (open.expiresAt ?? 0) - 1;
  await expiry().look();
  expect(told(open)).toBe(0);
  readTo = Number.POSITIVE_INFINITY;
  unwatched = [open.deposit.index];
  await expiry().look();
  expect(told(open)).toBe(0);
  await expiry().look();
  await expiry().look();
  expect([open, later, gone, marked].map(told)).toEqual([1, 0, 0, 0]);
  const timeline = (await till.api("GET", `/api/links/${open.slug}/timeline`)).body.data;
  expect(timeline.at(-1)).toMatchObject({
    type: "expired",
    summary: "Its time is over, and it is not paid: 0.00 USDC received in all.",
  });
});

test("to a receiver in the standard form, and never in the contract's", async () => {
  const webhook_url = "https://shop.example/hook";
  const [standard, contract] = [
    await make(10, { webhook_url, webhook_events: "standard" }),
    await make(10, { webhook_url }),
  ];
  nowMs += 11 * 60_000;
  queued = 0;
  await expiry().look();
  expect([told(standard), told(contract), queued]).toEqual([1, 1, 1]);
  const events = await till.api("GET", `/api/links/${standard.slug}/events`);
  expect(JSON.parse(events.body.data[0].body)).toMatchObject({
    type: "link.expired",
    data: { partially_paid: false },
  });
  expect((await till.api("GET", `/api/links/${contract.slug}/events`)).body.data).toEqual([]);
});
