import type { Static } from "@sinclair/typebox";
import type { CreditNote } from "../../../domain/bill/credit-note.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import { creditNoteRecord } from "../../../domain/record.ts";
import { wasMailed } from "../../../invoicing/credit-note.ts";
import { instantOrNull } from "../../../lib/time.ts";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../../store/tables/outbox/mail.ts";
import { existing, type JsonAnswer } from "../../access/idempotency.ts";
import type { Limits } from "../../access/limits.ts";
import type { HttpDeps } from "../../deps.ts";
import type { CreditNoteAnswer } from "../../fields/credit-note-schema.ts";
import { validationProblem } from "../../problem/problem.ts";
import { mailRefusal, sentAnswer } from "../mailing.ts";
import { creditRefusal, parseCreditRequest } from "./credit-request.ts";

type ApiCall = { request: Request; body: unknown };

/** Calls on credit notes with the API's answers: programs and the desk use the same. */
export type CreditCalls = {
  create(call: ApiCall & { invoice: Invoice }): Promise<Response>;
  /** Mails a credit note, for the first time or again. */
  send(call: ApiCall & { note: CreditNote }): Promise<Response>;
};

export function createCreditCalls(deps: HttpDeps, limits: Limits): CreditCalls {
  const { db, mailer } = deps;
  const creation = (note: CreditNote): JsonAnswer => ({ status: 201, body: answerOf(deps, note) });
  const sent = (outcome: Parameters<typeof sentAnswer>[0]) =>
    sentAnswer(outcome, "Give the customer the PDF of the credit note.");
  return {
    create: deps.idempotent<ApiCall & { invoice: Invoice }>(
      async ({ body, request, invoice }, claim) => {
        const parsed = parseCreditRequest(body, invoice);
        if (!parsed.ok) return validationProblem(parsed.faults);
        const { wanted, sendNow } = parsed.request;
        const refused = (sendNow ?? wasMailed(db, invoice)) ? mailRefusal(limits, request, invoice) : null;
        if (refused) return refused;
        const credited = await deps.createCreditNote(invoice.sequence, parsed.request, claim);
        return credited.ok ? creation(credited.note) : creditRefusal(credited.refusal, invoice, wanted);
      },
      (id) => creation(existing(CreditNoteStore.byId(db, id))),
    ),

    send: deps.idempotent<ApiCall & { note: CreditNote }>(
      async ({ request, note }, claim) => {
        const invoice = InvoiceStore.ofCreditNote(db, note);
        return (
          mailRefusal(limits, request, invoice) ??
          sent(await mailer.sendByHand({ credit: note.number }, invoice, claim))
        );
      },
      (mailId) => sent(mailer.outcomeOf(mailId)),
    ),
  };
}

/** A credit note's full record. */
export function answerOf(
  { baseUrl, db }: Pick<HttpDeps, "baseUrl" | "db">,
  note: CreditNote,
): Static<typeof CreditNoteAnswer> {
  const invoice = InvoiceStore.ofCreditNote(db, note);
  const sentAt = MailStore.sentAt(db, invoice.deposit.index, "credit", note.number);
  return { ...creditNoteRecord(baseUrl, invoice, note), sent_at: instantOrNull(sentAt) };
}
