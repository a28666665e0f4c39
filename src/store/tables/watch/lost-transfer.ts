import type { Db } from "../../database.ts";

/** Records that a confirmed transfer has left the chain, until it is confirmed again. */
export function insert(db: Db, lost: { txHash: string; depositIndex: number }, now: number): void {
  db.query(
    `INSERT INTO lost_transfer (tx_hash, deposit_index, lost_at) VALUES ($txHash, $depositIndex, $now)
     ON CONFLICT DO NOTHING`,
  ).run({ txHash: lost.txHash, depositIndex: lost.depositIndex, now });
}

/** Forgets a lost transfer whose transaction was confirmed in another block. */
export function remove(db: Db, { txHash, depositIndex }: { txHash: string; depositIndex: number }): void {
  db.query("DELETE FROM lost_transfer WHERE deposit_index = ? AND tx_hash = ?").run(depositIndex, txHash);
}

/** Returns whether a deposit has lost a transfer since then. */
export function any(db: Db, depositIndex: number, sinceMs = 0): boolean {
  const sql = "SELECT 1 FROM lost_transfer WHERE deposit_index = ? AND lost_at >= ? LIMIT 1";
  return db.query(sql).get(depositIndex, sinceMs) !== null;
}

/** Hashes of transactions lost since `sinceMs` that nothing has made up for, latest first, at most `limit`. */
export function listUncovered(db: Db, sinceMs: number, limit: number): string[] {
  return db
    .query<{ tx_hash: string }, [number, number]>(
      `SELECT tx_hash FROM lost_transfer JOIN receivable USING (deposit_index)
       WHERE lost_at >= ? AND received_amount < due_amount - due_tolerance
       ORDER BY lost_at DESC LIMIT ?`,
    )
    .all(sinceMs, limit)
    .map((row) => row.tx_hash);
}
