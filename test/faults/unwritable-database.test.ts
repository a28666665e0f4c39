import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createApiKey, useApiKey } from "../../src/http/access/api-key.ts";
import { createVault } from "../../src/lib/crypto.ts";
import { createLog } from "../../src/lib/log.ts";
import { startMailSender } from "../../src/outbox/mail-sender.ts";
import { startWebhookSender } from "../../src/outbox/webhook-sender.ts";
import { closeDatabase, type Db, openDatabase, transact } from "../../src/store/database.ts";
import { newSecret, placeOf } from "../../src/store/secrets.ts";
import * as ApiKeyStore from "../../src/store/tables/installation/api-key.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import * as WebhookEventStore from "../../src/store/tables/outbox/webhook-event.ts";
import * as WebhookHistoryStore from "../../src/store/tables/outbox/webhook-history.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { answering, startSmtpServer } from "../support/mail/smtp-server.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { storeInvoice, words } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";

let dir: ReturnType<typeof makeDataDir>;
let db: Db;
let other: Database;
let logged: string[];
const log = createLog({ format: "text", level: "info", write: (line) => logged.push(line) });

beforeEach(() => {
  dir = makeDataDir();
  db = openDatabase(dir.path);
  // Waiting for another process's lock would only make the tests slower.
  db.run("PRAGMA busy_timeout = 10");
  other = new Database(join(dir.path, "till.db"));
  logged = [];
});
afterEach(() => {
  other.close();
  closeDatabase(db);
  dir.remove();
});

/** Another process that holds the write lock: every write fails until it lets go, and every read works. */
const blockWrites = () => void other.run("BEGIN IMMEDIATE");
const allowWrites = () => void other.run("COMMIT");

describe("while nothing can be written", () => {
  test.each([200, 500])(
    "a receiver that answered %d hears nothing more until that is recorded",
    async (status) => {
      const receiver = await startReceiver();
      receiver.answerWith(status);
      const vault = createVault(new Uint8Array(32));
      const url = receiver.url;
      const { deposit } = storeInvoice(db, { webhookUrl: url });
      const secret = vault.seal(newSecret(), placeOf.deposit(deposit.index));
      const event = { id: "evt_1", depositIndex: deposit.index, status: "paid", url, secret, body: "{}" };
      WebhookEventStore.insert(db, { ...event, createdAt: Date.now() });
      blockWrites();
      const sender = startWebhookSender({
        db,
        log,
        now: Date.now,
        publicOnly: false,
        vault: Promise.resolve(vault),
        words,
      });
      try {
        await until(
          () => logged.join("\n"),
          (text) => text.includes("[webhook.unrecorded]"),
        );
        for (let i = 0; i < 20; i++) {
          sender.wake();
          // Time itself: it looks at what is due.
          await Bun.sleep(10);
        }
        expect(receiver.received).toHaveLength(1);
        allowWrites();
        const [recorded] = await until(
          () => WebhookHistoryStore.list(db, deposit.index),
          ([found]) => found?.attempts.length === 1,
        );
        expect(recorded?.state).toBe(status === 200 ? "delivered" : "pending");
        expect(receiver.received).toHaveLength(1);
      } finally {
        await sender.stop();
        await receiver.stop();
      }
    },
  );

  test("a mail that went out is not sent again, and is recorded when that can be", async () => {
    let taken = 0;
    const server = await startSmtpServer(
      answering((done) => {
        taken += 1;
        blockWrites();
        done();
      }),
    );
    const outbox = openOutbox(db, { smtpUrl: server.url }, { now: Date.now, log });
    const sender = startMailSender({ db, mailer: outbox.mailer, log, now: Date.now });
    try {
      const { id } = await outbox.create();
      expect(logged.join("\n")).toContain("[mail.unrecorded]");
      expect(outbox.state(id)).toBe("sending");
      sender.wake();
      // Time itself: it looks at what is due.
      await Bun.sleep(50);
      allowWrites();
      await until(
        () => outbox.state(id),
        (state) => state === "sent",
      );
      expect(taken).toBe(1);
    } finally {
      await sender.stop();
      outbox.close();
      await server.stop();
    }
  });

  test("an API key is good all the same", () => {
    const key = createApiKey(db, "shop", Date.now()).key;
    blockWrites();
    expect(useApiKey(db, key, Date.now())?.id).toBeNumber();
    expect(useApiKey(db, `${key.slice(0, -1)}!`, Date.now())).toBeNull();
    allowWrites();
    expect(ApiKeyStore.list(db)[0]?.lastUsedAt).toBeNull();
    expect(useApiKey(db, key, Date.now())?.id).toBeNumber();
    expect(ApiKeyStore.list(db)[0]?.lastUsedAt).not.toBeNull();
  });

  test("a first mail stays in the outbox, and its invoice counts as created", async () => {
    const { mailer } = openOutbox(db, { smtpUrl: "smtp://127.0.0.1:9" });
    const invoice = storeInvoice(db);
    const id = transact(db, () => MailStore.insertFirst(db, invoice.deposit.index, Date.now()));
    blockWrites();
    await mailer.sendFirst(id, invoice);
    allowWrites();
    expect(MailStore.byId(db, id)?.state).toBe("queued");
  });
});
