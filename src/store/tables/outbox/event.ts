import type * as Event from "../../../domain/event.ts";
import { columns, integer, json, type Row, text, where } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** What happened to an invoice or a link. `data` is what there is to say of it, for a program. */
export type RecordedEvent = {
  id: string;
  depositIndex: number;
  type: Event.FullType;
  data: Readonly<Record<string, unknown>>;
  /** Unix time in milliseconds. */
  createdAt: number;
};

/** The order in which it happened, as the database counts it. */
export type ListedEvent = RecordedEvent & { position: number };

const stored = columns("event", {
  id: text(),
  depositIndex: integer(),
  type: text<Event.FullType>(),
  data: json<RecordedEvent["data"]>(),
  createdAt: integer(),
});

const listed = columns("event", { position: integer() });

/** Writes an event. False when there is one with this id, which stays as it is. */
export function insert(db: Db, event: RecordedEvent): boolean {
  return db.query(`${stored.insert()} ON CONFLICT (id) DO NOTHING`).run(stored.values(event)).changes > 0;
}

/** How many events of a type a deposit has. */
export function count(db: Db, depositIndex: number, type: Event.FullType): number {
  const row = db
    .query<{ events: bigint }, [number, string]>(
      "SELECT count(*) AS events FROM event WHERE deposit_index = ? AND type = ?",
    )
    .get(depositIndex, type);
  return Number(row?.events ?? 0n);
}

export type EventFilter = {
  limit: number;
  /** Only what happened before the event in this position. */
  before?: number;
  type?: Event.FullType;
  deposit?: number;
};

/** Newest first. Asks for one more than `limit` rows, to tell whether there are more. */
export function list(db: Db, filter: EventFilter): { events: ListedEvent[]; hasMore: boolean } {
  const { limit, ...given } = filter;
  const conditions = {
    before: "position < $before",
    type: "type = $type",
    deposit: "deposit_index = $deposit",
  };
  const { sql, values } = where(conditions, given);
  const rows = db
    .query<Row<ListedEvent>, Record<string, string | number>>(
      `SELECT ${listed.list}, ${stored.list} FROM event WHERE ${sql} ORDER BY position DESC LIMIT $limit`,
    )
    .all({ ...values, limit: limit + 1 })
    .map((row) => ({ ...listed.fromRow(row), ...stored.fromRow(row) }));
  return { events: rows.slice(0, limit), hasMore: rows.length > limit };
}

export function byId(db: Db, id: string): ListedEvent | null {
  const row = db
    .query<Row<ListedEvent>, [string]>(`SELECT ${listed.list}, ${stored.list} FROM event WHERE id = ?`)
    .get(id);
  return row && { ...listed.fromRow(row), ...stored.fromRow(row) };
}
