import * as Recurring from "../../domain/bill/recurring.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import type { Series } from "../../store/tables/invoicing/recurring.ts";
import type { FormOutcome } from "../gate.ts";
import type { DeedText } from "../parts/frame.tsx";
import type { StateName } from "../parts/state.tsx";

/** What the list, the page and the form of invoices that repeat share. */

export const listPath = "/desk/recurring";
export const formPath = `${listPath}/new`;
export const seriesHref = ({ id }: Pick<Series, "id">) => `${listPath}/${id}`;

/** The form of the dates: of a new series, or of one that there is. */
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

export function intervalIn({ texts }: Locale, { schedule: { every } }: Pick<Series, "schedule">): string {
  const name = `${every.unit} ${every.n}`;
  return texts[name in presets ? presets[name as keyof typeof presets] : "repeatOther"];
}

export const stateTexts = {
  active: ["open", "repeatActive"],
  paused: ["draft", "endpointIsPaused"],
  ended: ["void", "repeatEnded"],
} as const satisfies Record<Recurring.Status, readonly [StateName, TextKey]>;

/** A form as typed. */
export type TypedSeries = {
  every: string;
  starts_on: string;
  ends_on: string;
  due_days: string;
  how: string;
  missed: string;
  /** Only a series that has a count is asked for it. */
  count: string;
  /** Whether later months have another day than the first one, which is too short. */
  month_day: string;
  key: string;
};

export const done = (series: Series, did: DeedText): FormOutcome => ({
  kind: "done",
  to: seriesHref(series),
  did,
  subject: Recurring.customerOf(series),
});
