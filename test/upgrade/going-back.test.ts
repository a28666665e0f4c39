import { afterAll, describe, expect, test } from "bun:test";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { closeDatabase, type Db, openDatabase } from "../../src/store/database.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { restoreBackup } from "../../src/store/files/restore.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import { storeInvoice, storeLink, storeReusable } from "../support/till/records.ts";
import { callTill } from "../support/till/run-till.ts";
import { before, copyOf, newCopy, removeCopies, request } from "./copies.ts";
import { laterSteps, rowsOf } from "./later.ts";
import { addLike } from "./states.ts";

afterAll(removeCopies);

const invoicesBefore = before["invoice"]?.rows.length ?? 0;
const creditNotesBefore = before["credit_note"]?.rows.length ?? 0;
const receiptsBefore = before["receipt"]?.rows.length ?? 0;

/** A data directory that a later Till upgraded and went on with; `change` is what it keeps in another way. */
function goOn(change = ""): string {
  const dataDir = newCopy();
  const db = openDatabase(dataDir, laterSteps);
  liveOn(db);
  // What a step would make anew, as the views over a table, is not looked at.
  if (change !== "") db.run(`PRAGMA legacy_alter_table = ON; ${change}`);
  closeDatabase(db);
  return dataDir;
}

function liveOn(db: Db): void {
  for (let n = 0; n < 3; n++) storeInvoice(db);
  for (let n = 0; n < 2; n++) storeLink(db);
  storeReusable(db, { slug: "since" });
  createApiKey(db, "since", Date.now());
  for (const [table, changes] of [
    ["transfer", { block_hash: "0xsince" }],
    ["credit_note", { id: "since", number: "CN-since", sequence: creditNotesBefore + 1 }],
    ["refund", { id: "since", claim_hash: null, claim_token: null, amount: 10_000 }],
    ["refund", { id: "and since", claim_hash: null, claim_token: null, amount: 10_000 }],
    ["withdrawal", { nonce: "since", form_key: null }],
    ["recurring", { id: "since" }],
    ["person", { name: "Since", handle: "since" }],
    ["webhook_endpoint", { id: "since" }],
  ] as const)
    addLike(db, table, table === "withdrawal" ? "state = 'done'" : "true", changes);
  const [free] = db
    .query<{ at: bigint }, []>(
      "SELECT deposit_index AS at FROM receivable WHERE deposit_index NOT IN (SELECT deposit_index FROM receipt)",
    )
    .all();
  addLike(db, "receipt", "true", {
    sequence: receiptsBefore + 1,
    number: "R-since",
    deposit_index: Number(free?.at),
  });
}

const since =
  "The backup lacks what came since: 3 invoices, 2 payment links, 1 reusable link, 1 payment, 1 credit note, 1 receipt, " +
  "2 refunds, 1 withdrawal, 1 repeating invoice, 1 person, 1 API key and 1 webhook endpoint.";

const goBack = (dataDir: string, changes: { force?: boolean; nextInvoice?: number } = {}) =>
  restoreBackup({ ...request(dataDir), file: copyOf(dataDir), ...changes });

describe("an older Till that meets a later one's database", () => {
  test("says by number what came since before it does anything, and goes on after it", async () => {
    const dataDir = goOn();
    const file = databaseFile(dataDir);
    const there = rowsOf(file);
    const till = (...flags: string[]) =>
      callTill(["restore", copyOf(dataDir), ...flags], { env: { TILL_DATA_DIR: dataDir } });
    const refused = await till();
    expect(refused.stderr).toContain(
      `Nothing was changed in ${dataDir}: the database there was written by a later version of Till. ${since} With --force`,
    );
    expect(refused.exitCode).toBe(1);
    expect(rowsOf(file)).toEqual(there);

    const done = await till("--force");
    const told = `${done.stdout}${done.stderr}`;
    expect(told).toContain(since);
    expect(told).toContain(
      `The next invoice is INV-00${invoicesBefore + 4}. The last one of the backup is INV-00${invoicesBefore};`,
    );
    expect(done.exitCode).toBe(0);
    const db = openDatabase(dataDir);
    expect(storeInvoice(db).sequence).toBe(invoicesBefore + 4);
    closeDatabase(db);
  });

  test("numbers credit notes and receipts after those that came since", () => {
    expect(goBack(goOn(), { force: true })).toMatchObject({
      lastInvoice: invoicesBefore,
      nextInvoice: invoicesBefore + 4,
      nextCreditNote: creditNotesBefore + 2,
      nextReceipt: receiptsBefore + 2,
      leftBehind: { invoices: 3, payments: 1, refunds: 2, people: 1 },
    });
  });

  test("says that nothing came since when nothing did", () => {
    const dataDir = newCopy();
    closeDatabase(openDatabase(dataDir, laterSteps));
    expect(() => goBack(dataDir)).toThrow("Nothing came since that the backup lacks. With --force");
  });

  test.each([
    ["DROP TABLE delivery_attempt; DROP TABLE webhook_event", "", since],
    ["ALTER TABLE refund RENAME COLUMN id TO name", "refunds", since.replace("2 refunds, ", "")],
    [
      "ALTER TABLE person RENAME TO user; ALTER TABLE recurring RENAME COLUMN id TO name",
      "repeating invoices and people",
      since.replace("1 repeating invoice, 1 person, ", ""),
    ],
  ])("says what it cannot count, and still goes on after the last number: %s", (change, uncounted, said) => {
    const dataDir = goOn(change);
    const rest = uncounted === "" ? "" : ` This Till cannot count there: ${uncounted}.`;
    expect(() => goBack(dataDir)).toThrow(`${said}${rest} With --force`);
    expect(goBack(dataDir, { force: true }).nextInvoice).toBe(invoicesBefore + 4);
  });

  test.each([
    "ALTER TABLE invoice RENAME COLUMN sequence TO place",
    "ALTER TABLE next_numbers RENAME COLUMN receipt TO receipts",
    "ALTER TABLE wallet RENAME TO purse",
    "ALTER TABLE receivable RENAME COLUMN deposit_index TO place",
  ])("gives out no number without being told the next where it cannot read the last: %s", (change) => {
    const dataDir = goOn(change);
    const there = rowsOf(databaseFile(dataDir));
    expect(() => goBack(dataDir, { force: true })).toThrow(`--next-invoice ${invoicesBefore + 1}`);
    expect(rowsOf(databaseFile(dataDir))).toEqual(there);
    const done = goBack(dataDir, { force: true, nextInvoice: invoicesBefore + 9 });
    expect(done).toMatchObject({
      nextInvoice: invoicesBefore + 9,
      nextCreditNote: creditNotesBefore + 1_001,
    });
    const db = openDatabase(dataDir);
    expect(InvoiceStore.nextSequence(db)).toBe(invoicesBefore + 9);
    closeDatabase(db);
  });
});
