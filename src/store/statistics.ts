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

export function mailsByState(db: Db): Count[] {
  return counts(db, "SELECT state AS label, count(*) AS count FROM mail GROUP BY state");
}
