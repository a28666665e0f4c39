import { columns, integer, join, selectAll, selectOne, text, usdcSum } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { type Page, page, pageOf } from "../../page.ts";
import { find } from "../../search.ts";

/** A customer. The database derives each from their invoices. */
const stored = columns("customer", {
  id: integer(),
  /** The mail address in lower case. */
  key: text(),
  /** As on the newest invoice. */
  email: text(),
  name: text(),
  /** The newest invoice. */
  lastSequence: integer(),
  invoices: integer(),
  /** Still unpaid. */
  open: usdcSum("open_amount"),
  /** Received, or marked as paid in another way. */
  paid: usdcSum("paid_amount"),
});

const newest = columns("invoice", { lastNumber: text("number"), lastIssueDate: text("issue_date") });

/** Joined with the newest invoice. */
const listed = {
  ...join(stored, newest),
  from: "customer CROSS JOIN invoice ON invoice.sequence = last_sequence",
};
export type ListedCustomer = ReturnType<typeof listed.fromRow>;

/** Lower-cases exactly as SQLite's `lower` does, which leaves letters beyond ASCII alone. */
const keyOf = (email: string) => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export const byId = (db: Db, id: number): ListedCustomer | null =>
  selectOne(db, listed, "WHERE customer.id = +?", id);

/** By mail address, in any case. */
export const byEmail = (db: Db, email: string): ListedCustomer | null =>
  selectOne(db, listed, "WHERE key = +?", keyOf(email));

type CustomerFilter = {
  limit: number;
  /** `billed`: most recently billed first, by `lastSequence`; `id`: newest customers first. */
  order: "billed" | "id";
  /** The end of the previous page, in that order. */
  after?: number | null;
  /** Only customers who owe something; in the order `billed`. */
  owing?: boolean;
};

export const list = (db: Db, { limit, order, after, owing = false }: CustomerFilter): Page<ListedCustomer> =>
  page(db, {
    from: listed,
    where: [owing ? "open_amount > 0" : null],
    order: [order === "billed" ? "last_sequence" : "customer.id"],
    after,
    limit,
  });

/**
 * Customers whose name or address matches a query of `matchOf`; newest customers first, an order that stays stable
 * between pages. `after`: the id where the previous page ended.
 */
export async function search(
  db: Db,
  match: string,
  { after, limit }: { after: number | null; limit: number },
): Promise<Page<ListedCustomer>> {
  const ids = await find(db, "customer", match, { before: after ?? undefined, limit: limit + 1 });
  const found = "WHERE customer.id IN (SELECT value FROM json_each(?)) ORDER BY customer.id DESC";
  return pageOf(selectAll(db, listed, found, JSON.stringify(ids)), limit);
}

/** How many there are, counted up to `max`. */
export function count(db: Db, { owing, max }: { owing: boolean; max: number }): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM customer ${owing ? "WHERE open_amount > 0" : ""} LIMIT ?)`;
  return numberOf(db, sql, max) ?? 0;
}
