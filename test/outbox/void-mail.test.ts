import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createClose } from "../../src/invoicing/close.ts";
import { createLog } from "../../src/lib/log.ts";
import type { Message } from "../../src/mail/smtp/message.ts";
import type { MailOutcome } from "../../src/mail/smtp/outcome.ts";
import type { Transport } from "../../src/mail/smtp/transport.ts";
import * as MailQueueStore from "../../src/store/tables/outbox/mail-queue.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { recordSettings } from "../support/till/records.ts";

beforeEach(makeDatabase);
afterEach(removeDatabase);

async function voidFirst(): Promise<void> {
  const log = createLog({ format: "text", level: "debug", write() {} });
  const nothing = () => {};
  const close = createClose({
    config: { creditNoteNumber: { before: "CN-", digits: 4, after: "" }, mailReceipts: false },
    db,
    recordSettings,
    now: Date.now,
    log,
    onEventDue: nothing,
    onMailDue: nothing,
  });
  const closing = { kind: "void", reason: "Billed twice." } as const;
  expect(await close({ kind: "invoice", depositIndex: 0 }, closing, null)).toBeNull();
}

/** A mail server during whose first mail the merchant voids the invoice. */
function serverThatTakesLong(outcome: MailOutcome) {
  const subjects: string[] = [];
  return {
    subjects,
    async send(message: Message): Promise<MailOutcome> {
      subjects.push(message.subject);
      if (subjects.length > 1) return { kind: "sent", response: "" };
      await voidFirst();
      return outcome;
    },
    close: async () => {},
  };
}

const voidSubject = "Void: invoice INV-0001 from Acme Ltd";
const invoiceSubject = expect.stringMatching(/^Invoice INV-0001/) as unknown as string;

describe("an invoice that is voided while it is being mailed", () => {
  test.each<[string, MailOutcome]>([
    ["arrived", { kind: "sent", response: "" }],
    ["may have arrived", { kind: "unknown", reason: "no answer" }],
  ])("is taken back by mail when it %s", async (_, outcome) => {
    const server = serverThatTakesLong(outcome);
    const outbox = openOutbox(db, server);
    await outbox.create();
    await outbox.sendLater(1_000);
    await outbox.sendLater(3 * 86_400_000);
    expect(server.subjects).toEqual([invoiceSubject, voidSubject]);
  });

  test("is not mailed again when it did not arrive, nor taken back", async () => {
    const server = serverThatTakesLong({ kind: "rejected", permanent: false, reason: "busy" });
    const outbox = openOutbox(db, server);
    await outbox.create();
    await outbox.sendLater(86_400_000);
    expect(server.subjects).toEqual([invoiceSubject]);
  });
});

test("an invoice that was voided while it was being mailed, when Till was killed, is taken back by mail", async () => {
  const subjects: string[] = [];
  const isKilled = Promise.withResolvers<void>();
  const server: Transport = {
    async send({ subject }, { onContent } = {}) {
      subjects.push(subject);
      if (subjects.length > 1) return { kind: "sent", response: "" };
      onContent?.();
      await voidFirst();
      isKilled.resolve();
      return await new Promise(() => {});
    },
    close: async () => {},
  };
  void openOutbox(db, server).create();
  await isKilled.promise;
  expect(MailQueueStore.markInterrupted(db, Date.now())).toBe(1);
  await openOutbox(db, server).sendLater(1_000);
  expect(subjects).toEqual([invoiceSubject, voidSubject]);
});

test("an invoice of which nobody knows whether it arrived is taken back by mail when it is voided later", async () => {
  const subjects: string[] = [];
  const outbox = openOutbox(db, {
    async send({ subject }) {
      subjects.push(subject);
      return subjects.length > 1 ? { kind: "sent", response: "" } : { kind: "unknown", reason: "no answer" };
    },
    close: async () => {},
  });
  await outbox.create();
  await voidFirst();
  await outbox.sendLater(1_000);
  expect(subjects).toEqual([invoiceSubject, voidSubject]);
});
