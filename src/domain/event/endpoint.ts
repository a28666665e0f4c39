import { hmacSha256, idFrom } from "../../lib/crypto.ts";
import * as Email from "../party/email.ts";
import { type Format, isChat } from "./chat.ts";
import * as Event from "./event.ts";
import { longestPausesMs, webhookScheduleMs } from "./retry.ts";

/** Webhook endpoints that receive all events of the account, or chosen types. Times are Unix milliseconds. */

const hourMs = 3_600_000;

export const countMax = 20;

/** How long a replaced secret still signs, and how many may: receivers need not try more. */
const oldSecretMs = 24 * hourMs;
const oldSecretsMax = 4;

/** An endpoint that keeps failing for this long is paused. */
const failingMsMax = 120 * hourMs;

/**
 * Maximum time that two consecutive failures add to that: they are no further apart unless the clock jumped or Till was
 * down.
 */
const gapMsMax = Math.max(...longestPausesMs(webhookScheduleMs));

/** Event types an endpoint can receive. */
export const types = Event.fullTypesOf(Event.announcedTypes);

export type PauseCause = "merchant" | "failing" | "gone";

/** Settings as requested. */
export type Settings = {
  /** As returned by `checkWebhookUrl`; of a stored chat, what may be shown of it. */
  url: string;
  /** Null for all types, including future ones. */
  types: readonly Event.FullType[] | null;
  description: string | null;
  /** Only events of this merchant; null for all merchants. */
  merchantEmail: string | null;
};

/** Delivery health since the last success. */
type Health = {
  failingSince: number | null;
  failedAt: number | null;
  /** Why the last one failed. */
  failure: string | null;
  /** How long it has been failing, as far as attempts show. */
  failingMs: number;
};

type Pause = { pausedAt: number | null; pauseCause: PauseCause | null };

/** For a shop plugin: it receives events of this store's links only, in the form of the Greenfield API. */
type OfStore = {
  storeId: string | null;
  /** Event types in the terms of that API; null for all. */
  storeTypes: readonly string[] | null;
};

export type Endpoint = Settings &
  Health &
  Pause &
  OfStore & {
    id: string;
    createdAt: number;
    /** Never changes: what waits is for a program, or for a chat. */
    format: Format;
  };

export const ofNoStore: OfStore = { storeId: null, storeTypes: null };

const well: Health = { failingSince: null, failedAt: null, failure: null, failingMs: 0 };
const running: Pause = { pausedAt: null, pauseCause: null };

/** The initial state of an endpoint. */
export const fresh: Health & Pause = { ...well, ...running };

type OldSecret = { sealed: string; until: number };

/** Returns the secrets that still sign after `secret` is replaced at a time. */
export const oldSecrets = (
  before: { secret: string; oldSecrets: readonly OldSecret[] },
  at: number,
): OldSecret[] =>
  [{ sealed: before.secret, until: at + oldSecretMs }, ...before.oldSecrets]
    .filter(({ until }) => until > at)
    .slice(0, oldSecretsMax);

/** Returns whether the endpoint receives events of this type and merchant. */
export function hears(endpoint: Endpoint, type: Event.FullType, merchantEmail: string): boolean {
  if (endpoint.storeId !== null) return false;
  if (endpoint.types !== null && !endpoint.types.includes(type)) return false;
  const { merchantEmail: only } = endpoint;
  return only === null || Email.normalize(only) === Email.normalize(merchantEmail);
}

/** The id of an event's webhook to an endpoint: stays the same after a backup is restored. */
export const webhookId = (endpointId: string, eventId: string): string =>
  idFrom("evt", hmacSha256(endpointId, eventId));

export type Change = Partial<Settings & Pick<OfStore, "storeTypes">> & {
  status?: "active" | "paused" | undefined;
};

/** Returns whether a change sends events elsewhere. What is shown of two addresses of a chat may be the same. */
export const hasMoved = ({ format, url }: Endpoint, change: Pick<Change, "url">): boolean =>
  change.url !== undefined && (isChat(format) || change.url !== url);

/**
 * Returns the endpoint after a change by the merchant. Past failures are dropped for a new URL, and when a paused
 * endpoint is resumed.
 */
export function changed(endpoint: Endpoint, { status, ...settings }: Change, at: number): Endpoint {
  const isMoved = hasMoved(endpoint, settings);
  const next = { ...endpoint, ...settings, ...(isMoved ? well : {}) };
  if (status === "active" && endpoint.pausedAt !== null) return { ...next, ...fresh };
  if (status === "paused" && endpoint.pausedAt === null)
    return { ...next, pausedAt: at, pauseCause: "merchant" };
  return next;
}

/** Returns the endpoint after an attempt; `failure` is null if it succeeded. */
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
