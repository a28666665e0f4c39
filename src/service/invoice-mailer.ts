import * as Invoice from "../domain/invoice.ts";
import * as Retry from "../domain/retry.ts";
import { messageOf } from "../lib/error.ts";
import { newId } from "../lib/id.ts";
import type { MailOutcome } from "../mail/outcome.ts";
import { creationSendTimeoutMs, sendTimeoutMs, type Transport } from "../mail/transport.ts";
import { isStorageFault, transact } from "../store/database.ts";
import type { Claim } from "../store/idempotency.ts";
import * as IdempotencyStore from "../store/idempotency.ts";
import * as InvoiceStore from "../store/invoice.ts";
import * as MailStore from "../store/mail.ts";
import { bringForward } from "../store/waiting.ts";
import { createMailRecorder, type MailRecorderDeps, type SentMail } from "./mail-recorder.ts";
import { createMailWriter, type MailWriterDeps } from "./mail-writer.ts";
import { stored } from "./unavailable.ts";

/** The outbox leaves a new mail alone for as long as its creator may be sending it. */
const creatorsTurnMs = 20_000;

export type { MailOutcome } from "../mail/outcome.ts";

export type InvoiceMailer = {
  /** Writes the first mail of an invoice into the outbox; to be called in the invoice's own transaction. */
  enqueue(sequence: number, now: number): string;
  /** Sends that mail now. What does not go out stays in the outbox. */
  sendFirst(mailId: string, invoice: Invoice.Invoice): Promise<MailOutcome>;
  /** Sends one more mail because the merchant asked for it. Not repeated when it fails: the merchant is told. */
  resend(invoice: Invoice.Invoice, claim: Claim | null): Promise<MailOutcome>;
  /** What became of a mail of which the answer was lost; null when there is no such mail. */
  outcomeOf(mailId: string): MailOutcome | null;
  /**
   * Writes down what could not be before, then sends what is due in the outbox, one mail after the other. Throws
   * when the database fails; what was sent until then is remembered for the next call.
   */
  sendDue(signal: AbortSignal): Promise<void>;
};

export type InvoiceMailerDeps = MailWriterDeps &
  MailRecorderDeps & {
    /** Null when no mail server is configured. */
    transport: Transport | null;
  };

const notConfigured: MailOutcome = {
  kind: "rejected",
  permanent: false,
  reason: "no mail server is configured; set TILL_SMTP_URL and TILL_MAIL_FROM",
};

const notStored: MailOutcome = {
  kind: "rejected",
  permanent: false,
  reason: "the outbox cannot be written; the server's log says why",
};

/** A creation that was held up for longer than the creator's turn. */
const outboxFirst: MailOutcome = { kind: "unknown", reason: "the outbox has begun to send it" };

const dueMailsMax = 20;
const longestPauseMs = Retry.longestPauseMs(Retry.mailScheduleMs);

export function createInvoiceMailer(deps: InvoiceMailerDeps): InvoiceMailer {
  const { db, transport, now, log } = deps;
  const writeMail = createMailWriter(deps);
  const recorder = createMailRecorder(deps);

  async function attempt(
    { id, kind }: SentMail,
    invoice: Invoice.Invoice,
    timeoutMs = sendTimeoutMs,
  ): Promise<MailOutcome> {
    if (!transport) return notConfigured;
    const startedAt = performance.now();
    const content = await writeMail(kind, invoice);
    // What goes out once has the same name for ever: mail programs see one mail, also after a backup was restored.
    const name = kind === "invoice" ? id : `${kind}-${invoice.id}`;
    const message = { ...content, messageId: `${name}@${new URL(deps.baseUrl).hostname}` };
    return transport.send(message, { timeoutMs: timeoutMs - (performance.now() - startedAt) });
  }

  return {
    enqueue(sequence, at) {
      const id = newId("mail");
      MailStore.insertQueued(db, { id, sequence, createdAt: at, nextAttemptAt: at + creatorsTurnMs });
      return id;
    },

    async sendFirst(mailId, invoice) {
      try {
        if (!MailStore.markSending(db, mailId)) return outboxFirst;
      } catch (thrown) {
        // The invoice is stored and its mail waits in the outbox: its creation has not failed.
        if (!isStorageFault(thrown)) throw thrown;
        log.error("mail.waiting", "a mail could not be begun and waits in the outbox", {
          reason: messageOf(thrown),
          invoice: Invoice.number(invoice.sequence),
          mail: mailId,
        });
        return notStored;
      }
      const outcome = await attempt({ id: mailId, kind: "invoice" }, invoice, creationSendTimeoutMs);
      recorder.record({ id: mailId, kind: "invoice" }, invoice.sequence, outcome, 1);
      return outcome;
    },

    async resend(invoice, claim) {
      const at = now();
      const id = newId("mail");
      await stored(() =>
        transact(db, () => {
          MailStore.insertQueued(db, { id, sequence: invoice.sequence, createdAt: at, nextAttemptAt: at });
          MailStore.markSending(db, id);
          if (claim) IdempotencyStore.insert(db, claim, id, at);
        }),
      );
      const outcome = await attempt({ id, kind: "invoice" }, invoice, creationSendTimeoutMs);
      recorder.record({ id, kind: "invoice" }, invoice.sequence, outcome, null);
      return outcome;
    },

    outcomeOf(mailId) {
      const mail = MailStore.byId(db, mailId);
      if (!mail) return null;
      const reason = mail.reason ?? "the answer was lost when Till stopped";
      if (mail.state === "sent") return { kind: "sent", response: "" };
      return mail.state === "failed"
        ? { kind: "rejected", permanent: false, reason }
        : { kind: "unknown", reason };
    },

    async sendDue(signal) {
      recorder.catchUp();
      bringForward(db, "mail", now(), now() + longestPauseMs);
      for (const mail of MailStore.listDue(db, now(), dueMailsMax)) {
        if (signal.aborted) return;
        const invoice = InvoiceStore.bySequence(db, mail.sequence);
        if (!invoice) throw new Error(`A mail belongs to no invoice: ${mail.id}`);
        // The payment left the chain before anybody was told of it. When it comes back, a new mail is written.
        if (mail.kind !== "invoice" && !Invoice.isPaid(invoice.status)) {
          MailStore.removeQueued(db, mail.id);
          continue;
        }
        // While others were sent the merchant may have sent this one by hand.
        if (!MailStore.markSending(db, mail.id)) continue;
        recorder.record(mail, mail.sequence, await attempt(mail, invoice), mail.attempts + 1);
      }
    },
  };
}
