import { Html } from "@elysiajs/html";
import { type DeskFrame, deskPage } from "../frame.tsx";
import { PageHead } from "../parts/head.tsx";
import { CsvLink } from "../parts/list/csv-link.tsx";
import { Empty } from "../parts/list/empty.tsx";
import { Pager } from "../parts/list/pager.tsx";
import { SearchField } from "../parts/list/search-field.tsx";
import { type NoteRow, NoteRows, notesPath } from "./notes.tsx";

type NotesProps = {
  frame: DeskFrame;
  query: string;
  rows: readonly NoteRow[];
  /** Paths with their query; null for none. */
  links: { newest: string | null; older: string | null; csv: string | null };
};

/** All credit notes, newest first. */
export function creditNotesPage(props: NotesProps): string {
  const { frame, query, rows, links } = props;
  const { locale } = frame;
  const title = locale.say("creditNotes");
  const isEmpty = rows.length === 0 && query === "" && links.newest === null;
  return deskPage({
    frame,
    place: "invoices",
    title,
    body: (
      <>
        <PageHead back={{ href: "/desk/invoices", label: locale.say("navInvoices") }} title={title} />
        {isEmpty ? (
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
                <CsvLink locale={locale} href={links.csv} />
              </form>
            </search>
            {rows.length === 0 ? (
              <Empty
                icon="search"
                title={locale.say("nothingFound", { query })}
                text={locale.say("noCreditNoteFound")}
              >
                <a class="button button-quiet" href={notesPath} safe>
                  {locale.say("showAllCreditNotes")}
                </a>
              </Empty>
            ) : (
              <>
                <NoteRows frame={frame} rows={rows} isOfAll />
                <Pager locale={locale} newest={links.newest} older={links.older} />
              </>
            )}
          </>
        )}
      </>
    ),
  });
}
