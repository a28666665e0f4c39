import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as CreditNote from "../../../domain/bill/credit-note.ts";
import { creditNoteRecord } from "../../../domain/record.ts";
import { instantOrNull } from "../../../lib/time.ts";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../../store/tables/outbox/mail.ts";
import { creditEInvoiceRoute, creditNotePdfRoute } from "../../access/access.ts";
import type { HttpDeps } from "../../deps.ts";
import { jsonBody } from "../../fields/body.ts";
import type { CreditNoteAnswer } from "../../fields/credit-note-schema.ts";
import { listLimitDefault } from "../../fields/list-limit.ts";
import { CreditNoteListQuery, queryFaults } from "../../fields/list-query.ts";
import { pdfAnswer } from "../../pages/pdf-answer.ts";
import { problem, validationProblem } from "../../problem/problem.ts";
import { creditEInvoiceAnswer } from "../e-invoice.ts";
import { unknownInvoice } from "../invoice-record.ts";
import { creditPdfInstead, sentAnswer } from "../mailing.ts";

export function creditNoteRoutes(deps: HttpDeps) {
  const { db, baseUrl, creditNotes, invoices } = deps;
  const { find } = creditNotes;

  /** A credit note's full record. */
  function answer(note: CreditNote.CreditNote): Static<typeof CreditNoteAnswer> {
    const invoice = InvoiceStore.ofCreditNote(db, note);
    const sentAt = MailStore.sentAt(db, invoice.deposit.index, "credit", note.number);
    return { ...creditNoteRecord(baseUrl, invoice, note), sent_at: instantOrNull(sentAt) };
  }

  return new Elysia()
    .post(
      "/api/invoices/:id/credit-notes",
      ({ params, request, body }) => {
        const invoice = invoices.find(params.id);
        if (!invoice) return unknownInvoice();
        return deps.act(
          request,
          (key) => creditNotes.credit(invoice, body, { key }),
          (note) => ({ status: 201, body: answer(note) }),
        );
      },
      jsonBody,
    )

    .get("/api/invoices/:id/credit-notes", ({ params }) => {
      const invoice = invoices.find(params.id);
      if (!invoice) return unknownInvoice();
      return { data: CreditNoteStore.listByInvoice(db, invoice.sequence).map(answer) };
    })

    .get("/api/credit-notes", ({ query, request }) => {
      const faults = queryFaults(CreditNoteListQuery, query, request.url);
      if (faults.length > 0) return validationProblem(faults);
      const filter = query as Static<typeof CreditNoteListQuery>;
      const after = filter.starting_after === undefined ? null : find(filter.starting_after);
      if (filter.starting_after !== undefined && !after) {
        return validationProblem([
          { field: "starting_after", message: "must be the id or the number of a credit note" },
        ]);
      }
      const invoice = filter.invoice === undefined ? null : invoices.find(filter.invoice);
      if (filter.invoice !== undefined && !invoice)
        return validationProblem([
          { field: "invoice", message: "must be the id or the number of an invoice" },
        ]);
      const { notes, hasMore } = CreditNoteStore.list(db, {
        limit: Number(filter.limit ?? listLimitDefault),
        ...(after ? { before: after.sequence } : {}),
        ...(invoice ? { invoice: invoice.sequence } : {}),
      });
      return { data: notes.map(answer), has_more: hasMore };
    })

    .get("/api/credit-notes/:id", ({ params }) => {
      const note = find(params.id);
      return note ? answer(note) : unknownNote();
    })

    .post(
      "/api/credit-notes/:id/send",
      ({ params, request }) => {
        const note = find(params.id);
        if (!note) return unknownNote();
        return deps.act(
          request,
          (key) => creditNotes.send(note, { key }),
          (outcome) => sentAnswer(outcome, creditPdfInstead),
        );
      },
      jsonBody,
    )

    .get(creditNotePdfRoute, async ({ params }) => {
      const note = find(params.id);
      if (!note) return unknownNote();
      return pdfAnswer(await deps.creditNotePdfOf(note), CreditNote.fileName(note));
    })

    .get(creditEInvoiceRoute, async ({ params, query, request }) => {
      const note = find(params.id);
      return note ? creditEInvoiceAnswer(deps, note, { query, request }) : unknownNote();
    });
}

const unknownNote = () => problem("not_found", "There is no credit note with this id or number.");
