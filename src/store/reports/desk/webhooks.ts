import { boolean, columns, computed, integer, join, orNull, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { type Page, type Place, page } from "../../page.ts";
import { type EventState, isGone, urlOf, withEndpoint } from "../../tables/outbox/webhook-event.ts";

/** A webhook event with its latest attempt's result. */
const delivery = join(
  columns("webhook_event", {
    /** Its place in the order events were written. */
    position: computed("webhook_event.rowid", integer()),
    id: text(),
    depositIndex: integer(),
    isGone,
    /** Whether it waits for its endpoint to be resumed. */
    isHeld: computed("state = 'pending' AND webhook_endpoint.paused_at IS NOT NULL", boolean()),
    body: text(),
    url: urlOf,
    state: text<EventState>(),
    attempts: integer(),
    nextAttemptAt: orNull(integer()),
    createdAt: integer(),
  }),
  /** Null before the first, or when nobody answered. */
  columns("delivery_attempt", {
    startedAt: orNull(integer()),
    httpStatus: orNull(integer()),
    reason: orNull(text()),
  }),
);
export type WebhookDelivery = ReturnType<typeof delivery.fromRow>;

/** The condition of the index of failing events. */
const failing = "(state = 'failed' OR (state = 'pending' AND attempts > 0))";

export const placeOf = ({ createdAt: at, position: id }: WebhookDelivery): Place => ({
  at,
  kind: "event",
  id,
});

type Shown = {
  isFailing: boolean;
  /** Only events of this endpoint. */
  endpoint?: string;
  before: Place | null;
  limit: number;
};

/** Newest first, those before a place. With `isFailing`, only those given up or being retried. */
export function list(db: Db, { isFailing, endpoint, before, limit }: Shown): Page<WebhookDelivery> {
  const { at, id } = before ?? { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  return page(db, {
    from: {
      ...delivery,
      from: `webhook_event ${isFailing ? "INDEXED BY webhook_event_failing" : ""}
        ${withEndpoint}
        LEFT JOIN delivery_attempt ON delivery_attempt.event_id = webhook_event.id AND attempt = attempts`,
    },
    where: [isFailing ? failing : null],
    equal: { endpoint_id: endpoint },
    order: isFailing ? ["webhook_event.created_at", "webhook_event.rowid"] : ["webhook_event.rowid"],
    after: isFailing ? [at, id] : id,
    limit,
  });
}

/** How many failing events were written since a time in Unix ms, counted up to `max`; none of deleted endpoints. */
export function countFailing(db: Db, { since, max }: { since: number; max: number }): number {
  const sql = `SELECT count(*) FROM (
    SELECT 1 FROM webhook_event INDEXED BY webhook_event_failing
    WHERE ${failing} AND created_at >= ?
      AND coalesce(endpoint_id, '') NOT IN (SELECT id FROM webhook_endpoint WHERE deleted_at IS NOT NULL) LIMIT ?)`;
  return numberOf(db, sql, since, max) ?? 0;
}
