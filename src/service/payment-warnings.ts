import type { Db } from "../store/database.ts";
import * as LostTransferStore from "../store/lost-transfer.ts";
import * as ReadingStore from "../store/reading.ts";

const lostPaymentsNamedMax = 10;
const lostPaymentsNamedForMs = 86_400_000;

/**
 * What somebody has to look at, one sentence each: confirmed payments that a reorg took back, for a day; and money
 * that came to addresses which were no longer watched, when no node gives the blocks in which it did.
 */
export function paymentWarnings(db: Db, now: number): string[] {
  const lost = LostTransferStore.listUncovered(db, now - lostPaymentsNamedForMs, lostPaymentsNamedMax);
  const unread = ReadingStore.open(db, "late")?.problem;
  return [
    ...lost.map((hash) => `the confirmed payment ${hash} left the chain and has not come back`),
    ...(unread ? [`late payments are not found: ${unread}`] : []),
  ];
}
