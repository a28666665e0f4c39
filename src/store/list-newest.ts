import type { Db } from "./database.ts";

type Filters = Readonly<Record<string, string | number | undefined>>;

/**
 * The rows of a list, newest first by `order`. `conditions` is keyed by parameter; only those with a value in `filters`
 * apply. Reads one row more than `limit`, to tell whether there are more.
 */
export function listNewest<Row>(
  db: Db,
  {
    select,
    order,
    conditions,
  }: { select: string; order: string; conditions: Readonly<Record<string, string>> },
  { limit, ...filters }: Filters & { limit: number },
): { rows: Row[]; hasMore: boolean } {
  const names = Object.keys(conditions).filter((name) => filters[name] !== undefined);
  const values = Object.fromEntries(names.map((name) => [name, filters[name] ?? ""]));
  const where = ["1", ...names.map((name) => conditions[name])].join(" AND ");
  const rows = db
    .query<Row, Record<string, string | number>>(
      `${select} WHERE ${where} ORDER BY ${order} DESC LIMIT $limit`,
    )
    .all({ ...values, limit: limit + 1 });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
