import * as Invoice from "../domain/invoice.ts";
import * as Retry from "../domain/retry.ts";
import { newId } from "../lib/crypto/id.ts";
import { messageOf } from "../lib/error.ts";
import { within } from "../lib/loop.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import type { Transport } from "../mail/smtp/transport.ts";
import { transact } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import { bringForward } from "../store/waiting.ts";
import { createMailRecorder, type MailRecorderDeps, type SentMail } from "./mail-recorder.ts";
import { createMailWriter, type MailWriterDeps } from "./mail-writer.ts";

/**
 * How long a creation waits for its mail, and the longest that a mail server may take until it wants the content. One
 * that has the content may take longer to answer: that is waited for, but the creation is answered meanwhile.
 */
const creationWaitMsDefault = 5_000;

/** So many mails are sent at once for creations. Others wait in the outbox: a server that hangs gets no more of them. */
const underWayMax = 100;

/** For a mail that the merchant asked for and waits for: the PDF, the server, and a while for its answer. */
const resendContentWithinMs = 10_000;
const resendWaitMs = 16_000;

export type { MailOutcome } from "../mail/smtp/outcome.ts";

export type InvoiceMailer = {
  /**
   * Sends the first mail of a new invoice now, and waits for 5 s at most. Never throws: the invoice is stored, and what does not go out stays
   * in the outbox.
   */
  sendFirst(mailId: string, invoice: Invoice.Invoice): Promise<void>;
  /** Sends one more mail because the merchant asked for it. Not repeated when it fails: the merchant is told. */
  resend(invoice: Invoice.Invoice, claim: Claim | null): Promise<MailOutcome>;
  /** What became of a mail of which the answer was lost; null when there is no such mail. */
  outcomeOf(mailId: string): MailOutcome | null;
  /**
   * Writes down what could not be before, then sends what is due in the outbox, one mail after the other. Throws
   * when the database fails; what was sent until then is remembered for the next call.
   */
  sendDue(signal: AbortSignal): Promise<void>;
  /** Waits for the mails that are being sent while nobody waits for them any more. */
  finish(): Promise<void>;
};

export type InvoiceMailerDeps = MailWriterDeps &
  MailRecorderDeps & {
    /** Null when no mail server is configured. */
    transport: Transport | null;
    /** How long a creation waits for its mail; 5 s unless given. */
    creationWaitMs?: number;
  };

const notConfigured: MailOutcome = {
  kind: "rejected",
  permanent: false,
  reason: "no mail server is configured; set TILL_SMTP_URL and TILL_MAIL_FROM",
};

/** What was thrown is for the log: it may name what only the operator should know. */
const brokenReason = "Till could not send it; its log says why";

const unanswered: MailOutcome = {
  kind: "unknown",
  reason:
    "the mail server has it and has not answered yet; sent_at of the invoice will say so if it takes it",
};

const dueMailsMax = 20;
const longestPauseMs = Retry.longestPauseMs(Retry.mailScheduleMs);

const invoiceMail = (id: string, { deposit }: Invoice.Invoice): SentMail => ({
  id,
  kind: "invoice",
  depositIndex: deposit.index,
  occasion: "",
});

export function createInvoiceMailer(deps: InvoiceMailerDeps): InvoiceMailer {
  const { db, transport, now, log, creationWaitMs = creationWaitMsDefault } = deps;
  const writeMail = createMailWriter(deps);
  const recorder = createMailRecorder(deps);

  /** Mails whose sender may have gone. */
  const underWay = new Set<Promise<unknown>>();

  /** One attempt, within `contentWithinMs` until the mail server wants the content. Never throws. */
  async function attempt(
    mail: SentMail,
    invoice: Invoice.Invoice,
    contentWithinMs?: number,
  ): Promise<MailOutcome> {
    if (!transport) return notConfigured;
    let contentBegun = false;
    const markContent = (at: number | null) => {
      MailStore.markContent(db, mail.id, at);
      contentBegun = at !== null;
    };
    const sending = { contentWithinMs, onContent: () => markContent(now()) };
    // What goes out once has the same name for ever: mail programs see one mail, also after a backup was restored.
    const name =
      mail.kind === "invoice" ? mail.id : [mail.kind, mail.occasion, invoice.id].filter(Boolean).join("-");
    const messageId = `${name}@${new URL(deps.baseUrl).hostname}`;
    try {
      const message = await writeMail(mail.kind, invoice);
      const outcome = await transport.send({ ...message, messageId }, sending);
      if (outcome.kind !== "rejected" || !outcome.tooLarge || !message.attachments?.length) return outcome;
      log.warn("mail.without_pdf", "a mail goes out without its PDF", {
        reason: outcome.reason,
        invoice: invoice.number,
      });
      markContent(null);
      const smaller = await writeMail(mail.kind, invoice, { withPdf: false });
      return await transport.send({ ...smaller, messageId }, sending);
    } catch (thrown) {
      logBroken(mail, invoice, thrown);
      if (contentBegun) return { kind: "unknown", reason: brokenReason };
      return { kind: "rejected", permanent: false, reason: brokenReason };
    }
  }

  /** Sends a mail that was taken out of the outbox, and writes down what came of it, however long that takes. */
  function send(
    mail: SentMail,
    invoice: Invoice.Invoice,
    { attempts, contentWithinMs }: { attempts: number | null; contentWithinMs: number },
  ): Promise<MailOutcome> {
    const sent = attempt(mail, invoice, contentWithinMs).then((outcome) => {
      try {
        recorder.record(mail, { invoice: invoice.number }, outcome, attempts);
      } catch (thrown) {
        logBroken(mail, invoice, thrown);
      }
      return outcome;
    });
    underWay.add(sent);
    void sent.then(() => underWay.delete(sent));
    return sent;
  }

  function logBroken({ id, kind }: SentMail, { number }: Invoice.Invoice, thrown: unknown): void {
    const fields = { reason: messageOf(thrown), invoice: number, mail: id, kind };
    log.error("mail.broken", "sending a mail went wrong inside Till", fields);
  }

  return {
    async sendFirst(mailId, invoice) {
      if (underWay.size >= underWayMax) return;
      try {
        // A creation that was held up for longer than the creator's turn: the outbox has begun with it.
        if (!MailStore.markSending(db, mailId)) return;
      } catch (thrown) {
        log.error("mail.waiting", "a mail could not be begun and waits in the outbox", {
          reason: messageOf(thrown),
          invoice: invoice.number,
          mail: mailId,
        });
        return;
      }
      const mail = invoiceMail(mailId, invoice);
      await within(send(mail, invoice, { attempts: 1, contentWithinMs: creationWaitMs }), creationWaitMs);
    },

    async resend(invoice, claim) {
      const at = now();
      const id = newId("mail");
      await stored(() =>
        transact(db, () => {
          const depositIndex = invoice.deposit.index;
          MailStore.insertQueued(db, { id, depositIndex, createdAt: at, nextAttemptAt: at });
          MailStore.markSending(db, id);
          if (claim) IdempotencyStore.insert(db, claim, id, at);
        }),
      );
      const mail = invoiceMail(id, invoice);
      const sent = send(mail, invoice, { attempts: null, contentWithinMs: resendContentWithinMs });
      return (await within(sent, resendWaitMs)) ?? unanswered;
    },

    outcomeOf(mailId) {
      const mail = MailStore.byId(db, mailId);
      if (!mail) return null;
      const reason = mail.reason ?? "the answer was lost when Till stopped";
      if (mail.state === "sent") return { kind: "sent", response: "" };
      return mail.state === "failed"
        ? { kind: "rejected", permanent: mail.refused, reason }
        : { kind: "unknown", reason };
    },

    async sendDue(signal) {
      recorder.catchUp();
      bringForward(db, "mail", now(), now() + longestPauseMs);
      for (const mail of MailStore.listDue(db, now(), dueMailsMax)) {
        if (signal.aborted) return;
        const invoice = InvoiceStore.byDeposit(db, mail.depositIndex);
        if (!invoice) throw new Error(`A mail belongs to no invoice: ${mail.id}`);
        // The payment left the chain before anybody was told of it. When it comes back, a new mail is written.
        if (mail.kind !== "invoice" && !Invoice.isPaid(invoice.status)) {
          MailStore.removeQueued(db, mail.id);
          continue;
        }
        // While others were sent the merchant may have sent this one by hand.
        if (!MailStore.markSending(db, mail.id)) continue;
        const outcome = await attempt(mail, invoice);
        recorder.record(mail, { invoice: invoice.number }, outcome, mail.attempts + 1);
      }
    },

    async finish() {
      await Promise.all(underWay);
    },
  };
}
