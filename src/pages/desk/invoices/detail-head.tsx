import type { WithChildren } from "../../layout.tsx";
import { webHref } from "../../text.ts";
import { DeskForm } from "../parts/form/form.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
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
  const { locale } = frame;
  const href = invoiceHref(invoice.number);
  const like = `/desk/invoices/new?like=${encodeURIComponent(invoice.number)}`;
  return (
    <details class="menu">
      <summary class="button button-quiet button-icon" aria-label={locale.say("moreActions")}>
        <DeskIcon name="more" />
      </summary>
      <div class="menu-list">
        <ul>
          <li>
            <a href={webHref(links.page) ?? "#"} target="_blank" rel="noopener">
              {locale.say("openCustomersPage")}
            </a>
          </li>
          {links.receipt !== null && (
            <li>
              <a href={webHref(links.receipt) ?? "#"} target="_blank" rel="noopener">
                {locale.say("receipt")}
              </a>
            </li>
          )}
          {can.issue && (
            <li>
              <a href={like}>{locale.say("duplicate")}</a>
            </li>
          )}
          {can.send && invoice.sentAt !== null && (
            <li>
              <Deed props={props} deed="send" look="">
                {locale.say("sendAgain")}
              </Deed>
            </li>
          )}
          {can.quote && (
            <li>
              <a href={`${href}/quote`} data-dialog>
                {locale.say("quoteAgain")}
              </a>
            </li>
          )}
          {can.unmark && (
            <li class="apart">
              <Deed props={props} deed="unmark" look="">
                {locale.say("notPaidElsewhere")}
              </Deed>
            </li>
          )}
          {can.mark && (
            <li class="apart">
              <a href={`${href}/mark`} data-dialog>
                {locale.say("paidElsewhere")}
              </a>
            </li>
          )}
          {can.credit && (
            <li class={can.mark || can.unmark ? "" : "apart"}>
              <a href={`${href}/credit`}>{locale.say("creditInvoice")}</a>
            </li>
          )}
          {can.void && (
            <li>
              <a class="late" href={`${href}/void`} data-dialog>
                {locale.say("voidIt")}
              </a>
            </li>
          )}
        </ul>
      </div>
    </details>
  );
}
