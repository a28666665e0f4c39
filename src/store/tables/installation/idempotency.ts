import type { Db } from "../../database.ts";

/** How long a repeated request gets the first answer. */
const rememberedMs = 24 * 3_600_000;

/** Number of the newest keys kept whatever the clock says. */
const newestKept = 1_000;

/** A repeatable request and its key. Written in the transaction of what it creates. */
export type Claim = { key: string; requestHash: string };

type RecordedAnswer = {
  requestHash: string;
  /** The invoice, link or mail that the request created. */
  resource: string;
  /** The answer given; null if the process ended before it could answer. */
  answer: { status: number; sealedBody: string } | null;
};

type StoredRow = {
  request_hash: string;
  resource: string;
  answer_status: bigint | null;
  answer_body: string | null;
};

/**
 * Deletes older keys, which can then be used again; but keeps the newest ones, as a clock that is ahead makes all look
 * old until it is set back.
 */
export function insert(db: Db, { key, requestHash }: Claim, resource: string, now: number): void {
  db.query(
    `DELETE FROM idempotency WHERE created_at < $before
       AND (key = $key OR rowid <= (SELECT max(rowid) FROM idempotency) - $newestKept)`,
  ).run({ key, before: now - rememberedMs, newestKept });
  db.query(
    "INSERT INTO idempotency (key, request_hash, resource, created_at) VALUES ($key, $requestHash, $resource, $now)",
  ).run({ key, requestHash, resource, now });
}

export function setAnswer(db: Db, key: string, answer: { status: number; sealedBody: string }): void {
  db.query("UPDATE idempotency SET answer_status = ?, answer_body = ? WHERE key = ?").run(
    answer.status,
    answer.sealedBody,
    key,
  );
}

export function find(db: Db, key: string, now: number): RecordedAnswer | null {
  const row = db
    .query<StoredRow, [string, number]>(
      "SELECT request_hash, resource, answer_status, answer_body FROM idempotency WHERE key = ? AND created_at >= ?",
    )
    .get(key, now - rememberedMs);
  if (!row) return null;
  const { answer_status: status, answer_body: body } = row;
  return {
    requestHash: row.request_hash,
    resource: row.resource,
    answer: status === null || body === null ? null : { status: Number(status), sealedBody: body },
  };
}
