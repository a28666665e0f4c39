import { columns, integer, orNull, type Row, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import type { EventState } from "../../tables/outbox/webhook-event.ts";

/** A webhook event with its latest attempt's result. */
export type WebhookDelivery = {
  /** Its place in the order events were written. */
  position: number;
  id: string;
  depositIndex: number;
  body: string;
  url: string;
  state: EventState;
  attempts: number;
  nextAttemptAt: number | null;
  createdAt: number;
  /** Of the latest attempt; null before the first, or when nobody answered. */
  startedAt: number | null;
  httpStatus: number | null;
  reason: string | null;
};

const delivery = columns("delivery", {
  position: integer(),
  id: text(),
  depositIndex: integer(),
  body: text(),
  url: text(),
  state: text<EventState>(),
  attempts: integer(),
  nextAttemptAt: orNull(integer()),
  createdAt: integer(),
  startedAt: orNull(integer()),
  httpStatus: orNull(integer()),
  reason: orNull(text()),
});

/** The condition of the index of failing events. */
const failing = "(state = 'failed' OR (state = 'pending' AND attempts > 0))";

/** A place in the list. */
export type DeliveryCursor = Pick<WebhookDelivery, "createdAt" | "position">;

const newest: DeliveryCursor = { createdAt: Number.MAX_SAFE_INTEGER, position: Number.MAX_SAFE_INTEGER };

type Page = { before: DeliveryCursor | null; limit: number };

const select = (rows: string) => `
  SELECT ${delivery.list} FROM (
    SELECT page.rowid AS position, page.*, started_at, http_status, reason
    FROM (${rows}) AS page LEFT JOIN delivery_attempt ON event_id = page.id AND attempt = page.attempts
  ) AS delivery ORDER BY created_at DESC, position DESC`;

/** Newest first, those before a place. */
export function list(db: Db, { before, limit }: Page): WebhookDelivery[] {
  return db
    .query<Row<WebhookDelivery>, [number, number]>(
      select("SELECT rowid, * FROM webhook_event WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"),
    )
    .all((before ?? newest).position, limit)
    .map(delivery.fromRow);
}

/** As `list`, only those given up or being retried. */
export function listFailing(db: Db, { before, limit }: Page): WebhookDelivery[] {
  return db
    .query<Row<WebhookDelivery>, Record<string, number>>(
      select(
        `SELECT rowid, * FROM webhook_event INDEXED BY webhook_event_failing
         WHERE ${failing} AND created_at <= $createdAt AND (created_at, rowid) < ($createdAt, $position)
         ORDER BY created_at DESC, rowid DESC LIMIT $limit`,
      ),
    )
    .all({ ...(before ?? newest), limit })
    .map(delivery.fromRow);
}

/** How many failing events were written since a time in Unix ms, counted up to `max`. */
export function countFailing(db: Db, { since, max }: { since: number; max: number }): number {
  const sql = `SELECT count(*) FROM (
    SELECT 1 FROM webhook_event INDEXED BY webhook_event_failing
    WHERE ${failing} AND created_at >= ? LIMIT ?)`;
  return numberOf(db, sql, since, max) ?? 0;
}
