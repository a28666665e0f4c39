import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import * as Recurring from "../../domain/bill/recurring.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import * as Calendar from "../../domain/calendar.ts";
import { sayWhy } from "../../language/faults.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { messageOf } from "../../lib/error.ts";
import { startLooking, turn } from "../../lib/loop.ts";
import type { Db } from "../../store/database.ts";
import { StorageFailed, stored } from "../../store/group-commit.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import * as RecurringStore from "../../store/tables/invoicing/recurring.ts";
import type { Invoices } from "../invoices.ts";
import type { Refusal } from "../outcome.ts";
import { bodyFor, keepMade, Superseded } from "./series.ts";

type Series = RecurringStore.Series;

/** How often to check the clock, in case it was set or the machine slept. */
const idleMsMax = 600_000;
/** Pause after a failure, and before asking for a rate again. */
const againMs = 60_000;
const batchSize = 50;

export type MakerDeps = {
  db: Db;
  log: Log;
  now: () => number;
  config: Pick<Config, "timeZone" | "language">;
  make: Invoices["make"];
};

/**
 * Creates each recurring invoice on its date at 9 o'clock, like POST /api/invoices. The date is stored with the
 * invoice, so that none is made twice: not after a crash, nor when the clock is set back.
 */
export function createMaker({ db, config, log, now, make }: MakerDeps) {
  /** The customer's saved language, or the installation's. */
  function languageFor({ invoice }: Series): LanguageCode {
    const email = String(invoice["vendor_email"] ?? invoice["customer_email"] ?? "");
    return PartyStore.find(db, "vendor", email)?.language ?? config.language;
  }

  /** The issue date of an invoice due on a day: that day, or today if its books are closed. */
  const dayOf = (day: string) =>
    PreferenceStore.openDay(
      db,
      PreferenceStore.isClosed(db, day) ? Calendar.dayAt(now(), config.timeZone) : day,
    );

  /**
   * Moves a series to a day, forward or back, even one that had come to its last date. One that was paused meanwhile,
   * ended for good, or told to leave out that day stays.
   */
  const handle = (id: string, handledTo: string) =>
    stored(db, () => {
      const current = RecurringStore.byId(db, id);
      if (current === null || current.status === "paused" || current.leftOutTo > handledTo) return;
      const moved = { ...current, status: "active" as Recurring.Status, handledTo };
      RecurringStore.update(db, Recurring.handled(moved, handledTo));
    });

  /** Returns whether there may be more to make. */
  async function makeNext(series: Series, today: string): Promise<boolean> {
    const { id, schedule, handledTo, missed, nextDate, confinedTo } = series;
    const day = missed === "newest" ? Recurring.newestDate(schedule, handledTo, today) : nextDate;
    if (day === null || day > today) return false;
    const madeOn = Calendar.dayAt(now(), config.timeZone);
    if (RecurringStore.isMade(db, id, day)) {
      await handle(id, day);
      return true;
    }
    try {
      const outcome = await make(
        bodyFor(series, day, { madeOn, language: languageFor(series), issueDate: dayOf(day) }),
        {
          key: null,
          merchant: confinedTo,
          keep: (invoice) => keepMade(db, series, day, invoice),
        },
      );
      if (!outcome.ok) return await refuse(series, reasonOf(outcome.refusal));
      log.info("recurring.made", "an invoice that repeats was made", {
        invoice: outcome.value.invoice.number,
        series: id,
        day,
      });
      return true;
    } catch (thrown) {
      if (thrown instanceof StorageFailed && thrown.cause instanceof Superseded) return false;
      throw thrown;
    }
  }

  /** Pauses a series whose invoice is refused as it is; waits if the problem may pass by itself. */
  async function refuse(series: Series, reason: Recurring.Reason): Promise<false> {
    const isLasting = reason.kind === "invalid";
    const isNews = await stored(db, () => {
      const current = RecurringStore.byId(db, series.id);
      if (current?.status !== "active" || current.handledTo !== series.handledTo) return false;
      const paused = isLasting ? { status: "paused" as const, pauseCause: "refused" as const } : {};
      RecurringStore.update(db, { ...current, ...paused, reason });
      return !Bun.deepEquals(current.reason, reason) || isLasting;
    });
    const fields = { series: series.id, reason: reason.said };
    if (isNews && isLasting) log.error("recurring.paused", "an invoice that repeats is refused", fields);
    else if (isNews) log.warn("recurring.waiting", "an invoice that repeats cannot be made just now", fields);
    isWaiting ||= !isLasting;
    return false;
  }

  let isWaiting = false;

  /** Handles a clock that was ahead and is right again: the dates in between must be made, but none twice. */
  async function turnBack(today: string): Promise<void> {
    const ahead = RecurringStore.listAhead(db, Calendar.dayOf(Calendar.dayNumber(today) + 1));
    for (const { id, leftOutTo } of ahead) {
      // The clock is behind: once it is right, dates that were left out would be made.
      if (leftOutTo > today) continue;
      const newest = RecurringStore.newestMade(db, id, today) ?? leftOutTo;
      await handle(id, newest > leftOutTo ? newest : leftOutTo);
    }
  }

  /** Makes what is due. Returns when to look again, in ms. Throws if the database or the wallet fails. */
  async function look(signal?: AbortSignal): Promise<number> {
    isWaiting = false;
    const today = Reminder.lastDay(now(), config.timeZone);
    await turnBack(today);
    let failure: unknown = null;
    for (let after = 0; ; ) {
      const due = RecurringStore.listDue(db, today, after, batchSize);
      for (const { id, number } of due) {
        after = number;
        for (let goesOn = true; goesOn && !signal?.aborted; ) {
          const series = RecurringStore.byId(db, id);
          try {
            goesOn = series?.status === "active" && (await makeNext(series, today));
          } catch (thrown) {
            // The other series continue.
            [failure, goesOn] = [thrown, false];
            const said = messageOf(thrown instanceof StorageFailed ? thrown.cause : thrown);
            // If not even that can be stored, health says so of the database.
            if (series) await refuse(series, { kind: "failed", said }).catch(() => {});
          }
          await turn();
        }
      }
      if (due.length < batchSize || signal?.aborted) break;
    }
    if (failure !== null) throw failure;
    return isWaiting ? againMs : Reminder.msUntilHour(now(), config.timeZone);
  }

  return { look };
}

function reasonOf(refusal: Refusal): Recurring.Reason {
  const { kind } = refusal;
  if (kind === "invalid") {
    const [fault] = refusal.faults;
    if (fault === undefined) return { kind, said: "the invoice is refused" };
    const { field, code } = fault;
    return { kind, said: `invoice.${field} ${sayWhy(fault)}`, fault: { field, code } };
  }
  if (kind === "rate_unavailable")
    return { kind, said: `no current rate of USDC in ${refusal.code} is to be had` };
  if (kind === "too_many_mails")
    return { kind, said: `the limit TILL_LIMIT_${refusal.reached.name} on mails is reached` };
  return { kind, said: kind };
}

/** Makes recurring invoices from when `working` resolves until it is stopped. */
export function startMaker(deps: MakerDeps & { working: Promise<unknown> }) {
  const start = () =>
    startLooking({
      ...createMaker(deps),
      failed(thrown) {
        const fields = { reason: messageOf(thrown) };
        deps.log.error("recurring.stalled", "the invoices that repeat cannot be made just now", fields);
      },
      againMs,
      idleMsMax,
    });
  let making: ReturnType<typeof start> | null = null;
  let isStopped = false;
  deps.working.then(
    () => {
      if (!isStopped) making = start();
    },
    // Whoever starts Till handles the failure.
    () => {},
  );
  return {
    wake: () => making?.wake(),
    async stop() {
      isStopped = true;
      await making?.stop();
    },
  };
}
