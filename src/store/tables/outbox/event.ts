import * as Event from "../../../domain/event/event.ts";
import * as Ending from "../../../domain/receivable/ending.ts";
import { columns, computed, integer, join, json, orNull, type Row, selectOne, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";

/** Something that happened to an invoice or a link. `data` is for programs. */
type RecordedEvent = {
  id: string;
  depositIndex: number;
  type: Event.FullType;
  data: Readonly<Record<string, unknown>>;
  /** Unix time in milliseconds. */
  createdAt: number;
};

const stored = columns("event", {
  id: text(),
  depositIndex: integer(),
  type: text<Event.FullType>(),
  data: json<RecordedEvent["data"]>(),
  createdAt: integer(),
});

const ended = columns("event", { type: text<Event.FullType>(), createdAt: integer() });
type Ended = ReturnType<typeof ended.fromRow>;
const decidingTypes = JSON.stringify(Event.fullTypesOf(Ending.deciding));

const listed = {
  ...join(
    stored,
    columns("event", {
      /** Its position in the order of all events. */
      position: integer(),
      /** The normalised mail address of its merchant. */
      merchant: text(),
      /** Identifies an invoice by id and number, or a link by slug. */
      invoiceId: computed("invoice.id", orNull(text())),
      invoiceNumber: computed("invoice.number", orNull(text())),
      slug: computed("link.slug", orNull(text())),
    }),
  ),
  from: "event LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)",
};
export type ListedEvent = ReturnType<typeof listed.fromRow>;

/** Writes an event. Returns false when one with this id exists; that one stays unchanged. */
export function insert(db: Db, event: RecordedEvent): boolean {
  return db.query(insertOnce).run(stored.values(event)).changes > 0;
}

const merchant = "(SELECT merchant FROM receivable WHERE deposit_index = $depositIndex)";
const insertOnce = `${stored.insert({ merchant })} ON CONFLICT (id) DO NOTHING`;

/** The events that decide when what a deposit is for has ended, oldest first. */
export const listDeciding = (db: Db, depositIndex: number) =>
  db
    .query<Row<Ended>, [number, string]>(
      `SELECT ${ended.list} FROM event WHERE deposit_index = ? AND type IN (SELECT value FROM json_each(?))
       ORDER BY position`,
    )
    .all(depositIndex, decidingTypes)
    .map(ended.fromRow);

/** How many events of a type a deposit has. */
export function count(db: Db, depositIndex: number, type: Event.FullType): number {
  const sql = "SELECT count(*) FROM event WHERE deposit_index = ? AND type = ?";
  return numberOf(db, sql, depositIndex, type) ?? 0;
}

/** Returns whether a deposit has had an event of a type since a time in Unix milliseconds. */
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
      `SELECT event.deposit_index FROM event JOIN receivable USING (deposit_index)
       WHERE event.type IN ('invoice.unexpected_payment', 'link.unexpected_payment') AND event.created_at > ?
         AND received_amount > 0
         AND coalesce(voided_at, marked_paid_at) IS NOT NULL
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
  merchant?: string | null;
};

/** Newest first. */
export const list = (db: Db, { limit, before, type, deposit, merchant }: EventFilter): Page<ListedEvent> =>
  page(db, {
    from: listed,
    equal: { type, "event.deposit_index": deposit, "event.merchant": merchant },
    order: ["position"],
    after: before,
    limit,
  });

export const byId = (db: Db, id: string): ListedEvent | null =>
  selectOne(db, listed, "WHERE event.id = ?", id);
