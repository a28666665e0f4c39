import { creditNoteColumns } from "../../../books/credit-notes.ts";
import { may } from "../../../domain/party/person.ts";
import { notesPath } from "../../../pages/desk/credit/notes.tsx";
import { creditNotesPage } from "../../../pages/desk/credit/notes-page.tsx";
import { foundMax } from "../../../store/reports/desk/invoice-list.ts";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import type { HttpDeps } from "../../deps.ts";
import { csvAnswer, csvRowsAtOnce } from "../csv.ts";
import type { Visit } from "../gate.ts";
import { listHref, readListQuery } from "../invoices/list-query.ts";
import { searchWords } from "../invoices/search.ts";
import { noteRow } from "./rows.ts";

const rowsMax = 50;

/** The requested credit notes, and one page of them. */
async function listingOf({ db, config }: Pick<HttpDeps, "db" | "config">, { query: params, frame }: Visit) {
  const listQuery = { ...readListQuery(params), kind: "all" } as const;
  const { query, from, to } = listQuery;
  const searched = { searched: "credit_note", pattern: config.creditNoteNumber } as const;
  const search = query === "" ? null : searchWords(db, searched, query, frame.locale);
  const days = { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
  const isNarrow = from !== null || to !== null;
  const newest = search && isNarrow ? await search({ limit: foundMax + 1 }) : null;
  return {
    listQuery,
    foundTooMany: newest !== null && newest.length > foundMax,
    async page(before: number | null, limit: number) {
      const after = before === null ? {} : { before };
      const sequences =
        newest?.slice(0, foundMax) ?? (search && (await search({ ...after, limit: limit + 1 })));
      return CreditNoteStore.list(db, {
        limit,
        ...after,
        ...days,
        ...(sequences === null ? {} : { found: JSON.stringify(sequences) }),
      });
    },
  };
}

/** The list of credit notes. */
export async function listNotes(deps: HttpDeps, visit: Visit): Promise<string> {
  const { frame, who } = visit;
  const { listQuery, page, foundTooMany } = await listingOf(deps, visit);
  const first = { ...listQuery, before: null };
  const before = listQuery.before === null ? null : deps.creditNotes.find(listQuery.before);
  const { notes, hasMore } = await page(before?.sequence ?? null, rowsMax);
  const last = notes.at(-1);
  return creditNotesPage({
    frame,
    ...listQuery,
    foundMax: foundTooMany ? foundMax : null,
    rows: notes.map((note) => noteRow(deps, note)),
    links: {
      days: (days) => listHref({ ...first, ...days }, notesPath),
      newest: before === null ? null : listHref(first, notesPath),
      older: hasMore && last ? listHref({ ...listQuery, before: last.number }, notesPath) : null,
      csv: may(who.role, "export") ? listHref(first, `${notesPath}.csv`) : null,
    },
  });
}

/** The list's credit notes from all its pages, as a file. */
export async function notesCsv(deps: HttpDeps, visit: Visit): Promise<Response> {
  const { page } = await listingOf(deps, visit);
  return csvAnswer("credit-notes", deps.db, visit, {
    columns: creditNoteColumns,
    async after(last) {
      const { notes, hasMore } = await page(last?.note.sequence ?? null, csvRowsAtOnce);
      const rows = notes.map((note) => ({
        note,
        invoice: InvoiceStore.ofCreditNote(deps.db, note),
      }));
      return { rows, hasMore };
    },
  });
}
