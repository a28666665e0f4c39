import type { Log } from "../config/log-events.ts";
import * as Reminder from "../domain/bill/reminder.ts";
import * as Calendar from "../domain/calendar.ts";
import { messageOf } from "../lib/error.ts";
import { startLooking, turn } from "../lib/loop.ts";
import { type Db, transact } from "../store/database.ts";
import { isOnItsWay } from "../store/reports/on-its-way.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import * as ReminderStore from "../store/tables/outbox/reminder.ts";

/** How often to check the clock, in case it was set or the machine slept. */
const idleMsMax = 600_000;

/** How long until the books of newly watched deposits are right; also the pause after a database failure. */
const againMs = 60_000;

/** How soon to check again whether the chain is read. */
const currentAgainMs = 500;

/** Looking at this many invoices blocks all requests for about 5 ms. */
const batchSize = 500;

export type RemindersDeps = {
  db: Db;
  log: Log;
  now: () => number;
  timeZone: string;
  /** For invoices without their own days. */
  days: readonly number[];
  /** Returns whether every payment on the chain is known. */
  isChainCurrent: () => boolean;
  /** Resumes watching the chain for deposits that are not watched. Returns whether there were any. */
  watchAgain: (deposits: readonly number[]) => boolean;
  /** Called when mails were queued. */
  onQueued: () => void;
};

type Due = { deposit: number; occasion: string; isHeld: boolean };

/**
 * Queues each reminder on its day at 9 o'clock. Looks once a day; a Till that was off catches up, and each invoice gets
 * only its latest reminder.
 */
export function createReminders(deps: RemindersDeps) {
  const { db, now, timeZone, days } = deps;

  /** Yields the reminders due on a day, in batches. */
  function* due(today: number, through: number): Generator<Due[]> {
    const first = today - Reminder.lateDaysMax - Reminder.daysMax;
    const to = Calendar.dayOf(today - Reminder.daysMin);
    let after: ReminderStore.CandidateCursor = { dueDate: Calendar.dayOf(first), sequence: 0 };
    for (;;) {
      const batch = { after, to, own: days.length === 0, limit: batchSize };
      const candidates = ReminderStore.listCandidates(db, batch);
      yield candidates.flatMap(({ depositIndex, dueDate, sentAt, reminders }) => {
        const dueDay = Calendar.dayNumber(dueDate);
        const sentDay = () => Calendar.dayNumber(Calendar.dayAt(sentAt, timeZone));
        const daysDue = Reminder.dueNow(reminders ?? days, { dueDay, sentDay, through, today });
        if (daysDue === null) return [];
        const occasion = Reminder.occasionOf(daysDue, dueDate);
        return [{ deposit: depositIndex, occasion, isHeld: isOnItsWay(db, depositIndex) }];
      });
      const last = candidates.at(-1);
      if (!last || candidates.length < batchSize) return;
      after = last;
    }
  }

  /** The day for which every deposit that matters is being watched. */
  let watchedFor: number | null = null;

  /** The day on which some had to wait for what is on its way: they are looked at again on the next one. */
  let heldOn: number | null = null;

  /** Has the chain watched for every invoice with a reminder due. Returns whether any was not watched. */
  async function watchDue(today: number, through: number): Promise<boolean> {
    let isNew = false;
    for (const batch of due(today, through)) {
      if (batch.length > 0) isNew = deps.watchAgain(batch.map(({ deposit }) => deposit)) || isNew;
      await turn();
    }
    watchedFor = today;
    return isNew;
  }

  /** Queues what is due. Returns when to look again, in ms. Throws if the database fails. */
  async function look(): Promise<number> {
    const at = now();
    const today = Calendar.dayNumber(Reminder.lastDay(at, timeZone));
    const seen = ReminderStore.seenTo(db);
    const through = seen === null ? null : Calendar.dayNumber(seen);
    if (through === today || heldOn === today) return Reminder.msUntilHour(at, timeZone);
    if (through === null || through > today) {
      // The first run; or the clock was ahead and is right again.
      ReminderStore.setSeenTo(db, Calendar.dayOf(today));
      return Reminder.msUntilHour(at, timeZone);
    }
    if (watchedFor !== today && (await watchDue(today, through))) return againMs;
    if (!deps.isChainCurrent()) return currentAgainMs;
    let isAnyHeld = false;
    for (const batch of due(today, through)) {
      isAnyHeld ||= batch.some(({ isHeld }) => isHeld);
      const written = transact(db, () => batch.filter((each) => !each.isHeld && write(each, now())).length);
      if (written > 0) deps.onQueued();
      await turn();
    }
    // None goes twice, so that all of those days can be looked at again.
    if (isAnyHeld) heldOn = today;
    else ReminderStore.setSeenTo(db, Calendar.dayOf(today));
    return Reminder.msUntilHour(at, timeZone);
  }

  return { look };

  /** An earlier reminder still queued would arrive together with this one. */
  function write({ deposit: depositIndex, occasion }: Due, at: number): boolean {
    MailStore.removeQueuedOf(db, depositIndex, "reminder");
    return MailStore.insertOnce(db, { depositIndex, kind: "reminder", occasion, createdAt: at });
  }
}

/** Queues reminders as long as Till runs. */
export function startReminders(deps: RemindersDeps): { stop(): Promise<void> } {
  return startLooking({
    ...createReminders(deps),
    failed(thrown) {
      deps.log.error("mail.stalled", "mails cannot be sent just now", { reason: messageOf(thrown) });
    },
    againMs,
    idleMsMax,
  });
}
