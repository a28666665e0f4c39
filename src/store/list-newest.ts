import type { Db } from "./database.ts";

type Filters = Readonly<Record<string, string | number | undefined>>;

/**
 * The rows of a list, newest first by the columns in `order`. `conditions` is keyed by parameter; only those with a
 * value in `filters` apply. Reads one row more than `limit`, to tell whether there are more.
 */
export function listNewest<Row>(
  db: Db,
  {
    select,
    order,
    conditions,
  }: { select: string; order: readonly string[]; conditions: Readonly<Record<string, string>> },
  { limit, ...filters }: Filters & { limit: number },
): { rows: Row[]; hasMore: boolean } {
  const names = Object.keys(conditions).filter((name) => filters[name] !== undefined);
  const values = Object.fromEntries(names.map((name) => [name, filters[name] ?? ""]));
  const where = ["1", ...names.map((name) => conditions[name])].join(" AND ");
  const newestFirst = order.map((column) => `${column} DESC`).join(", ");
  const rows = db
    .query<Row, Record<string, string | number>>(
      `${select} WHERE ${where} ORDER BY ${newestFirst} LIMIT $limit`,
    )
    .all({ ...values, limit: limit + 1 });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
