import { statuses as allStatuses, type Status } from "../../../domain/bill/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { columns, integer, join, orNull, selectAll, text, under } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { type Page, pageOf } from "../../page.ts";
import * as DepositStore from "../../tables/invoicing/deposit.ts";
import { total } from "../../tables/invoicing/invoice.ts";
import * as ReceivableStore from "../../tables/invoicing/receivable.ts";

/** The merchant's views: all invoices, unpaid, unpaid and late, paid, void. */
export const kinds = ["all", "open", "overdue", "paid", "void"] as const;
export type InvoiceFilter = (typeof kinds)[number];

const open: readonly Status[] = ["draft", "sent", "partial"];
const statusesOf: Readonly<Record<InvoiceFilter, readonly Status[] | null>> = {
  all: null,
  open,
  overdue: open,
  paid: ["paid", "excess"],
  void: ["void"],
};

export type Filter = {
  kind: InvoiceFilter;
  /** Days of issue, both included; null for no bound. */
  from: string | null;
  to: string | null;
  /** Results of a search, newest first; null without a search. */
  sequences: readonly number[] | null;
  /** A customer's key; combines with no other condition. */
  customer: string | null;
  /** The day that counts as today. */
  today: string;
};

/** Search results that are filtered by kind or days: the newest, this many. */
export const foundMax = 300;

const listed = join(
  join(
    join(
      columns("invoice", {
        sequence: integer(),
        number: text(),
        vendorName: text(),
        vendorEmail: text(),
        issueDate: text(),
        dueDate: text(),
        status: text<Status>(),
        createdAt: integer(),
        sentAt: orNull(integer()),
      }),
      join(total, ReceivableStore.listed),
    ),
    // From the first line.
    columns("line_item", { description: text() }),
  ),
  under("deposit", DepositStore.listed),
);
export type ListedInvoice = ReturnType<typeof listed.fromRow>;

type Values = Record<string, string | number | null>;

/** Returns whether a search covers its `foundMax` newest results only, as their kind or days must be checked. */
export const isNarrow = ({ kind, from, to }: Pick<Filter, "kind" | "from" | "to">): boolean =>
  kind !== "all" || from !== null || to !== null;

/** SQL for the sequences and sort keys of a filter's newest invoices: at most `$limit`, after the invoice `$before`. */
function keysOf(filter: Filter, before: number | null): { sql: string; values: Values } {
  const { kind, from, to, sequences, customer, today } = filter;
  const hasDays = from !== null || to !== null;
  const seen = isNarrow(filter) ? sequences?.slice(0, foundMax) : sequences;
  const found = JSON.stringify(seen ?? []);
  const values = { before, from: from ?? "", to: to ?? "~", today, customer, found };
  const statuses = statusesOf[kind] ?? allStatuses;
  const byNumber = (...conditions: (string | null)[]) => ({
    values,
    sql: `SELECT sequence, sequence AS place FROM invoice
      ${whereAll([...conditions, before === null ? null : "sequence < $before"])}
      ORDER BY sequence DESC LIMIT $limit`,
  });

  if (customer !== null) return byNumber("lower(vendor_email) = $customer");
  if (sequences !== null)
    return byNumber(
      "sequence IN (SELECT value FROM json_each($found))",
      statusesOf[kind] && `status IN (${listOf(statuses)})`,
      hasDays ? "issue_date BETWEEN $from AND $to" : null,
      kind === "overdue" ? "due_date < $today" : null,
    );
  if (kind === "overdue") return { sql: overdue(hasDays, before !== null), values };
  if (kind === "all" && !hasDays) return byNumber();
  // Read each status in index order and merge the newest: otherwise SQLite sorts them all.
  const place = hasDays ? "issue_date" : "sequence";
  const each = statuses.flatMap((status) =>
    afterOf(hasDays, before !== null).map(
      (after) => `SELECT * FROM (SELECT sequence, ${place} AS place FROM invoice
        ${whereAll([`status = '${status}'`, ...after])} ORDER BY ${place} DESC, sequence DESC LIMIT $limit)`,
    ),
  );
  const sql = `SELECT sequence, place FROM (${each.join(" UNION ALL ")})
    ORDER BY place DESC, sequence DESC LIMIT $limit`;
  return { sql, values };
}

/**
 * The filter's days and `$before` as conditions that each read one range of an index from its end. A comparison of
 * pairs would be one condition, but SQLite seeks by the day alone: each page of a day with many invoices would walk
 * through all the pages before it.
 */
function afterOf(hasDays: boolean, isAfter: boolean): string[][] {
  if (!hasDays) return [isAfter ? ["sequence < $before"] : []];
  if (!isAfter) return [["issue_date BETWEEN $from AND $to"]];
  const day = "(SELECT issue_date FROM invoice WHERE sequence = $before)";
  return [
    [`issue_date = ${day}`, "sequence < $before", "+issue_date BETWEEN $from AND $to"],
    [`issue_date < ${day}`, "issue_date >= $from", "+issue_date <= $to"],
  ];
}

const listOf = (statuses: readonly Status[]) => statuses.map((status) => `'${status}'`).join(", ");

function whereAll(conditions: readonly (string | null)[]): string {
  const given = conditions.filter((condition) => condition !== null);
  return given.length === 0 ? "" : `WHERE ${given.join(" AND ")}`;
}

/** Latest due first. The pairs of days in `owed` lead to the late ones among all that are open. */
function overdue(hasDays: boolean, isAfter: boolean): string {
  const last = "(SELECT due_date, issue_date FROM invoice WHERE sequence = $before)";
  const conditions = [
    `status IN (${listOf(open)})`,
    "owed.due_date < $today",
    hasDays ? "owed.issue_date BETWEEN $from AND $to" : null,
    isAfter ? `(owed.due_date, owed.issue_date) <= ${last}` : null,
    isAfter
      ? `sequence < iif((owed.due_date, owed.issue_date) = ${last}, $before, ${Number.MAX_SAFE_INTEGER})`
      : null,
  ];
  return `SELECT sequence, owed.due_date || owed.issue_date AS place
    FROM owed CROSS JOIN invoice INDEXED BY invoice_open_by_days USING (due_date, issue_date)
    ${whereAll(conditions)} ORDER BY owed.due_date DESC, owed.issue_date DESC, sequence DESC LIMIT $limit`;
}

export type Range = { before: number | null; limit: number };

/** Newest first, or by issue date when the filter has days; those after the invoice `before` in that order. */
export function list(db: Db, filter: Filter, { before, limit }: Range): Page<ListedInvoice> {
  const { sql, values } = keysOf(filter, before);
  const from = `(${sql}) AS key CROSS JOIN invoice ON invoice.sequence = key.sequence
    CROSS JOIN receivable USING (deposit_index)
    CROSS JOIN line_item ON line_item.sequence = key.sequence AND position = 0`;
  const rows = selectAll(db, { ...listed, from }, "ORDER BY key.place DESC, key.sequence DESC", {
    ...values,
    limit: limit + 1,
  });
  return pageOf(rows, limit);
}

/** As `list`, only their sequences. */
export function sequences(db: Db, filter: Filter, { before, limit }: Range): Page<number> {
  const { sql, values } = keysOf(filter, before);
  const rows = db.query<{ sequence: bigint }, Values>(sql).all({ ...values, limit: limit + 1 });
  return pageOf(
    rows.map(({ sequence }) => Number(sequence)),
    limit,
  );
}

type Counts = Record<InvoiceFilter, number>;

const countEach = (of: (kind: InvoiceFilter) => number) =>
  Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Counts;

/** A list's counts by kind, and the number and sum of what the filter matches; null when too many to add up. */
type Overview = { counts: Counts; sum: { count: number; total: Usdc.Usdc } | null };

/** Counts up to `countMax`, and adds up at most `sumMax`. */
export function overview(
  db: Db,
  filter: Filter,
  { countMax, sumMax }: { countMax: number; sumMax: number },
): Overview {
  if (filter.sequences !== null) return overviewOfFound(db, filter, countMax);
  const sum = sumUpTo(db, filter, sumMax + 1);
  return {
    counts: countEach((kind) => count(db, { ...filter, kind }, countMax)),
    sum: sum.count > sumMax ? null : sum,
  };
}

/** The number and sum of what a filter matches, counted up to `max`. */
export function sumUpTo(db: Db, filter: Filter, max: number): { count: number; total: Usdc.Usdc } {
  const { sql, values } = keysOf(filter, null);
  const row = db
    .query<{ count: bigint; total: bigint | null }, Values>(
      `SELECT count(*) AS count, sum(expected_amount) AS total
       FROM (${sql}) AS key CROSS JOIN invoice ON invoice.sequence = key.sequence
         CROSS JOIN receivable USING (deposit_index)`,
    )
    .get({ ...values, limit: max });
  return { count: Number(row?.count ?? 0n), total: Usdc.fromMicro(row?.total ?? 0n) };
}

/** How many a filter matches, counted up to `max`. */
export function count(db: Db, filter: Filter, max: number): number {
  const { sql, values } = keysOf(filter, null);
  return numberOf(db, `SELECT count(*) FROM (${sql})`, { ...values, limit: max }) ?? 0;
}

const counted = join(columns("invoice", { status: text<Status>(), dueDate: text() }), total);

/** Search results are scattered over the table, so read it once. */
function overviewOfFound(db: Db, filter: Filter, countMax: number): Overview {
  const { sql, values } = keysOf({ ...filter, kind: "all" }, null);
  const from = `(${sql}) AS key CROSS JOIN invoice ON invoice.sequence = key.sequence
    CROSS JOIN receivable USING (deposit_index)`;
  const rows = selectAll(db, { ...counted, from }, "", { ...values, limit: foundMax + 1 });
  const of = (kind: InvoiceFilter) =>
    rows.filter(
      ({ status, dueDate }) =>
        (statusesOf[kind]?.includes(status) ?? true) && (kind !== "overdue" || dueDate < filter.today),
    );
  const shown = of(filter.kind);
  return {
    counts: countEach((kind) => Math.min(countMax, of(kind).length)),
    sum: rows.length > foundMax ? null : { count: shown.length, total: totalOf(shown) },
  };
}

/** Invoices paid by transactions whose hash begins like this; at most `limit`. */
export function byTransaction(db: Db, hash: string, limit: number): number[] {
  return db
    .query<{ sequence: bigint }, [string, string, number]>(
      `SELECT DISTINCT sequence FROM transfer CROSS JOIN invoice USING (deposit_index)
       WHERE tx_hash >= ? AND tx_hash < ? LIMIT ?`,
    )
    .all(hash, `${hash}g`, limit)
    .map(({ sequence }) => Number(sequence));
}

/** The invoice with this deposit address, in checksum form; null when there is none. */
export function byAddress(db: Db, address: string): number | null {
  const row = db
    .query<{ sequence: bigint }, [string]>(
      "SELECT sequence FROM receivable CROSS JOIN invoice USING (deposit_index) WHERE address = ?",
    )
    .get(address);
  return row && Number(row.sequence);
}

export const totalOf = (invoices: readonly Pick<ListedInvoice, "total">[]): Usdc.Usdc =>
  Usdc.sum(invoices.map(({ total }) => total));
