import { Html } from "@elysiajs/html";
import * as Usdc from "../../../domain/usdc.ts";
import { attr, webHref } from "../../text.ts";
import { type DeskFrame, deskPage } from "../frame.tsx";
import { invoiceHref } from "../invoices/list/rows.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Empty } from "../parts/list/empty.tsx";
import { Pager } from "../parts/list/pager.tsx";
import { Table } from "../parts/list/table.tsx";

export type NoteRow = {
  number: string;
  /** `YYYY-MM-DD` */
  issueDate: string;
  reason: string;
  total: Usdc.Amount;
  /** Of its currency. */
  code: string;
  /** On the web. */
  pdf: string;
  /** Whether it was mailed, or may have been. */
  wasSent: boolean;
  invoice: { number: string; vendorName: string };
};

type RowsProps = {
  frame: DeskFrame;
  rows: readonly NoteRow[];
  /** Whether it is said of which invoice each is. */
  isOfAll?: boolean;
  maySend: boolean;
};

/** The credit notes of an invoice, on its page; nothing without one. */
export function CreditNotes(props: Omit<RowsProps, "isOfAll">) {
  if (props.rows.length === 0) return "";
  return (
    <section class="part" id="credit-notes">
      <div class="part-head">
        <h2 safe>{props.frame.locale.say("creditNotes")}</h2>
      </div>
      <Rows {...props} />
    </section>
  );
}

/** All credit notes, newest first. */
export function creditNotesPage({
  frame,
  rows,
  maySend,
  newest,
  older,
}: RowsProps & { newest: string | null; older: string | null }): string {
  const { locale } = frame;
  const title = locale.say("creditNotes");
  return deskPage({
    frame,
    place: "invoices",
    title,
    body: (
      <>
        <PageHead back={{ href: "/desk/invoices", label: locale.say("navInvoices") }} title={title} />
        {rows.length === 0 ? (
          <Empty icon="invoice" title={title} text={locale.say("creditNotesNone")} />
        ) : (
          <>
            <Rows frame={frame} rows={rows} isOfAll maySend={maySend} />
            <Pager locale={locale} newest={newest} older={older} />
          </>
        )}
      </>
    ),
  });
}

function Rows({ frame, rows, isOfAll = false, maySend }: RowsProps) {
  const { locale } = frame;
  return (
    <Table
      caption={locale.say("creditNotes")}
      heads={[
        locale.say("creditNote"),
        ...(isOfAll ? [locale.say("ofInvoice")] : []),
        { end: locale.say("creditedAmount") },
        { hidden: locale.say("moreActions") },
      ]}
    >
      {rows.map((row) => (
        <Row frame={frame} row={row} isOfAll={isOfAll} maySend={maySend} />
      ))}
    </Table>
  );
}

function Row({
  frame,
  row,
  isOfAll,
  maySend,
}: {
  frame: DeskFrame;
  row: NoteRow;
  isOfAll: boolean;
  maySend: boolean;
}) {
  const { locale, when } = frame;
  const { number, invoice } = row;
  const send = locale.say(row.wasSent ? "sendAgain" : "sendIt");
  return (
    <tr role="row">
      <td role="cell" class="main">
        <span class="name">
          <bdi safe>{number}</bdi>
        </span>
        <span class="sub" safe>
          {when.day(row.issueDate)}
        </span>
        <span class="sub prose" dir="auto" safe>
          {row.reason}
        </span>
      </td>
      {isOfAll ? (
        <td role="cell" class="under">
          <a class="reach" href={attr(invoiceHref(invoice.number))}>
            <bdi safe>{invoice.number}</bdi>
          </a>
          <span class="sub" dir="auto" safe>
            {invoice.vendorName}
          </span>
        </td>
      ) : (
        ""
      )}
      <td role="cell" class="end sum">
        <span class="num whole-line" safe>
          {locale.money(Usdc.format(row.total), row.code)}
        </span>
      </td>
      <td role="cell" class="end note-actions">
        <div class="actions">
          <a
            class="button button-quiet button-small"
            href={webHref(row.pdf) ?? "#"}
            target="_blank"
            rel="noopener"
            aria-label={attr(`${locale.say("pdf")}, ${number}`)}
          >
            <DeskIcon name="download" />
            {Html.escapeHtml(locale.say("pdf"))}
          </a>
          {maySend ? (
            <DeskForm
              frame={frame}
              action={`/desk/credit-notes/${encodeURIComponent(number)}/send`}
              className="inline"
            >
              <button
                class="button button-quiet button-small"
                type="submit"
                aria-label={attr(`${send}, ${number}`)}
                safe
              >
                {send}
              </button>
            </DeskForm>
          ) : (
            ""
          )}
        </div>
      </td>
    </tr>
  );
}
