import * as Currency from "../../domain/bill/currency.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Locale } from "../../language/locale.ts";
import { daysAway } from "../../language/when.ts";
import type { ListedInvoice } from "../../store/reports/desk/invoice-list.ts";
import { Amount } from "../parts/amount.tsx";
import { Cell, headsOf, NameCell, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { invoiceHref } from "../parts/place.ts";
import { State } from "../parts/state.tsx";
import { stateOf, stateTexts } from "../receivables/standing.tsx";

/** A list of invoices: who owes how much, and until when. */
export function InvoiceRows({ frame, rows }: { frame: DeskFrame; rows: readonly ListedInvoice[] }) {
  const { locale } = frame;
  return (
    <Table
      caption={locale.say("invoicesCaption")}
      heads={headsOf(locale, ["customer", "state", "columnDue"], ["amountInUsdc"])}
      isLinked
      live="rows"
    >
      {rows.map((row) => (
        <Row frame={frame} row={row} />
      ))}
    </Table>
  );
}

function Row({ frame: { locale, when }, row }: { frame: DeskFrame; row: ListedInvoice }) {
  const state = stateOf(row, when.today);
  const isOpen = state === "open" || state === "partial" || state === "late" || state === "draft";
  return (
    <tr role="row">
      <NameCell href={invoiceHref(row.number)} name={row.vendorName}>
        <span class="sub">
          <bdi>{row.number}</bdi>
          <span class="not-phone">
            {" · "}
            <bdi class="one-line">{row.description}</bdi>
          </span>
        </span>
      </NameCell>
      <Cell kind="under-end">
        <State name={state} word={locale.say(stateTexts[state])} />
      </Cell>
      <Cell kind="quiet whole-line not-phone">
        {when.day(row.dueDate)}
        {isOpen && (
          <span class={state === "late" ? "sub late" : "sub"}>
            {daysAway(locale, row.dueDate, when.today)}
          </span>
        )}
      </Cell>
      <Cell kind="end sum">
        <Amount locale={locale} amount={row.total} />
        {row.currency !== null && (
          <span class="sub">
            {locale.money(Currency.formatOf(row, row.currency.total), row.currency.code)}
          </span>
        )}
        <Difference frame={{ locale }} row={row} />
      </Cell>
    </tr>
  );
}

function Difference({ frame: { locale }, row }: { frame: Pick<DeskFrame, "locale">; row: ListedInvoice }) {
  const text = differenceOf(row, locale);
  if (text === null) return "";
  return <span class={row.deposit.net < row.total ? "sub" : "sub not-phone"}>{text}</span>;
}

/** Returns the amount to return, what is left to pay if that is not the total, or the amount credited after payment. */
function differenceOf(row: ListedInvoice, locale: Locale): string | null {
  const { net, due, toReturn, refunded, paidCredit } = Standing.of(row);
  const { status, total } = row;
  const figure = (amount: Usdc.Usdc) => locale.figure(Usdc.formatExact(amount));
  if (toReturn === 0n && refunded > 0n) return locale.say("refundedSum", { amount: figure(refunded) });
  if (status === "excess" && paidCredit === 0n)
    return locale.say("paidTooMuch", { amount: figure(toReturn) });
  if (toReturn > 0n) return locale.labelled(locale.say("toBeReturned"), figure(toReturn));
  if (due > 0n) return due === total ? null : locale.say("leftToPay", { amount: figure(due) });
  return status === "void" || net === total
    ? null
    : locale.labelled(locale.say("creditedAmount"), figure(Usdc.remaining(total, net)));
}
