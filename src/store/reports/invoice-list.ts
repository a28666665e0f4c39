import type { Status } from "../../domain/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import { columns, integer, join, orNull, type Row, text, usdc } from "../columns.ts";
import type { Db } from "../database.ts";

/** What a merchant looks through: all, what is still to be paid, what of that is late, and what is over. */
export const kinds = ["all", "open", "overdue", "paid", "void"] as const;
export type Kind = (typeof kinds)[number];

const open: readonly Status[] = ["draft", "sent", "partial"];
const statusesOf: Readonly<Record<Kind, readonly Status[] | null>> = {
  all: null,
  open,
  overdue: open,
  paid: ["paid", "excess"],
  void: ["void"],
};

/** What was found already: by words, or the invoices themselves. */
export type Found = { match: string } | { sequences: readonly number[] };

export type Filter = {
  kind: Kind;
  /** Days of issue, both included; null for no bound. */
  from: string | null;
  to: string | null;
  found: Found | null;
  /** The key of a customer; it goes with no other condition. */
  customer: string | null;
  /** The day that counts as today. */
  today: string;
};

/** Of what was found by words only so many of the newest are looked at for a kind or for days. */
export const foundMax = 300;

export type ListedInvoice = {
  sequence: number;
  number: string;
  vendorName: string;
  vendorEmail: string;
  reference: string | null;
  issueDate: string;
  dueDate: string;
  total: Usdc.Usdc;
  status: Status;
  createdAt: number;
  sentAt: number | null;
  markedPaidAt: number | null;
  depositAddress: string;
  received: Usdc.Usdc;
  pending: Usdc.Usdc;
  /** The first line. */
  description: string;
};

const invoice = columns("invoice", {
  sequence: integer(),
  number: text(),
  vendorName: text(),
  vendorEmail: text(),
  reference: orNull(text()),
  issueDate: text(),
  dueDate: text(),
  total: usdc("total_amount"),
  status: text<Status>(),
  createdAt: integer(),
  sentAt: orNull(integer()),
  markedPaidAt: orNull(integer()),
});
const deposit = columns("deposit", {
  depositAddress: text("address"),
  received: usdc("received_amount"),
  pending: usdc("pending_amount"),
});
const line = columns("line_item", { description: text() });
const listed = join(join(invoice, deposit), line);

type Values = Record<string, string | number>;
type Order = "sequence" | "issue_date" | "due_date";

/** The newest of a filter, as SQL for their sequences: as many as `$limit`, and before `$before` when it is there. */
function keysOf(filter: Filter, before: number | null): { sql: string; order: Order; values: Values } {
  const { kind, from, to, found, customer, today } = filter;
  const days = from !== null || to !== null;
  const order: Order =
    found !== null || customer !== null
      ? "sequence"
      : days
        ? "issue_date"
        : kind === "overdue"
          ? "due_date"
          : "sequence";
  const statuses = statusesOf[kind];
  const after =
    before === null
      ? null
      : order === "sequence"
        ? "sequence < $before"
        : `(${order}, sequence) < ((SELECT ${order} FROM invoice WHERE sequence = $before), $before)`;
  const narrowed = [
    days ? "issue_date BETWEEN $from AND $to" : null,
    kind === "overdue" ? "due_date < $today" : null,
  ];
  const values: Values = {
    ...(before === null ? {} : { before }),
    ...(days ? { from: from ?? "", to: to ?? "~" } : {}),
    ...(kind === "overdue" ? { today } : {}),
  };
  const by = order === "sequence" ? "sequence DESC" : `${order} DESC, sequence DESC`;
  const select = (table: string, conditions: readonly (string | null)[], limit = "$limit") => {
    const given = conditions.filter((condition) => condition !== null);
    const where = given.length === 0 ? "" : `WHERE ${given.join(" AND ")}`;
    return `SELECT sequence, ${order} AS place FROM ${table} ${where} ORDER BY ${by} LIMIT ${limit}`;
  };
  const isOneOf = statuses && `status IN (${statuses.map((status) => `'${status}'`).join(", ")})`;

  if (customer !== null)
    return {
      sql: select("invoice", ["lower(vendor_email) = $customer", after]),
      order,
      values: { ...values, customer },
    };
  if (found !== null && "sequences" in found) {
    const given = `sequence IN (SELECT value FROM json_each($sequences))`;
    const sequences = JSON.stringify(found.sequences);
    return {
      sql: select("invoice", [given, isOneOf, ...narrowed, after]),
      order,
      values: { ...values, sequences },
    };
  }
  if (found !== null) {
    const isNarrow = statuses !== null || days;
    const matching = `SELECT rowid AS sequence FROM invoice_search
      WHERE invoice_search MATCH $match ${!isNarrow && after ? "AND rowid < $before" : ""}
      ORDER BY rowid DESC LIMIT ${isNarrow ? foundMax : "$limit"}`;
    const sql = isNarrow
      ? select(`(${matching}) CROSS JOIN invoice USING (sequence)`, [isOneOf, ...narrowed, after])
      : `SELECT sequence, sequence AS place FROM (${matching})`;
    return { sql, order, values: { ...values, match: found.match } };
  }
  if (order === "due_date") {
    // SQLite would rather sort what has one of the statuses.
    const late = "invoice INDEXED BY invoice_open_by_due_date";
    return { sql: select(late, [isOneOf, ...narrowed, after]), order, values };
  }
  if (statuses === null) return { sql: select("invoice", [...narrowed, after]), order, values };
  // Each status in the order of its index, and of these the newest: otherwise all of them would be sorted.
  const each = statuses.map(
    (status) => `SELECT * FROM (${select("invoice", [`status = '${status}'`, ...narrowed, after])})`,
  );
  return {
    sql: `SELECT sequence, place FROM (${each.join(" UNION ALL ")}) ORDER BY place DESC, sequence DESC LIMIT $limit`,
    order,
    values,
  };
}

/** Newest first, or by the day that the filter is about; those after the invoice `before` in that order. */
export function list(
  db: Db,
  filter: Filter,
  { before, limit }: { before: number | null; limit: number },
): { invoices: ListedInvoice[]; hasMore: boolean } {
  const { sql, values } = keysOf(filter, before);
  const rows = db
    .query<Row<ListedInvoice>, Values>(
      `SELECT ${listed.list} FROM (${sql}) AS key CROSS JOIN invoice ON invoice.sequence = key.sequence
       CROSS JOIN deposit USING (deposit_index)
       CROSS JOIN line_item ON line_item.sequence = key.sequence AND position = 0
       ORDER BY key.place DESC, key.sequence DESC`,
    )
    .all({ ...values, limit: limit + 1 });
  return { invoices: rows.slice(0, limit).map(listed.fromRow), hasMore: rows.length > limit };
}

/** What a list comes to: how many there are of each kind, and of what the filter lets through how many and how much. */
export type Overview = {
  counts: Record<Kind, number>;
  /** Null when they are more than are added up. */
  sum: { count: number; total: Usdc.Usdc } | null;
};

/** Counted up to `countMax`, and added up when they are no more than `sumMax`. */
export function overview(
  db: Db,
  filter: Filter,
  { countMax, sumMax }: { countMax: number; sumMax: number },
): Overview {
  if (filter.found !== null) return overviewOfFound(db, filter, countMax);
  const of = (kind: Kind) => count(db, { ...filter, kind }, countMax);
  const counts = {
    all: of("all"),
    open: of("open"),
    overdue: of("overdue"),
    paid: of("paid"),
    void: of("void"),
  };
  const sum = sumUpTo(db, filter, sumMax + 1);
  return { counts, sum: sum.count > sumMax ? null : sum };
}

/** How many a filter lets through and what they come to, counted up to `max`. */
export function sumUpTo(db: Db, filter: Filter, max: number): { count: number; total: Usdc.Usdc } {
  const { sql, values } = keysOf(filter, null);
  const row = db
    .query<{ count: bigint; total: bigint | null }, Values>(
      `SELECT count(*) AS count, sum(total_amount) AS total
       FROM (${sql}) AS key CROSS JOIN invoice ON invoice.sequence = key.sequence`,
    )
    .get({ ...values, limit: max });
  return { count: Number(row?.count ?? 0n), total: Usdc.fromMicro(row?.total ?? 0n) };
}

/** How many a filter lets through, counted up to `max`. */
export function count(db: Db, filter: Filter, max: number): number {
  const { sql, values } = keysOf(filter, null);
  const row = db
    .query<{ count: bigint }, Values>(`SELECT count(*) AS count FROM (${sql})`)
    .get({ ...values, limit: max });
  return Number(row?.count ?? 0n);
}

const counted = invoice.pick("status", "dueDate", "total");
type Counted = Pick<ListedInvoice, "status" | "dueDate" | "total">;

/** What is found may lie all over the table, so it is read once. */
function overviewOfFound(db: Db, filter: Filter, countMax: number): Overview {
  const { sql, values } = keysOf({ ...filter, kind: "all" }, null);
  const rows = db
    .query<Row<Counted>, Values>(
      `SELECT ${counted.list} FROM (${sql}) AS key CROSS JOIN invoice ON invoice.sequence = key.sequence`,
    )
    .all({ ...values, limit: foundMax + 1 })
    .map(counted.fromRow);
  const isOf = (kind: Kind) => (row: Counted) =>
    (statusesOf[kind]?.includes(row.status) ?? true) && (kind !== "overdue" || row.dueDate < filter.today);
  const of = (kind: Kind) => Math.min(countMax, rows.filter(isOf(kind)).length);
  const shown = rows.filter(isOf(filter.kind));
  return {
    counts: { all: of("all"), open: of("open"), overdue: of("overdue"), paid: of("paid"), void: of("void") },
    sum:
      rows.length > foundMax
        ? null
        : { count: shown.length, total: Usdc.sum(shown.map(({ total }) => total)) },
  };
}

/** Invoices that were paid to by the transactions whose hash begins so; at most `limit` of them. */
export function byTransaction(db: Db, hash: string, limit: number): number[] {
  return db
    .query<{ sequence: bigint }, [string, string, number]>(
      `SELECT DISTINCT sequence FROM transfer CROSS JOIN invoice USING (deposit_index)
       WHERE tx_hash >= ? AND tx_hash < ? LIMIT ?`,
    )
    .all(hash, `${hash}g`, limit)
    .map(({ sequence }) => Number(sequence));
}

/** The invoice with this deposit address, in checksum form; null when it is of none. */
export function byAddress(db: Db, address: string): number | null {
  const row = db
    .query<{ sequence: bigint }, [string]>(
      "SELECT sequence FROM deposit CROSS JOIN invoice USING (deposit_index) WHERE address = ?",
    )
    .get(address);
  return row && Number(row.sequence);
}

export const totalOf = (invoices: readonly ListedInvoice[]): Usdc.Usdc =>
  Usdc.sum(invoices.map(({ total }) => total));
