import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as CreditNote from "../../../domain/bill/credit-note.ts";
import * as InvoiceNumber from "../../../domain/bill/invoice-number.ts";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import { creditEInvoiceRoute, creditNotePdfRoute } from "../../access/access.ts";
import type { Limits } from "../../access/limits.ts";
import type { HttpDeps } from "../../deps.ts";
import { jsonBody } from "../../fields/body.ts";
import { listLimitDefault } from "../../fields/list-limit.ts";
import { CreditNoteListQuery, queryFaults } from "../../fields/list-query.ts";
import { pdfAnswer } from "../../pages/pdf-answer.ts";
import { problem, validationProblem } from "../../problem/problem.ts";
import { creditEInvoiceAnswer } from "../e-invoice.ts";
import { findInvoice, unknownInvoice } from "../invoice-record.ts";
import { answerOf, createCreditCalls } from "./credit-calls.ts";

/** By id in any case, or by number. */
export function findCreditNote(
  { db, config }: Pick<HttpDeps, "db" | "config">,
  name: string,
): CreditNote.CreditNote | null {
  const sequence = InvoiceNumber.sequenceOf(config.creditNoteNumber, name);
  return sequence === null
    ? CreditNoteStore.byId(db, name.toLowerCase())
    : CreditNoteStore.bySequence(db, sequence);
}

export function creditNoteRoutes(deps: HttpDeps, limits: Limits) {
  const { db } = deps;
  const calls = createCreditCalls(deps, limits);
  const answer = (note: CreditNote.CreditNote) => answerOf(deps, note);
  const find = (name: string) => findCreditNote(deps, name);

  return new Elysia()
    .post(
      "/api/invoices/:id/credit-notes",
      ({ params, request, body }) => {
        const invoice = findInvoice(deps, params.id);
        return invoice ? calls.create({ request, body, invoice }) : unknownInvoice();
      },
      jsonBody,
    )

    .get("/api/invoices/:id/credit-notes", ({ params }) => {
      const invoice = findInvoice(deps, params.id);
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
      const invoice = filter.invoice === undefined ? null : findInvoice(deps, filter.invoice);
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
      ({ params, request, body }) => {
        const note = find(params.id);
        return note ? calls.send({ request, body, note }) : unknownNote();
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
