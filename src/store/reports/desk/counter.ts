import * as Usdc from "../../../domain/usdc.ts";
import { selectAll } from "../../columns.ts";
import type { Db } from "../../database.ts";
import * as LinkStore from "../../tables/invoicing/link.ts";

/** The counter's payments since a time: the newest links, their number, and the sum received for all of them. */
type CounterDay = { newest: LinkStore.LinkHead[]; count: number; received: Usdc.Usdc };

const since = "at_counter = 1 AND link.created_at >= $since";

/** `since` in Unix milliseconds. */
export function dayAtCounter(
  db: Db,
  { since: sinceMs, limit }: { since: number; limit: number },
): CounterDay {
  const newest = selectAll(
    db,
    LinkStore.head,
    `WHERE ${since} ORDER BY link.created_at DESC, id DESC LIMIT $limit`,
    { since: sinceMs, limit },
  );
  const sum = db
    .query<{ count: bigint; received: bigint }, { since: number }>(
      `SELECT count(*) AS count, coalesce(sum(received_amount), 0) AS received
       FROM link JOIN receivable USING (deposit_index) WHERE ${since}`,
    )
    .get({ since: sinceMs });
  return { newest, count: Number(sum?.count ?? 0n), received: Usdc.fromMicro(sum?.received ?? 0n) };
}

/** Money received since a time for what was cancelled at the counter: somebody may have to return it. */
export const paidThoughCancelled = (db: Db, { since: sinceMs }: { since: number }): LinkStore.LinkHead[] =>
  selectAll(
    db,
    LinkStore.head,
    `WHERE ${since} AND status = 'void' AND received_amount + pending_amount >= ${Usdc.microPerCent}
     ORDER BY link.created_at DESC, id DESC LIMIT 5`,
    { since: sinceMs },
  );
