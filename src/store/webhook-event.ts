import { type Db, numberOrNull } from "./database.ts";

export type EventState = "pending" | "delivered" | "failed";

export type NewEvent = {
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
  /** The origin of the URL: a few events for one receiver are sent at a time, and none waits for another receiver. */
  receiver: string;
  /** Sealed. */
  secret: string;
  body: string;
  attempts: number;
};

export type RecordedEvent = {
  id: string;
  status: string;
  url: string;
  body: string;
  state: EventState;
  nextAttemptAt: number | null;
  createdAt: number;
  attempts: RecordedAttempt[];
};

export type RecordedAttempt = {
  attempt: number;
  startedAt: number;
  durationMs: number;
  httpStatus: number | null;
  reason: string | null;
};

/** Writes an event, due at once. One that exists for this deposit and status stays as it is. */
export function insert(db: Db, event: NewEvent): boolean {
  return (
    db
      .query(
        `INSERT INTO webhook_event (id, deposit_index, status, url, receiver, secret, body, state, next_attempt_at,
           created_at)
         VALUES ($id, $depositIndex, $status, $url, $receiver, $secret, $body, 'pending', $createdAt, $createdAt)
         ON CONFLICT (deposit_index, status) DO NOTHING`,
      )
      .run({ ...event, receiver: new URL(event.url).origin }).changes > 0
  );
}

type DueRow = Omit<DueEvent, "depositIndex" | "attempts"> & { deposit_index: bigint; attempts: bigint };

/** What is due, when it is little: all of it is looked at, and nothing that is not due. */
const allDue = `
  SELECT rowid AS key, receiver, next_attempt_at FROM webhook_event INDEXED BY webhook_event_due
  WHERE state = 'pending' AND next_attempt_at <= $now`;

/** The same for more than this. A dead receiver can have a hundred thousand that are due. */
const manyDue = 1_000;

/** From receiver to receiver, and of each no more than is asked for. The join is CROSS to be made in this order. */
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
 * Events whose next attempt is due, at most so many for one receiver: the one that is due longest of each of them, then
 * the second of each, so that receivers with many leave room for those with few.
 */
export function listDue(db: Db, now: number, limits: { total: number; perReceiver: number }): DueEvent[] {
  const isMuch = db
    .query(
      `SELECT 1 FROM webhook_event WHERE state = 'pending' AND next_attempt_at <= +?
       ORDER BY next_attempt_at LIMIT 1 OFFSET ${manyDue}`,
    )
    .get(now);
  return db
    .query<DueRow, { now: number; total: number; perReceiver: number }>(
      // The window is over keys alone: this is asked after every delivery, and bodies are long.
      `SELECT id, deposit_index, url, receiver, secret, body, attempts FROM (
         SELECT key, row_number() OVER (PARTITION BY receiver ORDER BY next_attempt_at) AS place
         FROM (${isMuch === null ? allDue : someDueOfEach}))
       CROSS JOIN webhook_event ON webhook_event.rowid = key
       WHERE place <= $perReceiver ORDER BY place, next_attempt_at LIMIT $total`,
    )
    .all({ now, ...limits })
    .map(({ deposit_index, attempts, ...row }) => ({
      ...row,
      depositIndex: Number(deposit_index),
      attempts: Number(attempts),
    }));
}

/** When the next attempt after `now` is due, in Unix milliseconds; null when none is waiting. */
export function nextDueAfter(db: Db, now: number): number | null {
  const row = db
    .query<{ next: bigint | null }, [number]>(
      "SELECT min(next_attempt_at) AS next FROM webhook_event WHERE state = 'pending' AND next_attempt_at > ?",
    )
    .get(now);
  return numberOrNull(row?.next);
}

/** Records one attempt and what becomes of its event. */
export function recordAttempt(
  db: Db,
  eventId: string,
  attempt: RecordedAttempt,
  next: { state: "pending"; nextAttemptAt: number } | { state: "delivered" | "failed" },
): void {
  db.query(
    `INSERT INTO delivery_attempt (event_id, attempt, started_at, duration_ms, http_status, reason)
     VALUES ($eventId, $attempt, $startedAt, $durationMs, $httpStatus, $reason)`,
  ).run({ eventId, ...attempt });
  db.query("UPDATE webhook_event SET state = ?, attempts = ?, next_attempt_at = ? WHERE id = ?").run(
    next.state,
    attempt.attempt,
    next.state === "pending" ? next.nextAttemptAt : null,
    eventId,
  );
}

/** Makes an event due now, whatever became of it before. Returns false when there is no such event. */
export function redeliver(db: Db, eventId: string, now: number): boolean {
  return (
    db.query("UPDATE webhook_event SET state = 'pending', next_attempt_at = ? WHERE id = ?").run(now, eventId)
      .changes > 0
  );
}

type EventRow = {
  id: string;
  status: string;
  url: string;
  body: string;
  state: EventState;
  next_attempt_at: bigint | null;
  created_at: bigint;
};

/** The events of one deposit with their attempts, oldest first. */
export function listByDeposit(db: Db, depositIndex: number): RecordedEvent[] {
  return db
    .query<EventRow, [number]>(
      `SELECT id, status, url, body, state, next_attempt_at, created_at FROM webhook_event
       WHERE deposit_index = ? ORDER BY created_at, rowid`,
    )
    .all(depositIndex)
    .map((row) => ({
      id: row.id,
      status: row.status,
      url: row.url,
      body: row.body,
      state: row.state,
      nextAttemptAt: numberOrNull(row.next_attempt_at),
      createdAt: Number(row.created_at),
      attempts: listAttempts(db, row.id),
    }));
}

type AttemptRow = {
  attempt: bigint;
  started_at: bigint;
  duration_ms: bigint;
  http_status: bigint | null;
  reason: string | null;
};

function listAttempts(db: Db, eventId: string): RecordedAttempt[] {
  return db
    .query<AttemptRow, [string]>(
      `SELECT attempt, started_at, duration_ms, http_status, reason FROM delivery_attempt
       WHERE event_id = ? ORDER BY attempt`,
    )
    .all(eventId)
    .map((row) => ({
      attempt: Number(row.attempt),
      startedAt: Number(row.started_at),
      durationMs: Number(row.duration_ms),
      httpStatus: numberOrNull(row.http_status),
      reason: row.reason,
    }));
}
