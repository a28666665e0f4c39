import { turn } from "../../lib/loop.ts";
import type { Db } from "../database.ts";

export type Tally = {
  label: string;
  count: number;
  /** When the oldest of them was made, in Unix milliseconds. */
  oldestAt: number;
  /** Their total, for deposits only. */
  amountMicro: bigint;
};

/** Rows to count at once: a few ms, so that a large table does not hold up requests. */
const rowsAtOnce = 5_000;

type Counted = { rows: string; label: string; amount?: string };

/** Settlements without those that found nothing to move. Deposits are those not fully settled. */
const tables = {
  invoice: { rows: "invoice WHERE true", label: "status" },
  link: { rows: "link WHERE true", label: "status" },
  webhook_event: {
    rows: "webhook_event WHERE true",
    // A paused endpoint keeps no receiver waiting.
    label: `CASE WHEN state = 'pending' AND receiver IN
      (SELECT id FROM webhook_endpoint WHERE paused_at IS NOT NULL) THEN 'paused' ELSE state END`,
  },
  relay: { rows: "relay WHERE true", label: "state" },
  mail: { rows: "mail WHERE true", label: "state" },
  settlement: {
    rows: "settlement WHERE true",
    label: "CASE state WHEN 'elsewhere' THEN 'settled' WHEN 'empty' THEN NULL ELSE state END",
  },
  deposit: {
    // Without this index, one slice could walk through every settled deposit.
    rows: "receivable INDEXED BY receivable_unsettled WHERE received_amount > settled_amount",
    label: "'unsettled'",
    amount: "received_amount - settled_amount",
  },
} as const satisfies Record<string, Counted>;

/**
 * Counts the rows of a table by status or state, in slices with a pause for other work after each. A row that changes
 * meanwhile may count as before or after.
 */
export async function countRows(db: Db, table: keyof typeof tables): Promise<Tally[]> {
  const { rows, label, amount = "0" }: Counted = tables[table];
  const tallies = new Map<string, Tally>();
  const slice = db.query<
    { label: string; count: bigint; last: bigint; oldest: bigint; amount: bigint },
    [number, number]
  >(
    `SELECT label, count(*) AS count, max(id) AS last, min(created_at) AS oldest, sum(amount) AS amount FROM
       (SELECT rowid AS id, ${label} AS label, created_at, ${amount} AS amount
        FROM ${rows} AND rowid > ? ORDER BY rowid LIMIT ?)
     GROUP BY label`,
  );
  for (let after = -1; ; ) {
    const sums = slice.all(after, rowsAtOnce);
    if (sums.length === 0) return [...tallies.values()].filter((tally) => tally.label !== null);
    for (const row of sums) {
      const before = tallies.get(row.label);
      tallies.set(row.label, {
        label: row.label,
        count: (before?.count ?? 0) + Number(row.count),
        oldestAt: Math.min(before?.oldestAt ?? Number.POSITIVE_INFINITY, Number(row.oldest)),
        amountMicro: (before?.amountMicro ?? 0n) + row.amount,
      });
    }
    after = Math.max(...sums.map((row) => Number(row.last)));
    await turn();
  }
}
