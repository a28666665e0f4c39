import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Common from "../../src/domain/receivable/common.ts";
import { noteReceiptAddress } from "../../src/invoicing/links/links.ts";
import { type Catcher, startCatcher } from "../../src/mail/catcher.ts";
import { createTransport, type Transport } from "../../src/mail/smtp/transport.ts";
import type { MailerDeps } from "../../src/outbox/mailer.ts";
import { transact } from "../../src/store/database.ts";
import * as MailFailures from "../../src/store/reports/mail-failures.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import { applyScan } from "../../src/watch/payment/payment.ts";
import { type ScriptedServer, startScriptedServer } from "../mail/scripted-server.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { namedOf, payoutWallet, recordSettings, storeInvoice, storeLink } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";
import { looked } from "../support/watch/looked.ts";

describe("the outbox", () => {
  let catcher: Catcher | null;
  let scripted: ScriptedServer | null;
  let clockMs = Date.now();

  beforeEach(() => {
    makeDatabase();
    catcher = null;
    scripted = null;
  });
  afterEach(async () => {
    removeDatabase();
    await catcher?.stop();
    await scripted?.stop();
  });

  const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
  /** The head `block` on a fork, with or without the payment in it; above `undoAbove` all is taken back. */
  function scan(block: number, amount: string | null, undoAbove: number | null = null, fork = 0): void {
    const blockHash = hash(block + 1000 * fork);
    const transfers =
      amount === null
        ? []
        : [
            {
              blockHash,
              logIndex: 0,
              blockNumber: block,
              txHash: hash(0xa000 + block),
              depositIndex: 0,
              payer: payoutWallet,
              amount: usdc(amount),
            },
          ];
    const checkpoint = { number: block, hash: blockHash };
    applyScan(db, looked(db, { checkpoint, undoAbove, transfers, confirmedUpTo: block }), clockMs, {
      receipts: true,
      recordSettings,
    });
  }
  const mails = () =>
    db.query<{ kind: string; state: string }, []>("SELECT kind, state FROM mail ORDER BY kind").all();
  const both = (state: string) => [
    { kind: "notice", state },
    { kind: "receipt", state },
  ];

  function transportTo(port: number): Transport {
    return createTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, from: "till@example.com" });
  }
  function mailerTo(port: number, changes: Partial<MailerDeps> = {}, transport = transportTo(port)) {
    return openOutbox(db, transport, { now: () => clockMs, ...changes }).mailer;
  }
  const portOf = ({ smtpUrl }: Catcher) => Number(new URL(smtpUrl).port);
  const sendDue = (mailer: ReturnType<typeof mailerTo>) => {
    clockMs += 86_400_000;
    return mailer.sendDue(new AbortController().signal);
  };

  test("has no second receipt after a reorg, when the first went out", async () => {
    catcher = await startCatcher({ port: 0 });
    const mailer = mailerTo(portOf(catcher));
    storeInvoice(db);
    scan(10, null);
    scan(11, "100.00");
    expect(mails()).toEqual(both("queued"));
    await sendDue(mailer);
    scan(12, null, 10, 1);
    scan(13, "100.00", null, 1);
    await sendDue(mailer);
    expect(mails()).toEqual(both("sent"));
    expect(catcher.list()).toHaveLength(2);
  });

  const subjects = () => (catcher?.list() ?? []).map(({ subject }) => subject).sort();

  test("tells the merchant once of money that came for what is void", async () => {
    catcher = await startCatcher({ port: 0 });
    const mailer = mailerTo(portOf(catcher));
    const invoice = storeInvoice(db);
    ReceivableStore.setClosed(db, namedOf("invoice", invoice), { ...Common.open, voidedAt: 1 }, "void");
    scan(10, null);
    scan(11, "40.00");
    scan(12, "60.00");
    await sendDue(mailer);
    scan(13, "1.00");
    await sendDue(mailer);
    expect(subjects()).toEqual([`Unexpected payment: invoice ${invoice.number} to Globex, 100.00 USDC`]);
  });

  test("tells of more than was due, that came before anybody was told of the rest, in one mail to each", async () => {
    catcher = await startCatcher({ port: 0 });
    const mailer = mailerTo(portOf(catcher));
    storeInvoice(db);
    scan(10, null);
    scan(11, "100.00");
    scan(12, "1.00");
    await sendDue(mailer);
    expect(subjects()).toEqual([
      expect.stringMatching(/^Paid: .*, 1\.00 USDC more than the amount due$/),
      expect.stringMatching(/^Receipt .*, 1\.00 USDC more than the amount due$/),
    ]);
  });

  test("does not tell of a part when all of it is paid by then", async () => {
    catcher = await startCatcher({ port: 0 });
    const mailer = mailerTo(portOf(catcher));
    storeInvoice(db);
    scan(10, null);
    scan(11, "40.00");
    scan(12, "60.00");
    await sendDue(mailer);
    expect(mails()).toEqual(both("sent"));
    expect(subjects()).toEqual([expect.stringMatching(/^Paid: /), expect.stringMatching(/^Receipt /)]);
  });

  test("tells nobody of a payment that left the chain before its mails went out, until it is back", async () => {
    catcher = await startCatcher({ port: 0 });
    const mailer = mailerTo(portOf(catcher));
    storeInvoice(db);
    scan(10, null);
    scan(11, "100.00");
    scan(12, null, 10, 1);
    await sendDue(mailer);
    expect(mails()).toEqual([]);
    expect(catcher.list()).toEqual([]);
    scan(13, "100.00", null, 1);
    await sendDue(mailer);
    expect(mails()).toEqual(both("sent"));
    expect(catcher.list()).toHaveLength(2);
  });

  test("reminds nobody before all payments are known, and keeps nothing else waiting for that", async () => {
    catcher = await startCatcher({ port: 0 });
    let isChainCurrent = false;
    const mailer = mailerTo(portOf(catcher), { isChainCurrent: () => isChainCurrent });
    const invoice = storeInvoice(db);
    storeInvoice(db);
    InvoiceStore.setSent(db, invoice.sequence, 1, "sent");
    const reminder = { kind: "reminder", occasion: "7.2026-12-21", createdAt: clockMs } as const;
    MailStore.insertOnce(db, { ...reminder, depositIndex: 0 });
    MailStore.insertOnce(db, { ...reminder, depositIndex: 1 });
    scan(10, null);
    scan(11, "40.00");
    await sendDue(mailer);
    expect(subjects()).toHaveLength(2);
    expect(mailer.nextDue()).toBe(clockMs + 1_000);
    isChainCurrent = true;
    expect(mailer.nextDue()).toBeLessThan(clockMs);
    await sendDue(mailer);
    // The other was never mailed: of that one nobody is reminded.
    expect(subjects().filter((subject) => subject.startsWith("Reminder"))).toEqual([
      `Reminder: invoice ${invoice.number} from Acme Ltd, 60.00 USDC remaining, due 21 December 2026`,
    ]);
    expect(mailer.nextDue()).toBeNull();
  });

  test("lets the payer of a link correct an address that the mail server refused, and warns nobody else of it", async () => {
    scripted = await startScriptedServer({ RCPT: { say: "550 5.1.1 no such user\r\n" } }, []);
    const mailer = mailerTo(scripted.port);
    const { slug } = storeLink(db);
    scan(10, null);
    scan(11, "100.00");
    db.run("DELETE FROM mail");
    const leave = (email: string) => noteReceiptAddress(db, { slug, email, now: clockMs });
    expect(await leave("jo@initec.example")).toBe("noted");
    await sendDue(mailer);
    expect(mails()).toEqual([{ kind: "receipt", state: "failed" }]);
    expect(MailFailures.find(db, "failed", { createdAfter: 0, namedMax: 1 })).toBeNull();

    catcher = await startCatcher({ port: 0 });
    expect(await leave("jo@initech.example")).toBe("noted");
    await sendDue(mailerTo(portOf(catcher)));
    expect(catcher.list()).toMatchObject([{ to: ["jo@initech.example"] }]);
    expect(await leave("late@initech.example")).toBe("sent");
  });

  test("does not remind of what was paid, or is being paid, since the reminder was written", async () => {
    catcher = await startCatcher({ port: 0 });
    const mailer = mailerTo(portOf(catcher));
    for (let at = 0; at < 2; at++) {
      const { sequence, deposit } = storeInvoice(db);
      InvoiceStore.setSent(db, sequence, 1, "sent");
      MailStore.insertOnce(db, {
        kind: "reminder",
        occasion: "0",
        depositIndex: deposit.index,
        createdAt: clockMs,
      });
    }
    db.run("UPDATE receivable SET pending_amount = 1 WHERE deposit_index = 1");
    scan(10, null);
    scan(11, "100.00");
    await sendDue(mailer);
    expect(subjects().filter((subject) => subject.startsWith("Reminder"))).toEqual([]);
    expect(mailer.nextDue()).toBeNull();
  });

  test("repeats no receipt of which nobody knows whether it arrived", async () => {
    scripted = await startScriptedServer({ content: "close" });
    const mailer = mailerTo(scripted.port);
    storeInvoice(db);
    scan(10, "100.00");
    await sendDue(mailer);
    expect(mails()).toEqual(both("unknown"));
    scan(11, null, 9, 1);
    scan(12, "100.00", null, 1);
    await sendDue(mailer);
    expect(mails()).toEqual(both("unknown"));
    expect(scripted.contents).toHaveLength(2);
  });

  test("keeps trying while the mail server certainly did not take it, and the invoice stays as it is", async () => {
    scripted = await startScriptedServer({ RCPT: { say: "451 later\r\n" } });
    const invoice = storeInvoice(db);
    scan(10, "100.00");
    await sendDue(mailerTo(scripted.port));
    expect(mails()).toEqual(both("queued"));
    catcher = await startCatcher({ port: 0 });
    await sendDue(mailerTo(portOf(catcher)));
    expect(mails()).toEqual(both("sent"));
    expect(db.query("SELECT sent_at FROM invoice WHERE id = ?").get(invoice.id)).toEqual({ sent_at: null });
  });

  test.each([
    ["cannot be made", () => Promise.reject(new Error("no fonts"))],
    ["is never done", () => new Promise<never>(() => {})],
  ])("sends an invoice whose PDF %s without it", async (_, pdfOf) => {
    catcher = await startCatcher({ port: 0 });
    const mailer = mailerTo(portOf(catcher), { pdfOf });
    const invoice = storeInvoice(db);
    const id = transact(db, () => MailStore.insertFirst(db, invoice.deposit.index, clockMs));
    await mailer.sendFirst(id, invoice);
    const [mail] = catcher.list();
    expect(mail?.attachments).toEqual([]);
    expect(mail?.text).not.toContain("attached");
  });
});
