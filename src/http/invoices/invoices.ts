import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import * as Calendar from "../../domain/calendar.ts";
import { invoiceRecord } from "../../domain/record.ts";
import * as Address from "../../domain/wallet/address.ts";
import type { CreatedInvoice } from "../../invoicing/create-invoice.ts";
import type { By } from "../../invoicing/once.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import { eInvoiceRoute, invoiceReceiptRoute, pdfRoute, proofRoute } from "../access/access.ts";
import type { JsonAnswer } from "../access/idempotency.ts";
import type { HttpDeps } from "../deps.ts";
import { commented } from "../events/events.ts";
import { timelineOf } from "../events/timeline.ts";
import type { InvoiceAnswer } from "../fields/answer-schemas.ts";
import { jsonBody } from "../fields/body.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { InvoiceListQuery, queryFaults } from "../fields/list-query.ts";
import { pdfAnswer } from "../pages/pdf-answer.ts";
import { createReceipts } from "../pages/receipts.ts";
import { polledJson } from "../pages/security-headers.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import { x402Field } from "../relay/x402/subject.ts";
import { eInvoiceAnswer } from "./e-invoice.ts";
import { createdRecord, unknownInvoice } from "./invoice-record.ts";
import { sentAnswer } from "./mailing.ts";
import { eventRecord, transferRecord } from "./payment-record.ts";

/** A request whose path names an invoice, by its id or number. */
type Asked = { params: { id: string }; query: Record<string, unknown>; request: Request; body: unknown };

/** SPEC sections 4.1 to 4.5, and the lists that belong to an invoice. */
export function invoiceRoutes(deps: HttpDeps) {
  const { config, baseUrl, db, invoices } = deps;
  const receipts = createReceipts(deps);
  const today = () => Calendar.dayAt(deps.now(), config.timeZone);
  const record = (invoice: Invoice.Invoice): Static<typeof InvoiceAnswer> => ({
    ...invoiceRecord(baseUrl, invoice, today()),
    ...x402Field(deps, invoice),
  });
  const polled = polledJson(baseUrl);
  const { find } = invoices;
  const sequenceOf = (text: string) => InvoiceNumber.sequenceOf(config.invoiceNumber, text);

  const created = ({ invoice, webhookSecret }: CreatedInvoice): JsonAnswer => {
    const refusal = invoice.sentAt === null ? MailStore.refusalOf(db, invoice.deposit.index) : null;
    const body = createdRecord(baseUrl, invoice, { webhookSecret, refusal });
    return { status: 201, body: { ...body, ...x402Field(deps, invoice) } };
  };
  const recorded = (invoice: Invoice.Invoice): JsonAnswer => ({ status: 200, body: record(invoice) });

  /** Answers about the invoice that the path names. */
  const of =
    <A>(answer: (invoice: Invoice.Invoice, asked: Asked) => A) =>
    (asked: Asked) => {
      const invoice = find(asked.params.id);
      return invoice ? answer(invoice, asked) : unknownInvoice();
    };
  /** Does something with the invoice that the path names. */
  const act = <T>(
    does: (invoice: Invoice.Invoice, asked: unknown, by: By) => Promise<Outcome<T>>,
    says: (value: T) => JsonAnswer,
  ) => of((invoice, { request, body }) => deps.act(request, (key) => does(invoice, body, { key }), says));

  return new Elysia()
    .post(
      "/api/invoices",
      ({ request, body }) => deps.act(request, (key) => invoices.make(body, { key }), created),
      jsonBody,
    )

    .get("/api/invoices", ({ query, request }) => {
      const faults = queryFaults(InvoiceListQuery, query, request.url);
      if (faults.length > 0) return validationProblem(faults);
      const filter = query as Static<typeof InvoiceListQuery>;
      const after = filter.starting_after === undefined ? null : find(filter.starting_after);
      if (filter.starting_after !== undefined && !after) {
        return validationProblem([
          { field: "starting_after", message: "must be the id or the number of an invoice" },
        ]);
      }
      const sequence = filter.invoice_number === undefined ? null : sequenceOf(filter.invoice_number);
      if (filter.invoice_number !== undefined && sequence === null) {
        const example = InvoiceNumber.of(config.invoiceNumber, 1);
        const message = `must be an invoice number such as ${example}`;
        return validationProblem([{ field: "invoice_number", message }]);
      }
      const { invoices: listed, hasMore } = InvoiceStore.list(db, {
        limit: Number(filter.limit ?? listLimitDefault),
        ...(after ? { before: after.sequence } : {}),
        ...(filter.status ? { status: filter.status } : {}),
        ...(filter.overdue ? { overdue: { value: filter.overdue === "true", today: today() } } : {}),
        ...(filter.slug ? { slug: filter.slug } : {}),
        ...(filter.reference ? { reference: filter.reference } : {}),
        ...(filter.deposit_address ? { address: Address.checksum(filter.deposit_address) } : {}),
        ...(sequence === null ? {} : { sequence }),
      });
      return { data: listed.map(record), has_more: hasMore };
    })

    .get("/api/invoices/:id", of(record))

    .get("/api/invoices/:id/status", ({ params }) => {
      const invoice =
        sequenceOf(params.id) === null
          ? InvoiceStore.statusById(db, params.id.toLowerCase())
          : find(params.id);
      if (!invoice) return unknownInvoice();
      return polled({ status: invoice.status, overdue: Invoice.isOverdue(invoice, today()) });
    })

    .get(
      pdfRoute,
      of(async (invoice) => pdfAnswer(await deps.pdfOf(invoice), InvoiceNumber.fileName(invoice.number))),
    )
    .get(
      eInvoiceRoute,
      of((invoice, { query, request }) => eInvoiceAnswer(deps, invoice, { query, request })),
    )
    .get(
      invoiceReceiptRoute,
      of((invoice, { request }) => receipts.document(request, { kind: "invoice", invoice })),
    )
    .get(
      proofRoute(invoiceReceiptRoute),
      of((invoice, { request }) => receipts.proof(request, { kind: "invoice", invoice })),
    )

    .post(
      "/api/invoices/:id/send",
      act((invoice, _, by) => invoices.send(invoice, by), sentAnswer),
      jsonBody,
    )
    .post(
      "/api/invoices/:id/remind",
      act((invoice, _, by) => invoices.remind(invoice, by), sentAnswer),
      jsonBody,
    )
    .post("/api/invoices/:id/void", act(invoices.void, recorded), jsonBody)
    .post("/api/invoices/:id/mark", act(invoices.mark, recorded), jsonBody)
    .post("/api/invoices/:id/quote", act(invoices.quote, recorded), jsonBody)
    .get(
      "/api/invoices/:id/payments",
      of(({ deposit }) => {
        const transfers = TransferStore.listByDeposit(db, deposit.index);
        return { data: transfers.map((transfer) => transferRecord(transfer, deps.chainHead())) };
      }),
    )
    .get(
      "/api/invoices/:id/events",
      of(({ deposit }) => ({ data: WebhookEventStore.listByDeposit(db, deposit.index).map(eventRecord) })),
    )
    .get(
      "/api/invoices/:id/timeline",
      of((invoice) => ({ data: timelineOf(deps, { kind: "invoice", ...invoice }) })),
    )

    .post("/api/invoices/:id/comments", act(invoices.comment, commented), jsonBody)
    .post(
      "/api/events/:id/redeliver",
      ({ params }) => {
        if (!WebhookEventStore.redeliver(db, params.id, deps.now())) {
          return problem("not_found", "There is no webhook event with this id.");
        }
        deps.onEventDue();
        return { ok: true };
      },
      jsonBody,
    );
}
