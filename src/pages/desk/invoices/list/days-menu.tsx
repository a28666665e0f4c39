import { Html } from "@elysiajs/html";
import * as Calendar from "../../../../domain/calendar.ts";
import { attr } from "../../../text.ts";
import { DeskIcon } from "../../parts/icon.tsx";
import type { ListProps } from "./props.ts";

/** Of which days: some that are asked for often, and any other. */
export function DaysMenu({ props }: { props: ListProps }) {
  const { frame, from, to, links } = props;
  const { locale } = frame;
  const { today } = frame.when;
  const month = `${today.slice(0, 7)}-01`;
  const lastOfLastMonth = Calendar.dayOf(Calendar.dayNumber(month) - 1);
  const choices = [
    [locale.say("anyDate"), links.days(null, null)],
    [locale.say("thisMonth"), links.days(month, null)],
    [locale.say("lastMonth"), links.days(`${lastOfLastMonth.slice(0, 7)}-01`, lastOfLastMonth)],
    [locale.say("thisYear"), links.days(`${today.slice(0, 4)}-01-01`, null)],
  ] as const;
  return (
    <details class="menu">
      <summary class="button button-quiet">
        <DeskIcon name="calendar" />
        <span safe>{chosen(props)}</span>
      </summary>
      <div class="menu-list">
        <ul>
          {choices.map(([text, href]) => (
            <li>
              <a href={attr(href)} safe>
                {text}
              </a>
            </li>
          ))}
        </ul>
        <div class="menu-days">
          <label for="from" safe>
            {locale.say("fromDay")}
          </label>
          <input id="from" name="from" type="date" form="days" value={attr(from ?? "")} />
          <label for="to" safe>
            {locale.say("toDay")}
          </label>
          <input id="to" name="to" type="date" form="days" value={attr(to ?? "")} />
          <button type="submit" class="button-plain" form="days" safe>
            {locale.say("showThese")}
          </button>
        </div>
      </div>
    </details>
  );
}

function chosen({ frame: { locale, when }, from, to }: ListProps): string {
  if (from !== null && to !== null)
    return locale.say("betweenDays", { from: when.day(from), to: when.day(to) });
  if (from !== null) return locale.say("sinceDay", { from: when.day(from) });
  if (to !== null) return locale.say("untilDay", { to: when.day(to) });
  return locale.say("anyDate");
}

/** What the fields of the menu belong to: a form cannot stand in another one. */
export function DaysForm({ props: { kind, query } }: { props: ListProps }) {
  return (
    <form id="days" action="/desk/invoices">
      {kind === "all" ? "" : <input type="hidden" name="kind" value={kind} />}
      {query === "" ? "" : <input type="hidden" name="q" value={attr(query)} />}
    </form>
  );
}
