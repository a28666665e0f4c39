import type { Static } from "@sinclair/typebox";
import * as CreditNote from "../../domain/bill/credit-note.ts";
import { ofInvoice } from "../../domain/receivable/receivable.ts";
import { creditNoteRecord } from "../../domain/record/credit-note.ts";
import { CreditRequest } from "../../invoicing/request/credit.ts";
import { instantOrNull } from "../../lib/time.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import { closedAnswer } from "../access/closed-page.ts";
import { pdfAnswer } from "../answer/receipts.ts";
import * as Answer from "../fields/answer-schemas.ts";
import { CreditNoteAnswer } from "../fields/credit-note-schema.ts";
import { CreditNoteListQuery } from "../fields/list-query.ts";
import { listPreset } from "../mcp/tool.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { lookUpsIn, pageAnswer, type Route, route, subjectInPath } from "../route/route.ts";
import { eInvoiceRoute } from "./e-invoice.ts";
import { creditPdfInstead, invoiceNamed, sentAnswer } from "./records.ts";

/** Returns a credit note's full record. */
function recordOf({ db, baseUrl }: HttpDeps, note: CreditNote.CreditNote): Static<typeof CreditNoteAnswer> {
  const invoice = InvoiceStore.ofCreditNote(db, note);
  const sentAt = MailStore.sentAt(db, invoice.deposit.index, "credit", note.number);
  return { ...creditNoteRecord(baseUrl, invoice, note), sent_at: instantOrNull(sentAt) };
}

/** Finds it by id or number. */
const noteNamed = subjectInPath(
  "id",
  ({ creditNotes }, name) => creditNotes.find(name),
  (note, { db }) => InvoiceStore.ofCreditNote(db, note).merchantEmail,
  () => problem("not_found", "There is no credit note with this id or number."),
);

export const creditNoteRoutes: readonly Route[] = [
  route({
    method: "post",
    path: "/api/invoices/:id/credit-notes",
    scope: "shop",
    summary: "Credit an invoice, in whole or in part; a credit note is final",
    tool: {
      name: "create_credit_note",
      asks: () => "credit an invoice, for good",
      check: invoiceNamed.check(({ creditNotes }, invoice, body) =>
        creditNotes.credit(invoice, body, { key: null, isTrial: true }),
      ),
      isDestructive: true,
      isOpen: true,
    },
    once: true,
    body: CreditRequest,
    status: 201,
    gives: CreditNoteAnswer,
    fails: ["is_void", "credit_refused"],
    does: invoiceNamed.act(
      ({ creditNotes }, ...invoice) => creditNotes.credit(...invoice),
      (note, deps) => ({ status: 201, body: recordOf(deps, note) }),
    ),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/credit-notes",
    scope: "read",
    summary: "List the credit notes of an invoice, the oldest first",
    gives: Answer.allOf(CreditNoteAnswer),
    does: invoiceNamed.of((deps, { sequence }) => ({
      data: CreditNoteStore.listByInvoice(deps.db, sequence).map((note) => recordOf(deps, note)),
    })),
  }),
  route({
    method: "get",
    path: "/api/credit-notes",
    scope: "read",
    isConfined: true,
    summary: "List credit notes, the newest first",
    tool: { name: "list_credit_notes", preset: listPreset },
    query: CreditNoteListQuery,
    gives: Answer.listOf(CreditNoteAnswer),
    does: (deps) => (input) => {
      const { query, merchant } = input;
      const { faults, lookUp, limit } = lookUpsIn(query);
      const find = noteNamed.find(deps, input);
      const after = lookUp("starting_after", find, "the id or the number of a credit note");
      const findInvoice = invoiceNamed.find(deps, input);
      const invoice = lookUp("invoice", findInvoice, "the id or the number of an invoice");
      if (faults.length > 0) return validationProblem(faults);
      const notes = { limit, before: after?.sequence, invoice: invoice?.sequence, merchant };
      return pageAnswer(CreditNoteStore.list(deps.db, notes), (note) => recordOf(deps, note));
    },
  }),
  route({
    method: "get",
    path: "/api/credit-notes/:id",
    scope: "read",
    summary: "Get a credit note",
    gives: CreditNoteAnswer,
    does: noteNamed.of(recordOf),
  }),
  route({
    method: "get",
    path: "/api/credit-notes/:id/pdf",
    scope: "open",
    keyShowsMore: true,
    summary: "Download the PDF of a credit note",
    gives: "application/pdf",
    does: noteNamed.of(
      async (deps, note, { request }) =>
        closedAnswer(request, deps, ofInvoice(InvoiceStore.ofCreditNote(deps.db, note))) ??
        pdfAnswer(await deps.creditNotePdfOf(note), CreditNote.fileName(note)),
    ),
  }),
  eInvoiceRoute("/api/credit-notes/:id", "a credit note", noteNamed, ({ eInvoices }, note, format) =>
    eInvoices.writeCredit(note, format),
  ),
  route({
    method: "post",
    path: "/api/credit-notes/:id/send",
    scope: "shop",
    summary: "Email a credit note to the customer (each call sends it again)",
    once: true,
    gives: Answer.Sent,
    does: noteNamed.act(
      ({ creditNotes }, note, _, by) => creditNotes.send(note, by),
      (outcome) => sentAnswer(outcome, creditPdfInstead),
    ),
  }),
];
