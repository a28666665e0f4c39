import { type Selectable, selectAll } from "./columns.ts";
import type { Db } from "./database.ts";

/** Lists, page by page: each page goes on after the last row of the one before, wherever new rows turn up meanwhile. */

export type Page<T> = {
  rows: T[];
  /** The last of them where more follow it; null on the last page. */
  next: T | null;
};

/** Of `rows`, which hold one more than `limit` when there are more. */
export function pageOf<T>(rows: readonly T[], limit: number): Page<T> {
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1) ?? null) : null };
}

type Value = string | number;

type List<T> = {
  from: Selectable<T>;
  /** The values of columns; undefined for any. */
  equal?: Readonly<Record<string, Value | undefined>>;
  /** What else has to hold; `values` are the parameters. */
  where?: readonly (string | null)[];
  values?: Readonly<Record<string, Value | null>>;
  /** Newest first, by these columns. */
  order: readonly string[];
  /** Those of the row where the page before ended; nothing for the first page. */
  after?: Value | readonly Value[] | null | undefined;
  limit: number;
};

export function page<T>(
  db: Db,
  { from, equal = {}, where = [], values = {}, order, after, limit }: List<T>,
): Page<T> {
  const place = after == null ? [] : [after].flat();
  const wanted = Object.entries(equal).filter(([, value]) => value !== undefined);
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

/** A place in a list of several tables: newest first; at one time by kind, from its last letter; then by id. */
export type Place<Kind extends string = string> = { at: number; kind: Kind; id: number };

/** SQL of one of its tables: `rows` says which, from FROM, `found` what is read of them. */
export type Source = { kind: string; rows: string; found?: string };

/**
 * SQL for the rows of several tables after the place `$at`, `$kind`, `$id`: at most `$limit`. Each table is read in the
 * order of an index of its times, and no further than is shown.
 */
export const newestOf = (sources: readonly Source[]): string =>
  `${sources
    .map(
      ({ kind, rows, found }) =>
        `SELECT * FROM (SELECT created_at AS at, '${kind}' AS kind, id${found ? `, ${found}` : ""} FROM ${rows}
           AND created_at <= $at AND (created_at, '${kind}', id) < ($at, $kind, $id)
         ORDER BY created_at DESC, id DESC LIMIT $limit)`,
    )
    .join(" UNION ALL ")} ORDER BY at DESC, kind DESC, id DESC LIMIT $limit`;

/** Before everything, as the place after which the first page begins. */
export const beginning: Place = { at: Number.MAX_SAFE_INTEGER, kind: "~", id: 0 };
