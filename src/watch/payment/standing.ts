import * as Calendar from "../../domain/calendar.ts";
import * as Event from "../../domain/event/event.ts";
import * as Closing from "../../domain/receivable/closing.ts";
import * as Common from "../../domain/receivable/common.ts";
import { faces } from "../../domain/receivable/faces.ts";
import { reportedStatusOf, type Status, statusOf } from "../../domain/receivable/receivable.ts";
import type * as Usdc from "../../domain/usdc.ts";
import { announce, type EventSubject, type RecordSettings, report } from "../../store/announce.ts";
import type { Db } from "../../store/database.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import * as DepositStore from "../../store/tables/invoicing/deposit.ts";
import * as ReceiptStore from "../../store/tables/invoicing/receipt.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as CounterDayStore from "../../store/tables/outbox/counter-day.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";

export type StatusChange = {
  name: ReceivableStore.DepositName;
  from: Status;
  to: Status;
  /** The event that confirmed money caused; null if only the status changed. */
  event: Event.AnnouncedType | null;
  /** Whether a webhook may be waiting. */
  webhookWritten: boolean;
  /** Whether mails may be waiting in the outbox. */
  mailWritten: boolean;
};

/** `receipts`: whether payer and merchant get mails about payments. */
export type ApplyOptions = { receipts: boolean; recordSettings: RecordSettings };

/** Updates the totals and the status of the invoice or link at a deposit, and records the consequences. */
export function recompute(
  db: Db,
  depositIndex: number,
  now: number,
  { receipts, recordSettings }: ApplyOptions,
): StatusChange[] {
  const before = ReceivableStore.briefAt(db, depositIndex);
  const totals = DepositStore.recompute(db, depositIndex, now);
  const brief = { ...before, ...totals };
  const { kind, status: from } = before;
  const { received } = totals;
  // Money for a cancelled sale has its own mail.
  if (receipts && before.atCounter && before.voidedAt === null && received !== before.received)
    recordSale(db, before, received, now, recordSettings.timeZone);
  // The payment that the chain took back had been credited, so nothing is left to owe.
  const isVoid = faces[kind].hasCreditNotes && Closing.isCreditedWhole(brief);
  const status = isVoid ? "void" : statusOf(kind, brief);
  const event = eventOf(db, before, brief);
  if (status === from && event === null) return [];
  if (isVoid) {
    const reason = CreditNoteStore.newestReason(db, depositIndex) ?? "";
    const closed = Closing.applied({ kind: "void", reason }, Common.closedOf(brief), now);
    ReceivableStore.setClosed(db, brief, closed, status);
  } else ReceivableStore.setStatus(db, brief, status);
  ReceiptStore.issue(db, depositIndex, now, recordSettings);
  const announced =
    event !== null && announceMoney(db, recordSettings, brief, { event, received, from, status, now });
  const voided =
    isVoid && announce(db, recordSettings, brief, { type: "voided", occasion: String(now), at: now });
  // The merchant's mark is not a payment: only statuses caused by money are reported.
  const reported = event !== null && report(db, brief, { status: reportedStatusOf(kind, brief), at: now });
  const mailWritten = receipts && event !== null && writePaymentMails(db, brief, event, now);
  return [
    {
      name: ReceivableStore.namedAs(brief),
      from,
      to: status,
      event,
      webhookWritten: announced || voided || reported,
      mailWritten,
    },
  ];
}

/** Records money at the counter for the daily mail. */
function recordSale(
  db: Db,
  { depositIndex, received: was }: ReceivableStore.Brief,
  received: Usdc.Usdc,
  now: number,
  timeZone: string,
): void {
  const day = Calendar.dayAt(now, timeZone);
  const dueAt = Calendar.endOf(day, timeZone) + counterMailAfterMs;
  CounterDayStore.record(db, { depositIndex, was, received, day, dueAt, now });
}

/** Returns the event that money caused, given the amount received before; null if there is nothing to report. */
function eventOf(
  db: Db,
  { kind, depositIndex, received }: ReceivableStore.Brief,
  facts: Event.MoneyFacts,
): Event.AnnouncedType | null {
  const closedAt = Event.closedAt(facts);
  const isTold =
    closedAt === null || EventStore.anySince(db, depositIndex, `${kind}.unexpected_payment`, closedAt);
  return Event.ofMoney(received, facts, isTold);
}

type MoneyEvent = {
  event: Event.AnnouncedType;
  received: Usdc.Usdc;
  /** The previous status. */
  from: Status;
  status: Status;
  now: number;
};

/** Blocks of the old day may be read some minutes into the new one. */
const counterMailAfterMs = 10 * 60_000;

/** Announces the same money once: money that left the chain and came back is announced again after its reversal. */
function announceMoney(
  db: Db,
  recordSettings: RecordSettings,
  subject: EventSubject,
  { event, received, from, status, now }: MoneyEvent,
): boolean {
  const reversals = EventStore.count(db, subject.depositIndex, `${subject.kind}.payment_reversed`);
  const occasion = `${received} ${reversals}`;
  const data = Event.moneyData({ status, received });
  return announce(db, recordSettings, subject, { type: event, occasion, data, from, at: now });
}

/**
 * Queues the mails about money for an invoice or a link, in the transaction of the change. Each is sent once, whatever
 * comes and goes, so that small payments cannot cause many. A link's payer gets one only if they asked for a receipt,
 * and only once everything is paid; the merchant hears of ordinary counter sales once a day. Returns whether a mail is
 * queued.
 */
function writePaymentMails(
  db: Db,
  { kind, depositIndex, payerEmail, atCounter }: ReceivableStore.Brief,
  event: Event.AnnouncedType,
  createdAt: number,
): boolean {
  const isUsual = event !== "unexpected_payment" && event !== "payment_reversed";
  const write = (kind: "receipt" | "notice", occasion = "") =>
    !(kind === "notice" && atCounter && isUsual) &&
    MailStore.insertOnce(db, { depositIndex, kind, occasion, createdAt });
  switch (event) {
    case "partially_paid": {
      const receipt = faces[kind].hasPartialReceipts && write("receipt", "partial");
      return write("notice", "partial") || receipt;
    }
    case "paid":
    case "overpaid": {
      const receipt = payerEmail !== null && write("receipt");
      if (write("notice")) return true;
      // A notice that is still queued will mention the excess itself.
      if (event === "paid" || MailStore.isQueued(db, depositIndex, "notice")) return receipt;
      return write("notice", "excess") || receipt;
    }
    case "unexpected_payment":
      return write("notice", "unexpected");
    case "payment_reversed": {
      // A merchant who was not told of the money need not hear of its reversal.
      const isTold = ["", "partial", "excess", "unexpected"].some((occasion) =>
        MailStore.mayHaveGone(db, depositIndex, "notice", occasion),
      );
      return isTold && write("notice", "reversed");
    }
    default:
      return false;
  }
}
