import { sealedPrefix } from "../lib/vault.ts";
import type { Db } from "./database.ts";

/** Where a webhook's secret stands: at its invoice or link, and with each event, as the same sealed text. */
const columns = [
  ["invoice", "webhook_secret"],
  ["link", "webhook_secret"],
  ["webhook_event", "secret"],
] as const;

const isPlain = (column: string) => `substr(${column}, 1, ${sealedPrefix.length}) <> '${sealedPrefix}'`;

/**
 * Replaces what earlier versions stored in plain: webhook secrets, and the remembered answers that hold one.
 * To be called in a transaction. Returns how many there were.
 */
export function replacePlain(
  db: Db,
  seal: {
    webhookSecret(secret: string, depositIndex: number): string;
    answer(body: string, key: string): string;
  },
): number {
  let count = 0;
  for (const [table, column] of columns) {
    const rows = db
      .query<{ deposit_index: bigint; secret: string }, []>(
        `SELECT DISTINCT deposit_index, ${column} AS secret FROM ${table}
         WHERE ${column} IS NOT NULL AND ${isPlain(column)}`,
      )
      .all();
    for (const { deposit_index: index, secret } of rows) {
      const sealed = seal.webhookSecret(secret, Number(index));
      db.query(`UPDATE ${table} SET ${column} = ? WHERE deposit_index = ? AND ${column} = ?`).run(
        sealed,
        index,
        secret,
      );
    }
    count += rows.length;
  }
  const answers = db
    .query<{ key: string; body: string }, []>(
      `SELECT key, answer_body AS body FROM idempotency WHERE answer_body IS NOT NULL AND ${isPlain("answer_body")}`,
    )
    .all();
  for (const { key, body } of answers) {
    db.query("UPDATE idempotency SET answer_body = ? WHERE key = ?").run(seal.answer(body, key), key);
  }
  return count + answers.length;
}

/** Whether `replacePlain` and the rewriting of the file after it were done. */
export function areSealed(db: Db): boolean {
  return db.query("SELECT 1 FROM wallet WHERE secrets_sealed = 1").get() !== null;
}

export function setSealed(db: Db): void {
  db.query("UPDATE wallet SET secrets_sealed = 1").run();
}
