import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { closeDatabase, type Db, openDatabase } from "../../../src/store/database.ts";
import { schemaOf, schemaSteps } from "../../../src/store/migrations.ts";
import { find, matchOf } from "../../../src/store/search.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as MailStore from "../../../src/store/tables/outbox/mail.ts";
import * as WebhookEventStore from "../../../src/store/tables/outbox/webhook-event.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { storeInvoice } from "../../support/till/records.ts";

const dir = makeDataDir();
const dataDir = join(dir.path, "data");
let db: Db;

/** What stood in a database of version 1. */
const rows = `
  INSERT INTO deposit (deposit_index, address, payout_wallet, salt, factory, expected_amount, tolerance_amount,
      received_amount, created_at, created_block, changed_at, compare_at, explained_block)
    VALUES (0, '0xa', '0xw', '0xs0', '0xf', 5000000, 0, 5000000, 1, 10, 2, 3, 4),
      (1, '0xb', '0xw', '0xs1', '0xf', 2000000, 0, 0, 1, 10, 2, 3, 4),
      (2, '0xc', '0xw', '0xs2', '0xf', 2000000, 0, 0, 1, 10, 2, 3, 4);
  INSERT INTO invoice (sequence, id, slug, deposit_index, merchant_email, merchant_name, merchant_address, vendor_name,
      vendor_email, issue_date, due_date, notes, total_amount, status, wallet_type, webhook_url, webhook_secret,
      created_at, sent_at)
    VALUES (7, 'id7', 'slug7', 0, 'm@a.example', 'Acme', 'Street', 'Globex', 'v@b.example', '2026-01-01', '2026-02-01',
        'Thanks', 5000000, 'paid', 'byo', 'https://shop.example/', 'sealed', 11, 12),
      (40000, 'id8', 'slug8', 1, 'm@a.example', 'Acme', 'Street', 'Globex', 'v@b.example', '2026-01-01', '2026-02-01',
        NULL, 2000000, 'draft', 'byo', NULL, NULL, 11, NULL);
  INSERT INTO line_item VALUES (7, 0, 'Design', 1000000, 5000000, 5000000), (40000, 0, 'Work', 1000000, 2000000, 2000000);
  INSERT INTO link (id, slug, deposit_index, merchant_email, business_name, status, wallet_type, created_at)
    VALUES (3, 'checkout', 2, 'm@a.example', 'Corner Shop', 'pending', 'byo', 13);
  INSERT INTO link_embed_origin VALUES (3, 'https://shop.example');
  INSERT INTO webhook_event (id, deposit_index, status, url, receiver, secret, body, state, attempts, created_at)
    VALUES ('evt_1', 0, 'paid', 'https://shop.example/', 'https://shop.example', 'sealed', '{}', 'delivered', 1, 14);
  INSERT INTO delivery_attempt VALUES ('evt_1', 1, 15, 20, 200, NULL);
  INSERT INTO transfer (block_hash, log_index, block_number, tx_hash, deposit_index, payer, amount, confirmed, seen_at, opinion)
    VALUES ('0x1', 0, 20, '0x2', 0, '0xp', 5000000, 1, 18, 'none');
  INSERT INTO mail (id, sequence, kind, state, attempts, created_at)
    VALUES ('mail_1', 7, 'invoice', 'sent', 1, 11), ('mail_2', 7, 'receipt', 'sent', 1, 16);
  INSERT INTO mail (id, sequence, kind, state, attempts, next_attempt_at, created_at)
    VALUES ('mail_3', 40000, 'invoice', 'queued', 2, 99, 17);`;

beforeAll(() => {
  const old = openDatabase(dataDir, schemaSteps.slice(0, 1));
  old.run(rows);
  closeDatabase(old);
  const searched = openDatabase(dataDir, schemaSteps.slice(0, 5));
  // As an index had it whose parts had 65,536 rows.
  searched.run("INSERT INTO invoice_search (rowid, words) VALUES (40000, '\ue000Globex')");
  searched.run("DELETE FROM customer_unindexed");
  searched.run("INSERT INTO customer_search (rowid, words) SELECT id, '\ue000Globex' FROM customer");
  closeDatabase(searched);
  db = openDatabase(dataDir);
});
afterAll(() => {
  closeDatabase(db);
  dir.remove();
});

describe("a database of version 1 that a later Till opens", () => {
  test("is whole, and its references are looked at from then on", () => {
    expect(schemaOf(db)).toBe(schemaSteps.length);
    expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(() => db.run("DELETE FROM invoice WHERE sequence = 7")).toThrow("FOREIGN KEY");
    expect(() => db.run("DELETE FROM webhook_event")).toThrow("FOREIGN KEY");
  });

  test("has its invoices, with their numbers, and goes on counting", () => {
    const invoice = InvoiceStore.bySequence(db, 7);
    expect(invoice).toMatchObject({ number: "INV-0007", status: "paid", notes: "Thanks", sentAt: 12 });
    expect(invoice).toMatchObject({ reference: null, webhookEvents: "contract", voidedAt: null });
    expect(invoice?.lineItems).toHaveLength(1);
    expect(InvoiceStore.sealedSecret(db, 7)).toBe("sealed");
    expect(InvoiceStore.bySequence(db, 40_000)?.number).toBe("INV-40000");
    expect(storeInvoice(db).number).toBe("INV-40001");
    expect(() => db.run("UPDATE invoice SET number = 'X' WHERE sequence = 7")).toThrow("never change");
  });

  test("finds its invoices and customers by their words", async () => {
    const match = matchOf("globex") ?? "";
    expect(await find(db, "invoice", match, { limit: 5 })).toEqual(expect.arrayContaining([40000, 7]));
    expect(await find(db, "customer", match, { limit: 5 })).not.toBeEmpty();
  });

  test("has its links, mails and webhooks", () => {
    expect(LinkStore.bySlug(db, "checkout")).toMatchObject({ id: 3, embedOrigins: ["https://shop.example"] });
    const [event] = WebhookEventStore.listByDeposit(db, 0);
    expect(event).toMatchObject({ id: "evt_1", state: "delivered", attempts: [{ httpStatus: 200 }] });
    expect(MailStore.listDue(db, { now: 100, limit: 10, reminders: true })).toMatchObject([
      { id: "mail_3", depositIndex: 1, attempts: 2 },
    ]);
    const receipt = { depositIndex: 0, kind: "receipt", createdAt: 20 } as const;
    expect(MailStore.insertOnce(db, receipt)).toBe(false);
  });

  test("has its payments, of which only is known when they were seen", () => {
    expect(TransferStore.listByDeposit(db, 0)).toMatchObject([{ seenAt: 18, madeAt: 18 }]);
  });

  test("is there as it was, in the copy beside it", () => {
    const copy = new Database(`${join(dataDir, "till.db")}.before-schema-2`, {
      readonly: true,
    });
    expect(copy.query("SELECT sequence, id FROM mail ORDER BY id").all()).toHaveLength(3);
    copy.close();
  });
});
