import type { Log } from "../config/log-events.ts";
import { isChat } from "../domain/event/chat.ts";
import * as Endpoint from "../domain/event/endpoint.ts";
import * as Retry from "../domain/event/retry.ts";
import * as WebhookEvent from "../domain/event/webhook-event.ts";
import * as Usdc from "../domain/usdc.ts";
import { newId, SealBroken, type Vault } from "../lib/crypto.ts";
import { messageOf } from "../lib/error.ts";
import { createWakeable, sleep } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import { type Db, transact } from "../store/database.ts";
import { mustBeInPlace } from "../store/files/in-place.ts";
import { onDisk } from "../store/log.ts";
import { newSecret, openSecrets, placeOf } from "../store/secrets.ts";
import * as EndpointStore from "../store/tables/outbox/endpoint.ts";
import * as WebhookEventStore from "../store/tables/outbox/webhook-event.ts";
import { createBringForward } from "../store/waiting.ts";
import { chatPost, type Words } from "./webhook/chat.ts";
import { type DeliveryOutcome, failureOf, postEvent } from "./webhook/post.ts";
import { headersFor, shopHeadersFor } from "./webhook/signature.ts";

/** More than all endpoints together can block. */
const inFlightMax = 128;
const inFlightPerReceiverMax = 4;

/** If more than this is due, it is listed at most this often: otherwise each finished delivery would list it again. */
const listed = { fewMax: 16, pauseMs: 10 };

/** How often to check the clock, in case it was set. */
const idleMsMax = 60_000;

/** How long to leave a failing database alone. */
const faultMs = 2_000;

/**
 * How long a stop waits for answers in progress: a delivery cut off may have arrived, and is repeated after the start.
 */
const stopGraceMs = 3_000;

export type WebhookSender = { wake(): void; stop(): Promise<void> };

type WebhookSenderDeps = {
  db: Db;
  log: Log;
  now: () => number;
  publicOnly: boolean;
  /** Opens the signing secrets. Ready shortly after the start; nothing is sent before. */
  vault: Promise<Vault>;
  /** For chats: people may change their language while Till runs. */
  words: () => Words;
};

/** Delivers due webhook events, each receiver at its own pace. The database always decides what comes next. */
export function startWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { db, log, now, publicOnly, vault, words } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const cutOff = new AbortController();
  const bell = createWakeable();
  const bringForward = createBringForward(
    db,
    "webhook_event",
    Retry.longestPausesMs(Retry.webhookScheduleMs),
  );
  const inFlight = new Map<string, { receiver: string; done: Promise<void> }>();

  async function deliver(event: WebhookEventStore.DueEvent): Promise<void> {
    // A receiver must not learn of anything that a power cut would undo.
    await onDisk(db);
    const startedAt = now();
    const outcome = await send(event, startedAt);
    // A delivery cut off by the stop says nothing about the receiver: it is repeated after the start.
    if (cutOff.signal.aborted && outcome.kind === "failed") return;
    await recordWhenPossible(event, startedAt, outcome);
  }

  async function send(event: WebhookEventStore.DueEvent, startedAt: number): Promise<DeliveryOutcome> {
    const { webhookId: eventId, endpointId, url, body, oldSecrets, format } = event;
    try {
      const opened = await vault;
      const secrets =
        endpointId === null
          ? { secret: opened.open(event.secret, placeOf.deposit(event.depositIndex)) }
          : openSecrets(opened, endpointId, { ...event, oldSecrets: oldSecrets ?? [] }, startedAt);
      if (isChat(format)) {
        const sent = chatPost(format, secrets.secret, body, words());
        return await postEvent({ ...sent, headers: {}, publicOnly, signal: cutOff.signal });
      }
      const headers =
        event.storeId === null
          ? headersFor({ ...secrets, eventId, timestampSec: Math.floor(startedAt / 1000), body })
          : shopHeadersFor({ ...secrets, body });
      return await postEvent({ url, headers, body, publicOnly, signal: cutOff.signal });
    } catch (thrown) {
      if (!(thrown instanceof SealBroken)) throw thrown;
      return { kind: "failed", httpStatus: null, reason: thrown.message, durationMs: 0 };
    }
  }

  /**
   * An outcome must not be lost: an acknowledged event would be sent again, a failed one at once. Until it can be
   * stored, the event stays in flight and keeps its slot.
   */
  async function recordWhenPossible(
    event: WebhookEventStore.DueEvent,
    startedAt: number,
    outcome: DeliveryOutcome,
  ): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return record(event, startedAt, outcome);
      } catch (thrown) {
        const last = signal.aborted;
        if (tries === 1 || last) {
          const fields = { webhook: event.id, outcome: outcome.kind, reason: messageOf(thrown) };
          log.error("webhook.unrecorded", "the result of a webhook delivery cannot be stored yet", fields);
        }
        if (last) return;
        await sleep(faultMs, signal);
      }
    }
  }

  function record(event: WebhookEventStore.DueEvent, startedAt: number, outcome: DeliveryOutcome): void {
    const attempt = event.attempts + 1;
    const { endpointId } = event;
    const reason = failureOf(outcome);
    const { durationMs, httpStatus } = outcome;
    // Events that an endpoint rejects now wait until it is resumed.
    const isAgain = outcome.kind === "failed" || (outcome.kind === "gone" && endpointId !== null);
    const nextAttemptAt = isAgain
      ? Retry.nextAttemptAt(Retry.webhookScheduleMs, { attempt, now: now(), random: world.random() })
      : null;
    const next =
      nextAttemptAt !== null
        ? ({ state: "pending", nextAttemptAt } as const)
        : ({ state: outcome.kind === "acknowledged" ? "delivered" : "failed" } as const);
    const { paused, isEnded, passed } = transact(db, () => {
      const endpoint = endpointId === null ? null : EndpointStore.find(db, endpointId);
      const isEnded = endpointId !== null && endpoint === null && next.state !== "delivered";
      const result = { attempt, startedAt, durationMs, httpStatus, reason };
      WebhookEventStore.recordAttempt(db, event, result, isEnded ? { state: "ended" } : next);
      if (event.storeId !== null && nextAttemptAt !== null)
        WebhookEventStore.tryBefore(db, event, nextAttemptAt);
      const isDecided = event.storeId !== null && !event.informs && next.state === "delivered";
      const passed = isDecided ? WebhookEventStore.giveUpPassed(db, event) : [];
      // A delivery to another URL says nothing about this one; that of a chat is its secret.
      const isElsewhere =
        isChat(event.format) && EndpointStore.secretsOf(db, event.receiver)?.secret !== event.secret;
      if (endpoint === null || isElsewhere || endpoint.url !== event.url)
        return { paused: null, isEnded, passed };
      const after = Endpoint.attempted(endpoint, {
        failure: reason,
        isGone: outcome.kind === "gone",
        at: now(),
      });
      if (reason !== null || endpoint.failedAt !== null) EndpointStore.update(db, after);
      return { paused: endpoint.pausedAt === null ? after.pauseCause : null, isEnded, passed };
    });
    for (const webhook of passed)
      log.error("webhook.failed", "gave up delivering a webhook", {
        reason: "the plugin took a later one, which decides about the order",
        webhook,
        receiver: event.receiver,
      });
    if (paused !== null)
      log.error("webhook.paused", "a webhook endpoint is sent nothing until somebody resumes it", {
        endpoint: endpointId,
        reason: paused === "gone" ? reason : `it failed for five days: ${reason}`,
      });
    const inFull = outcome.kind === "failed" ? (outcome.detail ?? reason) : reason;
    const fields = { webhook: event.id, receiver: event.receiver, attempt, ms: durationMs };
    if (outcome.kind === "acknowledged") log.info("webhook.delivered", "a webhook was delivered", fields);
    else if (isEnded) log.info("webhook.ended", "a webhook was ended: its endpoint was deleted", fields);
    else if (paused !== null) return;
    else if (nextAttemptAt === null)
      log.error("webhook.failed", "gave up delivering a webhook", { reason: inFull, ...fields });
    else {
      const next = new Date(nextAttemptAt).toISOString();
      const facts = { reason: inFull, ...fields, next };
      log.warn("webhook.retry", "a webhook delivery failed and will be retried", facts);
    }
  }

  /** Starts due deliveries for which there is room, and returns how many were found due. */
  function startDue(): number {
    // Otherwise it would be sent although its outcome cannot be stored.
    mustBeInPlace(db);
    const perReceiver = new Map<string, number>();
    for (const { receiver } of inFlight.values())
      perReceiver.set(receiver, (perReceiver.get(receiver) ?? 0) + 1);
    bringForward(now());
    if (WebhookEventStore.endSome(db)) bell.wake();
    const limits = { total: inFlightMax * 2, perReceiver: inFlightPerReceiverMax * 2 };
    const due = WebhookEventStore.listDue(db, now(), limits);
    for (const event of due) {
      if (inFlight.size >= inFlightMax) break;
      const busy = perReceiver.get(event.receiver) ?? 0;
      if (inFlight.has(event.id) || busy >= inFlightPerReceiverMax) continue;
      perReceiver.set(event.receiver, busy + 1);
      const done = deliver(event)
        .catch(async (thrown) => {
          log.error("webhook.stalled", "a webhook cannot be sent just now", {
            reason: messageOf(thrown),
            webhook: event.id,
          });
          // It is still due: without a pause the next attempt would follow at once.
          await sleep(faultMs, signal);
        })
        .finally(() => {
          inFlight.delete(event.id);
          bell.wake();
        });
      inFlight.set(event.id, { receiver: event.receiver, done });
    }
    return due.length;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (startDue() > listed.fewMax) await sleep(listed.pauseMs, signal);
        const next = WebhookEventStore.nextDueAfter(db, now());
        await bell.wait(Math.min(idleMsMax, next === null ? idleMsMax : Math.max(1, next - now())), signal);
      } catch (thrown) {
        log.error("webhook.stalled", "webhooks cannot be sent just now", { reason: messageOf(thrown) });
        await sleep(faultMs, signal);
      }
    }
    await Promise.all([...inFlight.values()].map(({ done }) => done));
  }

  // Without a wallet the start fails and says why.
  const running = vault.then(run, () => {});
  running.catch((thrown) =>
    log.error("webhook.stopped", "webhooks are no longer sent: restart Till", { reason: messageOf(thrown) }),
  );
  return {
    wake: bell.wake,
    async stop() {
      stopping.abort();
      const grace = world.setTimeout(() => cutOff.abort(), stopGraceMs);
      await running;
      world.clearTimeout(grace);
    },
  };
}

type SentTest = { secret: string; body: string; outcome: DeliveryOutcome };

/** Belongs to nobody. */
const noInvoice = {
  kind: "invoice",
  id: "00000000-0000-0000-0000-000000000000",
  name: "TEST",
  total: Usdc.fromMicro(1_000_000n),
  expected: Usdc.fromMicro(1_000_000n),
  received: Usdc.fromMicro(1_000_000n),
  status: "paid",
  reference: null,
  metadata: null,
} as const;

/** The merchant is waiting. */
const limitMs = 8_000;

/** `url` is as returned by `checkWebhookUrl`. */
type Test = { url: string; publicOnly: boolean; now: number };

/**
 * Posts one event of a non-existent invoice, posted and signed like any other, with its own secret. Nothing is stored
 * or retried.
 */
export const sendTestEvent = (test: Test): Promise<SentTest> =>
  sendTest(test, { secret: newSecret() }, WebhookEvent.contractBody(noInvoice));

/** Posts a test in the form for endpoints, with this endpoint's secrets; to a chat, a message in these words. */
export async function testEndpoint(
  { publicOnly, now }: Omit<Test, "url">,
  { id, url, format }: Pick<Endpoint.Endpoint, "id" | "url" | "format">,
  secrets: ReturnType<typeof openSecrets>,
  words: Words,
): Promise<DeliveryOutcome> {
  const body = WebhookEvent.testBody(id, now);
  if (!isChat(format)) return (await sendTest({ url, publicOnly, now }, secrets, body)).outcome;
  const sent = chatPost(format, secrets.secret, body, words);
  return postEvent({ ...sent, headers: {}, publicOnly, limitMs });
}

async function sendTest(
  { url, publicOnly, now }: Test,
  secrets: { secret: string; oldSecrets?: readonly string[] },
  body: string,
): Promise<SentTest> {
  const signed = { ...secrets, eventId: newId("test"), timestampSec: Math.floor(now / 1_000), body };
  const outcome = await postEvent({ url, headers: headersFor(signed), body, publicOnly, limitMs });
  return { secret: secrets.secret, body, outcome };
}
