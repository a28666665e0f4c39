import * as CreditNote from "../../../domain/bill/credit-note.ts";
import { formats } from "../../../domain/einvoice/einvoice.ts";
import { may } from "../../../domain/party/person.ts";
import { creditNotePage } from "../../../pages/desk/credit/note-page.tsx";
import { noteHref } from "../../../pages/desk/credit/notes.tsx";
import * as CustomerStore from "../../../store/tables/invoicing/customer.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../../store/tables/outbox/mail.ts";
import type { HttpDeps } from "../../deps.ts";
import { fileAnswer } from "../../invoices/e-invoice.ts";
import { creditPdfInstead, unsentReason } from "../../invoices/mailing.ts";
import type { FormOutcome, Visit } from "../gate.ts";
import { eInvoiceProps } from "../invoices/detail.ts";

/** What can be done with a credit note: view, download and mail it. */
export function noteDeeds(deps: HttpDeps) {
  const find = ({ params }: Visit) => deps.creditNotes.find(params["name"] ?? "");

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
      const outcome = await deps.creditNotes.send(note, { key: null });
      const { locale } = visit.frame;
      if (!outcome.ok) {
        const isTooMany = outcome.refusal.kind === "too_many_mails";
        return page(visit, note, locale.say(isTooMany ? "tooManyTries" : "notDone"));
      }
      const why = unsentReason(outcome.value, creditPdfInstead);
      if (why === null)
        return { kind: "done", to: noteHref(note.number), did: "didSendCredit", subject: note.number };
      return { kind: "failed", html: page(visit, note, locale.say("mailNotSent", { why })) };
    },
  };
}
