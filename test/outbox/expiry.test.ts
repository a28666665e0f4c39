import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Link } from "../../src/domain/link/link.ts";
import * as Common from "../../src/domain/receivable/common.ts";
import { createLog } from "../../src/lib/log.ts";
import { createExpiry, type ExpiryDeps } from "../../src/outbox/expiry.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as EventStore from "../../src/store/tables/outbox/event.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import * as WatchedStore from "../../src/store/tables/watch/watched.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { cross } from "../support/till/moves.ts";
import { namedOf, recordSettings, storeLink } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";

const madeAt = Date.UTC(2027, 0, 1);
const minuteMs = 60_000;
const expiresAt = madeAt + 15 * minuteMs;
let clockMs: number;

beforeEach(() => {
  makeDatabase();
  clockMs = expiresAt + minuteMs;
});
afterEach(removeDatabase);

const log = createLog({ format: "text", level: "debug", write: () => {} });
const look = (changes: Partial<ExpiryDeps> = {}) =>
  createExpiry({
    ...{ db, recordSettings, log, now: () => clockMs, onQueued: () => {} },
    readNow: async () => true,
    isReadBeyond: () => true,
    watchAgain: () => false,
    ...changes,
  }).look();

function expiring(at = expiresAt): Link {
  const link = storeLink(db, {
    now: madeAt,
    webhookUrl: "https://shop.example/hook",
    webhookEvents: "standard",
  });
  db.query("UPDATE link SET expires_at = ? WHERE id = ?").run(at, link.id);
  return link;
}

const told = () =>
  EventStore.list(db, { limit: 100 })
    .rows.map(({ type, data, depositIndex }) => ({ type, data, of: depositIndex }))
    .reverse();
const bodiesOf = ({ deposit }: Link) =>
  WebhookHistoryStore.list(db, deposit.index).map(({ body }) => JSON.parse(body));

function statusFor(received: string) {
  if (received === "0.00") return "pending";
  return received === "100.00" ? "confirmed" : "partial";
}

/** Gives it confirmed and pending money. */
function credit(link: Link, received: string, pending = "0.00"): void {
  db.query("UPDATE receivable SET received_amount = ?, pending_amount = ? WHERE deposit_index = ?").run(
    usdc(received),
    usdc(pending),
    link.deposit.index,
  );
  ReceivableStore.setStatus(db, namedOf("link", link), statusFor(received));
}

test("a link that expires unpaid is told of once, with what had come of it", async () => {
  const [bare, part] = [expiring(), expiring()];
  storeLink(db);
  expiring(clockMs + 1);
  credit(part, "40.00");
  expect(await look()).toBe(minuteMs);
  await look();
  const both = [
    { of: bare.deposit.index, data: { status: "pending", received_amount: "0.00", partially_paid: false } },
    { of: part.deposit.index, data: { status: "partial", received_amount: "40.00", partially_paid: true } },
  ];
  expect(told()).toEqual(both.map((each) => ({ type: "link.expired", ...each })));
  expect(bodiesOf(part)).toMatchObject([
    { type: "link.expired", data: { link: { slug: part.slug }, partially_paid: true } },
  ]);
  // As a backup has it that was made before.
  db.run("UPDATE link SET expiry_told = 0");
  await look();
  expect(told()).toHaveLength(2);
});

test("nobody is told of one that is paid, void or marked as paid, however often it is looked at", async () => {
  credit(expiring(), "100.00");
  ReceivableStore.setClosed(db, namedOf("link", expiring()), { ...Common.open, voidedAt: 1 }, "void");
  ReceivableStore.setClosed(
    db,
    namedOf("link", expiring()),
    { ...Common.open, markedPaidAt: 1 },
    "confirmed",
  );
  await look({ isReadBeyond: () => false });
  expect(told()).toEqual([]);
  const untold = { now: clockMs, after: { expiresAt: 0, id: 0 }, limit: 10 };
  expect(LinkStore.listExpiredUntold(db, untold)).toEqual([]);
});

test("nobody is told before the chain is read beyond the end, watched, and compared", async () => {
  const link = expiring();
  expect(await look({ readNow: async () => false })).toBe(10_000);
  expect(await look({ isReadBeyond: (at) => at < expiresAt })).toBe(10_000);
  await look({ watchAgain: () => true });
  WatchedStore.touch(db, [link.deposit.index], clockMs);
  await look();
  expect(told()).toEqual([]);
  db.query("UPDATE receivable SET compare_at = ?").run(clockMs + 1);
  await look();
  expect(told()).toHaveLength(1);
});

test("money on its way is waited for, and others are told of meanwhile", async () => {
  const [coming, other] = [expiring(), expiring()];
  credit(coming, "0.00", "100.00");
  await look();
  expect(told()).toMatchObject([{ of: other.deposit.index }]);
  credit(coming, "100.00");
  await look();
  expect(told()).toHaveLength(1);
  const gone = expiring();
  credit(gone, "0.00", "100.00");
  await look();
  credit(gone, "0.00");
  await look();
  expect(told()).toMatchObject([{ of: other.deposit.index }, { of: gone.deposit.index }]);
});

test("what Circle has signed on another network is waited for if it is enough, and for a day", async () => {
  const [enough, part, old] = [expiring(), expiring(), expiring()];
  const dayMs = 86_400_000;
  cross(db, enough.deposit.index, usdc("100.00"), clockMs);
  cross(db, part.deposit.index, usdc("99.99"), clockMs);
  cross(db, old.deposit.index, usdc("100.00"), clockMs - dayMs - 1);
  await look();
  expect(told().map(({ of }) => of)).toEqual([part.deposit.index, old.deposit.index]);
  clockMs += dayMs + 1;
  await look();
  expect(told().map(({ of }) => of)).toEqual([part, old, enough].map(({ deposit }) => deposit.index));
});

test("many are told of in turns, each once", async () => {
  for (let i = 0; i < 250; i++) expiring(expiresAt - (i % 3));
  let queued = 0;
  await look({ onQueued: () => queued++ });
  expect(queued).toBe(3);
  const { n } = db.query<{ n: bigint }, []>("SELECT count(DISTINCT deposit_index) AS n FROM event").get() ?? {
    n: 0n,
  };
  expect(Number(n)).toBe(250);
});
