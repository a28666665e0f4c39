import type { DeskFrame } from "../frame.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { headedPage } from "../parts/head.tsx";
import { CsvLink } from "../parts/list/csv-link.tsx";
import { type Days, DaysForm, DaysMenu } from "../parts/list/days-menu.tsx";
import { Empty } from "../parts/list/empty.tsx";
import { Pager } from "../parts/list/pager.tsx";
import { SearchField } from "../parts/list/search-field.tsx";
import { type NoteRow, NoteRows, notesPath } from "./notes.tsx";

type NotesProps = Days & {
  frame: DeskFrame;
  query: string;
  rows: readonly NoteRow[];
  /** Of a search that found more than is looked through: so many are. */
  foundMax: number | null;
  /** Paths with their query; null for none. */
  links: { days(days: Days): string; newest: string | null; older: string | null; csv: string | null };
};

/** All credit notes, newest first. */
export function creditNotesPage(props: NotesProps): string {
  const { frame, query, from, to, rows, foundMax, links } = props;
  const { locale } = frame;
  const title = locale.say("creditNotes");
  const isOfAll = query === "" && from === null && to === null;
  const isEmpty = rows.length === 0 && isOfAll && links.newest === null;
  return headedPage({
    frame,
    place: "invoices",
    title,
    back: "invoices",
    body: isEmpty ? (
      <Empty icon="invoice" title={title} text={locale.say("creditNotesNone")} />
    ) : (
      <>
        <search>
          <form class="filters" action={notesPath}>
            <SearchField
              label={locale.say("searchCreditNotes")}
              hint={locale.say("searchCreditNotesHint")}
              query={query}
            />
            <DaysMenu frame={frame} from={from} to={to} href={links.days} />
            <CsvLink locale={locale} href={links.csv} />
          </form>
        </search>
        <DaysForm action={notesPath} kept={{ q: query }} />
        {foundMax !== null && (
          <p class="notice notice-plain">
            {locale.say("foundMany", { count: locale.figure(String(foundMax)) })}
          </p>
        )}
        {rows.length === 0 ? (
          <Empty
            icon="search"
            title={query === "" ? title : locale.say("nothingFound", { query })}
            text={locale.say(query === "" ? "noCreditNoteOfDays" : "noCreditNoteFound")}
          >
            <ButtonLink href={notesPath} kind="quiet" text={locale.say("showAllCreditNotes")} />
          </Empty>
        ) : (
          <>
            <NoteRows frame={frame} rows={rows} isOfAll />
            <Pager locale={locale} newest={links.newest} older={links.older} />
          </>
        )}
      </>
    ),
  });
}
