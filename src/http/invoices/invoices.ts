import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as Calendar from "../../domain/calendar.ts";
import * as Email from "../../domain/email.ts";
import * as Invoice from "../../domain/invoice.ts";
import * as InvoiceNumber from "../../domain/invoice-number.ts";
import { invoiceRecord } from "../../domain/record.ts";
import * as Reminder from "../../domain/reminder.ts";
import * as Address from "../../domain/wallet/address.ts";
import type { CreatedInvoice } from "../../invoicing/create-invoice.ts";
import type { ByHand, MailOutcome } from "../../outbox/mailer.ts";
import { openSecret } from "../../store/secrets.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import { invoiceReceiptRoute, pdfRoute, proofRoute } from "../access/access.ts";
import type { Limits } from "../access/limits.ts";
import { jsonBody } from "../body.ts";
import { closingCalls } from "../closing/closing.ts";
import { refusalAnswer } from "../closing/refusal.ts";
import { type HttpDeps, requestRules } from "../deps.ts";
import { createCommenter } from "../events/comments.ts";
import { timelineOf } from "../events/timeline.ts";
import type { InvoiceRecord } from "../fields/answer-schemas.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { InvoiceListQuery, queryFaults } from "../fields/list-query.ts";
import { type Answer, existing } from "../idempotency.ts";
import { polledJson } from "../pages/security-headers.ts";
import { pdfAnswer } from "../pdf-answer.ts";
import { problem, validationProblem } from "../problem.ts";
import { createReceipts } from "../receipts/receipts.ts";
import { findInvoice } from "./find-invoice.ts";
import { createdRecord } from "./invoice-record.ts";
import { parseInvoiceRequest } from "./invoice-request.ts";
import { eventRecord, transferRecord } from "./payment-record.ts";

/** SPEC sections 4.1 to 4.5, and the lists of what belongs to an invoice. */
export function invoiceRoutes(deps: HttpDeps, limits: Limits) {
  const { config, baseUrl, db } = deps;
  const rules = requestRules(deps);
  const receipts = createReceipts(deps);
  const today = () => Calendar.dayAt(deps.now(), config.timeZone);
  const record = (invoice: Invoice.Invoice): Static<typeof InvoiceRecord> =>
    invoiceRecord(baseUrl, invoice, today());
  const polled = polledJson(baseUrl);
  const created = ({ invoice, webhookSecret }: CreatedInvoice): Answer => {
    const refusal = invoice.sentAt === null ? MailStore.refusalOf(db, invoice.deposit.index) : null;
    return { status: 201, body: createdRecord(baseUrl, invoice, { webhookSecret, refusal }) };
  };

  const find = (name: string) => findInvoice(deps, name);
  const sequenceOf = (text: string) => InvoiceNumber.sequenceOf(config.invoiceNumber, text);
  const comment = createCommenter(deps);

  /** Counts a mail that is about to be sent; a new invoice has no id yet. */
  function mailRefusal(request: Request, merchantEmail: string, id: string | null): Response | null {
    const reached =
      limits.take("MAILS_INVOICE", id) ?? limits.take("MAILS_MERCHANT", Email.normalize(merchantEmail));
    return reached && limits.refusal(reached, request, "/api/invoices");
  }

  const sendByHand = (kind: ByHand) =>
    deps.idempotent<{ request: Request; body: unknown; invoice: Invoice.Invoice }>(
      async ({ invoice, request }, claim) =>
        (kind === "reminder" ? reminderRefusal(invoice) : voidRefusal(invoice)) ??
        mailRefusal(request, invoice.merchantEmail, invoice.id) ??
        sent(await deps.mailer.sendByHand(kind, invoice, claim)),
      (mailId) => sent(deps.mailer.outcomeOf(mailId)),
    );
  const resend = sendByHand("invoice");
  const remind = sendByHand("reminder");

  const closing = closingCalls(deps, "invoice", (index) =>
    record(existing(InvoiceStore.byDeposit(db, index))),
  );
  const targetOf = ({ deposit, number }: Invoice.Invoice) => ({ depositIndex: deposit.index, name: number });

  return new Elysia()
    .post(
      "/api/invoices",
      deps.idempotent(
        async ({ body, request }, claim) => {
          const parsed = parseInvoiceRequest(body, rules);
          if (!parsed.ok) return validationProblem(parsed.faults);
          const { sendNow, merchantEmail } = parsed.request;
          const refused = sendNow && mailRefusal(request, merchantEmail, null);
          return refused || created(await deps.createInvoice(parsed.request, claim));
        },
        async (id) => {
          const invoice = existing(InvoiceStore.byId(db, id));
          const sealed = InvoiceStore.sealedSecret(db, invoice.sequence);
          const webhookSecret = sealed && openSecret(await deps.vault(), sealed, invoice.deposit.index);
          return created({ invoice, webhookSecret });
        },
      ),
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
      const { invoices, hasMore } = InvoiceStore.list(db, {
        limit: Number(filter.limit ?? listLimitDefault),
        ...(after ? { before: after.sequence } : {}),
        ...(filter.status ? { status: filter.status } : {}),
        ...(filter.overdue ? { overdue: { value: filter.overdue === "true", today: today() } } : {}),
        ...(filter.slug ? { slug: filter.slug } : {}),
        ...(filter.reference ? { reference: filter.reference } : {}),
        ...(filter.deposit_address ? { address: Address.checksum(filter.deposit_address) } : {}),
        ...(sequence === null ? {} : { sequence }),
      });
      return { data: invoices.map(record), has_more: hasMore };
    })

    .get("/api/invoices/:id", ({ params }) => {
      const invoice = find(params.id);
      return invoice ? record(invoice) : unknownInvoice();
    })

    .get("/api/invoices/:id/status", ({ params }) => {
      const invoice =
        sequenceOf(params.id) === null
          ? InvoiceStore.statusById(db, params.id.toLowerCase())
          : find(params.id);
      if (!invoice) return unknownInvoice();
      return polled({ status: invoice.status, overdue: Invoice.isOverdue(invoice, today()) });
    })

    .get(pdfRoute, async ({ params }) => {
      const invoice = find(params.id);
      if (!invoice) return unknownInvoice();
      return pdfAnswer(await deps.pdfOf(invoice), InvoiceNumber.fileName(invoice.number));
    })

    .get(invoiceReceiptRoute, ({ params, request }) => {
      const invoice = find(params.id);
      return invoice ? receipts.document(request, { kind: "invoice", invoice }) : unknownInvoice();
    })
    .get(proofRoute(invoiceReceiptRoute), ({ params, request }) => {
      const invoice = find(params.id);
      return invoice ? receipts.proof(request, { kind: "invoice", invoice }) : unknownInvoice();
    })

    .post(
      "/api/invoices/:id/send",
      ({ params, request, body }) => {
        const invoice = find(params.id);
        return invoice ? resend({ request, body, invoice }) : unknownInvoice();
      },
      jsonBody,
    )

    .post(
      "/api/invoices/:id/remind",
      ({ params, request, body }) => {
        const invoice = find(params.id);
        return invoice ? remind({ request, body, invoice }) : unknownInvoice();
      },
      jsonBody,
    )

    .post(
      "/api/invoices/:id/void",
      ({ params, request, body }) => {
        const invoice = find(params.id);
        return invoice ? closing.void({ request, body, target: targetOf(invoice) }) : unknownInvoice();
      },
      jsonBody,
    )

    .post(
      "/api/invoices/:id/mark",
      ({ params, request, body }) => {
        const invoice = find(params.id);
        return invoice ? closing.mark({ request, body, target: targetOf(invoice) }) : unknownInvoice();
      },
      jsonBody,
    )

    .get("/api/invoices/:id/payments", ({ params }) => {
      const invoice = find(params.id);
      if (!invoice) return unknownInvoice();
      const transfers = TransferStore.listByDeposit(db, invoice.deposit.index);
      return { data: transfers.map((transfer) => transferRecord(transfer, deps.chainHead())) };
    })

    .get("/api/invoices/:id/events", ({ params }) => {
      const invoice = find(params.id);
      if (!invoice) return unknownInvoice();
      return { data: WebhookEventStore.listByDeposit(db, invoice.deposit.index).map(eventRecord) };
    })

    .get("/api/invoices/:id/timeline", ({ params }) => {
      const invoice = find(params.id);
      return invoice ? { data: timelineOf(deps, { kind: "invoice", ...invoice }) } : unknownInvoice();
    })

    .post(
      "/api/invoices/:id/comments",
      ({ params, request, body }) => {
        const invoice = find(params.id);
        if (!invoice) return unknownInvoice();
        return comment({ request, body, kind: "invoice", depositIndex: invoice.deposit.index });
      },
      jsonBody,
    )

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

function unknownInvoice(): Response {
  return problem("not_found", "There is no invoice with this id or number.");
}

const notRemindable = {
  settled: "nothing is owed any more",
  unsent: "it was never mailed. Send it first: POST /api/invoices/{id}/send",
  in_flight: "a payment is on its way. Wait until it is confirmed",
} as const;

/** Why nobody is reminded of an invoice now; null when somebody is. */
function voidRefusal({ status, number }: Invoice.Invoice): Response | null {
  return status === "void" ? refusalAnswer("void", number) : null;
}

function reminderRefusal(invoice: Invoice.Invoice): Response | null {
  const refusal = Reminder.refusal(invoice);
  return (
    refusal &&
    problem("not_remindable", `No reminder was sent of ${invoice.number}: ${notRemindable[refusal]}.`)
  );
}

function sent(outcome: MailOutcome): Answer {
  if (outcome.kind === "sent") return { status: 200, body: { ok: true } };
  if (outcome.kind === "rejected" && outcome.permanent) {
    const detail = `No mail was sent, and a repetition would be refused as well: ${outcome.reason}. Give the customer the link of the invoice, or issue a new one with another address.`;
    return { status: 200, body: { ok: false, code: "mail_refused", detail } };
  }
  const certainty =
    outcome.kind === "unknown" ? "The email may not have been delivered" : "The email was not sent";
  return { status: 200, body: { ok: false, detail: `${certainty}: ${outcome.reason}.` } };
}
