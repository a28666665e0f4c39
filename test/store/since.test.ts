import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import { nouns } from "../../src/store/files/nouns.ts";
import { finishRestore } from "../../src/store/files/restore.ts";
import { cameSince, putBack, schemaIn } from "../../src/store/files/since.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { db, dir, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { storeInvoice, storeLink } from "../support/till/records.ts";

beforeEach(makeDatabase);
afterEach(removeDatabase);

/** What Till writes by itself, keeps beside other tables, or writes with a row of another table that is counted. */
const others = [
  ...["chain", "wallet", "next_numbers", "idempotency", "probe", "backup_made", "line_item", "original"],
  ...[
    "recurring_made",
    "link_embed_origin",
    "customer_unindexed",
    "invoice_unindexed",
    "checkpoint",
    "reread",
  ],
  ...["sweep", "unexplained", "payment_value", "book_value", "webhook_event", "delivery_attempt"],
  ...["reminders_seen", "gas_attempt", "told_change", "owner_mail", "payout", "session", "received", "owed"],
  // What a provider, a node of another chain or Circle says again when it is asked.
  ...["account", "elsewhere", "crossing"],
];

const backup = () => {
  const file = join(dir.path, "copy.db");
  makeBackup({ dataDir: dir.path, file, force: true, version: "1.0.0", now: 1 });
  return file;
};

test("each table counts, or it is known why it does not", () => {
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name)
    .sort();
  expect([...Object.keys(nouns), ...others].sort()).toEqual(tables);
});

test("nothing came since a copy that was just made; what came is told by number", () => {
  storeInvoice(db, {});
  const copy = backup();
  expect(cameSince(copy, dir.path)).toEqual([]);
  storeInvoice(db, {});
  storeInvoice(db, {});
  storeLink(db, {});
  expect(cameSince(copy, dir.path)).toEqual(["2 invoices", "1 payment link", "3 changed invoices or links"]);
  db.run("UPDATE receivable SET changed_at = changed_at + 1 WHERE deposit_index = 0");
  const later = backup();
  expect(cameSince(later, dir.path)).toEqual([]);
  db.run("UPDATE receivable SET changed_at = 9e15 WHERE deposit_index = 0");
  expect(cameSince(later, dir.path)).toEqual(["1 changed invoice or link"]);
});

test("what was revoked, removed or stopped since is not undone unnoticed", () => {
  db.run("INSERT INTO api_key (name, hash, scope, created_at) VALUES ('shop', 'h', 'shop', 1)");
  for (const n of [1, 2])
    db.run(`INSERT INTO person (name, role, handle, created_at) VALUES ('p${n}', 'owner', 'h${n}', 1)`);
  const copy = backup();
  expect(cameSince(copy, dir.path)).toEqual([]);
  db.run("UPDATE api_key SET last_used_at = 2");
  expect(cameSince(copy, dir.path)).toEqual([]);
  db.run("UPDATE api_key SET revoked_at = 2");
  db.run("UPDATE person SET removed_at = 2");
  expect(cameSince(copy, dir.path)).toEqual(["2 people", "1 API key"]);
});

test("all of what the copy has no table for came since", () => {
  const copy = backup();
  using older = new Database(copy);
  older.run("DROP TABLE draft");
  expect(cameSince(copy, dir.path)).toEqual([]);
  db.run("INSERT INTO draft (form, created_at, changed_at) VALUES ('', 1, 1)");
  expect(cameSince(copy, dir.path)).toEqual(["1 draft"]);
});

test("reads a later schema, in which tables may be gone or others", () => {
  storeInvoice(db, {});
  const copy = backup();
  db.run("PRAGMA foreign_keys = OFF");
  db.run("DROP TABLE preference");
  db.run("INSERT INTO draft (form, created_at, changed_at) VALUES ('', 1, 1)");
  const other = backup();
  db.run("ALTER TABLE draft RENAME COLUMN changed_at TO saved_at");
  expect(cameSince(other, dir.path)).toEqual([]);
  db.run("CREATE TABLE novelty (id INTEGER PRIMARY KEY) STRICT");
  db.run("PRAGMA user_version = 2");
  storeInvoice(db, {});
  expect(cameSince(copy, dir.path)).toContain("1 invoice");
  db.run("PRAGMA user_version = 1");
});

test("a copy is put back as it was, and what was there is kept", () => {
  const own = makeDataDir();
  const first = openNewDatabase(own.path);
  storeInvoice(first, {});
  const wallet = (text: string) =>
    `-----BEGIN AGE ENCRYPTED FILE-----\n${btoa(text)}\n-----END AGE ENCRYPTED FILE-----\n`;
  writeFileSync(join(own.path, "wallet.age"), wallet("older"));
  const file = join(own.path, "copy.db");
  makeBackup({ dataDir: own.path, file, force: true, version: "1.0.0", now: 1 });
  storeInvoice(first, {});
  closeDatabase(first);
  // Its passphrase was changed since.
  writeFileSync(join(own.path, "wallet.age"), wallet("newer"));
  const replaced = putBack(file, own.path, 0);
  expect(schemaIn(replaced ?? "")).toBe(1);
  const again = openDatabase(own.path);
  expect(again.query("SELECT count(*) AS n FROM invoice").get()).toEqual({ n: 1n });
  // What the next start does first.
  finishRestore(again, own.path, 0);
  closeDatabase(again);
  expect(readFileSync(join(own.path, "wallet.age"), "utf8")).toBe(wallet("newer"));
  own.remove();
});
