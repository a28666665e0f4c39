import type { CreditNote } from "../../../domain/bill/credit-note.ts";
import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { creditedBill } from "../../../language/bill.ts";
import { webHref } from "../../text.ts";
import { type DeskFrame, deskPage } from "../frame.tsx";
import { CustomerPart } from "../invoices/about.tsx";
import { EInvoice, type EInvoiceProps } from "../invoices/e-invoice.tsx";
import { BillTable } from "../invoices/items.tsx";
import { invoiceHref } from "../invoices/list/rows.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Facts } from "../parts/menu.tsx";
import { noteHref, notesPath } from "./notes.tsx";

type NoteProps = {
  frame: DeskFrame;
  note: CreditNote;
  invoice: Invoice;
  /** On the web. */
  pdf: string;
  /** Whether it was mailed, or may have been. */
  wasSent: boolean;
  eInvoice: EInvoiceProps;
  /** The desk's page of the customer; null when there is none. */
  customerHref: string | null;
  maySend: boolean;
  /** What went wrong with what was asked for. */
  problem: string | null;
};

/** All about one credit note, which never changes. */
export function creditNotePage(props: NoteProps): string {
  const { frame, note, invoice, wasSent, problem } = props;
  const { locale, when } = frame;
  const title = locale.say("creditHeading", { number: note.number });
  const code = Currency.codeOf(invoice);
  const total = locale.money(Usdc.format(note.totals.total), code);
  return deskPage({
    frame,
    place: "invoices",
    title,
    body: (
      <>
        {problem !== null && (
          <p class="notice notice-late" role="alert">
            {problem}
          </p>
        )}
        <PageHead
          back={{ href: notesPath, label: locale.say("creditNotes") }}
          title={title}
          line={`${when.day(note.issueDate)} · ${total}`}
        >
          <a class="button button-quiet" href={webHref(props.pdf) ?? "#"} target="_blank" rel="noopener">
            <DeskIcon name="download" />
            {locale.say("pdf")}
          </a>
          {props.maySend && (
            <DeskForm frame={frame} action={`${noteHref(note.number)}/send`} className="inline">
              <button class={wasSent ? "button button-quiet" : "button"} type="submit">
                <DeskIcon name="mail" />
                {locale.say(wasSent ? "sendAgain" : "sendIt")}
              </button>
            </DeskForm>
          )}
        </PageHead>
        <div class="columns">
          <div>
            {note.toReturn !== 0n && (
              <p class="notice">
                {locale.say("creditToReturn", { amount: locale.usdc(Usdc.formatExact(note.toReturn)) })}
              </p>
            )}
            <section class="part">
              <div class="part-head">
                <h2>{locale.say("creditedAmount")}</h2>
              </div>
              <BillTable
                locale={locale}
                caption={title}
                bill={creditedBill(note, invoice)}
                total={note.totals.total}
                code={code}
              />
            </section>
            <section class="part">
              <div class="part-head">
                <h2>{locale.say("reason")}</h2>
              </div>
              <p class="prose" dir="auto">
                {note.reason}
              </p>
            </section>
          </div>
          <About props={props} />
        </div>
      </>
    ),
  });
}

/** Beside it: the invoice that it lowers, its customer, and the e-invoice. */
function About({ props }: { props: NoteProps }) {
  const { frame, note, invoice, customerHref } = props;
  const { locale } = frame;
  return (
    <aside aria-label={locale.say("ofInvoice")}>
      <div class="aside-part">
        <h2>{locale.say("ofInvoice")}</h2>
        <p>
          <a class="reach" href={invoiceHref(invoice.number)}>
            <strong>
              <bdi>{invoice.number}</bdi>
            </strong>
          </a>
        </p>
        {invoice.currency !== null && (
          <Facts facts={[[locale.say("creditedAmount"), locale.usdc(Usdc.formatExact(note.usdc))]]} />
        )}
      </div>
      <CustomerPart locale={locale} invoice={invoice} href={customerHref} />
      <EInvoice frame={frame} href={noteHref(note.number)} lead="eInvoiceCreditLacks" {...props.eInvoice} />
    </aside>
  );
}
