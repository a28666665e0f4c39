import type { Db } from "./database.ts";

export type Count = { label: string; count: number };

function counts(db: Db, sql: string): Count[] {
  return db
    .query<{ label: string; count: bigint }, []>(sql)
    .all()
    .map((row) => ({ label: row.label, count: Number(row.count) }));
}

export function invoicesByStatus(db: Db): Count[] {
  return counts(db, "SELECT status AS label, count(*) AS count FROM invoice GROUP BY status");
}

export function linksByStatus(db: Db): Count[] {
  return counts(db, "SELECT status AS label, count(*) AS count FROM link GROUP BY status");
}

export function eventsByState(db: Db): Count[] {
  return counts(db, "SELECT state AS label, count(*) AS count FROM webhook_event GROUP BY state");
}

/** Deposits by how the money that was to be moved stands: settled, on its way, failed at the last attempt. */
export function settlementsByState(db: Db): Count[] {
  return counts(
    db,
    `SELECT CASE WHEN state = 'elsewhere' THEN 'settled' ELSE state END AS label, count(*) AS count
     FROM settlement WHERE state <> 'empty' GROUP BY 1`,
  );
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

export function mailsByState(db: Db): Count[] {
  return counts(db, "SELECT state AS label, count(*) AS count FROM mail GROUP BY state");
}
