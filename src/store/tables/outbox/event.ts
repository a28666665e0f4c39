import type * as Event from "../../../domain/event/event.ts";
import { columns, integer, json, orNull, type Row, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";

/** Something that happened to an invoice or a link. `data` is what a program should know of it. */
type RecordedEvent = {
  id: string;
  depositIndex: number;
  type: Event.FullType;
  data: Readonly<Record<string, unknown>>;
  /** Unix time in milliseconds. */
  createdAt: number;
};

/** An invoice by its id and number, or a link by its slug. */
type EventOwner = { invoiceId: string | null; invoiceNumber: string | null; slug: string | null };

/** With its place in the order of all events. */
export type ListedEvent = RecordedEvent & EventOwner & { position: number };

const stored = columns("event", {
  id: text(),
  depositIndex: integer(),
  type: text<Event.FullType>(),
  data: json<RecordedEvent["data"]>(),
  createdAt: integer(),
});

const place = columns("event", { position: integer() });

/** Under the names that `select` gives them. */
const owner = columns("owner", {
  invoiceId: orNull(text()),
  invoiceNumber: orNull(text()),
  slug: orNull(text()),
});

const select = `SELECT ${stored.list}, ${place.list}, invoice.id AS invoice_id, invoice.number AS invoice_number,
    link.slug AS slug
  FROM event LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)`;

const fromRow = (row: Row<ListedEvent>): ListedEvent => ({
  ...stored.fromRow(row),
  ...place.fromRow(row),
  ...owner.fromRow(row),
});

/** Writes an event. Returns false when one with this id exists; that one stays unchanged. */
export function insert(db: Db, event: RecordedEvent): boolean {
  return db.query(insertOnce).run(stored.values(event)).changes > 0;
}

const insertOnce = `${stored.insert()} ON CONFLICT (id) DO NOTHING`;

/** How many events of a type a deposit has. */
export function count(db: Db, depositIndex: number, type: Event.FullType): number {
  const sql = "SELECT count(*) FROM event WHERE deposit_index = ? AND type = ?";
  return numberOf(db, sql, depositIndex, type) ?? 0;
}

/** Whether a deposit has had an event of a type since a time in Unix milliseconds. */
export function anySince(db: Db, depositIndex: number, type: Event.FullType, since: number): boolean {
  const sql = "SELECT 1 FROM event WHERE deposit_index = ? AND type = ? AND created_at >= ? LIMIT 1";
  return db.query(sql).get(depositIndex, type, since) !== null;
}

type UnexpectedMoney = { deposits: number[]; hasMore: boolean };

/**
 * Deposits that received money since a time (Unix milliseconds) while void or marked as paid, and still are: at most
 * `limit`, latest money first.
 */
export function listUnexpected(db: Db, sinceMs: number, limit: number): UnexpectedMoney {
  const rows = db
    .query<{ deposit_index: bigint }, [number, number]>(
      `SELECT event.deposit_index FROM event JOIN deposit USING (deposit_index)
         LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)
       WHERE event.type IN ('invoice.unexpected_payment', 'link.unexpected_payment') AND event.created_at > ?
         AND received_amount > 0
         AND coalesce(invoice.voided_at, link.voided_at, invoice.marked_paid_at, link.marked_paid_at) IS NOT NULL
       GROUP BY event.deposit_index ORDER BY max(position) DESC LIMIT ?`,
    )
    .all(sinceMs, limit + 1)
    .map((row) => Number(row.deposit_index));
  return { deposits: rows.slice(0, limit), hasMore: rows.length > limit };
}

type EventFilter = {
  limit: number;
  /** Only events before the one in this position. */
  before?: number | undefined;
  type?: Event.FullType | undefined;
  deposit?: number | undefined;
};

/** Newest first. */
export const list = (db: Db, { limit, before, type, deposit }: EventFilter): Page<ListedEvent> =>
  page(db, {
    select,
    equal: { type, "event.deposit_index": deposit },
    order: ["position"],
    after: before,
    limit,
    read: fromRow,
  });

export function byId(db: Db, id: string): ListedEvent | null {
  const row = db.query<Row<ListedEvent>, [string]>(`${select} WHERE event.id = ?`).get(id);
  return row && fromRow(row);
}
