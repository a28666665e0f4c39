import * as Recurring from "../../../domain/bill/recurring.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { Series } from "../../../store/tables/invoicing/recurring.ts";
import { doneAt } from "../../one.ts";
import { choice, choices, day, line, own } from "../../parts/form/controls.tsx";
import { formOf } from "../../parts/form/rows.ts";
import type { DoneText } from "../../parts/page/desk-frame.ts";
import type { StateName } from "../../parts/state.tsx";

/** Common to the list, the page and the form of repeating invoices. */

export const listPath = "/desk/recurring";
export const formPath = `${listPath}/new`;
export const seriesHref = ({ id }: Pick<Series, "id">) => `${listPath}/${id}`;

/** The form of the dates, for a new series or an existing one. */
export const datesHref = (id: string) => (id === "new" ? formPath : `${listPath}/${id}/change`);
/** The form of the bill before it. */
export const billHref = (id: string) => `/desk/invoices/new?repeat=${id}`;

/** The intervals that the form offers. */
export const presets = {
  "weeks 1": "repeatWeekly",
  "weeks 2": "repeatFortnightly",
  "months 1": "repeatMonthly",
  "months 3": "repeatQuarterly",
  "months 6": "repeatHalfYearly",
  "years 1": "repeatYearly",
} as const satisfies Record<string, TextKey>;

/** Returns an interval in the form's words; the API supports more of them. */
export function intervalIn(locale: Locale, { unit, n }: Recurring.Schedule["every"]): string {
  const name = `${unit} ${n}`;
  if (name in presets) return locale.texts[presets[name as keyof typeof presets]];
  const look = { style: "unit", unit: unit.slice(0, -1), unitDisplay: "long" } as const;
  return locale.labelled(locale.say("repeatOther"), new Intl.NumberFormat(locale.tag, look).format(n));
}

export const stateTexts = {
  active: ["open", "repeatActive"],
  paused: ["draft", "endpointIsPaused"],
  ended: ["void", "repeatEnded"],
} as const satisfies Record<Recurring.Status, readonly [StateName, TextKey]>;

export const seriesForm = formOf({
  every: { label: "repeatEvery", control: choice() },
  starts_on: { label: "repeatStarts", control: day, fault: "faultRepeatStart" },
  /** The day in later months, if the first one is too short for it. */
  month_day: { label: "repeatDay", control: own },
  ends_on: {
    label: "repeatEnds",
    hint: "repeatEndsHint",
    optional: true,
    control: day,
    fault: "faultRepeatEnd",
  },
  /** Only for a series that has one. */
  count: {
    label: "repeatCount",
    optional: true,
    control: line({ inputmode: "numeric", maxlength: "4" }),
    fault: ({ say, figure }) => say("faultRepeatCount", { max: figure(String(Recurring.countMax)) }),
  },
  due_days: {
    label: "repeatDueDays",
    control: line({ inputmode: "numeric", maxlength: "3" }),
    fault: "faultRepeatDue",
  },
  how: {
    label: "repeatHow",
    control: choices([
      ["send", "repeatSend", "repeatSendText"],
      ["draft", "repeatDraft", "repeatDraftText"],
    ]),
  },
  missed: {
    label: "repeatMissed",
    control: choices([
      ["newest", "repeatNewest", "repeatNewestText"],
      ["all", "repeatAll", "repeatAllText"],
    ]),
  },
});
/** A form as typed. */
export type TypedSeries = typeof seriesForm.empty & { key: string };

export const done = (series: Series, did: DoneText) =>
  doneAt(seriesHref(series), did, Recurring.customerOf(series));
