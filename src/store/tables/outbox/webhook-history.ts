import { columns, integer, orNull, selectAll, text } from "../../columns.ts";
import type { Db } from "../../database.ts";
import {
  type AttemptRecord,
  attempts,
  type EventState,
  isGone,
  urlOf,
  withEndpoint,
} from "./webhook-event.ts";

/** A webhook with its attempts. */
export type QueuedEvent = ReturnType<typeof recorded.fromRow> & { attempts: AttemptRecord[] };

const recorded = columns("webhook_event", {
  id: text(),
  endpointId: orNull(text()),
  eventId: orNull(text()),
  isGone,
  status: text(),
  url: urlOf,
  body: text(),
  state: text<EventState>(),
  nextAttemptAt: orNull(integer()),
  createdAt: integer(),
});

/** Maximum events listed per deposit: many of its payments can each make one. */
const listedMax = 1_000;

/** A deposit's newest events with their attempts, in chronological order. */
export function list(db: Db, depositIndex: number, limit = listedMax): QueuedEvent[] {
  return selectAll(
    db,
    { ...recorded, from: `webhook_event ${withEndpoint}` },
    "WHERE deposit_index = ? ORDER BY webhook_event.created_at DESC, webhook_event.rowid DESC LIMIT ?",
    depositIndex,
    limit,
  )
    .reverse()
    .map((event) => ({ ...event, attempts: listAttempts(db, event.id) }));
}

const listAttempts = (db: Db, eventId: string): AttemptRecord[] =>
  selectAll(db, attempts, "WHERE event_id = ? ORDER BY attempt", eventId);
