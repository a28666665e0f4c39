import { hmacSha256, idFrom } from "../../lib/crypto.ts";
import * as Email from "../party/email.ts";
import * as Event from "./event.ts";
import { longestPausesMs, webhookScheduleMs } from "./retry.ts";

/** Receivers that hear of every event of the account, or of those that they choose. Times are Unix milliseconds. */

const hourMs = 3_600_000;

export const countMax = 20;

/** How long a secret that was replaced still signs, and how many do: receivers need not try more. */
const oldSecretMs = 24 * hourMs;
const oldSecretsMax = 4;

/** An endpoint that fails for so long on end is paused. */
const failingMsMax = 120 * hourMs;

/** How much two failures in a row can add to that: they come no further apart, unless the clock jumped or Till was down. */
const gapMsMax = Math.max(...longestPausesMs(webhookScheduleMs));

/** What an endpoint can hear of. */
export const types = Event.fullTypesOf(Event.announcedTypes);

export type PauseCause = "merchant" | "failing" | "gone";

/** What was asked for. */
export type Wish = {
  /** As returned by `checkWebhookUrl`. */
  url: string;
  /** Null for every type, also those that are new one day. */
  types: readonly Event.FullType[] | null;
  description: string | null;
  /** Only events of this merchant; null for all of them. */
  merchantEmail: string | null;
};

/** How deliveries went since the last one that succeeded. */
type Health = {
  failingSince: number | null;
  failedAt: number | null;
  /** Why the last one failed. */
  failure: string | null;
  /** How long it has failed, as far as attempts show. */
  failingMs: number;
};

type Pause = { pausedAt: number | null; pauseCause: PauseCause | null };

/** Of the plugin of a shop: it hears of the links of this store alone, in the form of the Greenfield API. */
type OfStore = {
  storeId: string | null;
  /** In the words of that API; null for every type. */
  storeTypes: readonly string[] | null;
};

export type Endpoint = Wish & Health & Pause & OfStore & { id: string; createdAt: number };

export const ofNoStore: OfStore = { storeId: null, storeTypes: null };

const well: Health = { failingSince: null, failedAt: null, failure: null, failingMs: 0 };
const running: Pause = { pausedAt: null, pauseCause: null };

/** How an endpoint begins. */
export const fresh: Health & Pause = { ...well, ...running };

type OldSecret = { sealed: string; until: number };

/** The secrets that sign as well once another one takes the place of `secret`, at a time. */
export const oldSecrets = (
  before: { secret: string; oldSecrets: readonly OldSecret[] },
  at: number,
): OldSecret[] =>
  [{ sealed: before.secret, until: at + oldSecretMs }, ...before.oldSecrets]
    .filter(({ until }) => until > at)
    .slice(0, oldSecretsMax);

/** Whether it hears of events of this type and merchant. */
export function hears(endpoint: Endpoint, type: Event.FullType, merchantEmail: string): boolean {
  if (endpoint.storeId !== null) return false;
  if (endpoint.types !== null && !endpoint.types.includes(type)) return false;
  const { merchantEmail: only } = endpoint;
  return only === null || Email.normalize(only) === Email.normalize(merchantEmail);
}

/** The id of the webhook that tells an endpoint of an event: the same in a backup that was restored. */
export const webhookId = (endpointId: string, eventId: string): string =>
  idFrom("evt", hmacSha256(endpointId, eventId));

export type Change = Partial<Wish & Pick<OfStore, "storeTypes">> & {
  status?: "active" | "paused" | undefined;
};

/** The endpoint after a change by the merchant. What failed says nothing of another URL, nor of what was mended. */
export function changed(endpoint: Endpoint, { status, ...wish }: Change, at: number): Endpoint {
  const isMoved = wish.url !== undefined && wish.url !== endpoint.url;
  const next = { ...endpoint, ...wish, ...(isMoved ? well : {}) };
  if (status === "active" && endpoint.pausedAt !== null) return { ...next, ...fresh };
  if (status === "paused" && endpoint.pausedAt === null)
    return { ...next, pausedAt: at, pauseCause: "merchant" };
  return next;
}

/** The endpoint after an attempt; `failure` is null when it succeeded. */
export function attempted(
  endpoint: Endpoint,
  { failure, isGone, at }: { failure: string | null; isGone: boolean; at: number },
): Endpoint {
  if (failure === null) return { ...endpoint, ...well };
  const { failedAt, failingSince } = endpoint;
  const gapMs = failedAt === null ? 0 : Math.min(Math.max(0, at - failedAt), gapMsMax);
  const failingMs = endpoint.failingMs + gapMs;
  const next = {
    ...endpoint,
    failingSince: Math.min(failingSince ?? at, at),
    failedAt: at,
    failure,
    failingMs,
  };
  const failing = failingMs >= failingMsMax ? "failing" : null;
  const cause = isGone ? "gone" : failing;
  return cause === null || endpoint.pausedAt !== null ? next : { ...next, pausedAt: at, pauseCause: cause };
}
