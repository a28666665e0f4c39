import * as CreditNote from "../../domain/bill/credit-note.ts";
import * as Currency from "../../domain/bill/currency.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import * as Usdc from "../../domain/usdc.ts";
import { rowLabel } from "../../language/bill.ts";
import { invoiceHref } from "../invoices/list-rows.tsx";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, TextArea, TextField } from "../parts/form/form.tsx";
import { headedPage } from "../parts/head.tsx";
import { type CreditFormProps, creditKinds } from "./typed-credit.ts";

type Props = { props: CreditFormProps };

/** Asks what of an invoice is to be credited, and why. Nothing is made yet: the next page shows the sum. */
export function creditFormPage(props: CreditFormProps): string {
  const { frame, invoice, typed, faults, problem } = props;
  const { locale } = frame;
  const title = locale.say("creditInvoiceHeading", { number: invoice.number });
  return headedPage({
    frame,
    place: "invoices",
    title,
    back: backTo(invoice),
    body: (
      <div class="form-alone">
        <DeskForm
          frame={frame}
          action={`${invoiceHref(invoice.number)}/credit/check`}
          className="form credit-form"
        >
          {problem !== null && (
            <p class="notice notice-late" role="alert">
              {problem}
            </p>
          )}
          <p class="soft">{locale.say("creditExplained")}</p>
          <FaultSummary locale={locale} faults={faults} />
          <Kind props={props} />
          <Lines props={props} />
          <Amounts props={props} />
          <TextArea
            locale={locale}
            name="reason"
            label={locale.say("reason")}
            hint={locale.say("voidReasonHint")}
            value={typed.reason}
            faults={faults}
            rows={2}
            extra={{ dir: "auto", autocomplete: "off" }}
          />
          <input type="hidden" name="key" value={typed.key} />
          <div class="actions">
            <ButtonLink href={invoiceHref(invoice.number)} kind="quiet" text={locale.say("confirmBack")} />
            <SubmitButton text={locale.say("creditCheck")} />
          </div>
        </DeskForm>
      </div>
    ),
  });
}

export const backTo = ({ number, vendorName }: CreditFormProps["invoice"]) => ({
  href: invoiceHref(number),
  label: `${vendorName}, ${number}`,
});

function Kind({ props: { frame, invoice, left, typed } }: Props) {
  const { locale } = frame;
  const amount = locale.money(Usdc.format(CreditNote.totalLeft(left)), Currency.codeOf(invoice));
  const labels = {
    rest: locale.say("creditAllLeft", { amount }),
    lines: locale.say("creditByLines"),
    amounts: locale.say("creditByAmounts"),
  };
  return (
    <fieldset id="kind">
      <legend class="visually-hidden">{locale.say("creditMake")}</legend>
      <div class="choices">
        {creditKinds.map((kind) => (
          <label class="choice">
            <input type="radio" name="kind" value={kind} checked={typed.kind === kind} />
            <strong>{labels[kind]}</strong>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** How much of each line; nothing of those that are left empty. */
function Lines({ props: { frame, invoice, left, typed, faults } }: Props) {
  const { locale } = frame;
  return (
    <div class="field-group if-lines">
      {invoice.lineItems.map((item, at) => {
        const rest = left.lines[at]?.quantity ?? 0n;
        if (rest <= 0n) return "";
        const most = locale.figure(Quantity.format(Quantity.fromMillionths(rest)));
        return (
          <TextField
            locale={locale}
            name={`quantity-${at}`}
            label={item.description}
            hint={locale.say("creditAmountLeft", { amount: `${most} ${item.unit ?? ""}`.trimEnd() })}
            value={typed.quantities[at] ?? ""}
            faults={faults}
            {...(item.unit === null ? {} : { unit: item.unit })}
            extra={{ inputmode: "decimal", autocomplete: "off" }}
          />
        );
      })}
    </div>
  );
}

/** An amount with its tax, for each rate. */
function Amounts({ props: { frame, invoice, left, typed, faults } }: Props) {
  const { locale } = frame;
  const code = Currency.codeOf(invoice);
  return (
    <div class="field-group if-amounts">
      {left.rows.map((row, at) => {
        const most = Usdc.fromMicro(row.taxable + row.tax);
        if (most === 0n) return "";
        return (
          <TextField
            locale={locale}
            name={`amount-${at}`}
            label={rowLabel(row, invoice, locale) ?? locale.amountIn(code)}
            hint={locale.say("creditAmountLeft", { amount: locale.figure(Usdc.format(most)) })}
            value={typed.amounts[at] ?? ""}
            unit={code}
            faults={faults}
            extra={{ inputmode: "decimal", autocomplete: "off" }}
          />
        );
      })}
    </div>
  );
}
