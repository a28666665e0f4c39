import type { Db } from "./database.ts";

/**
 * Notes where new deposits, merchants' accounts and invoice numbers may begin, and never lowers it: what was given out
 * before a database was lost must not be given out again.
 */
export function raise(db: Db, next: { depositIndex: number; accountIndex: number; sequence: number }): void {
  db.query(
    `UPDATE floor SET deposit_index = max(deposit_index, $depositIndex),
       account_index = max(account_index, $accountIndex), sequence = max(sequence, $sequence)`,
  ).run(next);
}
