import type { WithChildren } from "../../layout.tsx";
import { webHref } from "../../text.ts";
import { DeskForm } from "../parts/form/form.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { Pill } from "../parts/state.tsx";
import type { DetailProps } from "./detail-props.ts";
import { stateOf, stateTexts } from "./invoice-state.ts";
import { invoiceHref } from "./list/rows.tsx";

type Props = { props: DetailProps };

/** Whose invoice it is, how it stands, and what can be done now. The state decides what is filled. */
export function DetailHead({ props }: Props) {
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
