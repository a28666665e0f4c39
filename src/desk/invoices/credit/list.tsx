import { creditNoteColumns } from "../../../books/credit-notes.ts";
import type * as CreditNote from "../../../domain/bill/credit-note.ts";
import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as Remainder from "../../../domain/bill/remainder.ts";
import { may } from "../../../domain/party/person.ts";
import { csvRowsAtOnce } from "../../../http/answer/csv.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import { foundMax } from "../../../store/reports/desk/invoice-list.ts";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import { csvAnswer } from "../../csv.ts";
import type { Days } from "../../parts/days-menu.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { listPage } from "../../parts/page/list-page.tsx";
import type { Visit } from "../../parts/page/visit.ts";
import { listHref, readListQuery, searchWords } from "../list-query.ts";
import { type NoteRow, NoteRows, notesPath } from "./notes.tsx";

const rowsMax = 50;

type Note = CreditNote.CreditNote;

/** Returns the requested credit notes, and how to read one page of them. */
async function listingOf({ db, config }: Pick<HttpDeps, "db" | "config">, { query: params, frame }: Visit) {
  const listQuery = { ...readListQuery(params), kind: "all" } as const;
  const { query, from, to } = listQuery;
  const searched = { searched: "credit_note", pattern: config.creditNoteNumber } as const;
  const search = query === "" ? null : searchWords(db, searched, query, frame.locale);
  const isNarrow = from !== null || to !== null;
  const newest = search && isNarrow ? await search({ limit: foundMax + 1 }) : null;
  return {
    listQuery,
    foundTooMany: newest !== null && newest.length > foundMax,
    async page(last: Note | null, limit: number) {
      const before = last?.sequence;
      const sequences =
        newest?.slice(0, foundMax) ?? (search && (await search({ before, limit: limit + 1 })));
      const found = sequences === null ? undefined : JSON.stringify(sequences);
      return CreditNoteStore.list(db, { limit, before, from: from ?? undefined, to: to ?? undefined, found });
    },
  };
}

/** The list of credit notes. */
export async function listNotes(deps: HttpDeps, visit: Visit): Promise<string> {
  const { frame, who } = visit;
  const { listQuery, page, foundTooMany } = await listingOf(deps, visit);
  const first = { ...listQuery, before: null };
  const before = listQuery.before === null ? null : deps.creditNotes.find(listQuery.before);
  const { rows, next } = await page(before, rowsMax);
  return creditNotesPage({
    frame,
    ...listQuery,
    foundMax: foundTooMany ? foundMax : null,
    rows: rows.map((note) => noteRow(deps, note)),
    href: (days) => listHref({ ...first, ...days }, notesPath),
    newest: before === null ? null : listHref(first, notesPath),
    older: next && listHref({ ...listQuery, before: next.number }, notesPath),
    csv: may(who.role, "export") ? listHref(first, `${notesPath}.csv`) : null,
  });
}

/** Returns the list's credit notes from all its pages, as a file. */
export async function notesCsv(deps: HttpDeps, visit: Visit): Promise<Response> {
  const { page } = await listingOf(deps, visit);
  return csvAnswer("credit-notes", deps.db, visit, creditNoteColumns, async (last: Note | null) => {
    const { rows, next } = await page(last, csvRowsAtOnce);
    return { rows: rows.map((note) => ({ note, invoice: InvoiceStore.ofCreditNote(deps.db, note) })), next };
  });
}

type NotesProps = Days & {
  frame: DeskFrame;
  query: string;
  rows: readonly NoteRow[];
  /** The search limit, if a search found more; else null. */
  foundMax: number | null;
  /** Returns the list's address with other days. */
  href(days: Days): string;
  /** Paths with their query; null if there are none. */
  newest: string | null;
  older: string | null;
  csv: string | null;
};

/** All credit notes, newest first. */
function creditNotesPage({ frame, query, from, to, rows, href, csv, ...page }: NotesProps): string {
  const { say } = frame.locale;
  const { newest, older, foundMax } = page;
  const title = say("creditNotes");
  const isOfAll = query === "" && from === null && to === null;
  const isNothing = rows.length === 0;
  return listPage({
    frame,
    place: "invoices",
    title,
    back: "invoices",
    first:
      isNothing && isOfAll && newest === null
        ? { icon: "invoice", title, text: say("creditNotesNone") }
        : null,
    search: {
      action: notesPath,
      label: say("searchCreditNotes"),
      hint: say("searchCreditNotesHint"),
      query,
      days: { from, to, href },
      csv,
    },
    foundMax,
    nothing: isNothing
      ? {
          icon: "search",
          title: query === "" ? title : say("nothingFound", { query }),
          text: say(query === "" ? "noCreditNoteOfDays" : "noCreditNoteFound"),
          all: say("showAllCreditNotes"),
        }
      : null,
    rows: <NoteRows frame={frame} rows={rows} isOfAll />,
    pager: { newest, older },
  });
}

/** True if an invoice has anything left to credit. */
export const canCredit = ({ db }: Pick<HttpDeps, "db">, invoice: Invoice): boolean =>
  invoice.voidedAt === null &&
  Remainder.totalLeft(Remainder.of(invoice, CreditNoteStore.listByInvoice(db, invoice.sequence))) > 0n;

/** Returns a credit note for the desk's lists. */
export function noteRow({ db }: Pick<HttpDeps, "db">, note: CreditNote.CreditNote): NoteRow {
  const invoice = InvoiceStore.ofCreditNote(db, note);
  return {
    number: note.number,
    issueDate: note.issueDate,
    reason: note.reason,
    total: note.totals.total,
    code: Currency.codeOf(invoice),
    invoice,
  };
}
