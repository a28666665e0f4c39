import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { webhookWarnings } from "../../src/doctor/database-findings.ts";
import * as Endpoint from "../../src/domain/event/endpoint.ts";
import type { FullType } from "../../src/domain/event/event.ts";
import { createVault } from "../../src/lib/crypto.ts";
import { createLog } from "../../src/lib/log.ts";
import { startWebhookSender, type WebhookSender } from "../../src/outbox/webhook-sender.ts";
import { announce } from "../../src/store/announce.ts";
import { transact } from "../../src/store/database.ts";
import * as WebhookReport from "../../src/store/reports/desk/webhooks.ts";
import { newSecret, placeOf } from "../../src/store/secrets.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as EndpointStore from "../../src/store/tables/outbox/endpoint.ts";
import * as WebhookEventStore from "../../src/store/tables/outbox/webhook-event.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import { type Receiver as HttpReceiver, type Received, startReceiver } from "../support/http/receiver.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { recordSettings, storeInvoice, words } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";
import { type Receiver, tcpReceiver } from "./receivers.ts";

const vault = createVault(new Uint8Array(32).fill(3));
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let receiver: HttpReceiver;
let sender: WebhookSender;
let clockMs: number;
let logged: string[];

beforeEach(async () => {
  makeDatabase();
  receiver = await startReceiver();
  clockMs = Date.UTC(2027, 0, 1);
  logged = [];
});
afterEach(async () => {
  await sender?.stop();
  await receiver.stop();
  removeDatabase();
});

function start(publicOnly = false): void {
  const log = createLog({ format: "text", level: "warn", write: (line) => logged.push(line) });
  sender = startWebhookSender({
    db,
    log,
    now: () => clockMs,
    publicOnly,
    vault: Promise.resolve(vault),
    words,
  });
}

let made = 0;
function addEndpoint(url: string, settings: Partial<Endpoint.Settings> = {}): { id: string; secret: string } {
  const id = `endpoint_${++made}`;
  const secret = newSecret();
  const plain = { url, types: null, description: null, merchantEmail: null, format: "till" as const };
  EndpointStore.insert(
    db,
    { ...plain, ...settings, id, createdAt: clockMs + made, ...Endpoint.fresh, ...Endpoint.ofNoStore },
    vault.seal(secret, placeOf.endpoint(id)),
  );
  return { id, secret };
}

/** Something happens to a new invoice. Returns its deposit. */
function happen(type: "paid" | "voided" = "paid"): number {
  const { deposit } = storeInvoice(db, { now: clockMs });
  const subject = ReceivableStore.briefAt(db, deposit.index);
  transact(db, () => announce(db, recordSettings, subject, { type, occasion: "1", at: clockMs }));
  sender?.wake();
  return deposit.index;
}

const endpointOf = (id: string) => {
  const endpoint = EndpointStore.find(db, id);
  if (endpoint === null) throw new Error(`There is no ${id}`);
  return endpoint;
};
const webhooksOf = (depositIndex: number) => WebhookHistoryStore.list(db, depositIndex);
const only = (depositIndex: number) => {
  const [webhook, ...more] = webhooksOf(depositIndex);
  if (webhook === undefined || more.length > 0) throw new Error("not one webhook");
  return webhook;
};
const attempted = (depositIndex: number, count: number) =>
  until(
    () => only(depositIndex),
    ({ attempts }) => attempts.length === count,
  );
const delivered = (depositIndex: number) =>
  until(
    () => only(depositIndex),
    ({ state }) => state === "delivered",
  );
/** Sends to somebody else, and with it all that is due by now. */
async function sendDue(): Promise<void> {
  const other = await startReceiver();
  const { deposit } = storeInvoice(db, { webhookUrl: other.url, now: clockMs });
  WebhookEventStore.insert(db, {
    id: `evt_other_${++made}`,
    depositIndex: deposit.index,
    status: "paid",
    url: other.url,
    secret: vault.seal(newSecret(), placeOf.deposit(deposit.index)),
    body: "{}",
    createdAt: clockMs,
  });
  sender.wake();
  await delivered(deposit.index);
  await other.stop();
}
const change = (id: string, changes: Endpoint.Change) =>
  EndpointStore.update(db, Endpoint.changed(endpointOf(id), changes, clockMs));

/** What the published library signs a post with. */
const signatureOf = (secret: string, post: Received | undefined) =>
  new Webhook(secret).sign(
    post?.headers["webhook-id"] ?? "",
    new Date(Number(post?.headers["webhook-timestamp"]) * 1_000),
    post?.raw.toString() ?? "",
  );

/** Fails an attempt every `everyMs`, until the endpoint is paused. Returns how long that took, in days. */
async function failUntilPaused(id: string, everyMs: number, daysMax: number): Promise<number> {
  const began = clockMs;
  while (clockMs - began <= daysMax * dayMs) {
    const deposit = happen();
    // What waits from before is tried as well, and may be what pauses it.
    await until(
      () => only(deposit).attempts.length === 1 || endpointOf(id).pausedAt !== null,
      (isTried) => isTried,
    );
    if (endpointOf(id).pausedAt !== null) return (clockMs - began) / dayMs;
    clockMs += everyMs;
  }
  return Number.POSITIVE_INFINITY;
}

describe("an endpoint that fails", () => {
  test.each([
    ["answers 500", async () => receiver.answerWith(500), "answered 500"],
    ["redirects", async () => receiver.answerWith(302), "answered 302; redirects are not followed"],
    ["is down", () => receiver.stop(), "connection refused"],
  ])("for five days, as it %s, is paused, and the merchant is told", async (_, fail, failure) => {
    await fail();
    const { id } = addEndpoint(receiver.url);
    start();
    expect(await failUntilPaused(id, 12 * hourMs, 9)).toBe(5);
    expect(endpointOf(id)).toMatchObject({ pauseCause: "failing", failure, pausedAt: clockMs });
    const [finding, ...more] = webhookWarnings(db);
    expect(more).toEqual([]);
    expect(finding?.message).toContain(`${id} at ${new URL(receiver.url).host} is paused`);
    expect(finding?.message).toContain(failure);
    expect(finding?.advice).toContain(`till endpoint resume ${id}`);
    expect(logged.filter((line) => line.includes("[webhook.paused]"))).toHaveLength(1);
    // Nothing is queued any more, and nothing is sent.
    expect(webhooksOf(happen())).toEqual([]);
    if (failure === "connection refused") receiver = await startReceiver();
  });

  test("is not paused for a clock that jumps by a month, nor for a time in which nothing was tried", async () => {
    receiver.answerWith(500);
    const { id } = addEndpoint(receiver.url);
    start();
    for (let jump = 0; jump < 3; jump++) {
      await attempted(happen(), 1);
      expect(endpointOf(id).pausedAt).toBe(null);
      clockMs += 30 * dayMs;
    }
    // Back to where it was: no less is known for that.
    clockMs -= 90 * dayMs;
    await attempted(happen(), 1);
    expect(endpointOf(id)).toMatchObject({ pausedAt: null, failingSince: clockMs });
  });

  test("starts anew after each success", async () => {
    const { id } = addEndpoint(receiver.url);
    start();
    receiver.answerWith(500);
    expect(await failUntilPaused(id, 12 * hourMs, 4)).toBe(Number.POSITIVE_INFINITY);
    expect(endpointOf(id).failingSince).not.toBe(null);
    receiver.answerWith(200);
    await delivered(happen());
    expect(endpointOf(id)).toMatchObject({ failingSince: null, failedAt: null, failure: null, failingMs: 0 });
    receiver.answerWith(500);
    expect(await failUntilPaused(id, 12 * hourMs, 9)).toBe(5);
  });

  test("is paused at once by 410; what waits goes on when it is resumed, what happened meanwhile does not", async () => {
    const { id } = addEndpoint(receiver.url);
    start();
    receiver.answerWith(410, 200);
    const first = happen();
    await attempted(first, 1);
    expect(endpointOf(id)).toMatchObject({ pauseCause: "gone", failure: "answered 410 Gone" });
    expect(webhookWarnings(db)[0]?.message).toContain("it answered 410 Gone");
    expect(only(first).state).toBe("pending");
    clockMs += dayMs;
    expect(webhooksOf(happen())).toEqual([]);
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    change(id, { status: "active" });
    sender.wake();
    await delivered(first);
    expect(webhookWarnings(db)).toEqual([]);
    expect(endpointOf(id)).toMatchObject({ pausedAt: null, failingSince: null });
    await delivered(happen());
    expect(receiver.received).toHaveLength(3);
  });

  test("at a private address is not connected to by a public Till, whatever its URL was when it was made", async () => {
    const { id } = addEndpoint(receiver.url);
    start(true);
    await attempted(happen(), 1);
    expect(endpointOf(id).failure).toContain("the host is not a public address");
    expect(receiver.received).toEqual([]);
  });
});

describe("an endpoint", () => {
  test("that the merchant paused is sent nothing, and warns of nothing", async () => {
    const { id } = addEndpoint(receiver.url);
    const before = happen();
    change(id, { status: "paused" });
    start();
    const during = happen();
    await sendDue();
    expect([receiver.received.length, webhooksOf(during).length, webhookWarnings(db)]).toEqual([0, 0, []]);
    change(id, { status: "active" });
    sender.wake();
    await delivered(before);
  });

  test("hears only of the types and the merchant that it chose", () => {
    const types = (...types: FullType[]) => ({ types });
    const paid = addEndpoint(receiver.url, types("invoice.paid")).id;
    const links = addEndpoint(receiver.url, types("link.paid")).id;
    const ours = addEndpoint(receiver.url, { merchantEmail: "Billing@ACME.example" }).id;
    const theirs = addEndpoint(receiver.url, { merchantEmail: "billing@globex.example" }).id;
    const hearing = (type: "paid" | "voided") =>
      webhooksOf(happen(type))
        .map(({ endpointId }) => endpointId)
        .toSorted();
    expect(hearing("paid")).toEqual([paid, ours].toSorted());
    expect(hearing("voided")).toEqual([ours]);
    expect(EndpointStore.list(db).map(({ id }) => id)).toEqual([paid, links, ours, theirs]);
  });

  test("gets the same bytes under the id of the event as another one with the same URL, each with its own signature", async () => {
    const [one, two] = [addEndpoint(receiver.url), addEndpoint(receiver.url)];
    start();
    happen();
    await until(
      () => receiver.received,
      ({ length }) => length === 2,
    );
    const signatures = receiver.received.map(({ headers }) => headers["webhook-signature"]).toSorted();
    const [first] = receiver.received;
    expect(signatures).toEqual([signatureOf(one.secret, first), signatureOf(two.secret, first)].toSorted());
    expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test("takes another URL and another secret in the middle of retries", async () => {
    receiver.answerWith(500);
    const { id, secret } = addEndpoint(receiver.url);
    start();
    const deposit = happen();
    const { nextAttemptAt } = await attempted(deposit, 1);
    const other = await startReceiver();
    try {
      const next = newSecret();
      const before = EndpointStore.secretsOf(db, id);
      if (before === null) throw new Error("no secret");
      EndpointStore.setSecrets(db, id, {
        secret: vault.seal(next, placeOf.endpoint(id)),
        oldSecrets: Endpoint.oldSecrets(before, clockMs),
      });
      change(id, { url: other.url });
      expect(only(deposit).url).toBe(other.url);
      clockMs = nextAttemptAt ?? 0;
      sender.wake();
      const { url, attempts } = await delivered(deposit);
      expect([url, attempts.length]).toEqual([other.url, 2]);
      const [first, second] = [receiver.received[0], other.received[0]];
      expect(second?.raw.toString()).toBe(first?.raw.toString() ?? "");
      const signatures = second?.headers["webhook-signature"]?.split(" ") ?? [];
      expect(signatures).toEqual([signatureOf(next, second), signatureOf(secret, second)]);
      clockMs += dayMs;
      await delivered(happen());
      expect(other.received.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  test("that answers slowly for ever holds only its own place: of 20 and 60 events, nobody waits for another", async () => {
    const slow: Receiver[] = await Promise.all(
      Array.from({ length: 19 }, () => tcpReceiver(() => undefined)),
    );
    try {
      for (const { url } of slow) addEndpoint(url);
      addEndpoint(receiver.url);
      start();
      for (let event = 0; event < 60; event++) happen();
      await until(
        () => receiver.received,
        ({ length }) => length === 60,
        100_000,
      );
      // On a slow machine some are given up meanwhile, and are a moment in closing.
      await until(
        () => slow.map(({ open }) => open()),
        (open) => open.every((connections) => connections <= 4),
      );
      await sender.stop();
    } finally {
      for (const { stop } of slow) stop();
    }
  });
});

test("a plugin gets what only informs again before what follows it", () => {
  const receiver = addEndpoint("https://shop.example").id;
  const depositIndex = happen();
  const subject = ReceivableStore.briefAt(db, depositIndex);
  transact(db, () => announce(db, recordSettings, subject, { type: "voided", occasion: "1", at: clockMs }));
  const [first, second] = webhooksOf(depositIndex);
  if (!first || !second) throw new Error("not two webhooks");
  db.run("UPDATE webhook_event SET informs = 1, next_attempt_at = ?", [clockMs + hourMs]);
  WebhookEventStore.tryBefore(db, { id: second.id, depositIndex, receiver }, clockMs + 5_000);
  const nextOnes = webhooksOf(depositIndex).map(({ nextAttemptAt }) => nextAttemptAt);
  expect(nextOnes).toEqual([clockMs + 5_000, clockMs + hourMs]);
});

describe("deleting an endpoint", () => {
  const remove = (id: string) => {
    EndpointStore.remove(db, id, clockMs);
    WebhookEventStore.endSome(db);
    sender.wake();
  };

  test("in the middle of retries ends what waits for it, keeps the log, and nothing brings it back", async () => {
    receiver.answerWith(500);
    const { id } = addEndpoint(receiver.url);
    start();
    const deposit = happen();
    const { id: webhook } = await attempted(deposit, 1);
    remove(id);
    expect(only(deposit)).toMatchObject({
      state: "ended",
      nextAttemptAt: null,
      attempts: [{ httpStatus: 500 }],
    });
    expect(WebhookEventStore.redeliver(db, webhook, clockMs)).toBe(false);
    clockMs += 10 * dayMs;
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    expect(db.query("SELECT secret, old_secrets FROM webhook_endpoint").all()).toEqual([
      { secret: "", old_secrets: "[]" },
    ]);
    expect(EndpointStore.list(db)).toEqual([]);
    expect(webhooksOf(happen())).toEqual([]);
  });

  test.each([
    ["succeeds", 200, "delivered"],
    ["fails", 500, "ended"],
  ])("while it is being told of an event that %s", async (_, status, state) => {
    let answer = () => {};
    const waiting = await tcpReceiver((socket) => {
      answer = () => socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`);
    });
    const { id } = addEndpoint(waiting.url);
    start();
    const deposit = happen();
    await until(waiting.connections, (count) => count === 1);
    remove(id);
    answer();
    await until(
      () => only(deposit),
      (webhook) => webhook.attempts.length === 1,
    );
    expect(only(deposit).state).toBe(state as never);
    waiting.stop();
  });

  test("leaves nothing behind that fails", async () => {
    receiver.answerWith(500);
    const { id } = addEndpoint(receiver.url);
    start();
    await attempted(happen(), 1);
    const failing = () => WebhookReport.countFailing(db, { since: 0, max: 9 });
    db.run("UPDATE webhook_event SET state = 'failed', next_attempt_at = NULL");
    expect(failing()).toBe(1);
    remove(id);
    expect(failing()).toBe(0);
    const [row] = WebhookReport.list(db, { isFailing: false, before: null, limit: 1 }).rows;
    expect(row).toMatchObject({ state: "failed", isGone: true });
  });

  test("ends more than fits into one step, also after a start", async () => {
    const { id } = addEndpoint(receiver.url);
    happen();
    db.run(
      `WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 2000)
       INSERT INTO webhook_event (id, deposit_index, endpoint_id, event_id, status, url, receiver, body, state,
         next_attempt_at, created_at)
       SELECT 'evt_more_' || n, deposit_index, endpoint_id, event_id, status, url, receiver, body, state, $later,
         created_at FROM count, webhook_event`,
      [clockMs + dayMs],
    );
    EndpointStore.remove(db, id, clockMs);
    WebhookEventStore.endSome(db);
    const pending = () =>
      db.query("SELECT count(*) AS count FROM webhook_event WHERE state = 'pending'").get() as {
        count: bigint;
      };
    expect(pending().count).toBe(1_501n);
    start();
    await until(pending, ({ count }) => count === 0n);
    expect(receiver.received).toEqual([]);
    expect(db.query("SELECT count(*) AS count FROM webhook_event").get()).toEqual({ count: 2_001n });
  });
});
