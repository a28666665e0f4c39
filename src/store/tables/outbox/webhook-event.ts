import { columns, integer, orNull, type Row, selectAll, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

export type EventState = "pending" | "delivered" | "failed";

type NewEvent = {
  id: string;
  depositIndex: number;
  status: string;
  url: string;
  /** Sealed. */
  secret: string;
  body: string;
  createdAt: number;
};

export type DueEvent = {
  id: string;
  depositIndex: number;
  url: string;
  /** The origin of the URL. Each receiver gets a few events at a time, and none waits for another receiver. */
  receiver: string;
  /** Sealed. */
  secret: string;
  body: string;
  attempts: number;
};

export type QueuedEvent = {
  id: string;
  status: string;
  url: string;
  body: string;
  state: EventState;
  nextAttemptAt: number | null;
  createdAt: number;
  attempts: AttemptRecord[];
};

type AttemptRecord = {
  attempt: number;
  startedAt: number;
  durationMs: number;
  httpStatus: number | null;
  reason: string | null;
};

const stored = columns("webhook_event", {
  id: text(),
  depositIndex: integer(),
  status: text(),
  url: text(),
  receiver: text(),
  secret: text(),
  body: text(),
  state: text<EventState>(),
  attempts: integer(),
  nextAttemptAt: orNull(integer()),
  createdAt: integer(),
});

/** Writes an event, due at once. One with this id that exists stays unchanged. */
export function insert(db: Db, event: NewEvent): boolean {
  const values = stored.values({
    ...event,
    receiver: new URL(event.url).origin,
    state: "pending",
    attempts: 0,
    nextAttemptAt: event.createdAt,
  });
  return db.query(insertOnce).run(values).changes > 0;
}

const insertOnce = `${stored.insert()} ON CONFLICT (id) DO NOTHING`;

const due = stored.pick("id", "depositIndex", "url", "receiver", "secret", "body", "attempts");

/** Everything due, for when that is little: reads all of it and nothing else. */
const allDue = `
  SELECT rowid AS key, receiver, next_attempt_at FROM webhook_event INDEXED BY webhook_event_due
  WHERE state = 'pending' AND next_attempt_at <= $now`;

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
    WHERE state = 'pending' AND receiver = waiting.receiver AND next_attempt_at <= $now
    ORDER BY next_attempt_at LIMIT $perReceiver)`;

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
       CROSS JOIN webhook_event ON webhook_event.rowid = key
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

/** Records one attempt and its event's new state. */
export function recordAttempt(
  db: Db,
  eventId: string,
  attempt: AttemptRecord,
  next: { state: "pending"; nextAttemptAt: number } | { state: "delivered" | "failed" },
): void {
  const insertAttempt = attempts.insert({ event_id: "$eventId" });
  db.query(insertAttempt).run({ ...attempts.values(attempt), eventId });
  db.query("UPDATE webhook_event SET state = ?, attempts = ?, next_attempt_at = ? WHERE id = ?").run(
    next.state,
    attempt.attempt,
    next.state === "pending" ? next.nextAttemptAt : null,
    eventId,
  );
}

/**
 * Makes an event due now, whatever its state. Returns false when there is no such event; `merchant`, in its normal form,
 * leaves only those of theirs.
 */
export function redeliver(db: Db, id: string, now: number, merchant: string | null = null): boolean {
  const sql = `UPDATE webhook_event SET state = 'pending', next_attempt_at = $now
    WHERE id = $id AND ($merchant IS NULL OR $merchant IN (
      SELECT merchant FROM invoice WHERE invoice.deposit_index = webhook_event.deposit_index
      UNION ALL SELECT merchant FROM link WHERE link.deposit_index = webhook_event.deposit_index))`;
  return db.query(sql).run({ id, now, merchant }).changes > 0;
}

const recorded = stored.pick("id", "status", "url", "body", "state", "nextAttemptAt", "createdAt");

/** A deposit's events with their attempts, oldest first. */
export function listByDeposit(db: Db, depositIndex: number): QueuedEvent[] {
  return db
    .query<Row<Omit<QueuedEvent, "attempts">>, [number]>(
      `SELECT ${recorded.list} FROM webhook_event WHERE deposit_index = ? ORDER BY created_at, rowid`,
    )
    .all(depositIndex)
    .map((row) => recorded.fromRow(row))
    .map((event) => ({ ...event, attempts: listAttempts(db, event.id) }));
}

const attempts = columns("delivery_attempt", {
  attempt: integer(),
  startedAt: integer(),
  durationMs: integer(),
  httpStatus: orNull(integer()),
  reason: orNull(text()),
});

const listAttempts = (db: Db, eventId: string): AttemptRecord[] =>
  selectAll(db, attempts, "WHERE event_id = ? ORDER BY attempt", eventId);
