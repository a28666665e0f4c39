import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createVault } from "../../src/lib/vault.ts";
import { newSecret, openAnswer, openSecret, sealOldSecrets } from "../../src/service/webhook-secret.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as IdempotencyStore from "../../src/store/idempotency.ts";
import * as InvoiceStore from "../../src/store/invoice.ts";
import * as WalletStore from "../../src/store/wallet.ts";
import * as WebhookEventStore from "../../src/store/webhook-event.ts";
import { makeDataDir } from "../support/data-dir.ts";
import { payoutWallet, storeInvoice } from "../support/records.ts";

const vault = createVault(new Uint8Array(32).fill(5));
const schemaDir = join(import.meta.dir, "../../src/store/schema");

let dir: ReturnType<typeof makeDataDir>;
beforeEach(() => {
  dir = makeDataDir();
});
afterEach(() => dir.remove());

/** All bytes of all files of the data directory, but for the copy that is the way back to the version before. */
const everything = () =>
  readdirSync(dir.path)
    .filter((name) => !name.includes("before-schema"))
    .map((name) => readFileSync(join(dir.path, name), "latin1"))
    .join("");

/** A database as the version before the encryption left it, with a deleted row in its free pages. */
function makeOldDatabase(secrets: readonly string[], now: number): void {
  const old = new Database(join(dir.path, "till.db"), { create: true, strict: true, safeIntegers: true });
  old.run("PRAGMA journal_mode = WAL");
  old.run("PRAGMA secure_delete = OFF");
  const steps = readdirSync(schemaDir).filter((name) => name.endsWith(".sql") && name < "09");
  for (const step of steps.sort()) old.run(readFileSync(join(schemaDir, step), "utf8"));
  old.run(`PRAGMA user_version = ${steps.length}`);
  WalletStore.setGasAddress(old, payoutWallet);
  // What today's code writes besides; the old schema does not have it.
  old.run("ALTER TABLE deposit ADD COLUMN created_block INTEGER");
  old.run("ALTER TABLE deposit ADD COLUMN tolerance_amount INTEGER");
  for (const [at, secret] of secrets.entries()) {
    const url = "https://shop.example/";
    const { deposit } = storeInvoice(old, { webhookUrl: url });
    old.query("UPDATE invoice SET webhook_secret = ? WHERE deposit_index = ?").run(secret, deposit.index);
    for (const status of ["partial", "paid"]) {
      const event = {
        id: `evt_${at}_${status}`,
        depositIndex: deposit.index,
        status,
        url,
        secret,
        body: "{}",
      };
      WebhookEventStore.insert(old, { ...event, createdAt: now });
    }
    IdempotencyStore.insert(old, { key: `order-${at}`, requestHash: "x" }, "x", now);
    const sealedBody = JSON.stringify({ webhook_secret: secret });
    IdempotencyStore.setAnswer(old, `order-${at}`, { status: 201, sealedBody });
  }
  old.run("ALTER TABLE deposit DROP COLUMN created_block");
  old.run("ALTER TABLE deposit DROP COLUMN tolerance_amount");
  for (let at = 0; at < 200; at++) {
    IdempotencyStore.insert(old, { key: `gone-${at}`, requestHash: "x".repeat(500) }, secrets[0] ?? "", 0);
  }
  old.run("DELETE FROM idempotency WHERE created_at = 0");
  old.close();
}

describe("newSecret", () => {
  test("is whsec_ and 32 bytes of base64, different each time", () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
  });
});

describe("sealOldSecrets", () => {
  test("leaves no plain secret in any file, and each opens where it stood", () => {
    const now = Date.now();
    const secrets = Array.from({ length: 30 }, newSecret);
    makeOldDatabase(secrets, now);
    for (const secret of secrets) expect(everything()).toContain(secret);

    const db = openDatabase(dir.path);
    expect(sealOldSecrets(db, vault)).toBe(true);
    const files = everything();
    for (const secret of secrets) expect(files).not.toContain(secret);
    const due = WebhookEventStore.listDue(db, now, { total: 100, perReceiver: 100 });
    expect(due).toHaveLength(2 * secrets.length);
    for (const [at, secret] of secrets.entries()) {
      expect(openSecret(vault, InvoiceStore.sealedSecret(db, at + 1) ?? "", at)).toBe(secret);
      const ofInvoice = due.filter((event) => event.depositIndex === at);
      expect(ofInvoice.map((event) => openSecret(vault, event.secret, at))).toEqual([secret, secret]);
      const sealed = IdempotencyStore.find(db, `order-${at}`, 0)?.answer?.sealedBody ?? "";
      expect(JSON.parse(openAnswer(vault, sealed, `order-${at}`))).toEqual({ webhook_secret: secret });
    }
    closeDatabase(db);
  });

  test("makes up for a run that was interrupted before the file was written anew", () => {
    const secrets = [newSecret()];
    makeOldDatabase(secrets, Date.now());
    const reader = new Database(join(dir.path, "till.db"));
    reader.run("BEGIN");
    reader.query("SELECT * FROM invoice").get();
    const db = openDatabase(dir.path);
    db.run("PRAGMA busy_timeout = 50");
    expect(sealOldSecrets(db, vault)).toBe(false);
    reader.run("COMMIT");
    reader.close();
    expect(sealOldSecrets(db, vault)).toBe(true);
    expect(everything()).not.toContain(secrets[0] ?? "");
    closeDatabase(db);
  });
});
