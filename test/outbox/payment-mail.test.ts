import { describe, expect, test } from "bun:test";
import * as Usdc from "../../src/domain/usdc.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { applyScan } from "../../src/watch/payment/payment.ts";
import { pagesOf } from "../document/poppler.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { patient } from "../support/mail/patience.ts";
import { shared } from "../support/per-file.ts";
import { payoutWallet, recordSettings } from "../support/till/records.ts";
import { linkRequest, startTestTill, until, untilIs, untilMailed } from "../support/till/till.ts";
import { looked } from "../support/watch/looked.ts";

const vendor = "ap@globex.example";
const merchant = "billing@acme.example";
const chain = shared(startTestChain);

patient();

describe("when an invoice is paid", () => {
  const till = shared(() =>
    startTestTill(chain, { TILL_BRAND_NAME: "Acme Pay", TILL_MAIL_ATTACH_PDF: "true" }),
  );

  const mailsOf = (number: string | undefined) =>
    till.mail.list().filter(({ subject }) => subject.includes(`${number}`));
  const pay = async (invoice: Record<string, string>, amount: string | bigint, status: string) => {
    await chain.pay(invoice["deposit_address"] as `0x${string}` as never, amount);
    await untilIs(
      async () => (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status,
      status,
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

    const counted = (length: number) => untilIs(() => mailsOf(number), { length });
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
    await untilMailed(till);
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

  test("the merchant who was told hears that the chain took it back", async () => {
    const [invoice, other] = [await till.createInvoice(), await till.createInvoice()];
    const number = invoice["invoice_number"];
    const noticeOf = (heading: string) =>
      until(
        () => mailsOf(number).filter(({ subject }) => subject.startsWith(heading)),
        ({ length }) => length === 1,
      );
    await pay(invoice, "1500.00", "paid");
    await noticeOf("Paid:");
    await chain.reorg(1);
    await pay(other, "1.00", "partial");
    const [mail] = await noticeOf("Payment reversed:");
    expect(mail).toMatchObject({
      to: [merchant],
      subject: `Payment reversed: invoice ${number} to Globex GmbH (0.00 of 1,500.00 USDC received)`,
    });
    expect(mail?.text).toContain("The network has reversed a payment that had already been confirmed.");
  });

  test("a millionth too little and more than a cent too much are said to the millionth, on page and PDF as in the mail", async () => {
    const invoice = await till.createInvoice();
    const pageText = async () => (await fetch(`${invoice["invoice_url"]}?lang=en`)).text();
    const pdfText = async () =>
      (await pagesOf(await (await fetch(invoice["pdf_url"] ?? "")).bytes())).join("\n");
    await pay(invoice, 1_499_999_999n, "partial");
    expect(await pageText()).toContain("1,499.999999 of 1,500.00 USDC received");
    expect(await pdfText()).toContain("1,499.999999 of 1,500.00 USDC received");

    await pay(invoice, 10_002n, "excess");
    expect(await pageText()).toContain("1,500.010001 USDC received, 0.010001 USDC more than the amount due");
    expect(await pdfText()).toContain("1,500.010001 of 1,500.00 USDC received");
  });

  test("the payer of a link who left an address gets its receipt, with its PDF", async () => {
    const { body: link } = await till.api("POST", "/api/links", linkRequest);
    const asked = await fetch(`${till.baseUrl}/pay/${link.slug}/receipt`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "email=jo%40initech.example",
    });
    expect(asked.status).toBe(303);
    await chain.pay(link.deposit_address, "25.00");
    const [receipt] = await until(
      () => till.mail.list().filter(({ to }) => to.includes("jo@initech.example")),
      ({ length }) => length === 1,
    );
    expect(receipt?.attachments).toMatchObject([{ name: `${link.slug}-receipt.pdf` }]);
    const [printed = ""] = await pagesOf(receipt?.attachments[0]?.bytes ?? new Uint8Array());
    expect(printed).toMatch(/Corner Shop.*Paid.*Amount received\s+25\.00 USDC/s);
    expect(printed).not.toContain(linkRequest.merchant_email);
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
  const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

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
    applyScan(db, looked(db, { checkpoint, transfers, confirmedUpTo: 1 }), 1, {
      receipts: true,
      recordSettings,
    });
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

test("TILL_MAIL_RECEIPTS=false and TILL_MAIL_ATTACH_PDF=false leave the invoice's mail alone", async () => {
  const settings = { TILL_MAIL_RECEIPTS: "false", TILL_MAIL_ATTACH_PDF: "false" };
  await using till = await startTestTill(chain, settings);
  const invoice = await till.createInvoice({ send_now: true });
  await chain.pay(invoice["deposit_address"] as never, "1500.00");
  const status = async () =>
    (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;
  await untilIs(status, "paid");
  await untilMailed(till);
  expect(till.mail.list()).toMatchObject([{ attachments: [] }]);
});
