import type { Config } from "../../config/config.ts";
import type { Invoice } from "../../domain/bill/invoice.ts";
import * as Recurring from "../../domain/bill/recurring.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import * as Calendar from "../../domain/calendar.ts";
import { why } from "../../language/faults.ts";
import { isLanguageCode, type LanguageCode } from "../../language/languages.ts";
import { speak } from "../../language/locale.ts";
import { newId } from "../../lib/crypto.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import * as RecurringStore from "../../store/tables/invoicing/recurring.ts";
import type { Invoices } from "../invoices.ts";
import type { Caller, Once } from "../once.ts";
import { done, existing, invalid, type Outcome } from "../outcome.ts";
import {
  dayBefore,
  parseRecurring,
  readChange,
  requestFieldsOf,
  type SeriesRequest,
} from "../request/recurring.ts";

type Series = RecurringStore.Series;

/** The status that a change requests. */
type RequestedStatus = "active" | "paused";

/** The use cases of recurring invoices, for every interface; see `Invoices`. */
export type RecurringInvoices = {
  make(input: unknown, by: Caller): Promise<Outcome<Series>>;
  change(series: Series, input: unknown, by: Caller): Promise<Outcome<Series>>;
  /** Ends it for good; invoices already made stay. */
  end(series: Series): Promise<Series>;
  find(id: string): Series | null;
};

export type SeriesDeps = {
  db: Db;
  now: () => number;
  once: Once;
  config: Pick<Config, "timeZone" | "language">;
  check: Invoices["check"];
  /** Called when something may be due at once. */
  onChanged: () => void;
};

const scheduleFields = ["every", "starts_on", "ends_on", "count", "day_of_month"];

export function createRecurring(deps: SeriesDeps): RecurringInvoices {
  const { db, config, now, once, onChanged } = deps;
  const today = () => Calendar.dayAt(now(), config.timeZone);
  const read = (id: string) => existing(RecurringStore.byId(db, id));

  function parse(input: unknown, from: string | null, merchant: Caller["merchant"] = null) {
    const check = (request: Omit<SeriesRequest, "merchantEmail">, day: string) => {
      const issueDate = PreferenceStore.openDay(db, day);
      const body = bodyFor(request, day, { madeOn: issueDate, language: config.language, issueDate });
      const checked = deps.check(body, merchant);
      if (checked.ok) return { ok: true as const, merchantEmail: checked.request.merchantEmail };
      const { refusal } = checked;
      return { ok: false as const, faults: refusal.kind === "invalid" ? refusal.faults : [] };
    };
    return parseRecurring(input, { from, check });
  }

  return {
    make: (input, { key, merchant = null }) =>
      once(
        key,
        ["recurring", input],
        async (claim) => {
          const day = today();
          const parsed = parse(input, day, merchant);
          if (!parsed.ok) return invalid(parsed.faults);
          const series = Recurring.handled(
            {
              ...parsed.value,
              id: newId("recurring"),
              confinedTo: merchant,
              status: "active" as Recurring.Status,
              pauseCause: null,
              reason: null,
              handledTo: dayBefore(day),
              leftOutTo: dayBefore(day),
              nextDate: null,
              made: 0,
              createdAt: now(),
            },
            dayBefore(day),
          );
          await stored(db, () => {
            RecurringStore.insert(db, series);
            if (claim) IdempotencyStore.insert(db, claim, series.id, series.createdAt);
          });
          onChanged();
          return done(read(series.id));
        },
        read,
      ),

    change: ({ id }, input, { key, merchant = null }) =>
      once(
        key,
        ["recurring change", id, input],
        async (claim) => {
          const change = readChange(input);
          if (!change.ok) return invalid(change.faults);
          const { status } = change.value;
          const { status: _, ...fields } = input as Record<string, unknown>;
          // A merchant who only pauses a series need not hear of faults in the rest.
          const isChecked = status !== "paused" || Object.keys(fields).length > 0;
          const isOfDates = status === "active" || scheduleFields.some((name) => name in fields);
          // Read within the transaction, so that concurrent changes are kept.
          const outcome = await stored(db, (): Outcome<Series> => {
            const current = read(id);
            if (current.status === "ended") return invalid([{ field: "status", ...why("ended") }]);
            const parsed = isChecked
              ? parse({ ...requestFieldsOf(current), ...fields }, isOfDates ? today() : null, merchant)
              : null;
            if (parsed !== null && !parsed.ok) return invalid(parsed.faults);
            if (claim) IdempotencyStore.insert(db, claim, id, now());
            const request = parsed === null ? { schedule: current.schedule } : parsed.value;
            const confinedTo = merchant ?? current.confinedTo;
            // Dates of a new schedule before today were never promised.
            const isLate = overdue(current, now(), config.timeZone) !== null;
            const isMoved = !Bun.deepEquals(request.schedule, current.schedule) && !isLate;
            const passed = isMoved ? dayBefore(today()) : "";
            const handledTo = passed > current.handledTo ? passed : current.handledTo;
            const leftOutTo = isMoved ? passed : current.leftOutTo;
            RecurringStore.update(
              db,
              withStatus({ ...current, ...request, confinedTo, handledTo, leftOutTo }, status, today()),
            );
            return done(read(id));
          });
          if (outcome.ok) onChanged();
          return outcome;
        },
        read,
      ),

    async end({ id }) {
      await stored(db, () => RecurringStore.update(db, Recurring.ended(read(id))));
      return read(id);
    },

    find: (id) => RecurringStore.byId(db, id),
  };
}

/**
 * Returns a series paused or resumed, with its next date. Dates that pass while the merchant has it paused are not made
 * later; refused ones are, once corrected.
 */
function withStatus(series: Series, to: RequestedStatus | undefined, today: string): Series {
  if (to === "paused")
    return Recurring.handled(
      series.status === "paused"
        ? series
        : { ...series, status: "paused" as const, pauseCause: "merchant" as const, reason: null },
      series.handledTo,
    );
  if (to === undefined || series.status !== "paused") return Recurring.handled(series, series.handledTo);
  const resumed = { ...series, status: "active" as const, pauseCause: null, reason: null };
  if (series.pauseCause === "refused") return Recurring.handled(resumed, series.handledTo);
  const leftOutTo = dayBefore(today);
  return Recurring.handled({ ...resumed, leftOutTo }, leftOutTo);
}

/**
 * The body of POST /api/invoices for one date. The payment period begins when the invoice is made. Its texts name
 * months in its own language, otherwise in `language`.
 */
export function bodyFor(
  { invoice, dueDays, schedule, sendNow }: Pick<Series, "invoice" | "dueDays" | "schedule" | "sendNow">,
  day: string,
  { madeOn, language, issueDate = day }: { madeOn: string; language: LanguageCode; issueDate?: string },
): Record<string, unknown> {
  const { language: own } = invoice;
  const locale = speak(typeof own === "string" && isLanguageCode(own) ? own : language);
  const endless = { ...schedule, endsOn: null, count: null };
  const [next = day] = Recurring.nextDates(endless, day, 1);
  const last = next === day ? day : dayBefore(next);
  const words = {
    month: locale.month(day),
    year: day.slice(0, 4),
    period: last === day ? locale.day(day) : locale.days(day, last),
  };
  const fill = (text: unknown) => (typeof text === "string" ? Recurring.filledIn(text, words) : text);
  const { line_items: lines } = invoice;
  return {
    ...invoice,
    ...("notes" in invoice ? { notes: fill(invoice["notes"]) } : {}),
    ...("reference" in invoice ? { reference: fill(invoice["reference"]) } : {}),
    ...(Array.isArray(lines)
      ? {
          line_items: lines.map((line) =>
            isObject(line) ? { ...line, description: fill(line["description"]) } : line,
          ),
        }
      : {}),
    issue_date: issueDate,
    due_date: Calendar.dayOf(Calendar.dayNumber(madeOn) + dueDays),
    send_now: sendNow,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The newest date that is due and not made yet: Till was off, is about to make it, or cannot. */
export const overdue = (series: Series, now: number, timeZone: string): string | null =>
  series.status === "active" || series.pauseCause === "refused"
    ? Recurring.newestDate(series.schedule, series.handledTo, Reminder.lastDay(now, timeZone))
    : null;

/** The next dates, which show how a schedule was understood; for a paused series, as if it were resumed today. */
export function shownDates(series: Series, today: string, limit = 3): string[] {
  if (series.status === "ended") return [];
  const { schedule, handledTo } = series.status === "paused" ? withStatus(series, "active", today) : series;
  return Recurring.nextDates(schedule, handledTo, limit);
}

/** Records the invoice made for a date, in its transaction. Throws a Superseded if it is no longer wanted. */
export function keepMade(db: Db, series: Series, day: string, { sequence }: Pick<Invoice, "sequence">): void {
  const current = RecurringStore.byId(db, series.id);
  if (current === null || !Bun.deepEquals(current, { ...series, reason: current.reason }))
    throw new Superseded();
  RecurringStore.insertMade(db, { recurringId: series.id, day, sequence });
  RecurringStore.update(db, Recurring.handled({ ...current, made: current.made + 1, reason: null }, day));
}

/** The series was paused, changed or ended, or its date was made, since it was read. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}
