import type { Static } from "@sinclair/typebox";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import * as Calendar from "../../domain/calendar.ts";
import { invoiceRecord } from "../../domain/record.ts";
import type { By } from "../../invoicing/once.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import { CommentRequest, MarkRequest, VoidRequest } from "../../invoicing/request/closing.ts";
import { QuoteRequest } from "../../invoicing/request/currency.ts";
import { InvoiceBody } from "../../invoicing/request/invoice.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import { polledJson } from "../answer/html.ts";
import { pdfAnswer, receiptDocument, receiptProof } from "../answer/receipts.ts";
import type { HttpDeps } from "../deps.ts";
import { commented } from "../events/events.ts";
import { timelineOf } from "../events/timeline.ts";
import * as Answer from "../fields/answer-schemas.ts";
import * as EventAnswer from "../fields/event-schemas.ts";
import { addressIn, InvoiceListQuery } from "../fields/list-query.ts";
import { ReceiptAnswer } from "../fields/receipt-schemas.ts";
import { validationProblem } from "../problem/problem.ts";
import { x402Field } from "../relay/x402/subject.ts";
import { type Asked, acted, type Does, type JsonAnswer, lookUpsIn, type Route, route } from "../route.ts";
import { EInvoiceQuery, eInvoiceAnswer } from "./e-invoice.ts";
import { createdRecord, eventRecord, sentAnswer, transferRecord, unknownInvoice } from "./records.ts";

const today = ({ now, config }: HttpDeps) => Calendar.dayAt(now(), config.timeZone);

const recordOf = (deps: HttpDeps, invoice: Invoice.Invoice): Static<typeof Answer.InvoiceAnswer> => ({
  ...invoiceRecord(deps.baseUrl, invoice, today(deps)),
  ...x402Field(deps, invoice),
});

/** Answers about the invoice that the path names, by its id or number. */
const of =
  (answer: (deps: HttpDeps, invoice: Invoice.Invoice, asked: Asked<"id">) => unknown): Does<"id"> =>
  (deps) =>
  (asked) => {
    const invoice = deps.invoices.find(asked.params.id);
    return invoice ? answer(deps, invoice, asked) : unknownInvoice();
  };

/** Does something with the invoice that the path names. */
const act = <T>(
  does: (deps: HttpDeps, invoice: Invoice.Invoice, body: unknown, by: By) => Promise<Outcome<T>>,
  says: (value: T, deps: HttpDeps) => JsonAnswer,
) =>
  of((deps, invoice, asked) =>
    acted(
      deps,
      asked,
      (by) => does(deps, invoice, asked.body, by),
      (value) => says(value, deps),
    ),
  );

const recorded = (invoice: Invoice.Invoice, deps: HttpDeps): JsonAnswer => ({
  status: 200,
  body: recordOf(deps, invoice),
});

/** SPEC sections 4.1 to 4.5, and the lists that belong to an invoice. */
export const invoiceRoutes: readonly Route[] = [
  route({
    method: "post",
    path: "/api/invoices",
    scope: "shop",
    summary: "Create an invoice",
    once: true,
    body: InvoiceBody,
    status: 201,
    gives: Answer.CreatedInvoice,
    fails: ["wallet_unavailable", "rate_unavailable"],
    does: (deps) => (asked) =>
      acted(
        deps,
        asked,
        (by) => deps.invoices.make(asked.body, by),
        ({ invoice, webhookSecret }) => {
          const refusal =
            invoice.sentAt === null ? MailStore.refusalOf(deps.db, invoice.deposit.index) : null;
          const body = createdRecord(deps.baseUrl, invoice, { webhookSecret, refusal });
          return { status: 201, body: { ...body, ...x402Field(deps, invoice) } };
        },
      ),
  }),
  route({
    method: "get",
    path: "/api/invoices",
    scope: "read",
    summary: "List invoices, the newest first",
    query: InvoiceListQuery,
    gives: Answer.listOf(Answer.InvoiceAnswer),
    does:
      (deps) =>
      ({ query }) => {
        const { faults, lookUp, limit } = lookUpsIn(query);
        const number = deps.config.invoiceNumber;
        const after = lookUp("starting_after", deps.invoices.find, "the id or the number of an invoice");
        const sequence = lookUp(
          "invoice_number",
          (text) => InvoiceNumber.sequenceOf(number, text),
          `an invoice number such as ${InvoiceNumber.of(number, 1)}`,
        );
        if (faults.length > 0) return validationProblem(faults);
        const { invoices, hasMore } = InvoiceStore.list(deps.db, {
          limit,
          before: after?.sequence,
          status: query.status,
          overdue:
            query.overdue === undefined ? undefined : { value: query.overdue === "true", today: today(deps) },
          slug: query.slug,
          reference: query.reference,
          address: addressIn(query),
          sequence: sequence ?? undefined,
        });
        return { data: invoices.map((invoice) => recordOf(deps, invoice)), has_more: hasMore };
      },
  }),
  route({
    method: "get",
    path: "/api/invoices/:id",
    scope: "read",
    summary: "Get an invoice",
    gives: Answer.InvoiceAnswer,
    does: of(recordOf),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/status",
    scope: "open",
    summary: "Get the status of an invoice, for polling",
    gives: Answer.Status,
    does: (deps) => {
      const polled = polledJson(deps.baseUrl);
      return ({ params: { id } }) => {
        const isNumber = InvoiceNumber.sequenceOf(deps.config.invoiceNumber, id) !== null;
        const invoice = isNumber
          ? deps.invoices.find(id)
          : InvoiceStore.statusById(deps.db, id.toLowerCase());
        if (!invoice) return unknownInvoice();
        return polled({ status: invoice.status, overdue: Invoice.isOverdue(invoice, today(deps)) });
      };
    },
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/pdf",
    scope: "open",
    summary: "Download the PDF of an invoice",
    gives: "application/pdf",
    does: of(async ({ pdfOf }, invoice) =>
      pdfAnswer(await pdfOf(invoice), InvoiceNumber.fileName(invoice.number)),
    ),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/receipt",
    scope: "open",
    keyShowsMore: true,
    summary: "Download the receipt of a paid invoice; its proof with Accept: application/json",
    gives: "application/pdf",
    fails: ["not_paid"],
    does: of((deps, invoice, { request }) => receiptDocument(deps, request, { kind: "invoice", invoice })),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/receipt.json",
    scope: "open",
    keyShowsMore: true,
    summary: "Get the proof of a paid invoice's receipt",
    gives: ReceiptAnswer,
    fails: ["not_paid"],
    does: of((deps, invoice, { request }) => receiptProof(deps, request, { kind: "invoice", invoice })),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/e-invoice",
    scope: "read",
    summary: "Download an invoice as EN 16931 has it: CII, UBL, or a PDF with CII in it (Factur-X, ZUGFeRD)",
    query: EInvoiceQuery,
    gives: "application/pdf",
    fails: ["e_invoice_incomplete"],
    does:
      (deps) =>
      ({ params, query }) => {
        const invoice = deps.invoices.find(params.id);
        return invoice ? eInvoiceAnswer(deps.eInvoices.write(invoice, query.format)) : unknownInvoice();
      },
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/send",
    scope: "shop",
    summary: "Email the invoice to the customer (each call sends it again)",
    once: true,
    gives: Answer.Sent,
    fails: ["is_void"],
    does: act(
      ({ invoices }, invoice, _, by) => invoices.send(invoice, by),
      (outcome) => sentAnswer(outcome),
    ),
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/remind",
    scope: "shop",
    summary: "Email the customer a reminder of what is left to pay (each call sends one)",
    once: true,
    gives: Answer.Sent,
    fails: ["not_remindable"],
    does: act(
      ({ invoices }, invoice, _, by) => invoices.remind(invoice, by),
      (outcome) => sentAnswer(outcome),
    ),
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/void",
    scope: "shop",
    summary: "Void an invoice, for good; the customer reads why",
    once: true,
    body: VoidRequest,
    gives: Answer.InvoiceAnswer,
    fails: ["void_refused"],
    does: act(({ invoices }, ...invoice) => invoices.void(...invoice), recorded),
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/mark",
    scope: "shop",
    summary: "Mark an invoice as paid in another way, or take that back",
    once: true,
    body: MarkRequest,
    gives: Answer.InvoiceAnswer,
    fails: ["is_void", "mark_refused"],
    does: act(({ invoices }, ...invoice) => invoices.mark(...invoice), recorded),
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/quote",
    scope: "shop",
    summary: "Quote an overdue invoice in a currency again: what is to be paid in USDC, at a rate of now",
    once: true,
    body: QuoteRequest,
    gives: Answer.InvoiceAnswer,
    fails: ["quote_refused", "rate_unavailable", "node_unreachable"],
    does: act(({ invoices }, ...invoice) => invoices.quote(...invoice), recorded),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/payments",
    scope: "read",
    summary: "List the transfers to an invoice",
    gives: Answer.allOf(Answer.TransferRecord),
    does: of(({ db, chainHead }, { deposit }) => {
      const transfers = TransferStore.listByDeposit(db, deposit.index);
      return { data: transfers.map((transfer) => transferRecord(transfer, chainHead())) };
    }),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/events",
    scope: "read",
    summary: "List the webhook events of an invoice",
    gives: Answer.allOf(Answer.EventRecord),
    does: of(({ db }, { deposit }) => ({
      data: WebhookEventStore.listByDeposit(db, deposit.index).map(eventRecord),
    })),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/timeline",
    scope: "read",
    summary: "Get all that happened to an invoice, the oldest first",
    gives: Answer.allOf(EventAnswer.TimelineEntry),
    does: of((deps, invoice) => ({ data: timelineOf(deps, { kind: "invoice", ...invoice }) })),
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/comments",
    scope: "shop",
    summary: "Comment on an invoice, for the merchant alone",
    once: true,
    body: CommentRequest,
    status: 201,
    gives: EventAnswer.HappenedEvent,
    does: act(({ invoices }, ...invoice) => invoices.comment(...invoice), commented),
  }),
];
