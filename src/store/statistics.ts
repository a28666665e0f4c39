import type { Db } from "./database.ts";

export type Count = { label: string; count: number };

/** Counted in one go; a few ms, so that requests in between do not wait for a large table. */
const rowsAtOnce = 20_000;

/** Each with what it is counted by. Of settlements, those that found nothing to move are left out. */
const tables = {
  invoice: "status",
  link: "status",
  webhook_event: "state",
  mail: "state",
  settlement: "CASE state WHEN 'elsewhere' THEN 'settled' WHEN 'empty' THEN NULL ELSE state END",
} as const;

/**
 * Counts the rows of a table by status or state, a slice at a time and with a pause for other work after each. What
 * changes meanwhile may be counted as it was or as it is.
 */
export async function countRows(db: Db, table: keyof typeof tables): Promise<Count[]> {
  const counts = new Map<string, number>();
  const slice = db.query<{ label: string; count: bigint; last: bigint }, [number, number]>(
    `SELECT label, count(*) AS count, max(id) AS last FROM
       (SELECT rowid AS id, ${tables[table]} AS label FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?)
     GROUP BY label`,
  );
  for (let after = -1; ; ) {
    const rows = slice.all(after, rowsAtOnce);
    if (rows.length === 0) return [...counts].map(([label, count]) => ({ label, count }));
    for (const { label, count } of rows) counts.set(label, (counts.get(label) ?? 0) + Number(count));
    after = Math.max(...rows.map((row) => Number(row.last)));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Micro-USDC that is confirmed at deposit addresses and not moved to the payout wallets yet. */
export function unsettledMicro(db: Db): bigint {
  const row = db
    .query<{ amount: bigint }, []>(
      `SELECT coalesce(sum(received_amount - settled_amount), 0) AS amount FROM deposit
       WHERE received_amount > settled_amount`,
    )
    .get();
  return row?.amount ?? 0n;
}
