import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as Remainder from "../../../domain/bill/remainder.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import { isInFlight, wasMailed } from "../../../invoicing/credit/credit-note.ts";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import type { Gate } from "../../gate.ts";
import { doneAt, pagesOfOne } from "../../one.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import { keyOf, newKey } from "../../parts/form/form-key.ts";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { invoiceHref } from "../../parts/place.ts";
import { creditConfirmPage, creditFormPage } from "./form-page.tsx";
import { canCredit, listNotes, notesCsv } from "./list.tsx";
import { noteRoutes } from "./note.tsx";
import { notesPath } from "./notes.tsx";
import { creditBody, readTypedCredit, type Sum, sumOf, type TypedCredit } from "./typed-credit.ts";

const one = "/desk/invoices/:name/credit";

/** Credit notes at the desk: creating one, showing one, and listing all. */
export function creditDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const { db } = deps;
  const find = ({ params }: Visit) => deps.invoices.find(params["name"] ?? "");

  type Shown = { typed: TypedCredit; faults?: readonly FormFault[]; problem?: string | null };

  function form({ frame }: Visit, invoice: Invoice, { typed, faults = [], problem = null }: Shown): string {
    const left = Remainder.of(invoice, CreditNoteStore.listByInvoice(db, invoice.sequence));
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
      mailIt: deps.config.smtpUrl === null ? null : (draft.mailIt ?? wasMailed(db, invoice)),
      problem,
    });
  }

  /** Returns why nothing can be credited now, whatever is entered; null if it can. */
  function obstacle({ frame: { locale } }: Visit, invoice: Invoice): string | null {
    if (!canCredit(deps, invoice)) return locale.say("creditNothingLeft");
    return isInFlight(db, invoice) ? locale.say("creditInFlight") : null;
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

  function ask(visit: Visit, invoice: Invoice): string {
    const typed = readTypedCredit(new URLSearchParams(), invoice, newKey());
    return form(visit, invoice, { typed, problem: obstacle(visit, invoice) });
  }

  function check(visit: Visit, sent: URLSearchParams): string | null {
    const invoice = find(visit);
    if (!invoice) return null;
    const typed = readTypedCredit(sent, invoice, keyOf(sent));
    if (sent.has("change")) return form(visit, invoice, { typed });
    const draft = read(visit, invoice, typed);
    return draft.ok ? confirm(visit, invoice, draft) : draft.html;
  }

  /** Creates one credit note even if sent twice, whatever is left to credit by then. */
  async function make(visit: Visit, invoice: Invoice, sent: URLSearchParams): Promise<FormOutcome> {
    const { locale } = visit.frame;
    const typed = readTypedCredit(sent, invoice, keyOf(sent));
    const mailIt = sent.has("mail") && deps.config.smtpUrl !== null;
    const { body } = creditBody(typed, invoice, locale.decimalMark);
    const confirmed = Currency.parse(sent.get("seen") ?? "", Currency.codeOf(invoice));
    const outcome = await deps.creditNotes.credit(
      invoice,
      { ...body, send_now: mailIt },
      { key: `desk-${typed.key}`, confirmed: confirmed ?? Usdc.zero },
    );
    if (outcome.ok) return doneAt(invoiceHref(invoice.number), "didCredit", outcome.value.number);
    const problem = locale.say("creditChanged");
    if (outcome.refusal.kind === "key_used")
      return form(visit, invoice, { typed: { ...typed, key: newKey() }, problem });
    const draft = read(visit, find(visit) ?? invoice, typed);
    return draft.ok ? confirm(visit, invoice, { ...draft, mailIt, problem }) : draft.html;
  }

  gate.page(notesPath, "read", (visit) => listNotes(deps, visit));
  gate.page(`${notesPath}.csv`, "export", (visit) => notesCsv(deps, visit));
  noteRoutes(deps, gate);
  const { page, action } = pagesOfOne(gate, find);
  page(one, "close", ask);
  gate.edit(`${one}/check`, "close", check);
  action(one, "close", "invoice.credit", make);
}
