import type { Usdc } from "../../../domain/usdc.ts";
import { columns, integer, type Row, text, usdc } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** Somebody who was billed. The database keeps it as the invoices say. */
export type Customer = {
  id: number;
  /** The mail address in small letters. */
  key: string;
  /** As the newest invoice has them. */
  email: string;
  name: string;
  /** The newest invoice. */
  lastSequence: number;
  invoices: number;
  /** What is still to come. */
  open: Usdc;
  /** What came in, or was marked as paid in another way. */
  paid: Usdc;
};

const stored = columns("customer", {
  id: integer(),
  key: text(),
  email: text(),
  name: text(),
  lastSequence: integer(),
  invoices: integer(),
  open: usdc("open_amount"),
  paid: usdc("paid_amount"),
});

const newest = columns("invoice", { lastNumber: text("number"), lastIssueDate: text("issue_date") });

/** With the newest invoice. */
export type ListedCustomer = Customer & { lastNumber: string; lastIssueDate: string };

const select = `SELECT ${stored.list}, ${newest.list}`;
const joined = "CROSS JOIN invoice ON invoice.sequence = last_sequence";

const fromRow = (row: Row<ListedCustomer>): ListedCustomer => ({
  ...stored.fromRow(row),
  ...newest.fromRow(row),
});

/** One spelling for all that differ by small letters and capitals, as SQLite's `lower` makes it. */
export const keyOf = (email: string) => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export function byId(db: Db, id: number): ListedCustomer | null {
  const row = db
    .query<Row<ListedCustomer>, [number]>(`${select} FROM customer ${joined} WHERE customer.id = +?`)
    .get(id);
  return row && fromRow(row);
}

/** By the mail address, in any case. */
export function byEmail(db: Db, email: string): ListedCustomer | null {
  const row = db
    .query<Row<ListedCustomer>, [string]>(`${select} FROM customer ${joined} WHERE key = +?`)
    .get(keyOf(email));
  return row && fromRow(row);
}

export type CustomerFilter = {
  limit: number;
  /** The last customer of the page before. */
  after?: Pick<Customer, "id" | "lastSequence"> | null;
  /** Only those of whom something is still to come. */
  owing?: boolean;
  /** Words that name or address begin with, as `matchOf` makes them. */
  match?: string | null;
};

/** Those billed last first; of a search, those first billed last. Asks for one more row, to tell whether there are more. */
export function list(
  db: Db,
  { limit, after = null, owing = false, match = null }: CustomerFilter,
): { customers: ListedCustomer[]; hasMore: boolean } {
  const values: Record<string, string | number> = { limit: limit + 1 };
  let sql = `${select} FROM customer ${joined}
    WHERE ${owing ? "open_amount > 0" : "1"} ${after === null ? "" : "AND last_sequence < $after"}
    ORDER BY last_sequence DESC LIMIT $limit`;
  if (after !== null) values["after"] = match === null ? after.lastSequence : after.id;
  if (match !== null) {
    values["match"] = match;
    sql = `${select} FROM (
        SELECT rowid AS found FROM customer_search
        WHERE customer_search MATCH $match ${after === null ? "" : "AND rowid < $after"}
        ORDER BY rowid DESC LIMIT $limit)
      CROSS JOIN customer ON customer.id = found ${joined} ORDER BY found DESC`;
  }
  const rows = db.query<Row<ListedCustomer>, typeof values>(sql).all(values);
  return { customers: rows.slice(0, limit).map(fromRow), hasMore: rows.length > limit };
}

/** How many there are, counted up to `max`. */
export function count(db: Db, { owing, max }: { owing: boolean; max: number }): number {
  const row = db
    .query<{ count: bigint }, [number]>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM customer ${owing ? "WHERE open_amount > 0" : ""} LIMIT ?)`,
    )
    .get(max);
  return Number(row?.count ?? 0n);
}
