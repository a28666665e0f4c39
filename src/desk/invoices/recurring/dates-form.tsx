import { isShortFor, type Schedule } from "../../../domain/bill/recurring.ts";
import { ButtonLink, SubmitButton } from "../../parts/button.tsx";
import {
  Choices,
  DeskForm,
  FaultSummary,
  type FormFault,
  fieldsOf,
  Problem,
  SelectField,
} from "../../parts/form/form.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { headedPage } from "../../parts/page/head.tsx";
import { intervalIn, presets, type TypedSeries } from "./parts.ts";

export type DatesForm = {
  title: string;
  line: string;
  back: { href: string; label: string };
  action: string;
  /** What the form knows besides, such as the invoice that it is like. */
  hidden: Readonly<Record<string, string>>;
  submit: string;
  /** The form of the bill, of a series that is changed. */
  bill?: string;
  /** The day that a short first month lacks; null when there is none. */
  monthDay: number | null;
  hasCount: boolean;
  /** The interval that it has: the API knows more than the form. */
  every: Schedule["every"];
};

export type Told = { faults?: readonly FormFault[]; problem?: string | null };

/** When an invoice repeats, and what becomes of each: of a new series, or of one that is changed. */
export function datesForm(
  frame: DeskFrame,
  { title, line, back, action, hidden, submit, bill, monthDay, hasCount, every }: DatesForm,
  typed: TypedSeries,
  { faults = [], problem = null }: Told = {},
): string {
  const { locale } = frame;
  const { text } = fieldsOf({ frame, typed, faults });
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
        <SelectField
          locale={locale}
          name="every"
          label={locale.say("repeatEvery")}
          value={typed.every}
          options={options}
        />
        {text("starts_on", locale.say("repeatStarts"), { type: "date" })}
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
        {text("ends_on", locale.say("repeatEnds"), {
          type: "date",
          optional: true,
          hint: locale.say("repeatEndsHint"),
        })}
        {hasCount &&
          text("count", locale.say("repeatCount"), { inputmode: "numeric", maxlength: "4", optional: true })}
        {text("due_days", locale.say("repeatDueDays"), { inputmode: "numeric", maxlength: "3" })}
        <Choices
          locale={locale}
          name="how"
          label={locale.say("repeatHow")}
          chosen={typed.how}
          choices={[
            ["send", "repeatSend", "repeatSendText"],
            ["draft", "repeatDraft", "repeatDraftText"],
          ]}
        />
        <Choices
          locale={locale}
          name="missed"
          label={locale.say("repeatMissed")}
          chosen={typed.missed}
          choices={[
            ["newest", "repeatNewest", "repeatNewestText"],
            ["all", "repeatAll", "repeatAllText"],
          ]}
        />
        <div class="actions">
          <SubmitButton text={submit} />
          {bill !== undefined && <ButtonLink href={back.href} kind="quiet" text={locale.say("cancel")} />}
        </div>
      </DeskForm>
    ),
  });
}
