import type { Invoice } from "../../domain/bill/invoice.ts";
import { formats } from "../../domain/einvoice/einvoice.ts";
import { ofInvoice } from "../../domain/receivable/receivable.ts";
import { fileAnswer } from "../../http/invoices/e-invoice.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { isCreditedByVoid } from "../../invoicing/credit/credit-note.ts";
import { billedOf } from "../../language/bill-currency.ts";
import { reminderRefusal } from "../../store/reports/on-its-way.ts";
import type { Gate } from "../gate.ts";
import { afterWallet } from "../money/first-wallet.tsx";
import { currencyRows } from "../parts/form/currencies.ts";
import { formOf } from "../parts/form/rows.ts";
import type { DoneText } from "../parts/page/desk-frame.ts";
import type { Visit } from "../parts/page/visit.ts";
import { invoiceHref } from "../parts/place.ts";
import { mailProblem, noKey, reasonForm, receivableActions } from "../receivables/actions.ts";
import type { Feedback } from "../receivables/timeline.tsx";
import { correctRoutes } from "./correct.tsx";
import { creditDeskRoutes } from "./credit/credit.ts";
import { type Owed, showInvoice } from "./detail.tsx";
import { rateOf } from "./form/body.ts";
import { newInvoice } from "./form/new.ts";
import { editPath, formPath } from "./form/typed.ts";
import { invoicesCsv, listInvoices } from "./list.ts";
import { isRecent, lastReminded, remindPage, remindRoutes } from "./remind.tsx";

/** By number or id. */
const one = "/desk/invoices/:name";

const rateForm = formOf({
  rate: {
    ...currencyRows.rate,
    fault: ({ say }, { code }) => say(code === "rate_unavailable" ? "noRate" : "faultRate"),
  },
});

/** Invoices at the desk: the list, a new one, and each of them. */
export function invoiceDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const { invoices } = deps;
  const form = newInvoice(deps);
  creditDeskRoutes(deps, gate);
  gate.page("/desk/invoices", "read", (visit) => listInvoices(deps, visit));
  gate.page("/desk/invoices.csv", "export", (visit) => invoicesCsv(deps, visit));
  gate.page(formPath, "issue", afterWallet(deps, form.page));
  gate.edit(editPath, "issue", form.edit);
  gate.action(formPath, "issue", "invoice.make", form.act);
  remindRoutes(deps, gate);
  correctRoutes(deps, gate);

  const backTo = ({ number, vendorName }: Invoice) => ({
    href: invoiceHref(number),
    label: `${vendorName}, ${number}`,
  });
  const show = (visit: Visit, invoice: Owed, told?: Feedback) => showInvoice(deps, visit, invoice, told);
  const { page, action, confirmed, done, refused, answer } = receivableActions(deps, gate, {
    path: one,
    kind: "invoice",
    find({ params }) {
      const invoice = invoices.find(params["name"] ?? "");
      return invoice && ofInvoice(invoice);
    },
    show,
    mark: invoices.mark,
    comment: invoices.comment,
    askMark: ({ say }, invoice) => ({
      place: "invoices",
      back: backTo(invoice),
      question: say("markTitle", { number: invoice.number }),
      text: say("markText", { name: invoice.vendorName }),
      keep: say("leaveIt"),
      confirm: say("doMark"),
    }),
    did: { mark: "didMarkPaid", unmark: "didMarkUnpaid" },
  });

  page(one, "read", show);
  confirmed(`${one}/void`, "close", "invoice.void", {
    form: reasonForm("voidReasonHint"),
    ask({ frame }, invoice) {
      const { say, marks } = frame.locale;
      const { number, vendorName: name, sentAt } = invoice;
      const mailNote = sentAt === null ? say("voidUnmailed") : say("voidMailed", { name });
      return {
        place: "invoices",
        back: backTo(invoice),
        question: say("voidTitle", { number }),
        text: isCreditedByVoid(deps.db, invoice) ? `${mailNote}${marks.gap}${say("voidCredits")}` : mailNote,
        keep: say("keepIt"),
        confirm: say("doVoid"),
      };
    },
    does: (visit, invoice, { typed, again }) =>
      answer(visit, invoice, invoices.void(invoice, typed, noKey), "didVoid", () =>
        again([{ field: "reason" }]),
      ),
  });

  confirmed(`${one}/quote`, "issue", "invoice.quote", {
    form: rateForm,
    ask({ frame: { locale } }, invoice) {
      const { say } = locale;
      return {
        place: "invoices",
        back: backTo(invoice),
        question: say("quoteTitle", { number: invoice.number }),
        text: say("quoteText", { rate: billedOf(invoice, locale).billed?.rate ?? "" }),
        keep: say("confirmBack"),
        confirm: say("quoteAgain"),
        isDanger: false,
      };
    },
    async does(visit, invoice, { typed: { rate }, again }) {
      const wanted = rate === "" ? {} : { rate: rateOf(rate, visit.frame.locale.decimalMark) };
      const outcome = await invoices.quote(invoice, wanted, noKey);
      if (outcome.ok) return done(invoice, "didQuote");
      const { kind } = outcome.refusal;
      return kind === "invalid" || kind === "rate_unavailable"
        ? again([{ field: "rate", code: kind }])
        : refused(visit, invoice, outcome.refusal);
    },
  });

  async function mail(visit: Visit, invoice: Owed, call: "send" | "remind", did: DoneText) {
    const outcome = await invoices[call](invoice, noKey);
    if (!outcome.ok) return refused(visit, invoice, outcome.refusal);
    const problem = mailProblem(outcome.value, visit.frame.locale);
    if (problem === null) return done(invoice, did);
    return { kind: "failed", html: show(visit, invoice, { problem }) } as const;
  }
  action(`${one}/send`, "issue", "invoice.send", (visit, invoice) =>
    mail(visit, invoice, "send", "didSendMail"),
  );
  page(`${one}/remind`, "issue", (visit, invoice) =>
    reminderRefusal(deps.db, invoice) === null ? remindPage(deps, visit, invoice, false) : null,
  );
  action(`${one}/remind`, "issue", "invoice.remind", async (visit, invoice, sent) => {
    const isAgain =
      reminderRefusal(deps.db, invoice) === null && isRecent(lastReminded(deps, invoice), visit.now);
    if (isAgain && !sent.has("again")) return remindPage(deps, visit, invoice, true);
    return mail(visit, invoice, "remind", "didRemind");
  });

  page(`${one}/e-invoice`, "read", async (visit, invoice) => {
    const format = formats.find((name) => name === visit.query.get("format"));
    if (format === undefined) return null;
    const file = await deps.eInvoices.write(invoice, format);
    return Array.isArray(file) ? show(visit, invoice) : fileAnswer(file);
  });
}
