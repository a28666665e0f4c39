import { faceOf, type Receivable } from "../domain/receivable/receivable.ts";
import { messageOf } from "../lib/error.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import type { Transport } from "../mail/smtp/transport.ts";
import * as MailQueueStore from "../store/tables/outbox/mail-queue.ts";
import type { SentMail } from "./mail-recorder.ts";
import { writeMail } from "./mails/mail-writer.ts";
import { type MailDeps, nameOf } from "./mails/owner.ts";
import type { ServerOutage } from "./server-outage.ts";

/** How long a test mail waits for the mail server. */
const testWaitMs = 16_000;

const notConfigured: MailOutcome = {
  kind: "rejected",
  permanent: false,
  isOutage: true,
  reason: "no mail server is configured; set TILL_SMTP_URL and TILL_MAIL_FROM",
};

/** The error itself goes to the log, as it may contain what only the operator should know. */
const brokenReason = "Till could not send it; its log says why";

export type DeliveryDeps = MailDeps & {
  /** Null without a mail server; people at the desk may set another at any time. */
  transport: () => Transport | null;
};

/** Hands a mail to the mail server, once, and returns the outcome. */
export function createDelivery(deps: DeliveryDeps, outage: ServerOutage) {
  const { db, now, log } = deps;

  /** Makes one attempt; `contentWithinMs` limits the time until the mail server accepts the content. Never throws. */
  async function ofMail(mail: SentMail, owner: Receivable, contentWithinMs?: number): Promise<MailOutcome> {
    const transport = deps.transport();
    if (!transport) return notConfigured;
    let contentBegun = false;
    const markContent = (at: number | null) => {
      MailQueueStore.markContent(db, mail.id, at);
      contentBegun = at !== null;
    };
    const sending = { contentWithinMs, onContent: () => markContent(now()) };
    // A one-time mail keeps its id forever, so that mail programs see one mail, even after a restore.
    const isOften = mail.kind === "invoice" || mail.kind === "credit";
    const name = isOften ? mail.id : [mail.kind, mail.occasion, faceOf(owner).id].filter(Boolean).join("-");
    const messageId = `${name}@${new URL(deps.baseUrl).hostname}`;
    try {
      const message = await writeMail(deps, mail, owner);
      const outcome = outage.heard(await transport.send({ ...message, messageId }, sending));
      if (outcome.kind !== "rejected" || !outcome.tooLarge || !message.attachments?.length) return outcome;
      log.warn("mail.without_pdf", "a mail goes out without its PDF", {
        reason: outcome.reason,
        ...nameOf(owner),
      });
      markContent(null);
      const smaller = await writeMail(deps, mail, owner, { withPdf: false });
      return await transport.send({ ...smaller, messageId }, sending);
    } catch (thrown) {
      logBroken(mail, owner, thrown);
      if (contentBegun) return { kind: "unknown", reason: brokenReason };
      return { kind: "rejected", permanent: false, reason: brokenReason };
    }
  }

  /** The same for a mail that is already written. */
  async function of(message: Parameters<Transport["send"]>[0]): Promise<MailOutcome> {
    const transport = deps.transport();
    return transport ? outage.heard(await transport.send(message)) : notConfigured;
  }

  function logBroken({ id, kind }: SentMail, owner: Receivable, thrown: unknown): void {
    const fields = { reason: messageOf(thrown), ...nameOf(owner), mail: id, kind };
    log.error("mail.broken", "sending a mail went wrong inside Till", fields);
  }

  return {
    ofMail,
    of,
    logBroken,
    /** Sends a mail that only proves that mail arrives. */
    async test({ to, subject, text }: { to: string; subject: string; text: string }): Promise<MailOutcome> {
      const transport = deps.transport();
      if (!transport) return notConfigured;
      const html = `<p>${Bun.escapeHTML(text)}</p>`;
      const message = { to, subject, text, html, replyTo: null, fromName: null };
      try {
        return outage.heard(await transport.send(message, { timeoutMs: testWaitMs }));
      } catch (thrown) {
        log.error("mail.broken", "sending a mail went wrong inside Till", { reason: messageOf(thrown) });
        return { kind: "unknown", reason: brokenReason };
      }
    },
  };
}
