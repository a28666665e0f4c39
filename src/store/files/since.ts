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

type Noun = {
  noun: string;
  /** Where an s is not enough. */
  many?: string;
  /** The columns that say when something happened to a row that must not be undone unnoticed. */
  changed?: readonly string[];
};

/** By table, what a row of it is called. */
export const nounsOf: Readonly<Record<string, Noun>> = {
  invoice: { noun: "invoice" },
  link: { noun: "payment link" },
  reusable_link: { noun: "reusable link", changed: ["voided_at"] },
  transfer: { noun: "payment" },
  lost_transfer: { noun: "lost payment" },
  credit_note: { noun: "credit note" },
  receipt: { noun: "receipt" },
  refund: { noun: "refund", changed: ["changed_at"] },
  recurring: { noun: "repeating invoice" },
  receivable: {
    noun: "changed invoice or link",
    many: "changed invoices or links",
    changed: ["changed_at"],
  },
  event: { noun: "event" },
  mail: { noun: "mail", changed: ["content_at", "ended_at"] },
  settlement: { noun: "settlement" },
  withdrawal: { noun: "withdrawal" },
  relay: { noun: "signed payment" },
  gas_transaction: { noun: "transaction" },
  recovered: { noun: "recovered deposit" },
  unknown_deposit: { noun: "unknown deposit" },
  customer: { noun: "customer" },
  merchant: { noun: "merchant" },
  saved_party: { noun: "saved sender", changed: ["changed_at"] },
  counter_sale: { noun: "counter sale" },
  draft: { noun: "draft", changed: ["changed_at"] },
  preference: { noun: "preference", changed: ["changed_at"] },
  setting: { noun: "setting", changed: ["changed_at"] },
  store: { noun: "shop" },
  api_key: { noun: "API key", changed: ["revoked_at"] },
  webhook_endpoint: { noun: "webhook endpoint", changed: ["paused_at", "deleted_at"] },
  allowed_address: { noun: "allowed wallet" },
  wallet_change: { noun: "waiting change", changed: ["stopped_at"] },
  person: { noun: "person", many: "people", changed: ["removed_at"] },
  passkey: { noun: "passkey" },
  entry_link: { noun: "sign-in link", changed: ["used_at"] },
  audit: { noun: "desk record" },
};

const numberIn = (db: Db, what: string, table: string) => numberOf(db, `SELECT ${what} FROM ${table}`) ?? 0;

/** What is in a database and was not in an earlier copy of it, in words such as "2 invoices"; reads newer schemas too. */
export function cameSince(copyFile: string, dataDir: string): string[] {
  using copy = new Database(copyFile, { readonly: true, strict: true, safeIntegers: true });
  using now = openReadOnly(dataDir);
  const has = (db: Db, table: string) =>
    db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== null;
  const said = (count: number, { noun, many }: Noun) =>
    count > 1 && many !== undefined ? `${count} ${many}` : counted(count, noun);
  return Object.entries(nounsOf).flatMap(([table, noun]) => {
    if (!has(now, table)) return [];
    // Of a table that only the later schema has, all rows came since.
    const before = has(copy, table) ? numberIn(copy, "count(*)", table) : 0;
    const more = numberIn(now, "count(*)", table) - before;
    if (more !== 0) return [said(Math.abs(more), noun)];
    if (before === 0 || noun.changed === undefined) return [];
    const isLater = noun.changed.map((column) => `${column} > ${numberIn(copy, `max(${column})`, table)}`);
    const later = numberIn(now, `count(*) FILTER (WHERE ${isLater.join(" OR ")})`, table);
    return later > 0 ? [said(later, noun)] : [];
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
