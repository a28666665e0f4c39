import * as CreditNote from "../../../domain/bill/credit-note.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { wasMailed } from "../../../invoicing/credit-note.ts";
import { randomName } from "../../../lib/crypto/id.ts";
import { creditConfirmPage } from "../../../pages/desk/credit/confirm-page.tsx";
import type { TypedCredit } from "../../../pages/desk/credit/credit-props.ts";
import { creditFormPage } from "../../../pages/desk/credit/form-page.tsx";
import { notesPath } from "../../../pages/desk/credit/notes.tsx";
import { invoiceHref } from "../../../pages/desk/invoices/list/rows.tsx";
import type { FormFault } from "../../../pages/desk/parts/form/form.tsx";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import * as RelayStore from "../../../store/tables/settle/relay.ts";
import { existing } from "../../access/idempotency.ts";
import type { Limits } from "../../access/limits.ts";
import type { HttpDeps } from "../../deps.ts";
import { createCreditCalls } from "../../invoices/credit-notes/credit-calls.ts";
import { findInvoice } from "../../invoices/invoice-record.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import { apiRequest } from "../invoices/api-request.ts";
import { listNotes, notesCsv } from "./list.ts";
import { noteDeeds } from "./note.ts";
import { canCredit } from "./rows.ts";
import { readTypedCredit, type Sum, sumOf } from "./typed-credit.ts";

const one = "/desk/invoices/:name/credit";
const note = `${notesPath}/:name`;
const keyLength = 26;
const keyForm = /^[a-z0-9]{26}$/;

type CreditRequest = {
  request: Request;
  body: unknown;
  visit: Visit;
  invoice: Invoice;
  sent: URLSearchParams;
  typed: TypedCredit;
  mailIt: boolean;
};

const answerOf = ({ number }: CreditNote.CreditNote) => ({ status: 201, body: { number } });

/** Credit notes at the desk: creating one, showing one, and listing all. */
export function creditDeskRoutes(deps: HttpDeps, gate: Gate, limits: Limits): void {
  const { db } = deps;
  const deeds = noteDeeds(deps, createCreditCalls(deps, limits));
  const find = ({ params }: Visit) => findInvoice(deps, params["name"] ?? "");

  type Shown = { typed: TypedCredit; faults?: readonly FormFault[]; problem?: string | null };

  function form({ frame }: Visit, invoice: Invoice, { typed, faults = [], problem = null }: Shown): string {
    const left = CreditNote.left(invoice, CreditNoteStore.listByInvoice(db, invoice.sequence));
    return creditFormPage({ frame, invoice, left, typed, faults, problem });
  }

  function confirm(
    { frame }: Visit,
    invoice: Invoice,
    draft: { typed: TypedCredit; sum: Sum; mailIt?: boolean; problem?: string },
  ): string {
    const { typed, sum, problem = null } = draft;
    return creditConfirmPage({
      frame,
      invoice,
      typed,
      credited: sum,
      effect: CreditNote.effect(invoice, sum.totals.total),
      mailIt: deps.config.smtpUrl === null ? null : (draft.mailIt ?? wasMailed(db, invoice)),
      problem,
    });
  }

  /** Why nothing can be credited now, whatever is entered. */
  function obstacle({ frame: { locale } }: Visit, invoice: Invoice): string | null {
    if (!canCredit(deps, invoice)) return locale.say("creditNothingLeft");
    const isInFlight =
      invoice.deposit.pending > 0n || RelayStore.onItsWay(db, invoice.deposit.index) !== null;
    return isInFlight ? locale.say("creditInFlight") : null;
  }

  function keyOf(sent: URLSearchParams): string {
    const key = sent.get("key") ?? "";
    return keyForm.test(key) ? key : randomName(keyLength);
  }

  function read(visit: Visit, invoice: Invoice, typed: TypedCredit) {
    const problem = obstacle(visit, invoice);
    if (problem !== null) return { ok: false, html: form(visit, invoice, { typed, problem }) } as const;
    const notes = CreditNoteStore.listByInvoice(db, invoice.sequence);
    const read = sumOf(typed, invoice, notes, visit.frame.locale);
    return read.ok
      ? ({ ok: true, typed, sum: read.sum } as const)
      : ({ ok: false, html: form(visit, invoice, { typed, faults: read.faults }) } as const);
  }

  function ask(visit: Visit): string | null {
    const invoice = find(visit);
    const begun = new URLSearchParams();
    return (
      invoice &&
      form(visit, invoice, {
        typed: readTypedCredit(begun, invoice, keyOf(begun)),
        problem: obstacle(visit, invoice),
      })
    );
  }

  function check(visit: Visit, sent: URLSearchParams): string | null {
    const invoice = find(visit);
    if (!invoice) return null;
    const typed = readTypedCredit(sent, invoice, keyOf(sent));
    if (sent.has("change")) return form(visit, invoice, { typed });
    const draft = read(visit, invoice, typed);
    return draft.ok ? confirm(visit, invoice, draft) : draft.html;
  }

  /** Sent twice, it creates one: the second gets the first answer, whatever is left to credit by then. */
  const makeOnce = deps.idempotent<CreditRequest>(
    async ({ visit, invoice, sent, typed, mailIt }, claim) => {
      const refused = (html: string) => new Response(html, { status: 422 });
      const draft = read(visit, invoice, typed);
      if (!draft.ok) return refused(draft.html);
      const changed = visit.frame.locale.say("creditChanged");
      if (sent.get("seen") !== Usdc.format(draft.sum.totals.total))
        return refused(confirm(visit, invoice, { ...draft, mailIt, problem: changed }));
      const { wanted } = draft.sum;
      const request = { wanted, reason: typed.reason, sendNow: mailIt };
      const result = await deps.createCreditNote(invoice.sequence, request, claim);
      return result.ok ? answerOf(result.note) : refused(form(visit, invoice, { typed, problem: changed }));
    },
    (id) => answerOf(existing(CreditNoteStore.byId(db, id))),
  );

  async function make(visit: Visit, sent: URLSearchParams): Promise<FormOutcome | null> {
    const invoice = find(visit);
    if (!invoice) return null;
    const typed = readTypedCredit(sent, invoice, keyOf(sent));
    const mailIt = sent.has("mail") && deps.config.smtpUrl !== null;
    const request = apiRequest(invoiceHref(invoice.number), `desk-${typed.key}`);
    const body = { ...typed, mailIt };
    const answer = await makeOnce({ request, body, visit, invoice, sent, typed, mailIt });
    if (answer.status === 201) {
      const { number } = (await answer.json()) as { number: string };
      return { kind: "done", to: invoiceHref(invoice.number), did: "didCredit", subject: number };
    }
    if (answer.status === 422) return await answer.text();
    const again = { ...typed, key: randomName(keyLength) };
    const problem = visit.frame.locale.say("creditChanged");
    return form(visit, invoice, { typed: again, problem });
  }

  gate.page(notesPath, "read", (visit) => listNotes(deps, visit));
  gate.page(`${notesPath}.csv`, "export", (visit) => notesCsv(deps, visit));
  gate.page(note, "read", deeds.show);
  gate.page(`${note}/e-invoice`, "read", deeds.eInvoice);
  gate.action(`${note}/send`, "issue", "credit.send", deeds.send);
  gate.page(one, "close", ask);
  gate.edit(`${one}/check`, "close", check);
  gate.action(one, "close", "invoice.credit", make);
}
