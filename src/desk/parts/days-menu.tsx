import * as Calendar from "../../domain/calendar.ts";
import { DeskIcon } from "./icon.tsx";
import type { DeskFrame } from "./page/desk-frame.ts";

/** Issue dates, both inclusive; null is open-ended. */
export type Days = { from: string | null; to: string | null };

type MenuProps = Days & {
  frame: DeskFrame;
  /** Returns the list's path with other days. */
  href(days: Days): string;
};

/** Frequently used periods. */
export function frequentDays({ locale, when: { today } }: DeskFrame): [text: string, days: Days][] {
  const month = `${today.slice(0, 7)}-01`;
  const lastOfLastMonth = Calendar.dayOf(Calendar.dayNumber(month) - 1);
  return [
    [locale.say("thisMonth"), { from: month, to: null }],
    [locale.say("lastMonth"), { from: `${lastOfLastMonth.slice(0, 7)}-01`, to: lastOfLastMonth }],
    [locale.say("thisYear"), { from: `${today.slice(0, 4)}-01-01`, to: null }],
  ];
}

/** A menu of periods: frequent ones, and any other. */
export function DaysMenu(props: MenuProps) {
  const { frame, from, to, href } = props;
  const { locale } = frame;
  const anyDays: [string, Days] = [locale.say("anyDate"), { from: null, to: null }];
  const choices = [anyDays, ...frequentDays(frame)];
  return (
    <details class="menu">
      <summary class="button button-quiet">
        <DeskIcon name="calendar" />
        <span>{chosen(props)}</span>
      </summary>
      <div class="menu-list">
        <ul>
          {choices.map(([text, days]) => (
            <li>
              <a href={href(days)}>{text}</a>
            </li>
          ))}
        </ul>
        <div class="menu-days">
          <label for="from">{locale.say("fromDay")}</label>
          <input id="from" name="from" type="date" form="days" value={from ?? ""} />
          <label for="to">{locale.say("toDay")}</label>
          <input id="to" name="to" type="date" form="days" value={to ?? ""} />
          <button type="submit" class="button-plain" form="days">
            {locale.say("show")}
          </button>
        </div>
      </div>
    </details>
  );
}

function chosen({ frame: { locale, when }, from, to }: MenuProps): string {
  if (from !== null && to !== null)
    return locale.say("betweenDays", { from: when.day(from), to: when.day(to) });
  if (from !== null) return locale.say("sinceDay", { from: when.day(from) });
  if (to !== null) return locale.say("untilDay", { to: when.day(to) });
  return locale.say("anyDate");
}

/** The form for the menu's fields, because forms cannot be nested. `kept` is submitted with the days. */
export function DaysForm({ action, kept }: { action: string; kept: Readonly<Record<string, string>> }) {
  return (
    <form id="days" action={action}>
      {Object.entries(kept).map(([name, value]) =>
        value === "" ? "" : <input type="hidden" name={name} value={value} />,
      )}
    </form>
  );
}
