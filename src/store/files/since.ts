import { Database } from "bun:sqlite";
import { copyFileSync, rmSync } from "node:fs";
import { makePrivate, ownerOnlyFile, syncToDisk } from "../../lib/file.ts";
import { counted } from "../../lib/text/english.ts";
import { type Db, numberOf, openReadOnly } from "../database.ts";
import { schemaOf } from "../migrations.ts";
import { databaseFile } from "./data-dir.ts";
import { lockDataDir } from "./lock.ts";
import { replaceDatabase } from "./replace.ts";

/** What a database would lose that is replaced by an earlier copy of itself. */

/** By table, what a row of it is called. `changed`: the column that says when it last was. */
export const nounsOf: Readonly<Record<string, { noun: string; changed?: string }>> = {
  invoice: { noun: "invoice" },
  link: { noun: "payment link" },
  reusable_link: { noun: "reusable link" },
  transfer: { noun: "payment" },
  lost_transfer: { noun: "lost payment" },
  credit_note: { noun: "credit note" },
  receipt: { noun: "receipt" },
  refund: { noun: "refund", changed: "changed_at" },
  recurring: { noun: "repeating invoice" },
  receivable: { noun: "changed invoice or link", changed: "changed_at" },
  event: { noun: "event" },
  mail: { noun: "mail" },
  settlement: { noun: "settlement" },
  withdrawal: { noun: "withdrawal" },
  relay: { noun: "signed payment" },
  gas_transaction: { noun: "transaction" },
  recovered: { noun: "recovered deposit" },
  unknown_deposit: { noun: "unknown deposit" },
  customer: { noun: "customer" },
  merchant: { noun: "merchant" },
  saved_party: { noun: "saved sender" },
  counter_sale: { noun: "counter sale" },
  draft: { noun: "draft", changed: "changed_at" },
  preference: { noun: "preference", changed: "changed_at" },
  setting: { noun: "setting", changed: "changed_at" },
  store: { noun: "shop" },
  api_key: { noun: "API key" },
  webhook_endpoint: { noun: "webhook endpoint" },
  allowed_address: { noun: "allowed wallet" },
  wallet_change: { noun: "waiting change" },
  person: { noun: "person" },
  passkey: { noun: "passkey" },
  entry_link: { noun: "sign-in link" },
  audit: { noun: "desk record" },
};

const standsIn = (db: Db, table: string, column: string | null) =>
  numberOf(db, `SELECT ${column === null ? "count(*)" : `max(${column})`} FROM ${table}`) ?? 0;

/** What is in a database and was not in an earlier copy of it, in words such as "2 invoices"; reads newer schemas too. */
export function cameSince(copyFile: string, dataDir: string): string[] {
  using copy = new Database(copyFile, { readonly: true, strict: true, safeIntegers: true });
  using now = openReadOnly(dataDir);
  const has = (db: Db, table: string) =>
    db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== null;
  return Object.entries(nounsOf).flatMap(([table, { noun, changed }]) => {
    if (!has(copy, table) || !has(now, table)) return [];
    const more = standsIn(now, table, null) - standsIn(copy, table, null);
    if (more !== 0) return [counted(Math.abs(more), noun)];
    if (changed === undefined) return [];
    const last = standsIn(copy, table, changed);
    const later = numberOf(now, `SELECT count(*) FROM ${table} WHERE ${changed} > ${last}`) ?? 0;
    return later > 0 ? [counted(later, noun)] : [];
  });
}

/** The schema's number of a database or a copy. */
export function schemaIn(file: string): number {
  using db = new Database(file, { readonly: true });
  return schemaOf(db);
}

/**
 * Puts a copy in the place of the database as it is: for one after which nothing came. The next start drops what makes
 * it a backup. Returns where the database is now that was there.
 */
export function putBack(copyFile: string, dataDir: string, now: number): string | null {
  const lock = lockDataDir(dataDir);
  const staged = `${databaseFile(dataDir)}.restoring`;
  try {
    rmSync(staged, { force: true });
    copyFileSync(copyFile, staged);
    makePrivate(staged, ownerOnlyFile);
    syncToDisk(staged);
    return replaceDatabase(dataDir, staged, now);
  } finally {
    rmSync(staged, { force: true });
    lock.release();
  }
}
