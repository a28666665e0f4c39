import type { Kind } from "../../src/domain/receivable/common.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import { type Db, transact } from "../../src/store/database.ts";
import { index } from "../../src/store/search.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { payoutWallet } from "../support/till/records.ts";

const dayMs = 86_400_000;
/** So old that nobody watches them block by block: what is measured is the size of the database. */
const ageMs = 60 * dayMs;
/** What is stored here is next compared with the chain then: a day from now, and a database is kept for one. */
const compareMs = ageMs + 2 * dayMs;
const cacheKb = 400_000;

const numbers = "WITH RECURSIVE n (i) AS (SELECT $first UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $end)";

/** What is owed, with the SQL of what differs from one to the next. */
type Filled = { kind: Kind; merchant: string; amount?: string; reference?: string; voidedAt?: string };

function storeReceivables(
  db: Db,
  count: number,
  { kind, merchant, amount = "25000000", reference = "NULL", voidedAt = "NULL" }: Filled,
): { first: number; end: number; at: number } {
  const first = DepositStore.nextIndex(db);
  const range = { first, end: first + count, at: Date.now() - ageMs };
  db.query(
    `INSERT INTO receivable (deposit_index, kind, merchant_email, merchant, wallet_type, webhook_events, reference,
       voided_at, address, payout_wallet, salt, factory, expected_amount, tolerance_amount, created_at, created_block,
       changed_at, compare_at, explained_block)
     ${numbers} SELECT i, $kind, $merchant, $merchant, 'byo', 'contract', ${reference}, ${voidedAt},
       '0x' || lower(hex(randomblob(20))), $payoutWallet, '0x' || lower(hex(randomblob(32))), $factory, ${amount}, 0,
       $at, 0, $at, $at + $compareMs, 0 FROM n`,
  ).run({
    ...range,
    kind,
    merchant,
    payoutWallet,
    factory: DepositAddress.factory,
    compareMs,
  });
  return range;
}

/** Writes so many rows without waiting for the disk, and with room for the indexes. */
function fast<T>(db: Db, work: () => T extends PromiseLike<unknown> ? never : T): T {
  db.run(`PRAGMA cache_size = -${cacheKb}`);
  db.run("PRAGMA synchronous = OFF");
  try {
    return transact(db, () => {
      const made = work();
      for (const table of ["invoice", "customer", "link"] as const) while (!index(db, table));
      return made;
    });
  } finally {
    db.run("PRAGMA synchronous = FULL");
  }
}

/** Stores old payment links straight into the database and returns some of their slugs. */
export function storeLinks(db: Db, count: number, slugs = 10_000): string[] {
  return fast(db, () => {
    const range = storeReceivables(db, count, { kind: "link", merchant: "owner@corner.example" });
    db.query(
      `INSERT INTO link (slug, deposit_index, business_name, status, created_at)
       ${numbers} SELECT lower(hex(randomblob(8))), i, 'Corner Shop', 'pending', $at FROM n`,
    ).run(range);
    return db
      .query<{ slug: string }, [number]>("SELECT slug FROM link ORDER BY slug LIMIT ?")
      .all(slugs)
      .map((row) => row.slug);
  });
}

export type Filed = { id: string; slug: string };

/** Of so many one is void, one was paid too much, and so on. */
const statusCycle =
  "CASE i % 20 WHEN 0 THEN 'void' WHEN 1 THEN 'excess' WHEN 2 THEN 'partial' WHEN 3 THEN 'sent' WHEN 4 THEN 'draft' ELSE 'paid' END";

/** What a shop has made: in four years, most of it paid; or in ten days, all of it open and none of it late. */
const shops = {
  settled: { days: 1_460, status: statusCycle },
  open: { days: 10, status: "iif(i % 2, 'sent', 'draft')" },
};
export type Shop = keyof typeof shops;

/** Stores the invoices of a shop, to one customer in 20 of them. */
export function storeShop(db: Db, count: number, shop: Shop): void {
  const { days, status } = shops[shop];
  fast(db, () => {
    const { end, ...range } = storeReceivables(db, count, {
      kind: "invoice",
      merchant: "billing@acme.example",
      amount: "(i * 104729 % 500000 + 1) * 10000",
      reference: "printf('PO-%05d', i * 31 % 99991)",
      voidedAt: `iif(${status} = 'void', $at, NULL)`,
    });
    const sequence = InvoiceStore.nextSequence(db);
    db.query(
      `INSERT INTO invoice (sequence, number, id, slug, deposit_index, merchant_name, merchant_address,
         vendor_name, vendor_email, issue_date, due_date, status, created_at, sent_at)
       ${numbers}, made AS (
         SELECT i, i * 7919 % $customers AS c, date('now', ((i - $end) * $days / $count) || ' days') AS day FROM n)
       SELECT i - $first + $sequence, printf('INV-%04d', i - $first + $sequence), lower(hex(randomblob(16))),
         lower(hex(randomblob(8))), i, 'Acme Ltd', '1 Main Street',
         printf('%s %s %d', CASE c % 4 WHEN 0 THEN 'Café' WHEN 1 THEN 'Hotel' WHEN 2 THEN 'Studio' ELSE 'Bakery' END,
           CASE c / 4 % 4 WHEN 0 THEN 'Morgenrot' WHEN 1 THEN 'Linde' WHEN 2 THEN 'Halden' ELSE 'Sommer' END, c),
         printf('accounts@shop%d.example', c), day, date(day, '14 days'), ${status}, $at, $at FROM made`,
    ).run({ ...range, end, sequence, count, days, customers: Math.ceil(count / 20) });
    db.query(
      `INSERT INTO line_item (sequence, position, description, quantity, unit_price, line_total)
       ${numbers} SELECT i - $first + $sequence, 0, 'House blend, 1 kg', 1000000, 25000000, 25000000 FROM n`,
    ).run({ first: range.first, end, sequence });
  });
}

/** Some of the invoices of a database. */
export const someInvoices = (db: Db): Filed[] =>
  db.query<Filed, []>("SELECT id, slug FROM invoice ORDER BY slug LIMIT 10000").all();

/** Stores old invoices of one line straight into the database and returns some of them. */
export function storeInvoices(db: Db, count: number): Filed[] {
  return fast(db, () => {
    const owed = storeReceivables(db, count, { kind: "invoice", merchant: "billing@acme.example" });
    const range = { ...owed, sequence: InvoiceStore.nextSequence(db) };
    db.query(
      `INSERT INTO invoice (sequence, number, id, slug, deposit_index, merchant_name, merchant_address,
         vendor_name, vendor_email, issue_date, due_date, status, created_at)
       ${numbers} SELECT i - $first + $sequence, printf('INV-%04d', i - $first + $sequence), lower(hex(randomblob(16))), lower(hex(randomblob(8))), i,
         'Acme Ltd', '1 Main Street', 'Globex', 'ap@globex.example', '2026-01-01', '2030-01-31', 'draft', $at FROM n`,
    ).run(range);
    db.query(
      `INSERT INTO line_item (sequence, position, description, quantity, unit_price, line_total)
       ${numbers} SELECT i - $first + $sequence, 0, 'Design', 1000000, 25000000, 25000000 FROM n`,
    ).run({ first: range.first, end: range.end, sequence: range.sequence });
    return someInvoices(db);
  });
}
