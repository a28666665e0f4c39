import { type Selectable, selectAll } from "./columns.ts";
import type { Db } from "./database.ts";

/** Paged lists: each page begins after the last row of the previous one, so new rows shift nothing. */

export type Page<T> = {
  rows: T[];
  /** The last row if more follow; null on the last page. */
  next: T | null;
};

/** Returns the first `limit` of `rows`, which have one more if another page follows. */
export function pageOf<T>(rows: readonly T[], limit: number): Page<T> {
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1) ?? null) : null };
}

type Value = string | number;

type List<T> = {
  from: Selectable<T>;
  /** Columns by name and their values; undefined or null allows any value. */
  equal?: Readonly<Record<string, Value | null | undefined>>;
  /** Further conditions, null for none; `values` are their parameters. */
  where?: readonly (string | null)[];
  values?: Readonly<Record<string, Value | null>>;
  /** Newest first, by these columns. */
  order: readonly string[];
  /** Their values in the last row of the previous page; null or undefined for the first page. */
  after?: Value | readonly Value[] | null | undefined;
  limit: number;
};

export function page<T>(
  db: Db,
  { from, equal = {}, where = [], values = {}, order, after, limit }: List<T>,
): Page<T> {
  const place = after == null ? [] : [after].flat();
  const wanted = Object.entries(equal).filter(([, value]) => value != null);
  const conditions = [
    ...where.filter((condition) => condition !== null),
    ...wanted.map(([column], i) => `${column} = $equal${i}`),
    ...(place.length > 0
      ? [`(${order.join(", ")}) < (${place.map((_, i) => `$after${i}`).join(", ")})`]
      : []),
  ];
  const rows = selectAll(
    db,
    from,
    `WHERE ${conditions.length === 0 ? "1" : conditions.join(" AND ")}
     ORDER BY ${order.map((column) => `${column} DESC`).join(", ")} LIMIT $limit`,
    {
      ...values,
      ...Object.fromEntries(wanted.map(([, value], i) => [`equal${i}`, value ?? null])),
      ...Object.fromEntries(place.map((value, i) => [`after${i}`, value])),
      limit: limit + 1,
    },
  );
  return pageOf(rows, limit);
}

/** A position in a list of several tables, in descending order of time, then kind, then id. */
export type Place<Kind extends string = string> = { at: number; kind: Kind; id: number };

/** One of its tables in SQL: `rows` is what follows FROM, with its WHERE; `found` are further columns to read. */
export type ListedTable = { kind: string; rows: string; found?: string };

/**
 * SQL for the rows of several tables after the place `$at`, `$kind`, `$id`: at most `$limit`. Each table is read in the
 * order of an index of its times, and no further than is shown.
 */
export const newestOf = (tables: readonly ListedTable[]): string =>
  `${tables
    .map(
      ({ kind, rows, found }) =>
        `SELECT * FROM (SELECT created_at AS at, '${kind}' AS kind, id${found ? `, ${found}` : ""} FROM ${rows}
           AND created_at <= $at AND (created_at, '${kind}', id) < ($at, $kind, $id)
         ORDER BY created_at DESC, id DESC LIMIT $limit)`,
    )
    .join(" UNION ALL ")} ORDER BY at DESC, kind DESC, id DESC LIMIT $limit`;

/** The position before the first page. */
export const beginning: Place = { at: Number.MAX_SAFE_INTEGER, kind: "~", id: 0 };
