import * as Currency from "../../domain/bill/currency.ts";
import * as Usdc from "../../domain/usdc.ts";
import { creditedBill } from "../../language/bill.ts";
import { BillTable } from "../invoices/items.tsx";
import { invoiceHref } from "../invoices/list-rows.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import { headedPage } from "../parts/head.tsx";
import { backTo } from "./form-page.tsx";
import type { CreditConfirmProps } from "./typed-credit.ts";

type Props = { props: CreditConfirmProps };

/** Shows what a credit note comes to and what it does, before it is made. */
export function creditConfirmPage(props: CreditConfirmProps): string {
  const { frame, invoice, typed, credited, mailIt, problem } = props;
  const { locale } = frame;
  const title = locale.say("creditInvoiceHeading", { number: invoice.number });
  const action = `${invoiceHref(invoice.number)}/credit`;
  return headedPage({
    frame,
    place: "invoices",
    title,
    back: backTo(invoice),
    body: (
      <div class="form-alone credit-sum">
        {problem !== null && (
          <p class="notice notice-late" role="alert">
            {problem}
          </p>
        )}
        <BillTable
          locale={locale}
          caption={title}
          bill={creditedBill(credited, invoice)}
          total={credited.totals.total}
          code={Currency.codeOf(invoice)}
        />
        <div>
          <p class="label">{locale.say("reason")}</p>
          <p class="prose" dir="auto">
            {typed.reason}
          </p>
        </div>
        <Effect props={props} />
        <DeskForm frame={frame} action={action} className="form confirm">
          <Typed props={props} />
          {mailIt !== null && (
            <label class="check">
              <input type="checkbox" name="mail" value="on" checked={mailIt} />
              <span>
                {locale.say("creditMailIt")} <bdi class="soft">{invoice.vendorEmail}</bdi>
              </span>
            </label>
          )}
          <div class="actions">
            <button
              class="button button-quiet"
              type="submit"
              name="change"
              value="1"
              formaction={`${action}/check`}
            >
              {locale.say("confirmBack")}
            </button>
            <SubmitButton text={locale.say("creditMake")} />
          </div>
        </DeskForm>
      </div>
    ),
  });
}

/** What it does to what is owed. */
function Effect({ props: { frame, effect } }: Props) {
  const { locale } = frame;
  const { left, toReturn, isVoid } = effect;
  const said = [
    left > 0n
      ? locale.say("creditThenDue", { amount: locale.usdc(Usdc.formatExact(left)) })
      : locale.say("creditThenNothing"),
    ...(isVoid ? [locale.say("creditThenVoid")] : []),
    ...(toReturn > 0n
      ? [locale.say("creditToReturn", { amount: locale.usdc(Usdc.formatExact(toReturn)) })]
      : []),
  ];
  return (
    <div class={toReturn > 0n ? "notice" : "notice notice-plain"} id="effect">
      <div>
        {said.map((text) => (
          <p>{text}</p>
        ))}
      </div>
    </div>
  );
}

/** What was typed goes on, with the sum that was shown. */
function Typed({ props: { typed, credited } }: Props) {
  const fields: [string, string][] = [
    ["kind", typed.kind],
    ...typed.quantities.map((text, at): [string, string] => [`quantity-${at}`, text]),
    ...typed.amounts.map((text, at): [string, string] => [`amount-${at}`, text]),
    ["reason", typed.reason],
    ["key", typed.key],
    ["seen", Usdc.format(credited.totals.total)],
  ];
  return (
    <>
      {fields
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  );
}
