import { newId } from "../../../lib/crypto.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import * as MailStore from "./mail.ts";

/** A counter sale in the daily mail: the amount received before the mail began, and until now. */
export type CounterSale = { slug: string; description: string | null; was: bigint; received: bigint };

/** A merchant's mails for a day have the occasions `2026-11-27`, `2026-11-27.2`, … */
const ofDay = "occasion >= $day AND occasion < $day || '/'";

/**
 * Records the amount received for a counter sale, for the merchant's daily mail. That mail waits until `dueAt`; a
 * change after it began to go out goes into another mail, so that each is reported once. Call it in the transaction of
 * the change. Times are Unix milliseconds.
 */
export function record(
  db: Db,
  sale: { depositIndex: number; was: bigint; received: bigint; day: string; dueAt: number; now: number },
): void {
  const { depositIndex, was, received, day, dueAt, now } = sale;
  const merchant = textOf(db, "SELECT merchant FROM receivable WHERE deposit_index = ?", depositIndex) ?? "";
  const open = db
    .query<{ occasion: string }, { merchant: string; day: string }>(
      // In this order, as few mails wait for the end of a day, while a merchant has many invoices and links.
      `SELECT occasion FROM mail CROSS JOIN receivable USING (deposit_index)
       WHERE mail.kind = 'counter' AND state = 'queued' AND attempts = 0 AND ${ofDay} AND merchant = $merchant`,
    )
    .get({ merchant, day });
  const occasion = open?.occasion ?? begin();
  db.query(
    `INSERT INTO counter_sale (merchant, occasion, deposit_index, was, received)
     VALUES ($merchant, $occasion, $depositIndex, $was, $received)
     ON CONFLICT DO UPDATE SET received = excluded.received`,
  ).run({ merchant, occasion, depositIndex, was, received });

  function begin(): string {
    const sql = `SELECT count(DISTINCT occasion) FROM counter_sale WHERE merchant = $merchant AND ${ofDay}`;
    const before = numberOf(db, sql, { merchant, day }) ?? 0;
    const name = before === 0 ? day : `${day}.${before + 1}`;
    MailStore.insertQueued(db, {
      depositIndex,
      kind: "counter",
      occasion: name,
      createdAt: now,
      nextAttemptAt: dueAt,
      id: newId("mail"),
    });
    return name;
  }
}

/** The sales that a mail reports, largest first; not those whose money came and went again. */
export function list(db: Db, depositIndex: number, occasion: string): CounterSale[] {
  return db
    .query<CounterSale, [number, string]>(
      `SELECT slug, product_description AS description, was, received
       FROM counter_sale JOIN link USING (deposit_index)
       WHERE counter_sale.merchant = (SELECT merchant FROM receivable WHERE deposit_index = ?) AND occasion = ?
         AND was <> received ORDER BY received - was DESC, counter_sale.deposit_index`,
    )
    .all(depositIndex, occasion);
}
