import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { startCatcher } from "../../src/mail/catcher.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import { ownPort } from "../support/http/port.ts";
import { answering, startSmtpServer } from "../support/mail/smtp-server.ts";
import { invoiceRequest, startTestTill, type TestTill, until, untilMailed } from "../support/till/till.ts";

/** Mails need none. */
const noNode = { rpcUrl: "http://127.0.0.1:9" };
let till: TestTill | null;

beforeEach(() => {
  till = null;
});
afterEach(() => till?.stop());

const create = (running: TestTill) => running.api("POST", "/api/invoices", invoiceRequest);
/** Of all mails, the oldest first. */
const states = ({ config }: TestTill) => {
  const db = openDatabase(config.dataDir);
  try {
    const mails = db.query<{ state: string }, []>("SELECT state FROM mail ORDER BY created_at, rowid");
    return mails.all().map(({ state }) => state);
  } finally {
    closeDatabase(db);
  }
};
const record = async (running: TestTill, id: string) =>
  (await running.api("GET", `/api/invoices/${id}`)).body;

describe("an invoice whose mail cannot be sent", () => {
  test("is created as a draft, and sent by hand once the mail server is back", async () => {
    const port = ownPort();
    till = await startTestTill(noNode, { TILL_SMTP_URL: `smtp://127.0.0.1:${port}` });
    const { status, body } = await create(till);
    expect(status).toBe(201);
    expect(body.sent_at).toBeNull();
    expect(await record(till, body.invoice_id)).toMatchObject({ status: "draft", sent_at: null });

    const failed = await till.api("POST", `/api/invoices/${body.invoice_id}/send`);
    expect(failed).toMatchObject({ status: 200, body: { ok: false } });
    expect(failed.body.detail).toStartWith("The email was not sent: ");

    const catcher = await startCatcher({ port });
    try {
      expect((await till.api("POST", `/api/invoices/${body.invoice_id}/send`)).body).toEqual({ ok: true });
      expect((await record(till, body.invoice_id)).status).toBe("sent");
      expect(catcher.list()).toHaveLength(1);
    } finally {
      await catcher.stop();
    }
  });

  test("waits in the outbox over a restart, and is not sent twice when it was sent by hand", async () => {
    const port = ownPort();
    till = await startTestTill(noNode, { TILL_SMTP_URL: `smtp://127.0.0.1:${port}` });
    const { body } = await create(till);
    const other = (await create(till)).body;
    const catcher = await startCatcher({ port });
    try {
      await till.api("POST", `/api/invoices/${other.invoice_id}/send`);
      await till.pause();
      makeDue(till.config.dataDir);
      await till.resume();
      const running = till;
      await untilMailed(running);
      const subjects = catcher.list().map((mail) => mail.subject.slice(0, 16));
      expect(subjects.sort()).toEqual(["Invoice INV-0001", "Invoice INV-0002"]);
      expect(await record(running, body.invoice_id)).toMatchObject({ status: "sent" });
    } finally {
      await catcher.stop();
    }
  });

  test.each([
    ["months", 60 * 86_400_000],
    ["hours", 3 * 3_600_000],
  ])("is not kept waiting for a time that a clock planned which was wrong by %s", async (_, aheadMs) => {
    const port = ownPort();
    let shiftMs = aheadMs;
    const smtp = { TILL_SMTP_URL: `smtp://127.0.0.1:${port}` };
    till = await startTestTill(noNode, smtp, { now: () => Date.now() + shiftMs });
    await create(till);
    const catcher = await startCatcher({ port });
    try {
      await till.pause();
      shiftMs = 0;
      await till.resume();
      await until(
        () => catcher.list().length,
        (count) => count === 1,
      );
    } finally {
      await catcher.stop();
    }
  });

  test("is not mailed again by itself when nobody knows whether it arrived", async () => {
    let taken = 0;
    // The message is taken, but its answer never comes.
    const server = await startSmtpServer(
      answering((done) => {
        taken += 1;
        if (taken > 1) done();
      }),
    );
    try {
      till = await startTestTill(noNode, { TILL_SMTP_URL: server.url });
      const creating = create(till);
      await until(() => taken, Boolean);
      await till.pause();
      const { status, body } = await creating;
      expect(status).toBe(201);
      expect(body.sent_at).toBeNull();
      makeDue(till.config.dataDir);
      await till.resume();
      await create(till);
      await untilMailed(till);
      expect([taken, states(till)]).toEqual([2, ["unknown", "sent"]]);
      expect((await record(till, body.invoice_id)).status).toBe("draft");
    } finally {
      await server.stop();
    }
  });
});

describe("the outbox", () => {
  /** Puts a mail of each invoice into the outbox, as if it had waited there since long ago. */
  async function queueMails(running: TestTill, count: number): Promise<string[]> {
    const drafts = [];
    for (let i = 0; i < count; i++) drafts.push(await running.createInvoice({ send_now: false }));
    await running.pause();
    const db = openDatabase(running.config.dataDir);
    for (let depositIndex = 0; depositIndex < count; depositIndex++) {
      const id = `mail_${depositIndex + 1}`;
      const mail = { id, depositIndex, kind: "invoice", occasion: "" } as const;
      MailStore.insertQueued(db, { ...mail, createdAt: 1, nextAttemptAt: depositIndex + 1 });
    }
    closeDatabase(db);
    await running.resume();
    return drafts.map((draft) => draft["invoice_id"] ?? "");
  }

  test("does not send what the merchant sent by hand while it was busy with another mail", async () => {
    const answers: (() => void)[] = [];
    // The first one waits for its answer until the test gives it.
    const server = await startSmtpServer(answering((done) => answers.push(done) > 1 && done()));
    try {
      till = await startTestTill(noNode, { TILL_SMTP_URL: server.url });
      const running = till;
      const [, second] = await queueMails(running, 2);
      await until(
        () => answers.length,
        (count) => count === 1,
      );
      expect((await running.api("POST", `/api/invoices/${second}/send`)).body).toEqual({ ok: true });
      answers[0]?.();
      await until(
        () => states(running),
        (found) => found.every((state) => state === "sent" || state === "superseded"),
      );
      expect(answers).toHaveLength(2);
    } finally {
      await server.stop();
    }
  });

  test("lets Till stop in time although the mail server is silent, and keeps the mail for later", async () => {
    const connected = Promise.withResolvers<void>();
    const silent = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { open: () => connected.resolve(), data() {} },
    });
    try {
      till = await startTestTill(noNode, { TILL_SMTP_URL: `smtp://127.0.0.1:${silent.port}` });
      await queueMails(till, 1);
      await connected.promise;
      await till.pause();
      expect(states(till)).toEqual(["queued"]);
      // It did not wait for as long as a mail server has.
      const db = openDatabase(till.config.dataDir);
      const [said] = db.query<{ reason: string }, []>("SELECT reason FROM mail").all();
      closeDatabase(db);
      expect(said?.reason).toContain("Till is stopping");
    } finally {
      silent.stop(true);
    }
  });
});

/** Moves the time of every queued mail into the past, while Till is stopped. */
function makeDue(dataDir: string): void {
  const db = openDatabase(dataDir);
  db.run("UPDATE mail SET next_attempt_at = 1 WHERE state = 'queued'");
  closeDatabase(db);
}
