import { Html } from "@elysiajs/html";
import * as Usdc from "../../../domain/usdc.ts";
import { attr, webHref } from "../../text.ts";
import type { DeskFrame } from "../frame.tsx";
import { invoiceHref } from "../invoices/list/rows.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import { DeskIcon } from "../parts/icon.tsx";
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

export const notesPath = "/desk/credit-notes";
export const noteHref = (number: string) => `${notesPath}/${encodeURIComponent(number)}`;

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
      <NoteRows {...props} />
    </section>
  );
}

export function NoteRows({ frame, rows, isOfAll = false, maySend }: RowsProps) {
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
  return (
    <tr role="row">
      <td role="cell" class="main">
        <a class="name" href={attr(noteHref(number))}>
          <bdi safe>{number}</bdi>
        </a>
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
          <PdfLink frame={frame} row={row} look="button button-quiet button-small" />
          {maySend ? <SendForm frame={frame} row={row} look="button button-quiet button-small" /> : ""}
        </div>
      </td>
    </tr>
  );
}

type ActionProps = { frame: DeskFrame; row: NoteRow; look: string };

export function PdfLink({ frame: { locale }, row, look }: ActionProps) {
  return (
    <a
      class={look}
      href={webHref(row.pdf) ?? "#"}
      target="_blank"
      rel="noopener"
      aria-label={attr(`${locale.say("pdf")}, ${row.number}`)}
    >
      <DeskIcon name="download" />
      {Html.escapeHtml(locale.say("pdf"))}
    </a>
  );
}

export function SendForm({ frame, row, look }: ActionProps) {
  const send = frame.locale.say(row.wasSent ? "sendAgain" : "sendIt");
  return (
    <DeskForm frame={frame} action={`${noteHref(row.number)}/send`} className="inline">
      <button class={look} type="submit" aria-label={attr(`${send}, ${row.number}`)} safe>
        {send}
      </button>
    </DeskForm>
  );
}
