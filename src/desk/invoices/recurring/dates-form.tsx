import { isShortFor, type Schedule } from "../../../domain/bill/recurring.ts";
import { ButtonLink, SubmitButton } from "../../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, Problem } from "../../parts/form/form.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { headedPage } from "../../parts/page/head.tsx";
import { intervalIn, presets, seriesForm, type TypedSeries } from "./parts.ts";

export type DatesForm = {
  title: string;
  line: string;
  back: { href: string; label: string };
  action: string;
  /** Further values of the form, such as the invoice that it copies. */
  hidden: Readonly<Record<string, string>>;
  submit: string;
  /** The form of the bill, for an existing series. */
  bill?: string;
  /** The day of the month that a short first month lacks; null if there is none. */
  monthDay: number | null;
  hasCount: boolean;
  /** The current interval: the API supports more than the form offers. */
  every: Schedule["every"];
};

export type Feedback = { faults?: readonly FormFault[]; problem?: string | null };

/** When an invoice repeats, and what to do with each: for a new series, or an existing one. */
export function datesForm(
  frame: DeskFrame,
  { title, line, back, action, hidden, submit, bill, monthDay, hasCount, every }: DatesForm,
  typed: TypedSeries,
  { faults = [], problem = null }: Feedback = {},
): string {
  const { locale } = frame;
  const field = seriesForm.fields({ frame, typed, faults });
  const options = Object.entries(presets).map(([value, key]) => ({ value, label: locale.texts[key] }));
  const own = `${every.unit} ${every.n}`;
  if (!(own in presets)) options.push({ value: own, label: intervalIn(locale, every) });
  return headedPage({
    frame,
    place: "invoices",
    title,
    line,
    back,
    body: (
      <DeskForm frame={frame} action={action} className="form form-alone">
        {Object.entries({ ...hidden, key: typed.key }).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <FaultSummary locale={locale} faults={faults} />
        <Problem text={problem} />
        {bill !== undefined && (
          <p>
            <ButtonLink href={bill} kind="quiet" text={locale.say("repeatBill")} />
          </p>
        )}
        {field("every", { options })}
        {field("starts_on")}
        {monthDay !== null && isShortFor(monthDay, typed.starts_on) && (
          <label class="check">
            <input
              type="checkbox"
              name="month_day"
              value={String(monthDay)}
              checked={typed.month_day !== ""}
            />
            <span>{locale.say("repeatDay", { day: locale.figure(String(monthDay)) })}</span>
          </label>
        )}
        {field("ends_on")}
        {hasCount && field("count")}
        {field("due_days")}
        {field("how")}
        {field("missed")}
        <div class="actions">
          <SubmitButton text={submit} />
          {bill !== undefined && <ButtonLink href={back.href} kind="quiet" text={locale.say("cancel")} />}
        </div>
      </DeskForm>
    ),
  });
}
