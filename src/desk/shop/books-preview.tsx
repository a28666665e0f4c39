import type { Gap } from "../../books/table.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Facts } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";
import type { File, Preview } from "./books-files.ts";

/** A preview of a file for bookkeepers, before downloading it. */

const gapTexts = {
  drafts: "booksGapDrafts",
  usdc: "booksGapUsdc",
  small: "booksGapSmall",
  value: "booksGapValue",
  transit: "booksGapTransit",
} as const satisfies Record<Exclude<Gap, "times">, TextKey>;

function daysText({ from, to }: { from: string; to: string }, locale: Locale): string {
  if (from !== "" && to !== "") return locale.days(from, to);
  if (from !== "") return locale.say("booksSince", { day: locale.day(from) });
  return to === "" ? locale.say("booksAllDays") : locale.say("booksUntil", { day: locale.day(to) });
}

type PreviewPageProps = {
  frame: DeskFrame;
  file: File;
  /** As chosen: days, or empty. */
  days: { from: string; to: string };
  preview: Preview;
};

export function previewPage({ frame, file: { name, text }, days, preview }: PreviewPageProps): string {
  const { columns, rows, count, isCut, sums, gaps } = preview;
  const { locale } = frame;
  const query = new URLSearchParams(days).toString();
  const counted = [locale.say("booksRows"), locale.figure(String(count))] as const;
  const notices = gaps.map(([gap, count]) =>
    locale.say(gapTexts[gap], { count: locale.figure(String(count)) }),
  );
  if (isCut) notices.push(locale.say("booksCut", { count: locale.figure(String(count)) }));
  return headedPage({
    frame,
    place: "settings",
    title: locale.texts[text],
    back: { href: `/desk/settings/books?${query}`, label: locale.say("settingsBooks") },
    line: daysText(days, locale),
    actions: (
      <ButtonLink
        href={`/desk/settings/books/${name}.csv?${query}`}
        text={locale.say("booksTake")}
        icon="download"
      />
    ),
    body: (
      <>
        <div class="notices">
          {notices.map((notice) => (
            <p class="notice">{notice}</p>
          ))}
        </div>
        <Part title={locale.say("booksSums")}>
          <p class="soft small">{locale.say("booksSumsText")}</p>
          <Facts
            className="facts file-sums"
            facts={[
              counted,
              ...sums.map(({ column, amount, unit }) => [column, locale.money(amount, unit).trim()] as const),
            ]}
          />
        </Part>
        <Part title={locale.say("booksFirstRows")}>
          {rows.length === 0 ? (
            <p class="soft">{locale.say("booksNothing")}</p>
          ) : (
            <section class="wide" tabindex="0" aria-label={locale.say("booksFirstRows")} dir="ltr">
              <table class="raw">
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th scope="col">{column}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr>
                      {columns.map((column) => (
                        <td>
                          <bdi>{String(row[column] ?? "")}</bdi>
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </Part>
      </>
    ),
  });
}
