import type { Db } from "../database.ts";
import { open } from "../tables/outbox/mail.ts";

/** The customer may lack it: an invoice not mailed since and not being paid, or a credit note not mailed since. */
const stillMissed = `CASE kind
  WHEN 'invoice' THEN EXISTS (
    SELECT 1 FROM invoice WHERE invoice.deposit_index = mail.deposit_index AND status IN ('draft', 'sent')
      AND coalesce(sent_at, 0) < mail.created_at)
  WHEN 'credit' THEN NOT EXISTS (
    SELECT 1 FROM mail AS later WHERE later.deposit_index = mail.deposit_index AND later.kind = mail.kind
      AND later.occasion = mail.occasion AND later.state = 'sent' AND later.created_at >= mail.created_at)
  ELSE 1 END`;

/** The payer of a link mistyped their own address; only they can correct it. */
const payersOwn = `(kind = 'receipt' AND refused = 1 AND EXISTS (
  SELECT 1 FROM link WHERE link.deposit_index = mail.deposit_index))`;

/** Nobody needs an exact count beyond this, and anybody may ask for it. */
export const countMax = 1_000;

type Failures = {
  /** At most `countMax`. */
  count: number;
  /** When the oldest of them was written, in Unix milliseconds. */
  since: number;
  /** Why the oldest of them was not sent. */
  reason: string;
  /** The deposits of the oldest mails, oldest first, up to the requested number of mails. */
  deposits: number[];
  /** Whether there are more mails. */
  hasMore: boolean;
};

const conditions = {
  failing: "state IN ('queued', 'sending') AND attempts > (state = 'sending')",
  failed: `state = 'failed' AND ${stillMissed} AND NOT ${payersOwn}`,
  unknown: `state = 'unknown' AND ${stillMissed}`,
} as const;

/** Mails with problems: failing and retried, given up, or with an unknown outcome. Null when there are none. */
export function find(
  db: Db,
  which: keyof typeof conditions,
  { createdAfter, namedMax }: { createdAfter: number; namedMax: number },
): Failures | null {
  const rows = db
    .query<
      { deposit_index: bigint; reason: string | null; created_at: bigint; total: bigint },
      [number, number]
    >(
      `SELECT *, count(*) OVER () AS total FROM (
         SELECT deposit_index, reason, created_at FROM mail
         WHERE ${open} AND ${conditions[which]} AND created_at > ? ORDER BY created_at LIMIT ${countMax})
       ORDER BY created_at LIMIT ?`,
    )
    .all(createdAfter, namedMax);
  const [oldest] = rows;
  if (!oldest) return null;
  return {
    count: Number(oldest.total),
    since: Number(oldest.created_at),
    reason: oldest.reason ?? "",
    deposits: [...new Set(rows.map((row) => Number(row.deposit_index)))],
    hasMore: Number(oldest.total) > rows.length,
  };
}
