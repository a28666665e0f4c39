import type * as Invoice from "../domain/bill/invoice.ts";
import * as Retry from "../domain/event/retry.ts";
import { newId } from "../lib/crypto/id.ts";
import { messageOf } from "../lib/error.ts";
import { within } from "../lib/loop.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import type { Transport } from "../mail/smtp/transport.ts";
import { transact } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import { bringForward } from "../store/waiting.ts";
import { createMailRecorder, type MailRecorderDeps, type SentMail } from "./mail-recorder.ts";
import type { MailDeps } from "./mails/mail-kind.ts";
import { holds, writeMail } from "./mails/mail-writer.ts";
import { idOf, nameOf, type Owner, ownerOf } from "./mails/owner.ts";

/**
 * How long a creation waits for its mail, and the longest that a mail server may take until it wants the content. One
 * that has the content may take longer to answer: that is waited for, but the creation is answered meanwhile.
 */
const creationWaitMsDefault = 5_000;

/** Mails of new invoices sent at once. The rest wait in the outbox, so that a hanging server gets no more of them. */
const underWayMax = 100;

/** For a mail that the merchant asked for and waits for: the PDF, the server, and a while for its answer. */
const byHandContentWithinMs = 10_000;
const byHandWaitMs = 16_000;

export type { MailOutcome } from "../mail/smtp/outcome.ts";

export type Mailer = {
  /**
   * Sends the first mail of a new invoice now, and waits for 5 s at most. Never throws: the invoice is stored, and what
   * does not go out stays in the outbox.
   */
  sendFirst(mailId: string, invoice: Invoice.Invoice): Promise<void>;
  /**
   * Sends one more mail because the merchant asked for it: with a credit note, the one of this number. Not repeated when
   * it fails: the merchant is told.
   */
  sendByHand(
    kind: ManualMail | { credit: string },
    invoice: Invoice.Invoice,
    claim: Claim | null,
  ): Promise<MailOutcome>;
  /** Sends a mail that says no more than that mails arrive. Nothing is kept of it. */
  sendTest(mail: { to: string; subject: string; text: string }): Promise<MailOutcome>;
  /** What became of a mail of which the answer was lost. */
  outcomeOf(mailId: string): MailOutcome;
  /**
   * Writes down what could not be before, then sends what is due in the outbox, one mail after the other. Throws
   * when the database fails; what was sent until then is remembered for the next call.
   */
  sendDue(signal: AbortSignal): Promise<void>;
  /** When `sendDue` has to be called next, in Unix milliseconds; null when nothing waits. */
  nextDue(): number | null;
  /** Waits for the mails that are being sent while nobody waits for them any more. */
  finish(): Promise<void>;
};

/** What a merchant may ask for, as often as they like. */
export type ManualMail = "invoice" | "reminder";

export type MailerDeps = MailDeps &
  MailRecorderDeps & {
    /** Null when no mail server is configured. */
    transport: Transport | null;
    /** Whether all payments are known that the chain holds. Until then nobody is reminded by itself. */
    isChainCurrent: () => boolean;
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
    "the mail server has it and has not answered yet; the timeline of the invoice will say what it does",
};

/** It waited again after a stop, and was taken out of the outbox: nothing is owed any more, or another one went out. */
const unneeded: MailOutcome = {
  kind: "rejected",
  permanent: false,
  reason: "there was no need for it any more",
};

/** How soon to ask again whether the chain is read, for reminders that wait for it. */
const currentAgainMs = 1_000;

const dueMailsMax = 20;
const longestPauseMs = Retry.longestPauseMs(Retry.mailScheduleMs);

export function createMailer(deps: MailerDeps): Mailer {
  const { db, transport, now, log, creationWaitMs = creationWaitMsDefault } = deps;
  const recorder = createMailRecorder(deps);

  /** Mails whose sender may have gone. */
  const underWay = new Set<Promise<unknown>>();

  /** One attempt, within `contentWithinMs` until the mail server wants the content. Never throws. */
  async function attempt(mail: SentMail, owner: Owner, contentWithinMs?: number): Promise<MailOutcome> {
    if (!transport) return notConfigured;
    let contentBegun = false;
    const markContent = (at: number | null) => {
      MailStore.markContent(db, mail.id, at);
      contentBegun = at !== null;
    };
    const sending = { contentWithinMs, onContent: () => markContent(now()) };
    // What goes out once has the same name for ever: mail programs see one mail, also after a backup was restored.
    const isOften = mail.kind === "invoice" || mail.kind === "credit";
    const name = isOften ? mail.id : [mail.kind, mail.occasion, idOf(owner)].filter(Boolean).join("-");
    const messageId = `${name}@${new URL(deps.baseUrl).hostname}`;
    try {
      const message = await writeMail(deps, mail, owner);
      const outcome = await transport.send({ ...message, messageId }, sending);
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

  /** Sends a mail that was taken out of the outbox, and writes down what came of it, however long that takes. */
  function send(
    mail: SentMail,
    owner: Owner,
    { attempts, contentWithinMs }: { attempts: number | null; contentWithinMs: number },
  ): Promise<MailOutcome> {
    const sent = attempt(mail, owner, contentWithinMs).then((outcome) => {
      try {
        recorder.record(mail, nameOf(owner), outcome, attempts);
      } catch (thrown) {
        logBroken(mail, owner, thrown);
      }
      return outcome;
    });
    underWay.add(sent);
    void sent.then(() => underWay.delete(sent));
    return sent;
  }

  function logBroken({ id, kind }: SentMail, owner: Owner, thrown: unknown): void {
    const fields = { reason: messageOf(thrown), ...nameOf(owner), mail: id, kind };
    log.error("mail.broken", "sending a mail went wrong inside Till", fields);
  }

  const listDue = () =>
    MailStore.listDue(db, { now: now(), limit: dueMailsMax, reminders: deps.isChainCurrent() });

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
      const mail: SentMail = {
        id: mailId,
        kind: "invoice",
        depositIndex: invoice.deposit.index,
        occasion: "",
      };
      const sent = send(mail, { kind: "invoice", invoice }, { attempts: 1, contentWithinMs: creationWaitMs });
      await within(sent, creationWaitMs);
    },

    async sendByHand(request, invoice, claim) {
      const at = now();
      const id = newId("mail");
      const what =
        typeof request === "object"
          ? { kind: "credit" as const, occasion: request.credit }
          : { kind: request, occasion: request === "invoice" ? "" : id };
      const mail: SentMail = { id, ...what, depositIndex: invoice.deposit.index };
      await stored(() =>
        transact(db, () => {
          MailStore.insertQueued(db, { ...mail, createdAt: at, nextAttemptAt: at });
          MailStore.markSending(db, mail.id);
          if (claim) IdempotencyStore.insert(db, claim, mail.id, at);
        }),
      );
      const owner: Owner = { kind: "invoice", invoice };
      const sent = send(mail, owner, { attempts: null, contentWithinMs: byHandContentWithinMs });
      return (await within(sent, byHandWaitMs)) ?? unanswered;
    },

    async sendTest({ to, subject, text }) {
      if (!transport) return notConfigured;
      const html = `<p>${Bun.escapeHTML(text)}</p>`;
      const message = { to, subject, text, html, replyTo: null, fromName: null };
      try {
        return await transport.send(message, { timeoutMs: byHandWaitMs });
      } catch (thrown) {
        log.error("mail.broken", "sending a mail went wrong inside Till", { reason: messageOf(thrown) });
        return { kind: "unknown", reason: brokenReason };
      }
    },

    outcomeOf(mailId) {
      const mail = MailStore.byId(db, mailId);
      if (!mail || mail.state === "superseded") return unneeded;
      const reason = mail.reason ?? "the answer was lost when Till stopped";
      if (mail.state === "sent") return { kind: "sent", response: "" };
      return mail.state === "failed"
        ? { kind: "rejected", permanent: mail.refused, reason }
        : { kind: "unknown", reason };
    },

    async sendDue(signal) {
      recorder.catchUp();
      bringForward(db, "mail", now(), now() + longestPauseMs);
      for (const mail of listDue()) {
        if (signal.aborted) return;
        const owner = ownerOf(db, mail.depositIndex);
        // When it is true again, as when a payment comes back that left the chain, a new mail is written.
        if (!holds(mail, owner, db)) {
          MailStore.removeQueued(db, mail.id);
          continue;
        }
        // While others were sent the merchant may have sent this one by hand.
        if (!MailStore.markSending(db, mail.id)) continue;
        const outcome = await attempt(mail, owner);
        recorder.record(mail, nameOf(owner), outcome, mail.attempts + 1);
      }
    },

    nextDue() {
      const next = MailStore.nextDue(db, { reminders: true });
      if (next === null || deps.isChainCurrent()) return next;
      const others = MailStore.nextDue(db, { reminders: false }) ?? Number.POSITIVE_INFINITY;
      return Math.min(others, Math.max(next, now() + currentAgainMs));
    },

    async finish() {
      await Promise.all(underWay);
    },
  };
}
