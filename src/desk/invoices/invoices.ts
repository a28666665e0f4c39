import type { Invoice } from "../../domain/bill/invoice.ts";
import { formats } from "../../domain/einvoice/einvoice.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { fileAnswer } from "../../http/invoices/e-invoice.ts";
import { unsentReason } from "../../http/invoices/records.ts";
import { isCreditedByVoid } from "../../invoicing/credit-note.ts";
import type { Refusal } from "../../invoicing/outcome.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import { creditDeskRoutes } from "../credit/credit.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import type { DeedText } from "../parts/frame.tsx";
import { markPage, quotePage, voidPage } from "./closing-page.tsx";
import { showInvoice } from "./detail.ts";
import { newInvoice } from "./form/new.ts";
import { editPath, formPath, rateOf } from "./form/typed.ts";
import { invoicesCsv, listInvoices } from "./list.ts";
import { invoiceHref } from "./list-rows.tsx";

/** By number or id. */
const one = "/desk/invoices/:name";

/** Invoices at the desk: the list, a new one, and each of them. */
export function invoiceDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const form = newInvoice(deps);
  const deeds = invoiceDeeds(deps);
  creditDeskRoutes(deps, gate);
  gate.page("/desk/invoices", "read", (visit) => listInvoices(deps, visit));
  gate.page("/desk/invoices.csv", "export", (visit) => invoicesCsv(deps, visit));
  gate.page(formPath, "issue", form.page);
  gate.edit(editPath, "issue", form.edit);
  gate.action(formPath, "issue", "invoice.make", form.act);
  gate.page(one, "read", deeds.show);
  gate.page(`${one}/e-invoice`, "read", deeds.eInvoice);
  gate.page(`${one}/void`, "close", deeds.askVoid);
  gate.page(`${one}/quote`, "issue", deeds.askQuote);
  gate.action(`${one}/quote`, "issue", "invoice.quote", deeds.quote);
  gate.page(`${one}/mark`, "close", deeds.askMark);
  gate.action(`${one}/send`, "issue", "invoice.send", deeds.send);
  gate.action(`${one}/remind`, "issue", "invoice.remind", deeds.remind);
  gate.action(`${one}/redeliver`, "issue", "webhook.redeliver", deeds.redeliver);
  gate.action(`${one}/void`, "close", "invoice.void", deeds.void);
  gate.action(`${one}/mark`, "close", "invoice.mark", deeds.mark);
  gate.action(`${one}/unmark`, "close", "invoice.unmark", deeds.unmark);
  gate.action(`${one}/note`, "issue", "invoice.note", deeds.note);
}

type Deed = (visit: Visit, form: URLSearchParams) => Promise<FormOutcome | null>;

/** These forms may be sent twice: it does no harm, or is meant. */
const noKey = { key: null };

/** What can be done with an invoice, answered in the desk's words. */
function invoiceDeeds(deps: HttpDeps) {
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
