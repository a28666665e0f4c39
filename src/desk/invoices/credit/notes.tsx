import * as Currency from "../../../domain/bill/currency.ts";
import type * as Usdc from "../../../domain/usdc.ts";
import { Cell, headsOf, Sub, Table } from "../../parts/list.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { Part } from "../../parts/page/head.tsx";

export type NoteRow = {
  number: string;
  /** `YYYY-MM-DD` */
  issueDate: string;
  reason: string;
  total: Usdc.Billed;
  /** The currency's code. */
  code: string;
  invoice: { number: string; vendorName: string };
};

export const notesPath = "/desk/credit-notes";
export const noteHref = (number: string) => `${notesPath}/${encodeURIComponent(number)}`;

type RowsProps = {
  frame: DeskFrame;
  rows: readonly NoteRow[];
  /** True if each row names its invoice. */
  isOfAll?: boolean;
};

/** An invoice's credit notes, on its page; empty if there are none. */
export function CreditNotes(props: Omit<RowsProps, "isOfAll">) {
  if (props.rows.length === 0) return "";
  return (
    <Part id="credit-notes" title={props.frame.locale.say("creditNotes")}>
      <NoteRows {...props} />
    </Part>
  );
}

export function NoteRows({ frame, rows, isOfAll = false }: RowsProps) {
  const { locale } = frame;
  return (
    <Table
      caption={locale.say("creditNotes")}
      heads={headsOf(locale, isOfAll ? ["creditNote", "ofInvoice"] : ["creditNote"], ["creditedAmount"])}
      isLinked
    >
      {rows.map((row) => (
        <Row frame={frame} row={row} isOfAll={isOfAll} />
      ))}
    </Table>
  );
}

function Row({ frame, row, isOfAll }: { frame: DeskFrame; row: NoteRow; isOfAll: boolean }) {
  const { locale, when } = frame;
  const { number, invoice } = row;
  return (
    <tr role="row">
      <Cell kind="main">
        <a class="name" href={noteHref(number)}>
          <bdi>{number}</bdi>
        </a>
        <span class="sub">{when.day(row.issueDate)}</span>
        <span class="sub prose" dir="auto">
          {row.reason}
        </span>
      </Cell>
      {isOfAll && (
        <Cell kind="under">
          <bdi>{invoice.number}</bdi>
          <Sub>{invoice.vendorName}</Sub>
        </Cell>
      )}
      <Cell kind="end sum">
        <span class="num whole-line">{locale.money(Currency.format(row.total, row.code), row.code)}</span>
      </Cell>
    </tr>
  );
}
