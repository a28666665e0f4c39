import type { Invoice } from "../../../domain/bill/invoice.ts";
import { formats } from "../../../domain/einvoice/einvoice.ts";
import { isCreditedByVoid } from "../../../invoicing/credit-note.ts";
import { RateUnavailable } from "../../../invoicing/rate-unavailable.ts";
import type { DeedText } from "../../../pages/desk/frame.tsx";
import { markPage, quotePage, voidPage } from "../../../pages/desk/invoices/closing-page.tsx";
import { invoiceHref } from "../../../pages/desk/invoices/list/rows.tsx";
import * as WebhookEventStore from "../../../store/tables/outbox/webhook-event.ts";
import type { HttpDeps } from "../../deps.ts";
import { fileAnswer } from "../../invoices/e-invoice.ts";
import type { InvoiceCalls } from "../../invoices/invoice-calls.ts";
import { findInvoice } from "../../invoices/invoice-record.ts";
import type { ProblemBody } from "../../problem/problem.ts";
import type { FormOutcome, Visit } from "../gate.ts";
import { apiRequest } from "./api-request.ts";
import { showInvoice } from "./detail.ts";
import { rateOf } from "./draft-form.ts";

type Deed = (visit: Visit, form: URLSearchParams) => Promise<FormOutcome | null>;

/** What can be done with an invoice: each deed is the API's call, answered in the desk's words. */
export function invoiceDeeds(deps: HttpDeps, calls: InvoiceCalls) {
  const find = ({ params }: Visit) => findInvoice(deps, params["name"] ?? "");
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
  async function refused(visit: Visit, invoice: Invoice, answer: Response): Promise<FormOutcome> {
    const { code } = (await answer.json()) as ProblemBody;
    const problem = visit.frame.locale.say(
      code === "rate_limited" ? "tooManyTries" : code === "node_unreachable" ? "chainUnread" : "notDone",
    );
    return showInvoice(deps, visit, findInvoice(deps, invoice.number) ?? invoice, { problem });
  }

  const of =
    (work: (visit: Visit, invoice: Invoice, form: URLSearchParams) => Promise<FormOutcome>): Deed =>
    async (visit, form) => {
      const invoice = find(visit);
      return invoice && work(visit, invoice, form);
    };

  const mailed = (call: "send" | "remind", did: DeedText): Deed =>
    of(async (visit, invoice) => {
      const answer = await calls[call]({
        request: apiRequest(`/api/invoices/${invoice.id}/${call}`),
        body: {},
        invoice,
      });
      if (!answer.ok) return refused(visit, invoice, answer);
      const sent = (await answer.json()) as { ok: boolean; detail?: string };
      if (sent.ok) return done(invoice, did);
      const problem = visit.frame.locale.say("mailNotSent", { why: sent.detail ?? "" });
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
      const request = apiRequest(`/api/invoices/${invoice.id}/void`);
      const answer = await calls.void({ request, body: { reason }, invoice });
      if (answer.ok) return done(invoice, "didVoid");
      if (answer.status !== 400) return refused(visit, invoice, answer);
      const faults = [{ field: "reason", message: visit.frame.locale.say("faultVoidReason") }];
      return voidPage({ ...voidProps(visit, invoice), value: reason, faults });
    }),

    mark: of(async (visit, invoice, form) => {
      const note = text(form, "how");
      const request = apiRequest(`/api/invoices/${invoice.id}/mark`);
      const answer = await calls.mark({ request, body: { as: "paid", note }, invoice });
      if (answer.ok) return done(invoice, "didMarkPaid");
      if (answer.status !== 400) return refused(visit, invoice, answer);
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
      const request = apiRequest(`/api/invoices/${invoice.id}/quote`);
      const body = rate === "" ? {} : { rate: rateOf(rate, locale.decimalMark) };
      const again = (key: "faultRate" | "noRate"): FormOutcome => {
        const faults = [{ field: "rate", message: locale.say(key) }];
        return quotePage({ frame: visit.frame, invoice, value: rate, faults });
      };
      try {
        const answer = await calls.quote({ request, body, invoice });
        if (answer.ok) return done(invoice, "didQuote");
        return answer.status === 400 ? again("faultRate") : refused(visit, invoice, answer);
      } catch (thrown) {
        if (thrown instanceof RateUnavailable) return again("noRate");
        throw thrown;
      }
    }),

    unmark: of(async (visit, invoice) => {
      const request = apiRequest(`/api/invoices/${invoice.id}/mark`);
      const answer = await calls.mark({ request, body: { as: "unpaid" }, invoice });
      return answer.ok ? done(invoice, "didMarkUnpaid") : refused(visit, invoice, answer);
    }),

    note: of(async (visit, invoice, form) => {
      const note = text(form, "note");
      const request = apiRequest(`/api/invoices/${invoice.id}/comments`);
      const answer = await calls.comment({ request, body: { text: note }, invoice });
      if (answer.ok) return done(invoice, "didAddNote");
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
