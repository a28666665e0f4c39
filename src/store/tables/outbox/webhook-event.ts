import type { Format } from "../../../domain/event/chat.ts";
import { boolean, columns, computed, integer, json, orNull, type Row, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import type { SealedSecrets } from "./endpoint.ts";

/** `ended`: its endpoint was deleted before it was delivered. */
export type EventState = "pending" | "delivered" | "failed" | "ended";

type NewEvent = {
  id: string;
  depositIndex: number;
  status: string;
  url: string;
  body: string;
  createdAt: number;
} & (
  | {
      /** Sealed. */
      secret: string;
    }
  | { endpointId: string; eventId: string; informs?: boolean }
);

export type DueEvent = ReturnType<typeof due.fromRow>;
const stored = columns("webhook_event", {
  id: text(),
  depositIndex: integer(),
  endpointId: orNull(text()),
  eventId: orNull(text()),
  status: text(),
  url: text(),
  receiver: text(),
  secret: orNull(text()),
  body: text(),
  state: text<EventState>(),
  attempts: integer(),
  nextAttemptAt: orNull(integer()),
  createdAt: integer(),
  informs: boolean(),
});

/** Queues an event, due at once. An existing one with this id stays unchanged. */
export function insert(db: Db, event: NewEvent): boolean {
  const values = stored.values({
    secret: null,
    endpointId: null,
    eventId: null,
    informs: false,
    ...event,
    receiver: "endpointId" in event ? event.endpointId : new URL(event.url).origin,
    state: "pending",
    attempts: 0,
    nextAttemptAt: event.createdAt,
  });
  return db.query(insertOnce).run(values).changes > 0;
}

const insertOnce = `${stored.insert()} ON CONFLICT (id) DO NOTHING`;

/** The URL a webhook was sent to; until then, its endpoint's. */
export const urlOf = computed(
  "CASE state WHEN 'pending' THEN coalesce(webhook_endpoint.url, webhook_event.url) ELSE webhook_event.url END",
  text(),
);
/** True if its endpoint was deleted, so that it cannot be sent again. */
export const isGone = computed("webhook_endpoint.deleted_at IS NOT NULL", boolean());
export const withEndpoint = "LEFT JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id";

const due = columns("webhook_event", {
  id: text(),
  depositIndex: integer(),
  endpointId: orNull(text()),
  /** The id that its receiver sees. */
  webhookId: computed("coalesce(webhook_event.event_id, webhook_event.id)", text()),
  url: urlOf,
  /** The origin of the URL, or the endpoint. Each gets a few events at a time, and none waits for another. */
  receiver: text(),
  /** Sealed. */
  secret: computed("coalesce(webhook_endpoint.secret, webhook_event.secret)", text()),
  oldSecrets: computed("old_secrets", orNull(json<SealedSecrets["oldSecrets"]>())),
  /** Of its endpoint. */
  format: computed("webhook_endpoint.format", orNull(text<Format>())),
  /** For an endpoint of a shop's plugin. */
  storeId: computed("webhook_endpoint.store_id", orNull(text())),
  informs: boolean(),
  body: text(),
  attempts: integer(),
});

/** Endpoints that receive nothing. */
const held = "SELECT id FROM webhook_endpoint WHERE paused_at IS NOT NULL OR deleted_at IS NOT NULL";

/** A merely informing event holds back later ones until it has failed this often, which takes less than a minute. */
const informedTries = 2;

/**
 * SQL for whether an earlier event of the same link must go to the shop's plugin first: a plugin believes the last
 * event it gets, so it must not hear of an order's expiry after its payment. Failing informing events are retried
 * before each attempt at later ones.
 */
const isBehind = `(receiver IN (SELECT id FROM webhook_endpoint WHERE store_id IS NOT NULL) AND EXISTS (
  SELECT 1 FROM webhook_event AS earlier WHERE earlier.deposit_index = webhook_event.deposit_index
    AND earlier.receiver = webhook_event.receiver AND earlier.state = 'pending' AND earlier.rowid < webhook_event.rowid
    AND (earlier.informs = 0 OR earlier.attempts < ${informedTries} OR earlier.next_attempt_at <= $now)))`;

/** Everything due, for when there is little: reads nothing else. */
const allDue = `
  SELECT rowid AS key, receiver, next_attempt_at FROM webhook_event INDEXED BY webhook_event_due
  WHERE state = 'pending' AND next_attempt_at <= $now AND receiver NOT IN (${held})
    AND NOT ${isBehind}`;

/** Above this many, `someDueOfEach` is faster: a dead receiver can have a hundred thousand due. */
const manyDue = 1_000;

/** Goes from receiver to receiver and reads no more of each than asked for. CROSS JOIN fixes this order. */
const someDueOfEach = `
  WITH RECURSIVE waiting (receiver) AS (
    SELECT min(receiver) FROM webhook_event WHERE state = 'pending'
    UNION ALL
    SELECT (SELECT min(receiver) FROM webhook_event WHERE state = 'pending' AND receiver > waiting.receiver)
    FROM waiting WHERE receiver IS NOT NULL)
  SELECT due.rowid AS key, due.receiver, due.next_attempt_at
  FROM waiting CROSS JOIN webhook_event AS due ON due.rowid IN (
    SELECT rowid FROM webhook_event
    WHERE state = 'pending' AND receiver = waiting.receiver AND next_attempt_at <= $now AND NOT ${isBehind}
    ORDER BY next_attempt_at LIMIT $perReceiver)
  WHERE waiting.receiver NOT IN (${held})`;

/**
 * Due events, at most `perReceiver` each: first the longest due of each receiver, then the second of each, so that busy
 * receivers leave room for others.
 */
export function listDue(db: Db, now: number, limits: { total: number; perReceiver: number }): DueEvent[] {
  const isMuch = db
    .query(
      `SELECT 1 FROM webhook_event WHERE state = 'pending' AND next_attempt_at <= +?
       ORDER BY next_attempt_at LIMIT 1 OFFSET ${manyDue}`,
    )
    .get(now);
  return db
    .query<Row<DueEvent>, { now: number; total: number; perReceiver: number }>(
      // The window is over keys alone: this runs after every delivery, and bodies are long.
      `SELECT ${due.list} FROM (
         SELECT key, row_number() OVER (PARTITION BY receiver ORDER BY next_attempt_at) AS place
         FROM (${isMuch === null ? allDue : someDueOfEach}))
       CROSS JOIN webhook_event ON webhook_event.rowid = key ${withEndpoint}
       WHERE place <= $perReceiver ORDER BY place, next_attempt_at LIMIT $total`,
    )
    .all({ now, ...limits })
    .map(due.fromRow);
}

/** When the next attempt after `now` is due, in Unix milliseconds; null when none is waiting. */
export function nextDueAfter(db: Db, now: number): number | null {
  const sql =
    "SELECT min(next_attempt_at) FROM webhook_event WHERE state = 'pending' AND next_attempt_at > ?";
  return numberOf(db, sql, now);
}

export type AttemptRecord = {
  attempt: number;
  startedAt: number;
  durationMs: number;
  httpStatus: number | null;
  reason: string | null;
};

export const attempts = columns("delivery_attempt", {
  attempt: integer(),
  startedAt: integer(),
  durationMs: integer(),
  httpStatus: orNull(integer()),
  reason: orNull(text()),
});

/** Records one attempt at sending an event to `url`, and its new state. */
export function recordAttempt(
  db: Db,
  { id: eventId, url }: Pick<DueEvent, "id" | "url">,
  attempt: AttemptRecord,
  next: { state: "pending"; nextAttemptAt: number } | { state: Exclude<EventState, "pending"> },
): void {
  const insertAttempt = attempts.insert({ event_id: "$eventId" });
  db.query(insertAttempt).run({ ...attempts.values(attempt), eventId });
  db.query("UPDATE webhook_event SET state = ?, attempts = ?, next_attempt_at = ?, url = ? WHERE id = ?").run(
    next.state,
    attempt.attempt,
    next.state === "pending" ? next.nextAttemptAt : null,
    url,
    eventId,
  );
}

const passed = `state = 'pending' AND informs = 1 AND receiver = $receiver
  AND deposit_index = $depositIndex AND rowid < (SELECT rowid FROM webhook_event WHERE id = $id)`;
type Passing = Pick<DueEvent, "id" | "depositIndex" | "receiver">;

/** Retries waiting informing events once more before a failed event that follows them. */
export function tryBefore(db: Db, { id, depositIndex, receiver }: Passing, at: number): void {
  const sql = `UPDATE webhook_event SET next_attempt_at = min(next_attempt_at, $at) WHERE ${passed}`;
  db.query(sql).run({ id, depositIndex, receiver, at });
}

/**
 * Gives up informing events once a plugin got the event that follows them, as it believes the last one it gets. Returns
 * their ids.
 */
export function giveUpPassed(db: Db, { id, depositIndex, receiver }: Passing): string[] {
  const sql = `UPDATE webhook_event SET state = 'failed', next_attempt_at = NULL WHERE ${passed} RETURNING id`;
  return db
    .query<{ id: string }, Passing>(sql)
    .all({ id, depositIndex, receiver })
    .map((row) => row.id);
}

/**
 * Makes webhooks due now, whatever their state. Returns false if there is none, or its endpoint was deleted or is
 * paused. `tells`: by the id of an event, too, all that tell of it. `endpoint` restricts them to one endpoint, and
 * `merchant` (normalised) to one merchant.
 */
export function redeliver(
  db: Db,
  id: string,
  now: number,
  {
    tells = false,
    endpoint = null,
    merchant = null,
  }: { tells?: boolean; endpoint?: string | null; merchant?: string | null } = {},
): boolean {
  const sql = `UPDATE webhook_event SET state = 'pending', next_attempt_at = $now
    WHERE (id = $id OR (event_id = $eventId AND deposit_index = (SELECT deposit_index FROM event WHERE id = $eventId)))
      AND receiver NOT IN (${held}) AND ($endpoint IS NULL OR endpoint_id = $endpoint)
      AND ($merchant IS NULL OR $merchant IN (
        SELECT merchant FROM receivable WHERE receivable.deposit_index = webhook_event.deposit_index))`;
  return db.query(sql).run({ id, eventId: tells ? id : null, now, endpoint, merchant }).changes > 0;
}

/** Makes a receiver's waiting events due now. */
export function makeDue(db: Db, receiver: string, now: number): void {
  db.query(
    `UPDATE webhook_event SET next_attempt_at = $now
     WHERE state = 'pending' AND receiver = $receiver AND next_attempt_at > $now`,
  ).run({ receiver, now });
}

export const has = (db: Db, id: string): boolean =>
  db.query("SELECT 1 FROM webhook_event WHERE id = ?").get(id) !== null;

/** Number of events ended at once, as each rewrites its body. */
const endedMax = 500;

/** Ends some events that wait for deleted endpoints. Returns whether there were any. */
export function endSome(db: Db): boolean {
  const rows = db
    .query<{ id: string }, []>(
      `SELECT id FROM webhook_event WHERE state = 'pending'
         AND receiver IN (SELECT id FROM webhook_endpoint WHERE deleted_at IS NOT NULL) LIMIT ${endedMax}`,
    )
    .all();
  if (rows.length === 0) return false;
  const sql = `UPDATE webhook_event SET state = 'ended', next_attempt_at = NULL
    WHERE id IN (SELECT value FROM json_each(?))`;
  db.query(sql).run(JSON.stringify(rows.map(({ id }) => id)));
  return true;
}
