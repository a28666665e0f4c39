import * as Invoice from "../../domain/bill/invoice.ts";
import * as Quoting from "../../domain/bill/rate/quoting.ts";
import * as Calendar from "../../domain/calendar.ts";
import { may } from "../../domain/party/person.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import type { ofInvoice } from "../../domain/receivable/receivable.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { webHref } from "../../pages/text.ts";
import { reminderRefusal } from "../../store/reports/on-its-way.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import { ActionButton, ButtonLink } from "../parts/button.tsx";
import { closingsOf } from "../parts/closings.ts";
import { Menu } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { PageHead } from "../parts/page/head.tsx";
import type { Visit } from "../parts/page/visit.ts";
import { invoiceHref } from "../parts/place.ts";
import { Pill } from "../parts/state.tsx";
import { receivablePage } from "../receivables/detail.tsx";
import { stateOf, stateTexts } from "../receivables/standing.tsx";
import type { Feedback } from "../receivables/timeline.tsx";
import { canCredit, noteRow } from "./credit/list.tsx";
import { CreditNotes } from "./credit/notes.tsx";
import { About } from "./detail-parts.tsx";
import { Items } from "./items.tsx";
import { Warnings } from "./warnings.tsx";

/** An invoice as a receivable. */
export type Owed = ReturnType<typeof ofInvoice>;

/** All about one invoice. */
export function showInvoice(
  deps: HttpDeps,
  { frame, who }: Visit,
  invoice: Owed,
  feedback: Feedback = {},
): string {
  const can = allowed(deps, invoice, who);
  const notes = CreditNoteStore.listByInvoice(deps.db, invoice.sequence);
  const of = { deps, frame, invoice };
  return receivablePage({
    deps,
    frame,
    receivable: invoice,
    feedback,
    place: "invoices",
    title: `${invoice.vendorName} · ${invoice.number}`,
    marked: can.unmark ? "didMarkPaid" : null,
    columns: "columns",
    head: <DetailHead {...of} can={can} />,
    before: <Warnings locale={frame.locale} warnings={lookAt(deps, invoice)} />,
    after: (
      <>
        <Items frame={frame} invoice={invoice} />
        <CreditNotes frame={frame} rows={notes.map((each) => noteRow(deps, each))} />
      </>
    ),
    aside: <About {...of} />,
  });
}

/** Warnings to look at before it is sent; later, only that its tax lacks a rate. */
const lookAt = ({ invoices }: HttpDeps, invoice: Invoice.Invoice) =>
  invoice.voidedAt !== null
    ? []
    : invoices.warn(invoice).filter(({ code }) => invoice.status === "draft" || code === "no_tax_rate_known");

/** Returns what this visitor can do with an invoice now. Nothing else is shown. */
function allowed(deps: HttpDeps, invoice: Owed, who: Visit["who"]) {
  const { config, now } = deps;
  const { role } = who;
  const mails = may(role, "issue") && config.smtpUrl !== null;
  return {
    issue: may(role, "issue"),
    send: mails && invoice.status !== "void",
    remind: mails && reminderRefusal(deps.db, invoice) === null,
    credit: may(role, "close") && canCredit(deps, invoice),
    ...closingsOf(invoice, who),
    quote:
      may(role, "issue") &&
      Quoting.refusal(invoice, {
        isOver: Invoice.isOverdue(invoice, Calendar.dayAt(now(), config.timeZone)),
        isPaying: false,
      }) === null,
  };
}

type HeadProps = {
  deps: HttpDeps;
  frame: DeskFrame;
  invoice: Invoice.Invoice;
  can: ReturnType<typeof allowed>;
};

/** The customer, the state, and the possible actions. The state decides which button is filled. */
function DetailHead(props: HeadProps) {
  const { deps, frame, invoice } = props;
  const { locale, when } = frame;
  const state = stateOf(invoice, when.today);
  const { number } = invoice;
  const isOver = state === "paid" || state === "excess" || state === "void";
  const line = isOver
    ? locale.say("numberIssued", { number, day: when.day(invoice.issueDate) })
    : locale.say(state === "late" ? "numberWasDue" : "numberDue", { number, day: when.day(invoice.dueDate) });
  const pdf = webHref(Invoice.pdfUrl(deps.baseUrl, invoice)) ?? "#";
  return (
    <div id="head" data-live>
      <PageHead
        back={{ href: "/desk/invoices", label: locale.say("invoices") }}
        title={invoice.vendorName}
        pill={<Pill name={state} word={locale.say(stateTexts[state])} />}
        line={line}
      >
        <ButtonLink href={pdf} as="window" kind="quiet" icon="download" text={locale.say("pdf")} />
        <Main {...props} isLate={state === "late"} />
        <More {...props} />
      </PageHead>
    </div>
  );
}

/** The next step: sending an unsent invoice, or a reminder. */
function Main({ frame, invoice, can, isLate }: HeadProps & { isLate: boolean }) {
  const { say } = frame.locale;
  const action = { frame, className: "" };
  const href = invoiceHref(invoice.number);
  if (can.send && invoice.sentAt === null)
    return <ActionButton {...action} action={`${href}/send`} icon="mail" text={say("sendIt")} />;
  if (!can.remind) return "";
  const kind = isLate ? "" : "quiet";
  return <ActionButton {...action} action={`${href}/remind`} kind={kind} icon="bell" text={say("remind")} />;
}

function More({ deps, frame, invoice, can }: HeadProps) {
  const { say } = frame.locale;
  const href = invoiceHref(invoice.number);
  const hasReceipt = Receipt.refusal(invoice) === null;
  const receipt = `${deps.baseUrl}/api/invoices/${invoice.id}/receipt`;
  const like = `/desk/invoices/new?like=${encodeURIComponent(invoice.number)}`;
  return (
    <Menu
      frame={frame}
      entries={[
        { text: say("openCustomersPage"), href: Invoice.pageUrl(deps.baseUrl, invoice), as: "window" },
        hasReceipt && { text: say("receipt"), href: receipt, as: "window" },
        can.issue && { text: say("duplicate"), href: like },
        can.issue && { text: say("repeat"), href: like.replace("invoices", "recurring") },
        can.send && invoice.sentAt !== null && { text: say("sendAgain"), href: `${href}/send`, as: "post" },
        can.remind && { text: say("remindSee"), href: `${href}/remind` },
        can.quote && { text: say("quoteAgain"), href: `${href}/quote`, as: "dialog" },
        can.unmark && { text: say("notPaidElsewhere"), href: `${href}/unmark`, as: "post", group: "closing" },
        can.mark && { text: say("paidElsewhere"), href: `${href}/mark`, as: "dialog", group: "closing" },
        can.issue && invoice.voidedAt === null && { text: say("correctIt"), href: `${href}/correct` },
        can.credit && { text: say("creditInvoice"), href: `${href}/credit`, group: "closing" },
        can.void && { text: say("voidIt"), href: `${href}/void`, as: "dialog", isDanger: true },
      ]}
    />
  );
}
