import type { Db } from "../database.ts";

/** What the merchant of the newest invoice or link is called; null when there is none. */
export function newestMerchant(db: Db): string | null {
  const row = db
    .query<{ name: string }, []>(
      `SELECT name FROM (SELECT merchant_name AS name, created_at FROM invoice ORDER BY sequence DESC LIMIT 1)
       UNION ALL SELECT name FROM (SELECT business_name AS name, created_at FROM link ORDER BY id DESC LIMIT 1)`,
    )
    .get();
  return row?.name ?? null;
}

/** How many invoices wait for money, counted up to `max`. */
export function countOpen(db: Db, max: number): number {
  const row = db
    .query<{ count: bigint }, [number]>(
      "SELECT count(*) AS count FROM (SELECT 1 FROM invoice WHERE status IN ('sent', 'partial') LIMIT ?)",
    )
    .get(max);
  return Number(row?.count ?? 0n);
}
