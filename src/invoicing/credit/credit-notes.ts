import type { CreditNote } from "../../domain/bill/credit-note.ts";
import * as Currency from "../../domain/bill/currency.ts";
import type { Invoice } from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import type * as Usdc from "../../domain/usdc.ts";
import type { MailOutcome } from "../../mail/smtp/outcome.ts";
import type { Claim } from "../../store/tables/installation/idempotency.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import { type MailLimits, type ManualMailer, mailRefusal, withMail } from "../invoices.ts";
import type { Caller, Once, Trial } from "../once.ts";
import { done, existing, invalid, type Outcome, refused } from "../outcome.ts";
import { parseCreditRequest, remainderFault } from "../request/credit.ts";
import { type CreditNoteDeps, createCreditNoteCreator, wasMailed } from "./credit-note.ts";

/** The use cases of credit notes, for every interface; see `Invoices`. */
export type CreditNotes = {
  /** `confirmed` is the total that somebody saw before; a different total is refused. */
  credit(
    invoice: Invoice,
    input: unknown,
    by: Caller & Trial & { confirmed?: Usdc.Billed },
  ): Promise<Outcome<CreditNote>>;
  /** Mails a credit note, again if it was mailed before. */
  send(note: CreditNote, by: Caller): Promise<Outcome<MailOutcome>>;
  /** By id in any case, or by number. */
  find(name: string): CreditNote | null;
};

type CreditNotesDeps = CreditNoteDeps & { once: Once; mailer: ManualMailer } & MailLimits;

export function createCreditNotes(deps: CreditNotesDeps): CreditNotes {
  const { db, once, mailer, takeMail } = deps;
  const create = createCreditNoteCreator(deps);
  return {
    credit(invoice, input, { key, confirmed, isTrial = false }) {
      const make = async (claim: Claim | null): Promise<Outcome<CreditNote>> => {
        const parsed = parseCreditRequest(input, invoice);
        if (!parsed.ok) return invalid(parsed.faults);
        const { wanted, sendNow } = parsed.value;
        const isMailed = !isTrial && (sendNow ?? wasMailed(db, invoice));
        return withMail(deps, isMailed ? invoice : null, async () => {
          const credited = await create(invoice.sequence, { ...parsed.value, confirmed }, claim, isTrial);
          if (credited.ok) return done(credited.note);
          const { refusal } = credited;
          if (refusal.kind === "changed") return refused({ kind: "changed" });
          if (refusal.kind === "void" || refusal.kind === "in_flight" || refusal.kind === "nothing")
            return refused({ kind: "credit", why: refusal.kind, name: invoice.number });
          return invalid([existing(remainderFault(refusal, wanted, Currency.codeOf(invoice)))]);
        });
      };
      const again = (id: string) => existing(CreditNoteStore.byId(db, id));
      return isTrial ? make(null) : once(key, ["credit", invoice.id, input], make, again);
    },

    send: (note, { key }) =>
      once(
        key,
        ["mail", "credit", note.id],
        async (claim) => {
          const invoice = InvoiceStore.ofCreditNote(db, note);
          const mail = { credit: note.number };
          return mailRefusal(takeMail, invoice) ?? done(await mailer.sendByHand(mail, invoice, claim));
        },
        mailer.outcomeOf,
      ),

    find(name) {
      const sequence = InvoiceNumber.sequenceOf(deps.config.creditNoteNumber, name);
      return sequence === null
        ? CreditNoteStore.byId(db, name.toLowerCase())
        : CreditNoteStore.bySequence(db, sequence);
    },
  };
}
