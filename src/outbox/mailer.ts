import type * as Invoice from "../domain/bill/invoice.ts";
import * as Retry from "../domain/event/retry.ts";
import { faceOf, ofInvoice, type Receivable } from "../domain/receivable/receivable.ts";
import { newId } from "../lib/crypto.ts";
import { messageOf } from "../lib/error.ts";
import { within } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import type { Written } from "../mail/smtp/message.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import type { Transport } from "../mail/smtp/transport.ts";
import { stored } from "../store/group-commit.ts";
import { receivableAt } from "../store/reports/receivable.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import * as OwnerMailStore from "../store/tables/outbox/owner-mail.ts";
import { createBringForward } from "../store/waiting.ts";
import { createMailRecorder, isOutage, type MailRecorderDeps, type SentMail } from "./mail-recorder.ts";
import { holds, reminderNow, writeMail } from "./mails/mail-writer.ts";
import { type MailDeps, nameOf } from "./mails/owner.ts";
import { sendOwnerMails } from "./owner-mails.ts";
import { createServerOutage } from "./server-outage.ts";

/**
 * How long a creation waits for its mail, and how long a mail server may take until it wants the content. With the
 * content it may take longer, which is waited for, but the creation is answered meanwhile.
 */
const creationWaitMsDefault = 5_000;

/** Mails of new invoices to send at once. The rest stays in the outbox, so that a hanging server gets no more. */
const underWayMax = 100;

/** For a mail the merchant waits for: the PDF, the server, and some time for its answer. */
const byHandContentWithinMs = 10_000;
const byHandWaitMs = 16_000;

export type { MailOutcome } from "../mail/smtp/outcome.ts";

export type Mailer = {
  /**
   * Sends a new invoice's first mail now and waits 5 s at most. Never throws: the invoice is stored, and a mail that
   * fails stays in the outbox.
   */
  sendFirst(mailId: string, invoice: Invoice.Invoice): Promise<void>;
  /**
   * Sends one more mail at the merchant's request: for a credit note, the one of this number. Not retried: the merchant
   * learns of a failure.
   */
  sendByHand(
    kind: ManualMail | { credit: string },
    invoice: Invoice.Invoice,
    claim: Claim | null,
  ): Promise<MailOutcome>;
  /** A reminder as it would go out now. */
  reminderNow(invoice: Invoice.Invoice): Pick<Written, "subject" | "text">;
  /** Sends a mail that only says that mail arrives. Nothing is stored. */
  sendTest(mail: { to: string; subject: string; text: string }): Promise<MailOutcome>;
  /** The outcome of a mail whose answer was lost. */
  outcomeOf(mailId: string): MailOutcome;
  /**
   * Writes outcomes that could not be written before, then sends what is due, one mail at a time. Throws when the
   * database fails; outcomes until then are kept for the next call.
   */
  sendDue(signal: AbortSignal): Promise<void>;
  /** When to call `sendDue` next, in Unix milliseconds; null when nothing is queued. */
  nextDue(): number | null;
  /** Waits for mails still in progress after their callers stopped waiting. */
  finish(): Promise<void>;
};

/** What a merchant may request any number of times. */
type ManualMail = "invoice" | "reminder";

export type MailerDeps = MailDeps &
  MailRecorderDeps & {
    /** Null without a mail server; people at the desk may name another at any time. */
    transport: () => Transport | null;
    /** Whether every payment on the chain is known. Until then no automatic reminders go out. */
    isChainCurrent: () => boolean;
    /** Milliseconds that only grow. */
    clock?: () => number;
    /** How long a creation waits for its mail; 5 s by default. */
    creationWaitMs?: number | undefined;
  };

const notConfigured: MailOutcome = {
  kind: "rejected",
  permanent: false,
  isOutage: true,
  reason: "no mail server is configured; set TILL_SMTP_URL and TILL_MAIL_FROM",
};

/** The error itself goes to the log: it may name what only the operator should know. */
const brokenReason = "Till could not send it; its log says why";

const unanswered: MailOutcome = {
  kind: "unknown",
  reason:
    "the mail server has it and has not answered yet; the timeline of the invoice will say what it does",
};

/** After a restart it was queued again, then dropped: nothing is owed any more, or another one went out. */
const unneeded: MailOutcome = {
  kind: "rejected",
  permanent: false,
  reason: "there was no need for it any more",
};

/** How soon to check again whether the chain is read, for reminders that wait for it. */
const currentAgainMs = 1_000;

const dueMailsMax = 20;

/** A mail server that is back gets no more than this a minute of what waited for it: many servers refuse a flood. */
const releasedAtOnceMax = 20;

export function createMailer(deps: MailerDeps): Mailer {
  const { db, now, log, creationWaitMs = creationWaitMsDefault, clock = () => world.uptime() } = deps;
  const recorder = createMailRecorder(deps);
  const bringForward = createBringForward(db, "mail", Retry.longestPausesMs(Retry.mailScheduleMs));

  /** Mails in progress, whose callers may be gone. */
  const underWay = new Set<Promise<unknown>>();

  const outage = createServerOutage(clock, () => {
    log.info("mail.server_back", "the mail server answers again: the mails that waited for it go out");
    deps.onQueued();
  });

  const awaiting = (limit: number) =>
    deps.transport() ? MailStore.listAwaiting(db, { limit, reminders: deps.isChainCurrent() }) : [];

  /** One attempt; `contentWithinMs` limits the time until the mail server wants the content. Never throws. */
  async function attempt(mail: SentMail, owner: Receivable, contentWithinMs?: number): Promise<MailOutcome> {
    const transport = deps.transport();
    if (!transport) return notConfigured;
    let contentBegun = false;
    const markContent = (at: number | null) => {
      MailStore.markContent(db, mail.id, at);
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

  async function sendNow(message: Parameters<Transport["send"]>[0]): Promise<MailOutcome> {
    const transport = deps.transport();
    return transport ? outage.heard(await transport.send(message)) : notConfigured;
  }

  /** Sends a mail taken out of the outbox, and writes down its outcome, however long that takes. */
  function send(
    mail: SentMail,
    owner: Receivable,
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

  function logBroken({ id, kind }: SentMail, owner: Receivable, thrown: unknown): void {
    const fields = { reason: messageOf(thrown), ...nameOf(owner), mail: id, kind };
    log.error("mail.broken", "sending a mail went wrong inside Till", fields);
  }

  /**
   * Sends a mail of the outbox, `early` when it is not due, but waits for the mail server. Returns whether that failed as
   * a whole.
   */
  async function sendQueued(mail: MailStore.DueMail, early: { nextAttemptAt: number } | null) {
    if (mail.kind === "receipt" && deps.receiptPdfOf !== null) await deps.stateTax(mail.depositIndex);
    const owner = receivableAt(db, mail.depositIndex);
    // If it becomes true again, as when a payment returns to the chain, a new mail is written.
    if (!holds(mail, owner, db)) {
      MailStore.removeQueued(db, mail.id);
      return false;
    }
    // The merchant may have sent this one by hand while others were being sent.
    if (!MailStore.markSending(db, mail.id)) return false;
    const outcome = await attempt(mail, owner);
    recorder.record(mail, nameOf(owner), outcome, mail.attempts + 1, early?.nextAttemptAt);
    return isOutage(outcome);
  }

  const listDue = () =>
    MailStore.listDue(db, { now: now(), limit: dueMailsMax, reminders: deps.isChainCurrent() });

  return {
    async sendFirst(mailId, invoice) {
      if (underWay.size >= underWayMax) return;
      try {
        // The creation was held up beyond its turn, and the outbox has taken the mail.
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
      const sent = send(mail, ofInvoice(invoice), { attempts: 1, contentWithinMs: creationWaitMs });
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
      await stored(db, () => {
        MailStore.insertQueued(db, { ...mail, createdAt: at, nextAttemptAt: at });
        MailStore.markSending(db, mail.id);
        if (claim) IdempotencyStore.insert(db, claim, mail.id, at);
      });
      const sent = send(mail, ofInvoice(invoice), { attempts: null, contentWithinMs: byHandContentWithinMs });
      return (await within(sent, byHandWaitMs)) ?? unanswered;
    },

    reminderNow: (invoice) => reminderNow(deps, invoice),

    async sendTest({ to, subject, text }) {
      const transport = deps.transport();
      if (!transport) return notConfigured;
      const html = `<p>${Bun.escapeHTML(text)}</p>`;
      const message = { to, subject, text, html, replyTo: null, fromName: null };
      try {
        return outage.heard(await transport.send(message, { timeoutMs: byHandWaitMs }));
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
      bringForward(now());
      await sendOwnerMails(deps, sendNow, signal);
      for (const mail of listDue()) {
        if (signal.aborted) return;
        await sendQueued(mail, null);
      }
      if (outage.lookInMs() > 0) return;
      const waiting = awaiting(releasedAtOnceMax);
      for (const mail of waiting) {
        if (signal.aborted) return;
        if (await sendQueued(mail, mail)) return;
      }
      if (waiting.length === releasedAtOnceMax) outage.rest();
    },

    nextDue() {
      const toOwner = OwnerMailStore.nextDue(db);
      const other = nextOther();
      return toOwner === null || other === null ? (toOwner ?? other) : Math.min(toOwner, other);
    },

    async finish() {
      await Promise.all(underWay);
    },
  };

  /** When another mail than those to owners is due. */
  function nextOther(): number | null {
    if (awaiting(1).length > 0) {
      const others = MailStore.nextDue(db, { reminders: deps.isChainCurrent() });
      return Math.min(others ?? Number.POSITIVE_INFINITY, now() + outage.lookInMs());
    }
    const next = MailStore.nextDue(db, { reminders: true });
    if (next === null || deps.isChainCurrent()) return next;
    const others = MailStore.nextDue(db, { reminders: false }) ?? Number.POSITIVE_INFINITY;
    return Math.min(others, Math.max(next, now() + currentAgainMs));
  }
}
