import type { Log, LogFields } from "../config/log-events.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Reminder from "../domain/bill/reminder.ts";
import * as Retry from "../domain/event/retry.ts";
import { messageOf } from "../lib/error.ts";
import { world } from "../lib/world.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import { note } from "../store/announce.ts";
import { type Db, isStorageFailure, transact } from "../store/database.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import * as MailQueueStore from "../store/tables/outbox/mail-queue.ts";
import type { MailDeps } from "./mails/owner.ts";

export type SentMail = Pick<MailStore.DueMail, "id" | "kind" | "depositIndex" | "occasion">;

export type MailRecorderDeps = Pick<MailDeps, "db" | "now" | "log"> & {
  /** Called when a mail was queued for later. */
  onQueued: () => void;
};

/** Records the outcomes of mails. */
export function createMailRecorder({ db, now, log, onQueued }: MailRecorderDeps) {
  /** Outcomes that a full disk kept from being stored: if forgotten, a failed mail would never be retried. */
  const unrecorded: (() => void)[] = [];

  return {
    /**
     * Stores and logs a mail's outcome. Anything a storage failure prevents is left to `catchUp`. `attempts` includes
     * this one; null for a mail that is not retried. `plannedAt` is when the mail is due if it was tried early, to find
     * out whether the mail server is back: if it is not, the attempt does not count.
     */
    record(
      mail: SentMail,
      name: LogFields,
      outcome: MailOutcome,
      attempts: number | null,
      plannedAt: number | null = null,
    ): void {
      const at = now();
      const named = { ...name, mail: mail.id, kind: mail.kind };
      const isAsPlanned = plannedAt !== null && isOutage(outcome);
      const nextAt = isAsPlanned ? plannedAt : nextAttemptAt(outcome, attempts, at);
      const made = (attempts ?? 0) - (isAsPlanned ? 1 : 0);
      const write = () =>
        transact(db, () => writeDown(db, { ...mail, outcome, attemptsMade: made, nextAt, at }));
      try {
        write();
      } catch (thrown) {
        if (!isStorageFailure(thrown)) throw thrown;
        unrecorded.push(write);
        const fields = { reason: messageOf(thrown), ...named, outcome: outcome.kind };
        log.error("mail.unrecorded", "the outcome of a mail cannot be stored yet", fields);
      }
      logOutcome(log, outcome, nextAt, named);
      onQueued();
    },
    /** Stores outcomes that could not be stored before. Throws if the database fails again. */
    catchUp(): void {
      for (let write = unrecorded[0]; write; write = unrecorded[0]) {
        write();
        unrecorded.shift();
      }
    },
  };
}

/** Returns whether the mail server as a whole failed. */
export const isOutage = (outcome: MailOutcome) => outcome.kind === "rejected" && outcome.isOutage === true;

/** When to retry a refused mail; null for never. `attempts` is null for a mail that is not retried. */
function nextAttemptAt(outcome: MailOutcome, attempts: number | null, now: number) {
  if (outcome.kind !== "rejected" || attempts === null || outcome.permanent) return null;
  return Retry.nextAttemptAt(Retry.mailScheduleMs, { attempt: attempts, now, random: world.random() });
}

type EndedAttempt = SentMail & {
  outcome: MailOutcome;
  /** The attempts that count. */
  attemptsMade: number;
  /** When to retry, in Unix milliseconds; null for never. */
  nextAt: number | null;
  /** When it ended, in Unix milliseconds. */
  at: number;
};

/** For a reminder's event: the day relative to the due date; nothing for one sent on request. */
function reminded(occasion: string): { days?: number } {
  const days = Reminder.daysIn(occasion);
  return days === null ? {} : { days };
}

function writeDown(
  db: Db,
  { id, kind, occasion, depositIndex, outcome, attemptsMade: made, nextAt, at }: EndedAttempt,
): void {
  if (outcome.kind === "rejected" && nextAt !== null) {
    const { reason } = outcome;
    const next = { attempts: made, nextAttemptAt: nextAt, awaitsServer: isOutage(outcome), reason };
    MailQueueStore.markQueued(db, id, next);
  } else if (outcome.kind !== "sent") {
    const refused = outcome.kind === "rejected" && outcome.permanent;
    const state = outcome.kind === "unknown" ? "unknown" : "failed";
    MailQueueStore.markEnded(db, id, { state, reason: outcome.reason, refused, endedAt: at });
    if (kind === "invoice" && state === "unknown") tellIfVoid(db, depositIndex, at);
  } else {
    MailQueueStore.markEnded(db, id, { state: "sent", reason: null, refused: false, endedAt: at });
    if (kind === "reminder")
      note(
        db,
        { kind: "invoice", depositIndex },
        { type: "reminded", occasion, data: reminded(occasion), at },
      );
    if (kind === "credit") MailStore.supersedeQueued(db, depositIndex, kind, occasion);
    if (kind !== "invoice") return;
    MailStore.supersedeQueued(db, depositIndex, "invoice");
    const invoice = InvoiceStore.byDeposit(db, depositIndex);
    if (!invoice) throw new Error(`A mail belongs to no invoice: ${id}`);
    const status = Invoice.status({ ...invoice, ...invoice.deposit, sentAt: at });
    InvoiceStore.setSent(db, invoice.sequence, at, status);
    const data = { to: invoice.vendorEmail };
    note(db, { kind: "invoice", depositIndex }, { type: "sent", occasion: id, data, at });
    tellIfVoid(db, depositIndex, at);
  }
}

/** For an invoice voided while it was being mailed: the customer has it, or may. */
function tellIfVoid(db: Db, depositIndex: number, at: number): void {
  if (ReceivableStore.briefAt(db, depositIndex).voidedAt !== null)
    MailStore.insertOnce(db, { depositIndex, kind: "void", createdAt: at });
}

export function logOutcome(log: Log, outcome: MailOutcome, nextAt: number | null, named: LogFields): void {
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
