import type * as Invoice from "../../domain/bill/invoice.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import * as Calendar from "../../domain/calendar.ts";
import { invoiceRecord } from "../../domain/record.ts";
import type { CreatedInvoice } from "../../invoicing/create-invoice.ts";
import { Unpayable } from "../../invoicing/price.ts";
import { RateMissing } from "../../invoicing/rate-unavailable.ts";
import type { ManualMail } from "../../outbox/mailer.ts";
import { openSecret } from "../../store/secrets.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import { existing, type JsonAnswer } from "../access/idempotency.ts";
import type { Limits } from "../access/limits.ts";
import { closingCalls } from "../closing/closing.ts";
import { refusalAnswer } from "../closing/refusal.ts";
import { type HttpDeps, requestRules } from "../deps.ts";
import { createCommenter } from "../events/comments.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import { x402Field } from "../relay/x402/subject.ts";
import { createdRecord } from "./invoice-record.ts";
import { parseInvoiceRequest } from "./invoice-request.ts";
import { mailRefusal, sentAnswer } from "./mailing.ts";
import { parseQuoteRequest, quoteRefused } from "./quote-request.ts";

type ApiCall = { request: Request; body: unknown };
/** `keep` stores what belongs to the invoice, in its transaction. */
type CreationCall = ApiCall & { keep?: ((invoice: Invoice.Invoice) => void) | undefined };
type InvoiceCall = ApiCall & { invoice: Invoice.Invoice };

/** Calls on invoices with the API's answers: programs and the desk use the same. */
export type InvoiceCalls = {
  create(call: CreationCall): Promise<Response>;
  send(call: InvoiceCall): Promise<Response>;
  remind(call: InvoiceCall): Promise<Response>;
  void(call: InvoiceCall): Promise<Response>;
  mark(call: InvoiceCall): Promise<Response>;
  comment(call: InvoiceCall): Promise<Response>;
  quote(call: InvoiceCall): Promise<Response>;
};

export function createInvoiceCalls(deps: HttpDeps, limits: Limits): InvoiceCalls {
  const { config, baseUrl, db } = deps;
  const rules = requestRules(deps);
  const created = ({ invoice, webhookSecret }: CreatedInvoice): JsonAnswer => {
    const refusal = invoice.sentAt === null ? MailStore.refusalOf(db, invoice.deposit.index) : null;
    const record = createdRecord(baseUrl, invoice, { webhookSecret, refusal });
    return { status: 201, body: { ...record, ...x402Field(deps, invoice) } };
  };

  const comment = createCommenter(deps);

  const sendByHand = (kind: ManualMail) =>
    deps.idempotent<InvoiceCall>(
      async ({ invoice, request }, claim) =>
        (kind === "reminder" ? reminderRefusal(invoice) : voidRefusal(invoice)) ??
        mailRefusal(limits, request, invoice) ??
        sentAnswer(await deps.mailer.sendByHand(kind, invoice, claim)),
      (mailId) => sentAnswer(deps.mailer.outcomeOf(mailId)),
    );
  const recordOf = (row: Invoice.Invoice | null) => {
    const invoice = existing(row);
    const record = invoiceRecord(baseUrl, invoice, Calendar.dayAt(deps.now(), config.timeZone));
    return { ...record, ...x402Field(deps, invoice) };
  };
  const closing = closingCalls(deps, "invoice", (index) => recordOf(InvoiceStore.byDeposit(db, index)));
  const quoted = (id: string): JsonAnswer => ({ status: 200, body: recordOf(InvoiceStore.byId(db, id)) });
  const targetOf = ({ deposit, number }: Invoice.Invoice) => ({ depositIndex: deposit.index, name: number });

  return {
    create: deps.idempotent<CreationCall>(
      async ({ body, request, keep }, claim) => {
        const parsed = parseInvoiceRequest(body, rules);
        if (!parsed.ok) return validationProblem(parsed.faults);
        const { sendNow, merchantEmail } = parsed.request;
        const refused = sendNow && mailRefusal(limits, request, { merchantEmail, id: null });
        if (refused) return refused;
        return payable(
          async () => created(await deps.createInvoice(parsed.request, claim, keep)),
          "line_items",
        );
      },
      async (id) => {
        const invoice = existing(InvoiceStore.byId(db, id));
        const sealed = InvoiceStore.sealedSecret(db, invoice.sequence);
        const webhookSecret = sealed && openSecret(await deps.vault(), sealed, invoice.deposit.index);
        return created({ invoice, webhookSecret });
      },
    ),
    send: sendByHand("invoice"),
    remind: sendByHand("reminder"),
    void: ({ invoice, ...asked }) => closing.void({ ...asked, target: targetOf(invoice) }),
    mark: ({ invoice, ...asked }) => closing.mark({ ...asked, target: targetOf(invoice) }),
    quote: deps.idempotent<InvoiceCall>(async ({ body, invoice }, claim) => {
      const parsed = parseQuoteRequest(body);
      if (!parsed.ok) return validationProblem(parsed.faults);
      const quote = async () => {
        const refusal = await deps.quoteAgain(invoice, parsed.rate, claim);
        return refusal === null ? quoted(invoice.id) : quoteRefused(refusal, invoice.number);
      };
      return payable(quote, "rate");
    }, quoted),
    comment: ({ invoice, ...asked }) =>
      comment({ ...asked, kind: "invoice", depositIndex: invoice.deposit.index }),
  };
}

/** Runs `make`, and answers a fault of `field` when the amount cannot be paid at the current rate, or of a missing rate. */
async function payable<T>(make: () => Promise<T>, field: string): Promise<T | Response> {
  try {
    return await make();
  } catch (thrown) {
    if (thrown instanceof RateMissing) return validationProblem([{ field: "rate", message: thrown.message }]);
    if (thrown instanceof Unpayable) return validationProblem([{ field, message: thrown.message }]);
    throw thrown;
  }
}

const notRemindable = {
  settled: "nothing is owed any more",
  unsent: "it was never mailed. Send it first: POST /api/invoices/{id}/send",
  in_flight: "a payment is on its way. Wait until it is confirmed",
} as const;

function voidRefusal({ status, number }: Invoice.Invoice): Response | null {
  return status === "void" ? refusalAnswer("void", number) : null;
}

/** Why an invoice gets no reminder now; null when it may. */
function reminderRefusal(invoice: Invoice.Invoice): Response | null {
  const refusal = Reminder.refusal(invoice);
  return (
    refusal &&
    problem("not_remindable", `No reminder was sent of ${invoice.number}: ${notRemindable[refusal]}.`)
  );
}
