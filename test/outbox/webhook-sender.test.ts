import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { createVault } from "../../src/lib/crypto.ts";
import { createLog } from "../../src/lib/log.ts";
import { enter, world } from "../../src/lib/world.ts";
import { limitMsDefault } from "../../src/outbox/webhook/post.ts";
import { startWebhookSender, type WebhookSender } from "../../src/outbox/webhook-sender.ts";
import { closeDatabase, type Db } from "../../src/store/database.ts";
import { newSecret, placeOf } from "../../src/store/secrets.ts";
import * as WebhookEventStore from "../../src/store/tables/outbox/webhook-event.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { storeInvoice, words } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";
import { tcpReceiver } from "./receivers.ts";

const system = { ...world };
let dir: ReturnType<typeof makeDataDir>;
let db: Db;
let receiver: Receiver;
let sender: WebhookSender | null;
let clockMs: number;

beforeEach(async () => {
  dir = makeDataDir();
  db = openNewDatabase(dir.path);
  receiver = await startReceiver();
  sender = null;
  clockMs = Date.now();
});
afterEach(async () => {
  await sender?.stop();
  enter(system);
  await receiver.stop();
  closeDatabase(db);
  dir.remove();
});

const logged: string[] = [];
const log = createLog({ format: "text", level: "warn", write: (line) => logged.push(line) });

function start(publicOnly = false): WebhookSender {
  sender = startWebhookSender({
    db,
    log,
    now: () => clockMs,
    publicOnly,
    vault: Promise.resolve(vault),
    words,
  });
  return sender;
}

/** No attempt ends for want of time, however slow the machine is. */
const waitForAnswers = () =>
  enter({
    ...system,
    setTimeout: (run, ms) => system.setTimeout(run, ms === limitMsDefault ? 3_600_000 : ms),
  });

const vault = createVault(new Uint8Array(32).fill(3));

let lastEvent = 0;
function addEvent(url: string, status = "paid", sealer = vault): string {
  const { deposit } = storeInvoice(db, { webhookUrl: url });
  lastEvent += 1;
  const id = `evt_${lastEvent}`;
  const body = `{"event":"invoice.paid","n":${lastEvent}}`;
  WebhookEventStore.insert(db, {
    id,
    depositIndex: deposit.index,
    status,
    url,
    secret: sealer.seal(newSecret(), placeOf.deposit(deposit.index)),
    body,
    createdAt: clockMs,
  });
  return id;
}

function eventOf(id: string) {
  for (let index = 0; ; index++) {
    const events = WebhookHistoryStore.list(db, index);
    const found = events.find((event) => event.id === id);
    if (found) return found;
    if (events.length === 0 && index > 2000) throw new Error(`no event ${id}`);
  }
}

describe("the webhook sender", () => {
  test("of a public Till tells merchants nothing of the names inside its network, and its operator does know", async () => {
    const inside = addEvent(`http://${hostname()}:9/hook`);
    const nowhere = addEvent("http://no-such-host.invalid/hook");
    logged.length = 0;
    start(true);
    const attemptOf = async (id: string) => {
      const event = await until(
        () => eventOf(id),
        ({ attempts }) => attempts.length > 0,
      );
      const { startedAt: _, ...attempt } = event.attempts[0] ?? { startedAt: 0 };
      return attempt;
    };
    expect(await attemptOf(inside)).toEqual(await attemptOf(nowhere));
    const lineOf = (id: string) => logged.find((line) => line.includes(`webhook=${id}`)) ?? "";
    expect(lineOf(inside)).toContain(`${hostname()} is not a public address`);
    expect(lineOf(nowhere)).toContain("host name not found");
  });

  test("never sends an acknowledged event again, also after a restart", async () => {
    const id = addEvent(receiver.url);
    start();
    await until(
      () => eventOf(id).state,
      (state) => state === "delivered",
    );
    await sender?.stop();
    clockMs += 10 * 86_400_000;
    const later = addEvent(receiver.url);
    start();
    await until(
      () => eventOf(later).state,
      (state) => state === "delivered",
    );
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, later]);
  });

  test("repeats a failed event with the same id and bytes, at the time that is in the database", async () => {
    receiver.answerWith(500, 302, 200);
    const other = await startReceiver();
    const id = addEvent(receiver.url);
    const running = start();
    for (let attempts = 1; attempts < 3; attempts++) {
      const { nextAttemptAt } = await until(
        () => eventOf(id),
        (event) => event.attempts.length === attempts,
      );
      const pauseMs = (nextAttemptAt ?? 0) - clockMs;
      const scheduleMs = attempts === 1 ? 5_000 : 30_000;
      expect(Math.abs(pauseMs - scheduleMs)).toBeLessThanOrEqual(scheduleMs * 0.2 + 1);
      clockMs = (nextAttemptAt ?? 0) - 1;
      // What is due by then is sent.
      const due = addEvent(other.url);
      running.wake();
      await until(
        () => eventOf(due).state,
        (state) => state === "delivered",
      );
      expect(receiver.received).toHaveLength(attempts);
      clockMs += 1;
      running.wake();
    }
    const event = await until(
      () => eventOf(id),
      ({ state }) => state === "delivered",
    );
    expect(event.attempts.map(({ httpStatus }) => httpStatus)).toEqual([500, 302, 200]);
    expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await other.stop();
  });

  test.each([
    ["months", 60 * 86_400_000],
    ["hours", 3 * 3_600_000],
    ["a minute", 60_000],
  ])("does not wait for a time that a clock planned which was wrong by %s", async (_, aheadMs) => {
    receiver.answerWith(500, 500, 200);
    const id = addEvent(receiver.url);
    const running = start();
    for (let attempts = 1; attempts < 3; attempts++) {
      await until(
        () => eventOf(id).attempts.length,
        (count) => count === attempts,
      );
      clockMs -= aheadMs;
      running.wake();
    }
    await until(
      () => eventOf(id).state,
      (state) => state === "delivered",
    );
    expect(receiver.received).toHaveLength(3);
  });

  test("stops at 410, and sends once more when asked to", async () => {
    receiver.answerWith(410, 200);
    const id = addEvent(receiver.url);
    const running = start();
    await until(
      () => eventOf(id).state,
      (state) => state === "failed",
    );
    expect(WebhookEventStore.redeliver(db, id, clockMs)).toBe(true);
    running.wake();
    await until(
      () => eventOf(id).state,
      (state) => state === "delivered",
    );
    expect(WebhookEventStore.redeliver(db, "evt_nothing", clockMs)).toBe(false);
  });

  test("takes what it cannot sign for failed, and sends the rest", async () => {
    const broken = addEvent(receiver.url, "paid", createVault(new Uint8Array(32).fill(4)));
    const whole = addEvent(receiver.url);
    start();
    await until(
      () => [broken, whole].map((id) => eventOf(id).attempts.length),
      ([first, second]) => first === 1 && second === 1,
    );
    expect([broken, whole].map((id) => eventOf(id).state)).toEqual(["pending", "delivered"]);
    expect(receiver.received).toHaveLength(1);
  });

  test("gives up after the eleventh attempt", async () => {
    receiver.answerWith(503);
    const id = addEvent(receiver.url);
    const running = start();
    for (let attempts = 1; attempts <= 11; attempts++) {
      const event = await until(
        () => eventOf(id),
        (found) => found.attempts.length === attempts,
      );
      clockMs = event.nextAttemptAt ?? clockMs;
      running.wake();
    }
    expect(eventOf(id)).toMatchObject({ state: "failed", nextAttemptAt: null });
  });

  test("twenty dead receivers with more events than can be sent at a time delay nobody else", async () => {
    const silent = await Promise.all(Array.from({ length: 20 }, () => tcpReceiver(() => undefined)));
    for (const { url } of silent) for (let i = 0; i < 8; i++) addEvent(url);
    clockMs += 1;
    const id = addEvent(receiver.url);
    waitForAnswers();
    start();
    await until(
      () => eventOf(id).state,
      (state) => state === "delivered",
    );
    await sender?.stop();
    // None of their attempts has ended.
    expect(WebhookEventStore.listDue(db, clockMs, { total: 1000, perReceiver: 1000 })).toHaveLength(160);
    for (const { stop } of silent) stop();
  });

  test("finds what is due beside a long backlog of one receiver", () => {
    const { deposit } = storeInvoice(db, { webhookUrl: "http://dead.example/" });
    db.run(
      `WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 5000)
       INSERT INTO webhook_event (id, deposit_index, status, url, receiver, secret, body, state, next_attempt_at,
         created_at)
       SELECT 'evt_dead_' || n, ${deposit.index}, 'status ' || n, 'http://dead.example/', 'http://dead.example', '',
         '{}', 'pending', n, n FROM count`,
    );
    const id = addEvent(receiver.url);
    const limits = { total: 128, perReceiver: 8 };
    const due = WebhookEventStore.listDue(db, clockMs, limits);
    expect(due).toHaveLength(9);
    expect(due.map((event) => event.id)).toContain(id);
  });
});
