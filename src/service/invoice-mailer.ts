import * as Invoice from "../domain/invoice.ts";
import * as Retry from "../domain/retry.ts";
import { messageOf } from "../lib/error.ts";
import { randomName } from "../lib/id.ts";
import type { LogFields } from "../log-events.ts";
import type { MailOutcome } from "../mail/outcome.ts";
import { creationSendTimeoutMs, sendTimeoutMs, type Transport } from "../mail/transport.ts";
import { isStorageFault, transact } from "../store/database.ts";
import type { Claim } from "../store/idempotency.ts";
import * as IdempotencyStore from "../store/idempotency.ts";
import * as InvoiceStore from "../store/invoice.ts";
import * as MailStore from "../store/mail.ts";
import { bringForward } from "../store/waiting.ts";
import { createMailWriter, type MailWriterDeps } from "./mail-writer.ts";
import { stored } from "./make-deposit.ts";

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

export type InvoiceMailerDeps = MailWriterDeps & {
  /** Null when no mail server is configured. */
  transport: Transport | null;
  /** Told when a mail was put into the outbox for later. */
  onQueued: () => void;
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

const dueMailsMax = 20;
const longestPauseMs = Retry.longestPauseMs(Retry.mailScheduleMs);

export function createInvoiceMailer(deps: InvoiceMailerDeps): InvoiceMailer {
  const { db, transport, now, log } = deps;
  const writeMail = createMailWriter(deps);

  /** What became of mails while the disk was full: forgotten, one that failed would never be tried again. */
  const unrecorded: (() => void)[] = [];

  type Mail = { id: string; kind: MailStore.MailKind };

  async function attempt(
    { id, kind }: Mail,
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

  /** Writes down what became of an attempt, later when the database fails now. */
  function record(
    { id: mailId, kind }: Mail,
    sequence: number,
    outcome: MailOutcome,
    attempts: number | null,
  ): void {
    const at = now();
    const named = { invoice: Invoice.number(sequence), mail: mailId, kind };
    const nextAt = outcome.kind === "rejected" ? nextAttemptAt(outcome, attempts, at) : null;
    const write = () => writeDown({ mailId, kind, sequence, outcome, nextAt, at });
    try {
      write();
    } catch (thrown) {
      if (!isStorageFault(thrown)) throw thrown;
      unrecorded.push(write);
      const fields = { reason: messageOf(thrown), ...named, outcome: outcome.kind };
      log.error("mail.unrecorded", "the outcome of a mail cannot be stored yet", fields);
    }
    logOutcome(outcome, nextAt, named);
    deps.onQueued();
  }

  function logOutcome(outcome: MailOutcome, nextAt: number | null, named: LogFields): void {
    if (outcome.kind === "sent") {
      log.info("mail.sent", "a mail was sent", named);
      return;
    }
    const fields = { reason: outcome.reason, ...named };
    if (outcome.kind === "unknown") {
      log.warn("mail.unknown", "a mail may have arrived or not, and is not repeated", fields);
    } else if (nextAt === null) {
      log.warn("mail.failed", "a mail could not be sent", fields);
    } else {
      const next = new Date(nextAt).toISOString();
      log.warn("mail.retry", "a mail could not be sent and will be retried", { ...fields, next });
    }
  }

  function writeDown({ mailId, kind, sequence, outcome, nextAt, at }: Ended): void {
    transact(db, () => {
      switch (outcome.kind) {
        case "sent": {
          MailStore.markEnded(db, mailId, "sent", null);
          if (kind !== "invoice") return;
          MailStore.supersedeQueued(db, sequence);
          const invoice = InvoiceStore.bySequence(db, sequence);
          if (!invoice) throw new Error(`A mail belongs to no invoice: ${mailId}`);
          const facts = { total: invoice.total, received: invoice.deposit.received, sentAt: at };
          InvoiceStore.setSent(db, sequence, at, Invoice.status(facts));
          return;
        }
        case "unknown":
          return MailStore.markEnded(db, mailId, "unknown", outcome.reason);
        case "rejected":
          if (nextAt === null) return MailStore.markEnded(db, mailId, "failed", outcome.reason);
          return MailStore.markQueued(db, mailId, nextAt, outcome.reason);
      }
    });
  }

  return {
    enqueue(sequence, at) {
      const id = `mail_${randomName(26)}`;
      MailStore.insertQueued(db, { id, sequence, createdAt: at, nextAttemptAt: at + creatorsTurnMs });
      return id;
    },

    async sendFirst(mailId, invoice) {
      try {
        MailStore.markSending(db, mailId);
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
      record({ id: mailId, kind: "invoice" }, invoice.sequence, outcome, 1);
      return outcome;
    },

    async resend(invoice, claim) {
      const at = now();
      const id = `mail_${randomName(26)}`;
      await stored(() =>
        transact(db, () => {
          MailStore.insertQueued(db, { id, sequence: invoice.sequence, createdAt: at, nextAttemptAt: at });
          MailStore.markSending(db, id);
          if (claim) IdempotencyStore.insert(db, claim, id, at);
        }),
      );
      const outcome = await attempt({ id, kind: "invoice" }, invoice, creationSendTimeoutMs);
      record({ id, kind: "invoice" }, invoice.sequence, outcome, null);
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
      for (let write = unrecorded[0]; write; write = unrecorded[0]) {
        write();
        unrecorded.shift();
      }
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
        MailStore.markSending(db, mail.id);
        record(mail, mail.sequence, await attempt(mail, invoice), mail.attempts + 1);
      }
    },
  };
}

/** When a refused mail is tried again; null when it is not. `attempts` is null for a mail that is not repeated. */
function nextAttemptAt({ permanent }: { permanent: boolean }, attempts: number | null, now: number) {
  if (attempts === null || permanent) return null;
  return Retry.nextAttemptAt(Retry.mailScheduleMs, { attempt: attempts, now, random: Math.random() });
}

type Ended = {
  mailId: string;
  kind: MailStore.MailKind;
  sequence: number;
  outcome: MailOutcome;
  /** When it is tried again, in Unix milliseconds; null when it is not. */
  nextAt: number | null;
  /** When it ended, in Unix milliseconds. */
  at: number;
};
