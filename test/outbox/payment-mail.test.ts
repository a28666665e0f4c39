import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import * as Invoice from "../../src/domain/invoice.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { type Catcher, startCatcher } from "../../src/mail/catcher/catcher.ts";
import { createTransport, type Transport } from "../../src/mail/smtp/transport.ts";
import type { MailerDeps } from "../../src/outbox/mailer.ts";
import { closeDatabase, type Db, openDatabase, transact } from "../../src/store/database.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import { applyScan } from "../../src/watch/payment.ts";
import { pagesOf } from "../document/poppler.ts";
import { type ScriptedServer, startScriptedServer } from "../mail/scripted-server.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { payoutWallet, site, storeInvoice } from "../support/till/records.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";
import { usdc } from "../support/usdc.ts";

const vendor = "ap@globex.example";
const merchant = "billing@acme.example";
const stillMs = 300;

describe("when an invoice is paid", () => {
  let chain: TestChain;
  let till: TestTill;

  beforeAll(async () => {
    chain = await startTestChain();
    till = await startTestTill(chain, { TILL_BRAND_NAME: "Acme Pay", TILL_MAIL_ATTACH_PDF: "true" });
  });
  afterAll(async () => {
    await till.stop();
    await chain.stop();
  });

  const mailsOf = (number: string | undefined) =>
    till.mail.list().filter(({ subject }) => subject.includes(`${number}`));
  const pay = async (invoice: Record<string, string>, amount: string | bigint, status: string) => {
    await chain.pay(invoice["deposit_address"] as `0x${string}` as never, amount);
    await until(
      async () => (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status,
      (found) => found === status,
    );
  };

  test("the customer gets receipts and the merchant notices, each once, however much comes", async () => {
    const invoice = await till.createInvoice({ send_now: true });
    const number = invoice["invoice_number"];
    const [first] = mailsOf(number);
    expect(first?.attachments).toMatchObject([{ name: `${number}.pdf`, mediaType: "application/pdf" }]);
    const pdf = await fetch(invoice["pdf_url"] ?? "");
    expect(Buffer.from(first?.attachments[0]?.bytes ?? [])).toEqual(Buffer.from(await pdf.arrayBuffer()));
    expect(first?.text).toContain("The PDF is also attached to this email.");
    expect(first?.text).toContain("the attached PDF, check that it matches the one on that page");

    const counted = (count: number) =>
      until(
        () => mailsOf(number),
        ({ length }) => length === count,
      );
    await pay(invoice, "500.00", "partial");
    const parts = await counted(3);
    expect(parts.find(({ subject }) => subject.startsWith("Partial payment"))).toMatchObject({
      to: [vendor],
      replyTo: merchant,
      subject: `Partial payment received: invoice ${number} from Acme Ltd, 1,000.00 USDC remaining, due 31 January 2030`,
      messageId: `<receipt-partial-${invoice["invoice_id"]}@127.0.0.1>`,
    });
    expect(parts.find(({ subject }) => subject.startsWith("Partially paid"))).toMatchObject({
      to: [merchant],
      replyTo: vendor,
      subject: `Partially paid: invoice ${number} to Globex GmbH (500.00 of 1,500.00 USDC received)`,
    });
    await pay(invoice, "10.00", "partial");
    await pay(invoice, "990.00", "paid");
    const mails = await counted(5);
    await pay(invoice, "20.00", "excess");
    const all = await counted(6);
    expect(all.find(({ subject }) => subject.startsWith("Overpaid"))).toMatchObject({
      to: [merchant],
      subject: `Overpaid: invoice ${number} to Globex GmbH, 20.00 USDC more than the amount due`,
    });
    await pay(invoice, "5.00", "excess");
    await Bun.sleep(stillMs);
    expect(mailsOf(number)).toHaveLength(6);

    const receipt = mails.find(({ subject }) => subject.startsWith("Receipt"));
    expect(receipt).toMatchObject({
      to: [vendor],
      replyTo: merchant,
      subject: `Receipt for invoice ${number} from Acme Ltd: 1,500.00 USDC paid`,
      messageId: `<receipt-${invoice["invoice_id"]}@127.0.0.1>`,
    });
    const { attachments = [], text: receiptText = "" } = receipt ?? {};
    expect(attachments).toMatchObject([{ name: `${number}-receipt.pdf`, mediaType: "application/pdf" }]);
    const [printed = ""] = await pagesOf(attachments[0]?.bytes ?? new Uint8Array());
    expect(printed).toMatch(/Receipt.*Paid.*Amount received\s+1,500\.00 USDC/s);
    expect(receiptText).toContain("The receipt is attached to this email as a PDF.");
    const notice = mails.find(({ subject }) => subject.startsWith("Paid:"));
    expect(notice).toMatchObject({
      to: [merchant],
      replyTo: vendor,
      subject: `Paid: invoice ${number} to Globex GmbH, 1,500.00 USDC`,
    });
    const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/payments`);
    for (const { html, text } of [receipt, notice].map((mail) => mail ?? { html: "", text: "" })) {
      for (const version of [html, text]) {
        for (const part of ["500.00 USDC", "990.00 USDC", invoice["invoice_url"] ?? "?", "Acme Pay"])
          expect(version).toContain(part);
        for (const { tx_hash } of body.data.slice(0, 3)) expect(version).toContain(tx_hash);
        expect(version).not.toContain(invoice["deposit_address"] ?? "?");
      }
    }
  });

  test("a millionth too little and a millionth too much are said to the millionth, on page and PDF as in the mail", async () => {
    const invoice = await till.createInvoice();
    const pageText = async () => (await fetch(`${invoice["invoice_url"]}?lang=en`)).text();
    const pdfText = async () =>
      (await pagesOf(await (await fetch(invoice["pdf_url"] ?? "")).bytes())).join("\n");
    await pay(invoice, 1_499_999_999n, "partial");
    expect(await pageText()).toContain("1,499.999999 of 1,500.00 USDC received");
    expect(await pdfText()).toContain("1,499.999999 of 1,500.00 USDC received");

    await pay(invoice, 2n, "excess");
    expect(await pageText()).toContain("1,500.000001 USDC received, 0.000001 USDC more than the amount due");
    expect(await pdfText()).toContain("1,500.000001 of 1,500.00 USDC received");
  });

  test("both say what arrived above the total", async () => {
    const invoice = await till.createInvoice();
    await pay(invoice, "1520.00", "excess");
    const mails = await until(
      () => mailsOf(invoice["invoice_number"]),
      ({ length }) => length === 2,
    );
    for (const { subject, text, html } of mails) {
      expect(subject).toEndWith(", 20.00 USDC more than the amount due");
      for (const version of [text, html])
        expect(version.replaceAll("\u00a0", " ")).toContain(
          "The amount due was 1,500.00 USDC, so this is an overpayment of 20.00 USDC.",
        );
    }
  });
});

describe("very many small payments to one address", () => {
  let till: TestTill;
  beforeAll(async () => {
    till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  });
  afterAll(() => till.stop());

  test("let neither the page nor the mails grow: both list the largest and count the others", async () => {
    const made = await till.createInvoice();
    await till.pause();
    const db = openDatabase(till.config.dataDir);
    const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
    const transfers = Array.from({ length: 40 }, (_, i) => ({
      blockHash: hash(1),
      logIndex: i,
      blockNumber: 1,
      txHash: hash(100 + i),
      depositIndex: 0,
      payer: payoutWallet,
      amount: Usdc.fromMicro(i === 7 ? 1_500_000_000n - 39n : 1n),
    }));
    const checkpoint = { number: 1, hash: hash(1) };
    applyScan(db, { checkpoint, undoAbove: null, transfers, confirmedUpTo: 1 }, 1, { receipts: true, site });
    closeDatabase(db);
    await till.resume();
    const page = (await till.api("GET", new URL(made["invoice_url"] ?? "").pathname)).body;
    expect(page.match(/class="transfer-line"/g)).toHaveLength(20);
    expect(page).toContain("1,499.999961");
    expect(page).toContain("Smaller payments not shown:\u00a020");
    const mails = await until(
      () => till.mail.list(),
      (found) => found.length === 2,
    );
    for (const { text } of mails) {
      expect(text.match(/0x[0-9a-f]{64}/g)).toHaveLength(20);
      expect(text).toContain("1,499.999961 USDC");
      expect(text).toContain("Smaller payments not shown:\u00a020");
    }
    const { data } = (await till.api("GET", `/api/invoices/${made["invoice_id"]}/payments`)).body;
    expect(data).toHaveLength(40);
  });
});

describe("TILL_MAIL_RECEIPTS=false and TILL_MAIL_ATTACH_PDF=false", () => {
  test("leave the invoice's mail alone", async () => {
    const chain = await startTestChain();
    const till = await startTestTill(chain, { TILL_MAIL_RECEIPTS: "false", TILL_MAIL_ATTACH_PDF: "false" });
    try {
      const invoice = await till.createInvoice({ send_now: true });
      await chain.pay(invoice["deposit_address"] as never, "1500.00");
      const status = async () =>
        (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;
      await until(status, (found) => found === "paid");
      await Bun.sleep(stillMs);
      expect(till.mail.list()).toMatchObject([{ attachments: [] }]);
    } finally {
      await till.stop();
      await chain.stop();
    }
  });
});

describe("the outbox", () => {
  let dir: ReturnType<typeof makeDataDir>;
  let db: Db;
  let catcher: Catcher | null;
  let scripted: ScriptedServer | null;
  let clockMs = Date.now();

  beforeEach(() => {
    dir = makeDataDir();
    db = openDatabase(dir.path);
    catcher = null;
    scripted = null;
  });
  afterEach(async () => {
    closeDatabase(db);
    dir.remove();
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
    applyScan(db, { checkpoint, undoAbove, transfers, confirmedUpTo: block }, clockMs, {
      receipts: true,
      site,
    });
  }
  const mails = () =>
    db.query<{ kind: string; state: string }, []>("SELECT kind, state FROM mail ORDER BY kind").all();
  const both = (state: string) => [
    { kind: "notice", state },
    { kind: "receipt", state },
  ];

  function mailerTo(port: number, changes: Partial<MailerDeps> = {}) {
    const transport = createTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, from: "till@example.com" });
    const hurried: Transport = {
      ...transport,
      send: (message) => transport.send(message, { timeoutMs: 400 }),
    };
    return openOutbox(db, hurried, { now: () => clockMs, ...changes }).mailer;
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
    InvoiceStore.setClosed(db, invoice.sequence, { ...Invoice.open, voidedAt: 1 }, "void");
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

  test("repeats no receipt of which nobody knows whether it arrived", async () => {
    scripted = await startScriptedServer({ content: "hang" });
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
