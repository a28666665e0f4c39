import type { Db } from "./database.ts";

/**
 * Notes where new deposits and new merchants' accounts may begin after a recovery, and never lowers it: an address
 * that was given out before the database was lost must not be given out again.
 */
export function raise(db: Db, next: { depositIndex: number; accountIndex: number }): void {
  db.query(
    `INSERT INTO recovered (id, next_deposit_index, next_account_index) VALUES (1, $depositIndex, $accountIndex)
     ON CONFLICT (id) DO UPDATE SET next_deposit_index = max(next_deposit_index, $depositIndex),
       next_account_index = max(next_account_index, $accountIndex)`,
  ).run(next);
}
