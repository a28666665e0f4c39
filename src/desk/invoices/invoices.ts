import type { Invoice } from "../../domain/bill/invoice.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import { formats } from "../../domain/einvoice/einvoice.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { fileAnswer } from "../../http/invoices/e-invoice.ts";
import { unsentReason } from "../../http/invoices/records.ts";
import { isCreditedByVoid } from "../../invoicing/credit-note.ts";
import type { Refusal } from "../../invoicing/outcome.ts";
import { billedOf } from "../../language/bill-currency.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import type { Gate } from "../gate.ts";
import { afterWallet } from "../money/first-wallet.tsx";
import { doneAt, pagesOfOne } from "../one.ts";
import { closingPage } from "../parts/form/confirm-page.tsx";
import { typedText } from "../parts/form/form.tsx";
import type { DeedText } from "../parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { invoiceHref } from "../parts/place.ts";
import { correctRoutes } from "./correct.tsx";
import { creditDeskRoutes } from "./credit/credit.ts";
import { showInvoice } from "./detail.tsx";
import { rateOf } from "./form/body.ts";
import { newInvoice } from "./form/new.ts";
import { editPath, formPath } from "./form/typed.ts";
import { redeliver } from "./hooks.tsx";
import { invoicesCsv, listInvoices } from "./list.ts";
import { isRecent, lastReminded, remindPage, remindRoutes } from "./remind.tsx";

/** By number or id. */
const one = "/desk/invoices/:name";

/** Invoices at the desk: the list, a new one, and each of them. */
export function invoiceDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const form = newInvoice(deps);
  const deeds = invoiceDeeds(deps);
  creditDeskRoutes(deps, gate);
  gate.page("/desk/invoices", "read", (visit) => listInvoices(deps, visit));
  gate.page("/desk/invoices.csv", "export", (visit) => invoicesCsv(deps, visit));
  gate.page(formPath, "issue", afterWallet(deps, form.page));
  gate.edit(editPath, "issue", form.edit);
  gate.action(formPath, "issue", "invoice.make", form.act);
  remindRoutes(deps, gate);
  correctRoutes(deps, gate);
  const { page, action } = pagesOfOne(gate, ({ params }) => deps.invoices.find(params["name"] ?? ""));
  page(one, "read", (visit, invoice) => showInvoice(deps, visit, invoice));
  page(`${one}/remind`, "issue", (visit, invoice) =>
    Reminder.refusal(invoice) === null ? remindPage(deps, visit, invoice, false) : null,
  );
  page(`${one}/e-invoice`, "read", deeds.eInvoice);
  page(`${one}/void`, "close", deeds.ask("void"));
  page(`${one}/quote`, "issue", deeds.ask("quote"));
  action(`${one}/quote`, "issue", "invoice.quote", deeds.quote);
  page(`${one}/mark`, "close", deeds.ask("mark"));
  action(`${one}/send`, "issue", "invoice.send", deeds.send);
  action(`${one}/remind`, "issue", "invoice.remind", deeds.remind);
  action(`${one}/redeliver`, "issue", "webhook.redeliver", deeds.redeliver);
  action(`${one}/void`, "close", "invoice.void", deeds.void);
  action(`${one}/mark`, "close", "invoice.mark", deeds.mark);
  action(`${one}/unmark`, "close", "invoice.unmark", deeds.unmark);
  action(`${one}/note`, "issue", "invoice.note", deeds.note);
}

type Deed = (visit: Visit, invoice: Invoice, form: URLSearchParams) => Promise<FormOutcome>;

/** These forms may be sent twice: it does no harm, or is meant. */
const noKey = { key: null };

/** What can be done with an invoice, answered in the desk's words. */
function invoiceDeeds(deps: HttpDeps) {
  const { invoices } = deps;

  /** Asks once more before a deed. `value` is what was typed and refused, and `fault` why. */
  function askFor(
    { frame }: Visit,
    invoice: Invoice,
    deed: keyof typeof questions,
    value = "",
    fault?: TextKey,
  ): string {
    const { number, vendorName } = invoice;
    const href = invoiceHref(number);
    const question = questions[deed](frame.locale, invoice, deps);
    return closingPage({
      frame,
      place: "invoices",
      back: { href, label: `${vendorName}, ${number}` },
      action: `${href}/${deed}`,
      value,
      faults: fault ? [{ field: question.field.name, message: frame.locale.texts[fault] }] : [],
      ...question,
    });
  }

  const done = ({ number }: Invoice, did: DeedText) => doneAt(invoiceHref(number), did, number);

  /** For a form from a page that was out of date. */
  function refused(visit: Visit, invoice: Invoice, { kind, ...more }: Refusal): FormOutcome {
    const isUnread = "why" in more && more.why === "unread";
    const isClosed = "why" in more && more.why === "closed";
    const isMarkClosed = "why" in more && more.why === "closed_mark";
    const ofBooks = isClosed ? "booksAreClosed" : isMarkClosed ? "booksAreClosedMark" : null;
    const other = ofBooks ?? (isUnread ? "chainUnread" : "notDone");
    const text = kind === "too_many_mails" ? "tooManyTries" : other;
    const problem = visit.frame.locale.say(text);
    return showInvoice(deps, visit, invoices.find(invoice.number) ?? invoice, { problem });
  }

  async function mail(
    visit: Visit,
    invoice: Invoice,
    call: "send" | "remind",
    did: DeedText,
  ): Promise<FormOutcome> {
    const outcome = await invoices[call](invoice, noKey);
    if (!outcome.ok) return refused(visit, invoice, outcome.refusal);
    const why = unsentReason(outcome.value);
    if (why === null) return done(invoice, did);
    const problem = visit.frame.locale.say("mailNotSent", { why });
    return { kind: "failed", html: showInvoice(deps, visit, invoice, { problem }) };
  }

  const deeds = {
    send: (visit, invoice) => mail(visit, invoice, "send", "didSendMail"),
    remind: async (visit, invoice, form) => {
      const isAgain = Reminder.refusal(invoice) === null && isRecent(lastReminded(deps, invoice), visit.now);
      if (isAgain && !form.has("again")) return remindPage(deps, visit, invoice, true);
      return mail(visit, invoice, "remind", "didRemind");
    },

    void: async (visit, invoice, form) => {
      const reason = typedText(form, "reason");
      const outcome = await invoices.void(invoice, { reason }, noKey);
      if (outcome.ok) return done(invoice, "didVoid");
      if (outcome.refusal.kind !== "invalid") return refused(visit, invoice, outcome.refusal);
      return askFor(visit, invoice, "void", reason, "faultVoidReason");
    },

    mark: async (visit, invoice, form) => {
      const note = typedText(form, "how");
      const outcome = await invoices.mark(invoice, { as: "paid", note }, noKey);
      if (outcome.ok) return done(invoice, "didMarkPaid");
      if (outcome.refusal.kind !== "invalid") return refused(visit, invoice, outcome.refusal);
      return askFor(visit, invoice, "mark", note, "faultMarkNote");
    },

    quote: async (visit, invoice, form) => {
      const rate = typedText(form, "rate");
      const asked = rate === "" ? {} : { rate: rateOf(rate, visit.frame.locale.decimalMark) };
      const outcome = await invoices.quote(invoice, asked, noKey);
      if (outcome.ok) return done(invoice, "didQuote");
      const { refusal } = outcome;
      if (refusal.kind !== "invalid" && refusal.kind !== "rate_unavailable")
        return refused(visit, invoice, refusal);
      return askFor(visit, invoice, "quote", rate, refusal.kind === "invalid" ? "faultRate" : "noRate");
    },

    unmark: async (visit, invoice) => {
      const outcome = await invoices.mark(invoice, { as: "unpaid" }, noKey);
      return outcome.ok ? done(invoice, "didMarkUnpaid") : refused(visit, invoice, outcome.refusal);
    },

    note: async (visit, invoice, form) => {
      const note = typedText(form, "note");
      const outcome = await invoices.comment(invoice, { text: note }, noKey);
      if (outcome.ok) return done(invoice, "didAddNote");
      const faults = [{ field: "note", message: visit.frame.locale.say("faultNote") }];
      return showInvoice(deps, visit, invoice, { note, faults });
    },

    redeliver: async (_, invoice, form) => {
      redeliver(deps, invoice, form);
      return done(invoice, "didRedeliver");
    },
  } satisfies Record<string, Deed>;

  return {
    ...deeds,

    async eInvoice(visit: Visit, invoice: Invoice): Promise<string | Response | null> {
      const format = formats.find((name) => name === visit.query.get("format"));
      if (format === undefined) return null;
      const file = await deps.eInvoices.write(invoice, format);
      return Array.isArray(file) ? showInvoice(deps, visit, invoice) : fileAnswer(file);
    },

    ask: (deed: keyof typeof questions) => (visit: Visit, invoice: Invoice) => askFor(visit, invoice, deed),
  };
}

/** What is asked before a deed. */
const questions = {
  void({ say, marks }: Locale, invoice: Invoice, { db }: Pick<HttpDeps, "db">) {
    const { number, vendorName: name } = invoice;
    const mailNote = invoice.sentAt === null ? say("voidUnmailed") : say("voidMailed", { name });
    return {
      question: say("voidTitle", { number }),
      text: isCreditedByVoid(db, invoice) ? `${mailNote}${marks.gap}${say("voidCredits")}` : mailNote,
      field: { name: "reason", label: say("reason"), hint: say("voidReasonHint") },
      keep: say("keepIt"),
      confirm: say("doVoid"),
    };
  },

  mark: ({ say }: Locale, { number, vendorName: name }: Invoice) => ({
    question: say("markTitle", { number }),
    text: say("markText", { name }),
    field: { name: "how", label: say("markNote"), hint: say("markNoteHint"), optional: true },
    keep: say("leaveIt"),
    confirm: say("doMark"),
    isDanger: false,
  }),

  quote(locale: Locale, invoice: Invoice) {
    const { say } = locale;
    const extra = { inputmode: "decimal", dir: "ltr" };
    return {
      question: say("quoteTitle", { number: invoice.number }),
      text: say("quoteText", { rate: billedOf(invoice, locale).billed?.rate ?? "" }),
      field: { name: "rate", label: say("rateOfUsdc"), hint: say("rateHint"), optional: true, extra },
      keep: say("confirmBack"),
      confirm: say("quoteAgain"),
      isDanger: false,
    };
  },
};
