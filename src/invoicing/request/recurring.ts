import { type Static, type TObject, Type } from "@sinclair/typebox";
import * as Recurring from "../../domain/bill/recurring.ts";
import * as Calendar from "../../domain/calendar.ts";
import { type Fault, type Why, why } from "../../language/faults.ts";
import * as Field from "./fields.ts";
import { InvoiceBody } from "./invoice.ts";
import { bodyOf, oneOf, type Parsed, readBody, readChanged } from "./validation.ts";

const interval = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Recurring.everyMax,
    wants: `a whole number from 1 to ${Recurring.everyMax}`,
  }),
);

/** Fields that each date sets anew. */
const { issue_date: _issued, due_date: _due, send_now: _sent, ...lasting } = InvoiceBody.properties;

const template: TObject = {
  ...InvoiceBody,
  properties: lasting,
  required: InvoiceBody.required?.filter((name) => name in lasting) ?? [],
  noun: "RecurringInvoiceBody",
  // Its fields are documented once, at POST /api/invoices.
  openapi: { type: "object" },
  wants: "a JSON object",
  means:
    "as POST /api/invoices takes it; {month}, {year} and {period} in notes, reference and descriptions become those of each date",
};

/** The body of POST /api/recurring. Rules that a schema cannot express are checked below. */
export const RecurringRequest = bodyOf("RecurringRequest", {
  invoice: template,
  due_days: Type.Integer({
    minimum: 0,
    maximum: Recurring.dueDaysMax,
    wants: `a whole number from 0 to ${Recurring.dueDaysMax}`,
    means: "each invoice is due so many days after it was made",
  }),
  every: Type.Object(
    { days: interval, weeks: interval, months: interval, years: interval },
    {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      wants: 'one of days, weeks, months and years with a number, such as {"months": 1}',
      noun: "RecurringEvery",
    },
  ),
  starts_on: Field.meaning(
    "the first date; the others are counted from it, and those before today are left out",
    Field.day,
  ),
  ends_on: Type.Optional(Field.meaning("no date is later", Field.day)),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Recurring.countMax,
      wants: `a whole number from 1 to ${Recurring.countMax}`,
      means: "how many dates there are, from starts_on; not with ends_on",
    }),
  ),
  day_of_month: Type.Optional(
    Type.Integer({
      minimum: 29,
      maximum: 31,
      wants: "a whole number from 29 to 31",
      means:
        "the day in months that have it, when starts_on is the last of a month that has not; with months or years",
    }),
  ),
  send_now: Type.Optional(
    Type.Boolean({ wants: "true or false", means: "true when left out; false makes drafts without a mail" }),
  ),
  missed: Type.Optional(
    Field.meaning(
      "what is made of dates that passed while Till was off: newest when left out, which is one invoice",
      oneOf(Recurring.missedWays, '"all" or "newest"'),
    ),
  ),
});

const { properties } = RecurringRequest;

/** The body of PATCH /api/recurring/{id}. */
export const RecurringChange = Field.meaning(
  "what is left out stays; null takes back ends_on, count, day_of_month, send_now or missed",
  bodyOf("RecurringChange", {
    ...properties,
    invoice: Type.Optional(properties.invoice),
    due_days: Type.Optional(properties.due_days),
    every: Type.Optional(properties.every),
    starts_on: Type.Optional(properties.starts_on),
    status: Type.Optional(
      Field.meaning(
        "paused: dates that pass are not made",
        oneOf<"active" | "paused">(["active", "paused"], '"active" or "paused"'),
      ),
    ),
  }),
);

export type SeriesRequest = Pick<
  Recurring.Recurring,
  "invoice" | "dueDays" | "schedule" | "sendNow" | "missed"
> & {
  merchantEmail: string;
};

type Checked = { ok: true; merchantEmail: string } | { ok: false; faults: readonly Fault[] };

type Rules = {
  /** The day from which there must be dates; null if there need not be any. */
  from: string | null;
  /** Checks whether the invoice of a date could be created. */
  check: (request: Omit<SeriesRequest, "merchantEmail">, day: string) => Checked;
};

/** Parses a request and reports every fault at once: those of the invoice as `invoice.…`. */
export function parseRecurring(body: unknown, { from, check }: Rules): Parsed<SeriesRequest> {
  const { reader, fields } = readBody(RecurringRequest, body);
  const startsOn = reader.read("starts_on", fields.starts_on, Field.calendarDay);
  const endsOn = reader.read("ends_on", fields.ends_on, Field.calendarDay);
  if (endsOn !== undefined && fields.count !== undefined)
    reader.add("count", why("left_out_with", { other: "ends_on" }));
  if (startsOn !== undefined && endsOn !== undefined && endsOn < startsOn)
    reader.add("ends_on", why("day_before", { other: "starts_on", day: startsOn }));
  const every = everyOf(fields.every);
  const { invoice, due_days, day_of_month, send_now = true, missed = "newest" } = fields;
  // Any other value already has its fault.
  const dayOfMonth = [29, 30, 31].find((day) => day === day_of_month);
  if (startsOn !== undefined && every !== null && dayOfMonth !== undefined)
    if (!/months|years/.test(every.unit) || !Recurring.isShortFor(dayOfMonth, startsOn))
      reader.add("day_of_month", why("day_of_month"));
  const isWhole =
    startsOn !== undefined && every !== null && reader.faults.every(({ field }) => isOfInvoice(field));
  const schedule: Recurring.Schedule = {
    every: every ?? { unit: "months", n: 1 },
    startsOn: startsOn ?? "2000-01-01",
    endsOn: endsOn ?? null,
    count: fields.count ?? null,
    ...(dayOfMonth === undefined ? {} : { dayOfMonth }),
  };
  const [next] = Recurring.nextDates(schedule, dayBefore(from ?? schedule.startsOn), 1);
  if (isWhole && next === undefined && from !== null)
    reader.add(endOf(schedule), why("no_dates", { day: from }));
  const request = {
    invoice: typeof invoice === "object" && invoice !== null ? invoice : {},
    dueDays: typeof due_days === "number" ? Math.min(Math.max(due_days, 0), Recurring.dueDaysMax) : 0,
    schedule,
    sendNow: send_now,
    missed,
  };
  const checked = check(request, next ?? schedule.startsOn);
  if (!checked.ok)
    for (const { field, ...reason } of checked.faults) reader.add(`invoice.${field}`, reason as Why);
  if (reader.faults.length > 0 || !checked.ok) return reader.refused();
  return { ok: true, value: { ...request, merchantEmail: checked.merchantEmail } };
}

const isOfInvoice = (field: string) => field === "invoice" || field.startsWith("invoice.");

function endOf({ endsOn, count }: Recurring.Schedule) {
  if (endsOn !== null) return "ends_on";
  return count === null ? "starts_on" : "count";
}

export const dayBefore = (day: string) => Calendar.dayOf(Calendar.dayNumber(day) - 1);

function everyOf(every: unknown): Recurring.Schedule["every"] | null {
  if (typeof every !== "object" || every === null) return null;
  const [unit, n] = Object.entries(every)[0] ?? [];
  const known = Recurring.units.find((each) => each === unit);
  return known !== undefined && Number.isInteger(n) && Number(n) >= 1 ? { unit: known, n: Number(n) } : null;
}

/** A series in the form of a request. */
export function requestFieldsOf({
  invoice,
  dueDays,
  schedule,
  sendNow,
  missed,
}: Omit<SeriesRequest, "merchantEmail">) {
  const { every, startsOn, endsOn, count, dayOfMonth } = schedule;
  return {
    invoice,
    due_days: dueDays,
    every: { [every.unit]: every.n },
    starts_on: startsOn,
    ends_on: endsOn,
    count,
    ...(dayOfMonth === undefined ? {} : { day_of_month: dayOfMonth }),
    send_now: sendNow,
    missed,
  };
}

const clearable = ["ends_on", "count", "day_of_month", "send_now", "missed"] as const;

/** Parses a change of a series. */
export function readChange(body: unknown): Parsed<Partial<Static<typeof RecurringChange>>> {
  const { reader, fields } = readChanged(RecurringChange, body, clearable);
  return reader.faults.length > 0 ? reader.refused() : { ok: true, value: fields };
}
