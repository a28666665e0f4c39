import { billedTotal, type Invoice } from "../../../domain/bill/invoice.ts";
import { countMax, customerOf } from "../../../domain/bill/recurring.ts";
import { shownDates } from "../../../invoicing/recurring/series.ts";
import type { Series } from "../../../store/tables/invoicing/recurring.ts";
import { Figure } from "../../parts/amount.tsx";
import { ActionButton, ButtonLink } from "../../parts/button.tsx";
import { Problem } from "../../parts/form/form.tsx";
import { Cell, Empty, headsOf, NameCell, Table } from "../../parts/list.tsx";
import { Facts } from "../../parts/menu.tsx";
import { type DeskFrame, mayHere } from "../../parts/page/desk-frame.ts";
import { headedPage, Part } from "../../parts/page/head.tsx";
import { Pager } from "../../parts/page/list-page.tsx";
import { invoiceHref } from "../../parts/place.ts";
import { State } from "../../parts/state.tsx";
import { stateTexts as invoiceStates, stateOf } from "../../receivables/standing.tsx";
import { billHref, datesHref, intervalIn, listPath, seriesHref, stateTexts } from "./parts.ts";
import { troubleIn } from "./trouble.ts";

/** Newest first. */
export function seriesList(
  frame: DeskFrame,
  rows: readonly Series[],
  { newest, older }: { newest: string | null; older: string | null },
): string {
  const { locale, when } = frame;
  const anew = mayHere(frame, "issue") && (
    <ButtonLink href={billHref("new")} icon="plus" text={locale.say("repeatAnew")} />
  );
  return headedPage({
    frame,
    place: "invoices",
    title: locale.say("repeating"),
    back: "invoices",
    ...(rows.length > 0 && { line: locale.say("repeatingNoneText"), actions: anew }),
    body:
      rows.length === 0 ? (
        <Empty icon="clock" title={locale.say("repeatingNone")} text={locale.say("repeatingNoneText")}>
          {anew}
        </Empty>
      ) : (
        <div class="part">
          <Table
            caption={locale.say("repeating")}
            heads={headsOf(locale, ["customer", "state", "repeatEvery"], ["repeatNextOne"])}
            isLinked
          >
            {rows
              .map((series) => [series, shownDates(series, when.today)[0]] as const)
              .map(([series, next]) => (
                <tr role="row">
                  <NameCell href={seriesHref(series)} name={customerOf(series)} />
                  <Cell>
                    <State
                      name={stateTexts[series.status][0]}
                      word={locale.say(stateTexts[series.status][1])}
                    />
                  </Cell>
                  <Cell kind="quiet">{intervalIn(locale, series.schedule.every)}</Cell>
                  <Cell kind="end">{next === undefined ? "–" : when.day(next)}</Cell>
                </tr>
              ))}
          </Table>
          <Pager locale={locale} newest={newest} older={older} />
        </div>
      ),
  });
}

const leftOf = (series: Series, today: string) => shownDates(series, today, countMax).length;

type SeriesProps = {
  made: readonly { day: string; invoice: Invoice }[];
  can: { issue: boolean; close: boolean };
  problem: string | null;
};

/** Why the next dates do not come by themselves; null if they do. */
function nextText({ status, pauseCause, reason }: Series) {
  if (status === "paused") return pauseCause === "refused" ? "repeatCorrect" : "repeatPausedText";
  return reason === null ? null : "repeatWaits";
}

/** One series: the next dates first, which show whether it was understood. */
export function seriesPage(frame: DeskFrame, series: Series, { made, can, problem }: SeriesProps): string {
  const { locale, when } = frame;
  const { status, schedule, sendNow, missed, dueDays } = series;
  const href = seriesHref(series);
  const [, word] = stateTexts[status];
  const dates = shownDates(series, when.today);
  const whatNext = nextText(series);
  return headedPage({
    frame,
    place: "invoices",
    title: customerOf(series),
    back: { href: listPath, label: locale.say("repeating") },
    line: `${locale.say(word)} · ${intervalIn(locale, series.schedule.every)}`,
    actions: status !== "ended" && (
      <>
        {can.issue && (
          <ButtonLink href={datesHref(series.id)} kind="quiet" text={locale.say("repeatChange")} />
        )}
        {can.issue && status === "active" && (
          <ActionButton
            frame={frame}
            action={`${href}/pause`}
            kind="quiet"
            text={locale.say("endpointPause")}
          />
        )}
        {can.issue && status === "paused" && (
          <ActionButton frame={frame} action={`${href}/resume`} text={locale.say("endpointResume")} />
        )}
        {can.close && (
          <ButtonLink href={`${href}/end`} as="dialog" kind="plain" text={locale.say("repeatEnd")} />
        )}
      </>
    ),
    body: (
      <>
        <Problem text={problem ?? troubleIn(locale, series)} />
        {status !== "ended" && (
          <Part title={locale.say("repeatNext")}>
            {whatNext !== null && <p class="soft">{locale.texts[whatNext]}</p>}
            <ul class="plain">
              {dates.map((day) => (
                <li>{when.day(day)}</li>
              ))}
            </ul>
          </Part>
        )}
        <Part title={locale.say("repeatEvery")}>
          <Facts
            facts={[
              [locale.say("repeatHow"), locale.say(sendNow ? "repeatSend" : "repeatDraft")],
              [locale.say("repeatDueDays"), String(dueDays)],
              [locale.say("repeatMissed"), locale.say(missed === "all" ? "repeatAll" : "repeatNewest")],
              [locale.say("repeatStarts"), when.day(schedule.startsOn)],
              ...(schedule.endsOn === null
                ? []
                : [[locale.say("repeatEnds"), when.day(schedule.endsOn)] as const]),
              ...(schedule.count === null
                ? []
                : [[locale.say("repeatLeft"), locale.figure(String(leftOf(series, when.today)))] as const]),
            ]}
          />
        </Part>
        <Part title={locale.say("repeatMade")}>
          {made.length === 0 ? (
            <p class="soft">{locale.say("repeatNoneMade")}</p>
          ) : (
            <Table
              caption={locale.say("repeatMade")}
              heads={headsOf(locale, ["invoice", "state", "creditIssueDate"], ["total"])}
              isLinked
            >
              {made.map(({ day, invoice }) => (
                <tr role="row">
                  <Cell kind="main">
                    <a class="name" href={invoiceHref(invoice.number)}>
                      {invoice.number}
                    </a>
                  </Cell>
                  <Cell>
                    <State
                      name={stateOf(invoice, when.today)}
                      word={locale.say(invoiceStates[stateOf(invoice, when.today)])}
                    />
                  </Cell>
                  <Cell kind="quiet under-end">{when.day(day)}</Cell>
                  <Cell kind="end sum">
                    <Figure
                      locale={locale}
                      amount={billedTotal(invoice)}
                      unit={invoice.currency?.code ?? "USDC"}
                    />
                  </Cell>
                </tr>
              ))}
            </Table>
          )}
        </Part>
      </>
    ),
  });
}
