import type { Static } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import * as Calendar from "../../domain/calendar.ts";
import { ofInvoice } from "../../domain/receivable/receivable.ts";
import { invoiceRecord } from "../../domain/record/invoice.ts";
import { MarkRequest, VoidRequest } from "../../invoicing/request/closing.ts";
import { InvoiceCorrection } from "../../invoicing/request/correction.ts";
import { QuoteRequest } from "../../invoicing/request/currency.ts";
import { customerFields, InvoiceBody } from "../../invoicing/request/invoice.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import { closedAnswer } from "../access/closed-page.ts";
import { polledJson } from "../answer/html.ts";
import { pdfAnswer, receiptRoutes } from "../answer/receipts.ts";
import { historyRoutes } from "../events/events.ts";
import * as Answer from "../fields/answer-schemas.ts";
import * as InvoiceSchemas from "../fields/invoice-schemas.ts";
import { addressIn, InvoiceListQuery } from "../fields/list-query.ts";
import { asksOfWallet, listPreset, webhookFields } from "../mcp/tool.ts";
import { validationProblem } from "../problem/problem.ts";
import { x402Field } from "../relay/x402/subject.ts";
import type { JsonAnswer } from "../route/act.ts";
import type { HttpDeps } from "../route/deps.ts";
import { lookUpsIn, pageAnswer, type Route, route, runUseCase } from "../route/route.ts";
import { eInvoiceRoute } from "./e-invoice.ts";
import { createdRecord, invoiceNamed, sentAnswer, unknownInvoice } from "./records.ts";

const today = ({ now, config }: HttpDeps) => Calendar.dayAt(now(), config.timeZone);

const recordOf = (deps: HttpDeps, invoice: Invoice.Invoice): Static<typeof InvoiceSchemas.InvoiceAnswer> => ({
  ...invoiceRecord(deps.baseUrl, invoice, today(deps)),
  ...x402Field(deps, invoice),
});

const { find, of, act, check } = invoiceNamed;

const recordAnswer = (invoice: Invoice.Invoice, deps: HttpDeps): JsonAnswer => ({
  status: 200,
  body: recordOf(deps, invoice),
});

/** Fields that agents rarely need; docs/api.md has them. */
const rareFields = ["tax_exchange_rate", "payment_terms", "buyer_reference", "metadata"] as const;

/** SPEC sections 4.1 to 4.5, and the lists of an invoice. */
export const invoiceRoutes: readonly Route[] = [
  route({
    method: "post",
    path: "/api/invoices",
    scope: "shop",
    isConfined: true,
    summary: "Create an invoice",
    tool: {
      name: "create_invoice",
      about:
        "Create an invoice, in USDC or a currency: a draft that nobody hears of, unless send_now is true. What begins with " +
        "vendor_ is of the customer, and may begin with customer_. An idempotency_key keeps a repetition from making a second one",
      without: [...webhookFields, ...customerFields, ...rareFields],
      takesUntold: [...customerFields, ...rareFields],
      namesOnly: ["merchant_details", "vendor_details"],
      preset: { send_now: false, wallet_type: "managed" },
      asks(args) {
        const mails = args["send_now"] !== false ? "create an invoice and mail it to the customer" : null;
        return [asksOfWallet(args), mails].filter((deed) => deed !== null).join(", and ") || null;
      },
      check({ invoices }, { body, merchant }) {
        const checked = invoices.check(body, merchant);
        if (!checked.ok) return checked;
        const { billed, currency } = checked.request;
        const total = `${Currency.formatOf({ currency }, billed)} ${Currency.codeOf({ currency })}`;
        return { ok: true, facts: { total } };
      },
      isOpen: true,
    },
    once: true,
    body: InvoiceBody,
    status: 201,
    gives: InvoiceSchemas.CreatedInvoice,
    fails: ["wallet_unavailable", "rate_unavailable"],
    does: (deps) => (input) =>
      runUseCase(
        deps,
        input,
        (by) => deps.invoices.make(input.body, by),
        ({ invoice, webhookSecret }) => {
          const refusal =
            invoice.sentAt === null ? MailStore.refusalOf(deps.db, invoice.deposit.index) : null;
          const body = createdRecord(deps.baseUrl, invoice, {
            webhookSecret,
            refusal,
            warnings: deps.invoices.warn(invoice, Calendar.dayAt(invoice.createdAt, deps.config.timeZone)),
          });
          return { status: 201, body: { ...body, ...x402Field(deps, invoice) } };
        },
      ),
  }),
  route({
    method: "get",
    path: "/api/invoices",
    scope: "read",
    isConfined: true,
    summary: "List invoices, the newest first",
    tool: { name: "list_invoices", preset: listPreset },
    query: InvoiceListQuery,
    gives: Answer.listOf(InvoiceSchemas.InvoiceAnswer),
    does: (deps) => (input) => {
      const { query, merchant } = input;
      const { faults, lookUp, limit } = lookUpsIn(query);
      const number = deps.config.invoiceNumber;
      const after = lookUp("starting_after", find(deps, input), "the id or the number of an invoice");
      const sequence = lookUp(
        "invoice_number",
        (text) => InvoiceNumber.sequenceOf(number, text),
        `an invoice number such as ${InvoiceNumber.of(number, 1)}`,
      );
      if (faults.length > 0) return validationProblem(faults);
      const page = InvoiceStore.list(deps.db, {
        limit,
        before: after?.sequence,
        status: query.status,
        overdue:
          query.overdue === undefined ? undefined : { value: query.overdue === "true", today: today(deps) },
        slug: query.slug,
        reference: query.reference,
        address: addressIn(query),
        sequence: sequence ?? undefined,
        merchant,
      });
      return pageAnswer(page, (invoice) => recordOf(deps, invoice));
    },
  }),
  route({
    method: "get",
    path: "/api/invoices/:id",
    scope: "read",
    summary: "Get an invoice",
    tool: { name: "get_invoice" },
    gives: InvoiceSchemas.InvoiceAnswer,
    does: of(recordOf),
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/status",
    scope: "open",
    isConfined: true,
    summary: "Get the status of an invoice, for polling",
    gives: InvoiceSchemas.Status,
    does: (deps) => {
      const polled = polledJson(deps.baseUrl);
      return (input) => {
        const { id } = input.params;
        const isNumber = InvoiceNumber.sequenceOf(deps.config.invoiceNumber, id) !== null;
        const invoice = isNumber ? find(deps, input)(id) : InvoiceStore.statusById(deps.db, id.toLowerCase());
        if (!invoice) return unknownInvoice();
        return polled({ status: invoice.status, overdue: Invoice.isOverdue(invoice, today(deps)) });
      };
    },
  }),
  route({
    method: "get",
    path: "/api/invoices/:id/pdf",
    scope: "open",
    keyShowsMore: true,
    summary: "Download the PDF of an invoice",
    gives: "application/pdf",
    does: of(
      async (deps, invoice, { request }) =>
        closedAnswer(request, deps, ofInvoice(invoice)) ??
        pdfAnswer(await deps.pdfOf(invoice), InvoiceNumber.fileName(invoice.number)),
    ),
  }),
  ...receiptRoutes("/api/invoices/:id", "a paid invoice", invoiceNamed, ofInvoice),
  eInvoiceRoute("/api/invoices/:id", "an invoice", invoiceNamed, ({ eInvoices }, invoice, format) =>
    eInvoices.write(invoice, format),
  ),
  route({
    method: "post",
    path: "/api/invoices/:id/send",
    scope: "shop",
    summary: "Email the invoice to the customer (each call sends it again)",
    tool: {
      name: "send_invoice",
      asks: () => "mail an invoice to its customer",
      check: check(({ invoices }, invoice) => invoices.refusals.send(invoice)),
      isOpen: true,
    },
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
    tool: {
      name: "remind_invoice",
      asks: () => "mail the customer a reminder",
      check: check(({ invoices }, invoice) => invoices.refusals.remind(invoice)),
      isOpen: true,
    },
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
    tool: {
      name: "void_invoice",
      asks: () => "void an invoice, for good",
      // Voiding it again changes nothing, so nobody needs to agree.
      check: check(
        ({ invoices }, invoice, body) =>
          invoices.refusals.send(invoice) ?? invoices.void(invoice, body, { key: null, isTrial: true }),
      ),
      isDestructive: true,
      isIdempotent: true,
      isOpen: true,
    },
    once: true,
    body: VoidRequest,
    gives: InvoiceSchemas.InvoiceAnswer,
    fails: ["void_refused"],
    does: act(({ invoices }, ...invoice) => invoices.void(...invoice), recordAnswer),
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/mark",
    scope: "shop",
    summary: "Mark an invoice as paid in another way, or take that back",
    tool: {
      name: "mark_invoice",
      asks: () => "mark an invoice as paid, or take that back",
      check: check(({ invoices }, invoice, body) =>
        invoices.mark(invoice, body, { key: null, isTrial: true }),
      ),
      isIdempotent: true,
      isOpen: true,
    },
    once: true,
    body: MarkRequest,
    gives: InvoiceSchemas.InvoiceAnswer,
    fails: ["is_void", "mark_refused"],
    does: act(({ invoices }, ...invoice) => invoices.mark(...invoice), recordAnswer),
  }),
  route({
    method: "patch",
    path: "/api/invoices/:id",
    scope: "shop",
    summary:
      "Correct what is not the bill itself: the customer's email, due date, reminders, reference, language",
    tool: {
      name: "correct_invoice",
      asks: () => "correct an invoice",
      check: check(({ invoices }, invoice, body) =>
        invoices.correct(invoice, body, { key: null, isTrial: true }),
      ),
      isIdempotent: true,
    },
    once: true,
    body: InvoiceCorrection,
    gives: InvoiceSchemas.InvoiceAnswer,
    fails: ["is_void", "correction_refused"],
    does: act(({ invoices }, ...invoice) => invoices.correct(...invoice), recordAnswer),
  }),
  route({
    method: "post",
    path: "/api/invoices/:id/quote",
    scope: "shop",
    summary: "Quote an overdue invoice in a currency again: what is to be paid in USDC, at a rate of now",
    once: true,
    body: QuoteRequest,
    gives: InvoiceSchemas.InvoiceAnswer,
    fails: ["quote_refused", "rate_unavailable", "node_unreachable"],
    does: act(({ invoices }, ...invoice) => invoices.quote(...invoice), recordAnswer),
  }),
  ...historyRoutes("/api/invoices/:id", "invoice", "an invoice", invoiceNamed, ({ invoices }, ...invoice) =>
    invoices.comment(...invoice),
  ),
];
