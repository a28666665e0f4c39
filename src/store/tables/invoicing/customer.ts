import type { Usdc } from "../../../domain/usdc.ts";
import { columns, integer, type Row, text, usdc } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { find } from "../../search.ts";

/** A customer. The database derives each from their invoices. */
type Customer = {
  id: number;
  /** The mail address in lower case. */
  key: string;
  /** As on the newest invoice. */
  email: string;
  name: string;
  /** The newest invoice. */
  lastSequence: number;
  invoices: number;
  /** Still unpaid. */
  open: Usdc;
  /** Received, or marked as paid in another way. */
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

/** Lower-cases exactly as SQLite's `lower` does, which leaves letters beyond ASCII alone. */
const keyOf = (email: string) => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export function byId(db: Db, id: number): ListedCustomer | null {
  const row = db
    .query<Row<ListedCustomer>, [number]>(`${select} FROM customer ${joined} WHERE customer.id = +?`)
    .get(id);
  return row && fromRow(row);
}

/** By mail address, in any case. */
export function byEmail(db: Db, email: string): ListedCustomer | null {
  const row = db
    .query<Row<ListedCustomer>, [string]>(`${select} FROM customer ${joined} WHERE key = +?`)
    .get(keyOf(email));
  return row && fromRow(row);
}

type CustomerFilter = {
  limit: number;
  /** `billed`: most recently billed first, by `lastSequence`; `id`: newest customers first. */
  order: "billed" | "id";
  /** Where the previous page ended, in that order. */
  after?: number | null;
  /** Only customers who owe something; in the order `billed`. */
  owing?: boolean;
};

type Page = { customers: ListedCustomer[]; hasMore: boolean };

const pageOf = (rows: readonly Row<ListedCustomer>[], limit: number): Page => ({
  customers: rows.slice(0, limit).map(fromRow),
  hasMore: rows.length > limit,
});

/** Reads one row more than `limit`, to tell whether there are more. */
export function list(db: Db, { limit, order, after = null, owing = false }: CustomerFilter): Page {
  const by = order === "billed" ? "last_sequence" : "customer.id";
  const rows = db
    .query<Row<ListedCustomer>, Record<string, number>>(
      `${select} FROM customer ${joined}
       WHERE ${owing ? "open_amount > 0" : "1"} ${after === null ? "" : `AND ${by} < $after`}
       ORDER BY ${by} DESC LIMIT $limit`,
    )
    .all({ limit: limit + 1, ...(after === null ? {} : { after }) });
  return pageOf(rows, limit);
}

/**
 * Customers whose name or address matches a query of `matchOf`; newest customers first, an order that stays stable
 * between pages. `after`: the id where the previous page ended.
 */
export async function search(
  db: Db,
  match: string,
  { after, limit }: { after: number | null; limit: number },
): Promise<Page> {
  const ids = await find(db, "customer", match, { before: after ?? undefined, limit: limit + 1 });
  const rows = db
    .query<Row<ListedCustomer>, [string]>(
      `${select} FROM customer ${joined} WHERE customer.id IN (SELECT value FROM json_each(?))
       ORDER BY customer.id DESC`,
    )
    .all(JSON.stringify(ids));
  return pageOf(rows, limit);
}

/** How many there are, counted up to `max`. */
export function count(db: Db, { owing, max }: { owing: boolean; max: number }): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM customer ${owing ? "WHERE open_amount > 0" : ""} LIMIT ?)`;
  return numberOf(db, sql, max) ?? 0;
}
