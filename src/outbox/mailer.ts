import type * as Invoice from "../domain/bill/invoice.ts";
import * as Retry from "../domain/event/retry.ts";
import { ofInvoice, type Receivable } from "../domain/receivable/receivable.ts";
import { newId } from "../lib/crypto.ts";
import { messageOf } from "../lib/error.ts";
import { within } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import type { Written } from "../mail/smtp/message.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import { stored } from "../store/group-commit.ts";
import { receivableAt } from "../store/reports/receivable.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import * as MailQueueStore from "../store/tables/outbox/mail-queue.ts";
import * as OwnerMailStore from "../store/tables/outbox/owner-mail.ts";
import { createBringForward } from "../store/waiting.ts";
import { createDelivery, type DeliveryDeps } from "./delivery.ts";
import { createMailRecorder, isOutage, type MailRecorderDeps, type SentMail } from "./mail-recorder.ts";
import { holds, reminderNow } from "./mails/mail-writer.ts";
import { nameOf } from "./mails/owner.ts";
import { sendOwnerMails } from "./owner-mails.ts";
import { createServerOutage } from "./server-outage.ts";

/**
 * How long a creation waits for its mail, and how long a mail server may take before it accepts the content. Sending
 * the content may take longer and is waited for, but the creation is answered meanwhile.
 */
const creationWaitMsDefault = 5_000;

/** New invoices' mails sent at once. The rest stays in the outbox, so that a hanging server gets no more. */
const underWayMax = 100;

/** For a mail the merchant waits for: the PDF, the server, and some time for its answer. */
const byHandContentWithinMs = 10_000;
const byHandWaitMs = 16_000;

export type { MailOutcome } from "../mail/smtp/outcome.ts";

export type Mailer = {
  /**
   * Sends a new invoice's first mail now and waits at most 5 s. Never throws: the invoice is stored, and a failed mail
   * stays in the outbox.
   */
  sendFirst(mailId: string, invoice: Invoice.Invoice): Promise<void>;
  /**
   * Sends another mail at the merchant's request: for a credit note, the one with this number. Not retried, as the
   * merchant sees a failure. While the same mail is being sent, waits for that one instead.
   */
  sendByHand(
    kind: ManualMail | { credit: string },
    invoice: Invoice.Invoice,
    claim: Claim | null,
  ): Promise<MailOutcome>;
  /** A reminder as it would be sent now. */
  reminderNow(invoice: Invoice.Invoice): Pick<Written, "subject" | "text">;
  /** Sends a mail that only proves that mail arrives. Nothing is stored. */
  sendTest(mail: { to: string; subject: string; text: string }): Promise<MailOutcome>;
  /** The outcome of a mail whose answer was lost. */
  outcomeOf(mailId: string): MailOutcome;
  /**
   * Stores outcomes that could not be stored before, then sends due mails, one at a time. Throws if the database fails;
   * outcomes until then are kept for the next call.
   */
  sendDue(signal: AbortSignal): Promise<void>;
  /** When to call `sendDue` next, in Unix milliseconds; null if nothing is queued. */
  nextDue(): number | null;
  /** Waits for mails still in progress after their callers stopped waiting. */
  finish(): Promise<void>;
};

/** The mails that a merchant may request any number of times. */
type ManualMail = "invoice" | "reminder";

export type MailerDeps = DeliveryDeps &
  MailRecorderDeps & {
    /** Returns whether every payment on the chain is known. Until then no automatic reminders are sent. */
    isChainCurrent: () => boolean;
    /** Monotonic milliseconds. */
    clock?: () => number;
    /** How long a creation waits for its mail; 5 s by default. */
    creationWaitMs?: number | undefined;
  };

const unanswered: MailOutcome = {
  kind: "unknown",
  reason:
    "the mail server has it and has not answered yet; the timeline of the invoice will say what it does",
};

/** It was queued again after a restart, then dropped: nothing is owed any more, or another one was sent. */
const unneeded: MailOutcome = {
  kind: "rejected",
  permanent: false,
  reason: "there was no need for it any more",
};

/** How soon to check again whether the chain is read, for reminders that wait for it. */
const currentAgainMs = 1_000;

const dueMailsMax = 20;

/** Maximum waiting mails per minute for a mail server that is back, as many servers refuse a flood. */
const releasedAtOnceMax = 20;

export function createMailer(deps: MailerDeps): Mailer {
  const { db, now, log, creationWaitMs = creationWaitMsDefault, clock = () => world.uptime() } = deps;
  const recorder = createMailRecorder(deps);
  const bringForward = createBringForward(db, "mail", Retry.longestPausesMs(Retry.mailScheduleMs));
  const ownerPausesMs = Retry.longestPausesMs(Retry.ownerMailScheduleMs);
  const bringOwnersForward = createBringForward(db, "owner_mail", ownerPausesMs);

  /** Mails in progress, whose callers may be gone. */
  const underWay = new Set<Promise<unknown>>();

  /** The same mails, by what they say. */
  const beingSent = new Map<string, { id: string; sent: Promise<MailOutcome> }>();

  function during(said: string, id: string, sent: Promise<MailOutcome>): void {
    beingSent.set(said, { id, sent });
    const end = () => void beingSent.delete(said);
    void sent.then(end, end);
  }

  const outage = createServerOutage(clock, () => {
    log.info("mail.server_back", "the mail server answers again: the mails that waited for it go out");
    deps.onQueued();
  });
  const delivery = createDelivery(deps, outage);

  const awaiting = (limit: number) =>
    deps.transport() ? MailQueueStore.listAwaiting(db, { limit, reminders: deps.isChainCurrent() }) : [];

  /** Sends a mail taken out of the outbox, and stores its outcome, however long that takes. */
  function send(
    mail: SentMail,
    owner: Receivable,
    { attempts, contentWithinMs }: { attempts: number | null; contentWithinMs: number },
  ): Promise<MailOutcome> {
    const sent = delivery.ofMail(mail, owner, contentWithinMs).then((outcome) => {
      try {
        recorder.record(mail, nameOf(owner), outcome, attempts);
      } catch (thrown) {
        delivery.logBroken(mail, owner, thrown);
      }
      return outcome;
    });
    underWay.add(sent);
    void sent.then(() => underWay.delete(sent));
    return sent;
  }

  /**
   * Sends a queued mail; `early` if it is not due but waits for the mail server. Returns whether the server as a whole
   * failed.
   */
  async function sendQueued(mail: MailStore.DueMail, early: { nextAttemptAt: number } | null) {
    if (mail.kind === "receipt" && deps.receiptPdfOf !== null) await deps.stateTax(mail.depositIndex);
    const owner = receivableAt(db, mail.depositIndex);
    // If it becomes true again, as when a payment returns to the chain, a new mail is queued.
    if (!holds(mail, owner, db)) {
      MailQueueStore.removeQueued(db, mail.id);
      return false;
    }
    // The merchant may have sent this one by hand while others were being sent.
    if (!MailQueueStore.markSending(db, mail.id)) return false;
    const sent = delivery.ofMail(mail, owner);
    during(saidIn(mail, owner), mail.id, sent);
    const outcome = await sent;
    recorder.record(mail, nameOf(owner), outcome, mail.attempts + 1, early?.nextAttemptAt);
    return isOutage(outcome);
  }

  const listDue = () =>
    MailQueueStore.listDue(db, { now: now(), limit: dueMailsMax, reminders: deps.isChainCurrent() });

  return {
    async sendFirst(mailId, invoice) {
      if (underWay.size >= underWayMax) return;
      try {
        // The creation was held up beyond its time, and the outbox has taken the mail.
        if (!MailQueueStore.markSending(db, mailId)) return;
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
      const owner = ofInvoice(invoice);
      const sent = send(mail, owner, { attempts: 1, contentWithinMs: creationWaitMs });
      during(saidIn(mail, owner), mailId, sent);
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
      const owner = ofInvoice(invoice);
      const said = saidIn(mail, owner);
      const same = beingSent.get(said);
      if (same) {
        if (claim) await stored(db, () => IdempotencyStore.insert(db, claim, same.id, at));
        return (await within(same.sent, byHandWaitMs)) ?? unanswered;
      }
      const begun = stored(db, () => {
        MailStore.insertQueued(db, { ...mail, createdAt: at, nextAttemptAt: at });
        MailQueueStore.markSending(db, mail.id);
        if (claim) IdempotencyStore.insert(db, claim, mail.id, at);
      });
      const sent = begun.then(() =>
        send(mail, owner, { attempts: null, contentWithinMs: byHandContentWithinMs }),
      );
      during(said, id, sent);
      await begun;
      return (await within(sent, byHandWaitMs)) ?? unanswered;
    },

    reminderNow: (invoice) => reminderNow(deps, invoice),

    sendTest: delivery.test,

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
      bringOwnersForward(now());
      await sendOwnerMails(deps, delivery.of, signal);
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

  /** When the next mail is due, apart from those to owners. */
  function nextOther(): number | null {
    if (awaiting(1).length > 0) {
      const others = MailQueueStore.nextDue(db, { reminders: deps.isChainCurrent() });
      return Math.min(others ?? Number.POSITIVE_INFINITY, now() + outage.lookInMs());
    }
    const next = MailQueueStore.nextDue(db, { reminders: true });
    if (next === null || deps.isChainCurrent()) return next;
    const others = MailQueueStore.nextDue(db, { reminders: false }) ?? Number.POSITIVE_INFINITY;
    return Math.min(others, Math.max(next, now() + currentAgainMs));
  }
}

/** Identifies what a mail says: once its invoice is corrected, it says something else, or goes elsewhere. */
const saidIn = (
  { kind, depositIndex, occasion }: Pick<SentMail, "kind" | "depositIndex" | "occasion">,
  owner: Receivable,
): string => [kind, depositIndex, occasion, "correctedAt" in owner ? owner.correctedAt : null].join(" ");
