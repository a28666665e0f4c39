import { billedTotal, type Invoice, isPaid } from "../../domain/bill/invoice.ts";
import type * as Usdc from "../../domain/usdc.ts";
import { billLines, remarkOf } from "../../language/bill.ts";
import { billedOf } from "../../language/bill-currency.ts";
import type { Locale } from "../../language/locale.ts";
import { type Billing, creditRows, type SumRow, sumRows } from "../../language/sums.ts";
import { Amount } from "../parts/amount.tsx";
import { Cell, headsOf, Sub, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { Part } from "../parts/page/head.tsx";

/** The items of an invoice. */
export function Items({ frame: { locale }, invoice }: { frame: DeskFrame; invoice: Invoice }) {
  const { billed } = billedOf(invoice, locale);
  return (
    <Part title={locale.say("whatFor")}>
      <BillTable
        locale={locale}
        caption={locale.say("linesCaption")}
        bill={invoice}
        total={billedTotal(invoice)}
        code={billed?.code ?? "USDC"}
        inUsdc={billed === undefined ? null : { ...inUsdcOf(invoice), rate: billed.rate }}
        credits={creditRows(invoice, locale)}
      />
    </Part>
  );
}

/** The total for a paid or void invoice, else what credit notes leave to pay. */
const inUsdcOf = ({ status, total, deposit }: Invoice) =>
  isPaid(status) || status === "void"
    ? { amount: total, isToPay: false }
    : { amount: deposit.net, isToPay: true };

type InUsdc = { amount: Usdc.Usdc; isToPay: boolean; rate: string };

type BillProps = {
  locale: Locale;
  caption: string;
  bill: Pick<Invoice, "lineItems" | "totals" | "discount" | "pricesIncludeTax" | "merchantDetails"> & Billing;
  total: Usdc.Billed;
  /** The currency's code. */
  code: string;
  /** The amount in USDC and its rate, if the total is in another currency. */
  inUsdc?: InUsdc | null;
  /** Below the total. */
  credits?: readonly SumRow[];
};

/** The lines of an invoice or a credit note, and the rows that lead to its total; credited amounts have no lines. */
export function BillTable({ locale, caption, bill, total, code, inUsdc = null, credits = [] }: BillProps) {
  const lines = billLines(bill, locale);
  const lineHeads = headsOf(locale, ["description"], ["quantity", "linePrice"]);
  const heads = lines.length === 0 ? [{ hidden: locale.say("description") }] : lineHeads;
  const labelSpan = String(heads.length);
  const usdcRow = ({ amount, isToPay, rate }: InUsdc) => (
    <tr role="row">
      <th role="rowheader" scope="row" colspan={labelSpan}>
        {locale.say(isToPay ? "payInUsdc" : "amountInUsdc")}
        <span class="sub">{rate}</span>
      </th>
      <Cell kind="end">
        <Amount locale={locale} amount={amount} />
      </Cell>
    </tr>
  );
  return (
    <Table
      caption={caption}
      heads={[...heads, { end: locale.amountIn(code) }]}
      kind="items"
      foot={
        <>
          <SumRows rows={sumRows(bill, locale)} labelSpan={labelSpan} />
          <tr role="row">
            <th role="rowheader" scope="row" colspan={labelSpan}>
              {locale.say("total")}
              <span class="on-phone">{locale.bracketed(code)}</span>
            </th>
            <Cell kind="end">
              <Amount locale={locale} amount={total} unit={code} />
            </Cell>
          </tr>
          {inUsdc?.isToPay === false && usdcRow(inUsdc)}
          <SumRows rows={credits} labelSpan={labelSpan} />
          {inUsdc?.isToPay === true && usdcRow(inUsdc)}
        </>
      }
    >
      {lines.map((item) => {
        const quantity = `${locale.figure(item.quantity)} ${item.unit ?? ""}`.trimEnd();
        const price = locale.figure(item.unitPrice);
        const remark = remarkOf(item);
        return (
          <tr role="row">
            <Cell kind="main">
              <span class="prose" dir="auto">
                {item.description}
              </span>
              {remark !== null && <Sub>{remark}</Sub>}
              <span class="sub on-phone">
                <span class="num">{`${quantity} × ${price}`}</span>
              </span>
            </Cell>
            <Cell kind="end quiet not-phone">
              <span class="num">{locale.figure(item.quantity)}</span>
              {item.unit !== undefined && (
                <>
                  {" "}
                  <span class="of-unit">{item.unit}</span>
                </>
              )}
            </Cell>
            <Cell kind="end quiet not-phone">
              <span class="num">{price}</span>
            </Cell>
            <Cell kind="end sum">
              <span class="num">{locale.figure(item.lineTotal)}</span>
            </Cell>
          </tr>
        );
      })}
    </Table>
  );
}

function SumRows({ rows, labelSpan }: { rows: readonly SumRow[]; labelSpan: string }) {
  return (
    <>
      {rows.map(({ label, amount }) => (
        <tr role="row" class="sum-row">
          <th role="rowheader" scope="row" colspan={labelSpan} dir="auto">
            {label}
          </th>
          <Cell kind="end num">
            <bdi>{amount}</bdi>
          </Cell>
        </tr>
      ))}
    </>
  );
}
