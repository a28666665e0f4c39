import type { Config } from "../config/config.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import { type Warning, warningsOf } from "../domain/bill/warning.ts";
import * as Calendar from "../domain/calendar.ts";
import { why } from "../language/faults.ts";
import { newId } from "../lib/crypto.ts";
import type { MailOutcome } from "../mail/smtp/outcome.ts";
import { StorageFailed, stored } from "../store/group-commit.ts";
import { reminderRefusal } from "../store/reports/on-its-way.ts";
import { placeOf } from "../store/secrets.ts";
import * as PreferenceStore from "../store/tables/desk/preference.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import { type Close, createClosings } from "./close.ts";
import { createCommenting } from "./comment.ts";
import { type CorrectDeps, createCorrecting } from "./correct.ts";
import {
  type CreatedInvoice,
  type CreateInvoiceDeps,
  createInvoiceCreator,
  type NewInvoice,
  PeriodClosed,
  withSaved,
} from "./create-invoice.ts";
import type { QuoteAgain } from "./links/quote-again.ts";
import { openedWallet } from "./next-deposit.ts";
import type { Caller, Once, Trial } from "./once.ts";
import { done, existing, invalid, type MailLimit, type Outcome, type Refused, refused } from "./outcome.ts";
import { payable } from "./price.ts";
import { parseQuoteRequest } from "./request/currency.ts";
import type { RequestRules } from "./request/fields.ts";
import { parseInvoiceRequest } from "./request/invoice.ts";

/** What a mail is about. A new invoice has no id yet. */
type Mailed = { id: string | null; merchantEmail: string };

/** Counts a mail against an invoice's limits; null if there was room. */
export type TakeMail = (invoice: Mailed) => MailLimit | null;

export type MailLimits = { takeMail: TakeMail; giveMailBack: (invoice: Mailed) => void };

export type ManualMailer = {
  sendByHand(
    kind: "invoice" | "reminder" | { credit: string },
    invoice: Invoice,
    claim: Claim | null,
  ): Promise<MailOutcome>;
  /** Returns the outcome of a mail whose answer was lost. */
  outcomeOf(mailId: string): MailOutcome;
};

/**
 * The use cases of invoices, for every interface: `input` is a request with the contract's fields. A refusal is a
 * value. Throws a WalletUnavailable, or a StorageFailed if nothing was stored.
 */
export type Invoices = {
  /** `keep` stores what belongs to the invoice, in its transaction. */
  make(input: unknown, by: Caller & { keep?: (invoice: Invoice) => void }): Promise<Outcome<CreatedInvoice>>;
  /** Checks a request without creating anything. */
  check(input: unknown, merchant?: Caller["merchant"]): { ok: true; request: NewInvoice } | Refused;
  /**
   * Warns of what is usually wrong with such an invoice, without creating anything: as of today, or of the `day` of its
   * creation.
   */
  warn(of: NewInvoice | Invoice, day?: string): Warning[];
  /** Why a mail would be refused now, apart from limits; null if it would be sent. */
  refusals: Record<"send" | "remind", (invoice: Invoice) => Refused | null>;
  /** Mails an invoice, again if it was mailed before. */
  send(invoice: Invoice, by: Caller): Promise<Outcome<MailOutcome>>;
  remind(invoice: Invoice, by: Caller): Promise<Outcome<MailOutcome>>;
  /** Queues a reminder, replacing one that is already queued. */
  remindSoon(invoice: Invoice): Promise<Outcome<null>>;
  void(invoice: Invoice, input: unknown, by: Caller & Trial): Promise<Outcome<Invoice>>;
  mark(invoice: Invoice, input: unknown, by: Caller & Trial): Promise<Outcome<Invoice>>;
  /** Corrects anything but the amounts. */
  correct(invoice: Invoice, input: unknown, by: Caller & Trial): Promise<Outcome<Invoice>>;
  /** Quotes an overdue invoice in a currency again. */
  quote(invoice: Invoice, input: unknown, by: Caller): Promise<Outcome<Invoice>>;
  comment(invoice: Invoice, input: unknown, by: Caller): ReturnType<ReturnType<typeof createCommenting>>;
  /** By id in any case, or by number: access control has already decided who may use numbers. */
  find(name: string): Invoice | null;
};

type InvoicesDeps = CreateInvoiceDeps &
  CorrectDeps & {
    config: Pick<Config, "taxPeriod">;
    once: Once;
    close: Close;
    rules: (merchant?: Caller["merchant"]) => RequestRules;
    mailer: ManualMailer;
    quoteAgain: QuoteAgain;
  } & MailLimits;

export function createInvoices(deps: InvoicesDeps): Invoices {
  const { db, once, mailer, takeMail, quoteAgain } = deps;
  const create = createInvoiceCreator(deps);
  const today = () => Calendar.dayAt(deps.now(), deps.config.timeZone);
  const close = createClosings(deps);
  const comment = createCommenting(deps);
  const correct = createCorrecting(deps);

  function check(input: unknown, merchant: Caller["merchant"] = null): ReturnType<Invoices["check"]> {
    const parsed = parseInvoiceRequest(input, deps.rules(merchant));
    return parsed.ok ? parsed : invalid(parsed.faults);
  }

  async function created(id: string): Promise<CreatedInvoice> {
    const invoice = existing(InvoiceStore.byId(db, id));
    const sealed = ReceivableStore.sealedSecret(db, invoice.deposit.index);
    if (!sealed) return { invoice, webhookSecret: null };
    const { vault } = await openedWallet(deps.wallet);
    return { invoice, webhookSecret: vault.open(sealed, placeOf.deposit(invoice.deposit.index)) };
  }

  const mail = (
    kind: "invoice" | "reminder",
    invoice: Invoice,
    { key }: Caller,
    refusal: Refused | null,
  ): Promise<Outcome<MailOutcome>> =>
    once(
      key,
      ["mail", kind, invoice.id],
      async (claim) =>
        refusal ?? mailRefusal(takeMail, invoice) ?? done(await mailer.sendByHand(kind, invoice, claim)),
      mailer.outcomeOf,
    );

  const read = ({ sequence }: Invoice) => existing(InvoiceStore.bySequence(db, sequence));
  const closing = (kind: "void" | "mark", invoice: Invoice, input: unknown, by: Caller & Trial) =>
    close(
      kind,
      { kind: "invoice", depositIndex: invoice.deposit.index, name: invoice.number },
      { ...by, input, read: () => read(invoice) },
    );

  const refusals: Invoices["refusals"] = {
    send: ({ status, number: name }) =>
      status === "void" ? refused({ kind: "closing", why: "void", name }) : null,
    remind(invoice) {
      const why = reminderRefusal(db, invoice);
      return why && refused({ kind: "reminder", why, name: invoice.number });
    },
  };

  return {
    check,
    refusals,
    correct,

    warn(of, day = today()) {
      const bill = "number" in of ? of : { ...of, ...withSaved(db, of), issueDate: of.issueDate ?? day };
      // What was there when they were closed is in the figures of that period.
      const closed =
        "number" in of
          ? PreferenceStore.closedThroughAt(db, of.createdAt)
          : PreferenceStore.closedThrough(db);
      return warningsOf(bill, day, deps.config.taxPeriod === "supply" ? closed : null);
    },

    make: (input, { key, merchant = null, keep }) =>
      once<CreatedInvoice>(
        key,
        ["invoice", input],
        async (claim) => {
          const checked = check(input, merchant);
          if (!checked.ok) return checked;
          // Saved customer details may come from another merchant.
          const { vendorDetails = merchant === null ? undefined : null } = checked.request;
          const request = { ...checked.request, vendorDetails };
          const { merchantEmail, sendNow } = request;
          return withMail(deps, sendNow ? { merchantEmail, id: null } : null, () =>
            payable(
              async () =>
                create(request, claim, keep).then(done, (thrown) => {
                  const cause = thrown instanceof StorageFailed ? thrown.cause : null;
                  if (!(cause instanceof PeriodClosed)) throw thrown;
                  return invalid([{ field: "issue_date", ...why("period_closed", { day: cause.day }) }]);
                }),
              () => "line_items",
            ),
          );
        },
        created,
      ),

    send: (invoice, by) => mail("invoice", invoice, by, refusals.send(invoice)),
    remind: (invoice, by) => mail("reminder", invoice, by, refusals.remind(invoice)),

    remindSoon: ({ sequence }) =>
      stored(db, () => {
        const invoice = existing(InvoiceStore.bySequence(db, sequence));
        const refusal = refusals.remind(invoice) ?? mailRefusal(takeMail, invoice);
        if (refusal) return refusal;
        const { index: depositIndex } = invoice.deposit;
        MailStore.removeQueuedOf(db, depositIndex, "reminder");
        const id = newId("mail");
        const at = { createdAt: deps.now(), nextAttemptAt: deps.now() };
        MailStore.insertQueued(db, { id, depositIndex, kind: "reminder", occasion: id, ...at });
        return done(null);
      }),

    void: (...call) => closing("void", ...call),
    mark: (...call) => closing("mark", ...call),

    quote: (invoice, input, { key }) =>
      once(
        key,
        ["quote", invoice.id, input],
        async (claim) => {
          const parsed = parseQuoteRequest(input);
          if (!parsed.ok) return invalid(parsed.faults);
          return payable(
            async () => {
              const why = await quoteAgain(invoice.deposit.index, parsed.value, claim);
              return why === null
                ? done(read(invoice))
                : refused({ kind: "quote", why, name: invoice.number });
            },
            () => "rate",
          );
        },
        () => read(invoice),
      ),

    comment: ({ deposit }, input, by) => comment({ kind: "invoice", depositIndex: deposit.index }, input, by),

    find(name) {
      const sequence = InvoiceNumber.sequenceOf(deps.config.invoiceNumber, name);
      return sequence === null
        ? InvoiceStore.byId(db, name.toLowerCase())
        : InvoiceStore.bySequence(db, sequence);
    },
  };
}

/** Counts a mail about to be sent, or refuses it if the limit is reached. */
export function mailRefusal(takeMail: TakeMail, invoice: Mailed): Refused | null {
  const reached = takeMail(invoice);
  return reached && refused({ kind: "too_many_mails", reached });
}

/** Makes what is mailed at once, unless the limit is reached. The mail of what was not made does not count. */
export async function withMail<T>(
  { takeMail, giveMailBack }: MailLimits,
  invoice: Mailed | null,
  make: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const refusal = invoice && mailRefusal(takeMail, invoice);
  if (refusal) return refusal;
  let isMade = false;
  try {
    const outcome = await make();
    isMade = outcome.ok;
    return outcome;
  } finally {
    if (invoice && !isMade) giveMailBack(invoice);
  }
}
