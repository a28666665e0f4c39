import type { Invoice } from "../../domain/bill/invoice.ts";
import type { Usdc } from "../../domain/usdc.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { webHref } from "../../pages/text.ts";
import { CreditNotes, type NoteRow } from "../credit/notes.tsx";
import { DeskForm, type FormFault } from "../parts/form/form.tsx";
import { type DeskFrame, deskPage } from "../parts/frame.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { Pill } from "../parts/state.tsx";
import { About, Payments } from "./detail-parts.tsx";
import type { EInvoiceProps } from "./e-invoice.tsx";
import { Hooks } from "./hooks.tsx";
import { Items } from "./items.tsx";
import { invoiceHref } from "./list-rows.tsx";
import { Standing, stateOf, stateTexts } from "./standing.tsx";
import { Timeline } from "./timeline.tsx";

/** All about one invoice. What money and the merchant make of it shows by itself. */
export function invoiceDetailPage(props: DetailProps): string {
  const { frame, invoice, problem } = props;
  return deskPage({
    frame,
    place: "invoices",
    title: `${invoice.vendorName} · ${invoice.number}`,
    undo: props.can.unmark ? { of: "didMarkPaid", action: `${invoiceHref(invoice.number)}/unmark` } : null,
    body: (
      <>
        {problem !== null && (
          <p class="notice notice-late" role="alert">
            {problem}
          </p>
        )}
        <DetailHead props={props} />
        <div class="columns">
          <div>
            <Standing frame={frame} invoice={invoice} />
            <Payments props={props} />
            <Items props={props} />
            <CreditNotes frame={frame} rows={props.creditNotes} />
            <InvoiceTimeline props={props} />
            {props.hooks.length > 0 && (
              <Hooks
                props={{ ...props, webhookUrl: invoice.webhookUrl, href: invoiceHref(invoice.number) }}
              />
            )}
          </div>
          <About props={props} />
        </div>
      </>
    ),
  });
}

function InvoiceTimeline({ props }: { props: DetailProps }) {
  const { invoice } = props;
  const { number, vendorName: name, vendorEmail: email, merchantEmail } = invoice;
  return (
    <Timeline {...props} people={{ name, email, merchantEmail }} noteAction={`${invoiceHref(number)}/note`} />
  );
}

type Props = { props: DetailProps };

/** Whose invoice it is, how it stands, and what can be done now. The state decides what is filled. */
function DetailHead({ props }: Props) {
  const { frame, invoice } = props;
  const { locale, when } = frame;
  const state = stateOf(invoice, when.today);
  const { number } = invoice;
  const isOver = state === "paid" || state === "excess" || state === "void";
  const line = isOver
    ? locale.say("numberIssued", { number, day: when.day(invoice.issueDate) })
    : locale.say(state === "late" ? "numberWasDue" : "numberDue", { number, day: when.day(invoice.dueDate) });
  return (
    <div id="head" data-live>
      <PageHead
        back={{ href: "/desk/invoices", label: locale.say("invoices") }}
        title={invoice.vendorName}
        pill={<Pill name={state} word={locale.say(stateTexts[state])} />}
        line={line}
      >
        <a class="button button-quiet" href={webHref(props.links.pdf) ?? "#"} target="_blank" rel="noopener">
          <DeskIcon name="download" />
          {locale.say("pdf")}
        </a>
        <Main props={props} isLate={state === "late"} />
        <More props={props} />
      </PageHead>
    </div>
  );
}

/** What comes next: sending what nobody has seen, reminding who is late. */
function Main({ props, isLate }: Props & { isLate: boolean }) {
  const { frame, invoice, can } = props;
  if (can.send && invoice.sentAt === null)
    return (
      <Deed props={props} deed="send" look="button">
        <DeskIcon name="mail" />
        {frame.locale.say("sendIt")}
      </Deed>
    );
  if (!can.remind) return "";
  return (
    <Deed props={props} deed="remind" look={isLate ? "button" : "button button-quiet"}>
      <DeskIcon name="bell" />
      {frame.locale.say("remind")}
    </Deed>
  );
}

/** A form of nothing but a button. */
function Deed({ props, deed, look, children }: WithChildren<Props & { deed: string; look: string }>) {
  return (
    <DeskForm frame={props.frame} action={`${invoiceHref(props.invoice.number)}/${deed}`} className="">
      <button type="submit" class={look}>
        {children}
      </button>
    </DeskForm>
  );
}

function More({ props }: Props) {
  const { frame, invoice, can, links } = props;
  const { say } = frame.locale;
  const href = invoiceHref(invoice.number);
  const like = `/desk/invoices/new?like=${encodeURIComponent(invoice.number)}`;
  return (
    <Menu
      frame={frame}
      entries={[
        { text: say("openCustomersPage"), href: links.page, as: "window" },
        links.receipt !== null && { text: say("receipt"), href: links.receipt, as: "window" },
        can.issue && { text: say("duplicate"), href: like },
        can.send && invoice.sentAt !== null && { text: say("sendAgain"), href: `${href}/send`, as: "post" },
        can.quote && { text: say("quoteAgain"), href: `${href}/quote`, as: "dialog" },
        can.unmark && { text: say("notPaidElsewhere"), href: `${href}/unmark`, as: "post", group: "closing" },
        can.mark && { text: say("paidElsewhere"), href: `${href}/mark`, as: "dialog", group: "closing" },
        can.credit && { text: say("creditInvoice"), href: `${href}/credit`, group: "closing" },
        can.void && { text: say("voidIt"), href: `${href}/void`, as: "dialog", isDanger: true },
      ]}
    />
  );
}

export type DetailProps = {
  frame: DeskFrame;
  invoice: Invoice;
  /** What can be done now, by who looks at it. */
  can: Readonly<
    Record<"send" | "remind" | "void" | "mark" | "unmark" | "quote" | "issue" | "credit", boolean>
  >;
  creditNotes: readonly NoteRow[];
  payments: readonly DetailPayment[];
  /** How many more there are, all smaller. */
  otherPayments: number;
  /** Newest first. */
  timeline: readonly TimelineEntry[];
  hooks: readonly Hook[];
  /** Whole addresses on the web. */
  links: { page: string; pdf: string; receipt: string | null };
  eInvoice: EInvoiceProps;
  /** The desk's page of the customer; null when there is none. */
  customerHref: string | null;
  /** What was typed as a note and refused. */
  note: string;
  faults: readonly FormFault[];
  /** What went wrong with what was asked for. */
  problem: string | null;
};

export type DetailPayment = {
  txHash: string;
  /** Null without an explorer. */
  explorerUrl: string | null;
  amount: Usdc;
  confirmed: boolean;
  confirmations: number;
  /** Null when the chain decides what is final. */
  needed: number | null;
  /** Unix time in milliseconds. */
  madeAt: number;
};

/** Something that happened, as the timeline of the API has it. */
export type TimelineEntry = {
  /** Unix time in milliseconds. */
  at: number;
  type: string;
  data: Readonly<Record<string, unknown>>;
};

export type Hook = {
  id: string;
  /** What it tells, such as `invoice.paid`. */
  name: string;
  state: "pending" | "delivered" | "failed";
  attempts: readonly {
    /** Unix time in milliseconds. */
    startedAt: number;
    durationMs: number;
    httpStatus: number | null;
    reason: string | null;
  }[];
};
