import type { Invoice } from "../../../domain/bill/invoice.ts";
import { formats } from "../../../domain/einvoice/einvoice.ts";
import { isCreditedByVoid } from "../../../invoicing/credit-note.ts";
import type { Refusal } from "../../../invoicing/outcome.ts";
import type { DeedText } from "../../../pages/desk/frame.tsx";
import { markPage, quotePage, voidPage } from "../../../pages/desk/invoices/closing-page.tsx";
import { invoiceHref } from "../../../pages/desk/invoices/list/rows.tsx";
import * as WebhookEventStore from "../../../store/tables/outbox/webhook-event.ts";
import type { HttpDeps } from "../../deps.ts";
import { fileAnswer } from "../../invoices/e-invoice.ts";
import { unsentReason } from "../../invoices/mailing.ts";
import type { FormOutcome, Visit } from "../gate.ts";
import { showInvoice } from "./detail.ts";
import { rateOf } from "./draft-form.ts";

type Deed = (visit: Visit, form: URLSearchParams) => Promise<FormOutcome | null>;

/** These forms may be sent twice: it does no harm, or is meant. */
const noKey = { key: null };

/** What can be done with an invoice, answered in the desk's words. */
export function invoiceDeeds(deps: HttpDeps) {
  const { invoices } = deps;
  const find = ({ params }: Visit) => invoices.find(params["name"] ?? "");
  const voidProps = ({ frame }: Visit, invoice: Invoice) => ({
    frame,
    invoice,
    isCredited: isCreditedByVoid(deps.db, invoice),
  });

  const done = ({ number }: Invoice, did: DeedText): FormOutcome => ({
    kind: "done",
    to: invoiceHref(number),
    did,
    subject: number,
  });

  /** For a form from a page that was out of date. */
  function refused(visit: Visit, invoice: Invoice, { kind, ...more }: Refusal): FormOutcome {
    const isUnread = "why" in more && more.why === "unread";
    const text = kind === "too_many_mails" ? "tooManyTries" : isUnread ? "chainUnread" : "notDone";
    const problem = visit.frame.locale.say(text);
    return showInvoice(deps, visit, invoices.find(invoice.number) ?? invoice, { problem });
  }

  const of =
    (work: (visit: Visit, invoice: Invoice, form: URLSearchParams) => Promise<FormOutcome>): Deed =>
    async (visit, form) => {
      const invoice = find(visit);
      return invoice && work(visit, invoice, form);
    };

  const mailed = (call: "send" | "remind", did: DeedText): Deed =>
    of(async (visit, invoice) => {
      const outcome = await invoices[call](invoice, noKey);
      if (!outcome.ok) return refused(visit, invoice, outcome.refusal);
      const why = unsentReason(outcome.value);
      if (why === null) return done(invoice, did);
      const problem = visit.frame.locale.say("mailNotSent", { why });
      return { kind: "failed", html: showInvoice(deps, visit, invoice, { problem }) };
    });

  const text = (form: URLSearchParams, name: string) =>
    (form.get(name) ?? "").replaceAll("\r\n", "\n").trim();

  return {
    show(visit: Visit): string | null {
      const invoice = find(visit);
      return invoice && showInvoice(deps, visit, invoice);
    },

    async eInvoice(visit: Visit): Promise<string | Response | null> {
      const invoice = find(visit);
      const format = formats.find((name) => name === visit.query.get("format"));
      if (!invoice || format === undefined) return null;
      const file = await deps.eInvoices.write(invoice, format);
      return Array.isArray(file) ? showInvoice(deps, visit, invoice) : fileAnswer(file);
    },

    askVoid(visit: Visit): string | null {
      const invoice = find(visit);
      return invoice && voidPage({ ...voidProps(visit, invoice), value: "", faults: [] });
    },

    askMark(visit: Visit): string | null {
      const invoice = find(visit);
      return invoice && markPage({ frame: visit.frame, invoice, value: "", faults: [] });
    },

    send: mailed("send", "didSendMail"),
    remind: mailed("remind", "didRemind"),

    void: of(async (visit, invoice, form) => {
      const reason = text(form, "reason");
      const outcome = await invoices.void(invoice, { reason }, noKey);
      if (outcome.ok) return done(invoice, "didVoid");
      if (outcome.refusal.kind !== "invalid") return refused(visit, invoice, outcome.refusal);
      const faults = [{ field: "reason", message: visit.frame.locale.say("faultVoidReason") }];
      return voidPage({ ...voidProps(visit, invoice), value: reason, faults });
    }),

    mark: of(async (visit, invoice, form) => {
      const note = text(form, "how");
      const outcome = await invoices.mark(invoice, { as: "paid", note }, noKey);
      if (outcome.ok) return done(invoice, "didMarkPaid");
      if (outcome.refusal.kind !== "invalid") return refused(visit, invoice, outcome.refusal);
      const faults = [{ field: "how", message: visit.frame.locale.say("faultMarkNote") }];
      return markPage({ frame: visit.frame, invoice, value: note, faults });
    }),

    askQuote(visit: Visit): string | null {
      const invoice = find(visit);
      return invoice && quotePage({ frame: visit.frame, invoice, value: "", faults: [] });
    },

    quote: of(async (visit, invoice, form) => {
      const { locale } = visit.frame;
      const rate = text(form, "rate");
      const asked = rate === "" ? {} : { rate: rateOf(rate, locale.decimalMark) };
      const outcome = await invoices.quote(invoice, asked, noKey);
      if (outcome.ok) return done(invoice, "didQuote");
      const { refusal } = outcome;
      if (refusal.kind !== "invalid" && refusal.kind !== "rate_unavailable")
        return refused(visit, invoice, refusal);
      const message = locale.say(refusal.kind === "invalid" ? "faultRate" : "noRate");
      return quotePage({ frame: visit.frame, invoice, value: rate, faults: [{ field: "rate", message }] });
    }),

    unmark: of(async (visit, invoice) => {
      const outcome = await invoices.mark(invoice, { as: "unpaid" }, noKey);
      return outcome.ok ? done(invoice, "didMarkUnpaid") : refused(visit, invoice, outcome.refusal);
    }),

    note: of(async (visit, invoice, form) => {
      const note = text(form, "note");
      const outcome = await invoices.comment(invoice, { text: note }, noKey);
      if (outcome.ok) return done(invoice, "didAddNote");
      const faults = [{ field: "note", message: visit.frame.locale.say("faultNote") }];
      return showInvoice(deps, visit, invoice, { note, faults });
    }),

    /** Only if it belongs to this invoice. */
    redeliver: of(async (_, invoice, form) => {
      const id = form.get("event") ?? "";
      const own = WebhookEventStore.listByDeposit(deps.db, invoice.deposit.index);
      if (own.some((event) => event.id === id) && WebhookEventStore.redeliver(deps.db, id, deps.now()))
        deps.onEventDue();
      return done(invoice, "didRedeliver");
    }),
  };
}
