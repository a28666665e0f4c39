import * as CreditNote from "../../../domain/bill/credit-note.ts";
import { formats } from "../../../domain/einvoice/einvoice.ts";
import { may } from "../../../domain/party/person.ts";
import { creditNotePage } from "../../../pages/desk/credit/note-page.tsx";
import { noteHref } from "../../../pages/desk/credit/notes.tsx";
import * as CustomerStore from "../../../store/tables/invoicing/customer.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../../store/tables/outbox/mail.ts";
import type { HttpDeps } from "../../deps.ts";
import type { CreditCalls } from "../../invoices/credit-notes/credit-calls.ts";
import { findCreditNote } from "../../invoices/credit-notes/credit-notes.ts";
import { fileAnswer } from "../../invoices/e-invoice.ts";
import type { FormOutcome, Visit } from "../gate.ts";
import { apiRequest } from "../invoices/api-request.ts";
import { eInvoiceProps } from "../invoices/detail.ts";

/** What can be done with a credit note: view, download and mail it. */
export function noteDeeds(deps: HttpDeps, calls: CreditCalls) {
  const find = ({ params }: Visit) => findCreditNote(deps, params["name"] ?? "");

  function page({ frame, who }: Visit, note: CreditNote.CreditNote, problem: string | null = null): string {
    const invoice = InvoiceStore.ofCreditNote(deps.db, note);
    const customer = CustomerStore.byEmail(deps.db, invoice.vendorEmail);
    return creditNotePage({
      frame,
      note,
      invoice,
      pdf: CreditNote.pdfUrl(deps.baseUrl, note),
      wasSent: MailStore.mayHaveGone(deps.db, invoice.deposit.index, "credit", note.number),
      eInvoice: eInvoiceProps(deps, (format) => deps.eInvoices.missingForCredit(note, format)),
      customerHref: customer && `/desk/customers/${customer.id}`,
      maySend: may(who.role, "issue") && deps.config.smtpUrl !== null,
      problem,
    });
  }

  return {
    show(visit: Visit): string | null {
      const note = find(visit);
      return note && page(visit, note);
    },

    async eInvoice(visit: Visit): Promise<string | Response | null> {
      const note = find(visit);
      const format = formats.find((name) => name === visit.query.get("format"));
      if (!note || format === undefined) return null;
      const file = await deps.eInvoices.writeCredit(note, format);
      return Array.isArray(file) ? page(visit, note) : fileAnswer(file);
    },

    async send(visit: Visit): Promise<FormOutcome | null> {
      const note = find(visit);
      if (!note) return null;
      const request = apiRequest(`/api/credit-notes/${note.id}/send`);
      const answer = await calls.send({ request, body: {}, note });
      const sent = (await answer.json()) as { ok?: boolean; detail?: string; code?: string };
      if (sent.ok === true)
        return { kind: "done", to: noteHref(note.number), did: "didSendCredit", subject: note.number };
      const { locale } = visit.frame;
      const problem =
        sent.code === "rate_limited"
          ? locale.say("tooManyTries")
          : locale.say("mailNotSent", { why: sent.detail ?? "" });
      const html = page(visit, note, problem);
      return answer.ok ? { kind: "failed", html } : html;
    },
  };
}
