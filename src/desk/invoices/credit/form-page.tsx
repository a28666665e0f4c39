import * as CreditNote from "../../../domain/bill/credit-note.ts";
import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Remainder from "../../../domain/bill/remainder.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { creditedBill, rowLabel } from "../../../language/sums.ts";
import { ButtonLink, SubmitButton } from "../../parts/button.tsx";
import { area } from "../../parts/form/controls.tsx";
import {
  Choices,
  DeskForm,
  FaultSummary,
  type FormFault,
  Problem,
  TextField,
} from "../../parts/form/form.tsx";
import { formOf } from "../../parts/form/rows.ts";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { headedPage } from "../../parts/page/head.tsx";
import { invoiceHref } from "../../parts/place.ts";
import { BillTable } from "../items.tsx";
import { creditKinds, type Sum, type TypedCredit } from "./typed-credit.ts";

const reasonForm = formOf({
  reason: { label: "reason", hint: "voidReasonHint", control: area(2, { dir: "auto", autocomplete: "off" }) },
});

type FormProps = {
  frame: DeskFrame;
  invoice: Invoice;
  left: Remainder.Remainder;
  typed: TypedCredit;
  faults: readonly FormFault[];
  problem: string | null;
};

/** Asks what to credit, and why. Nothing is created yet: the next page shows the sum. */
export function creditFormPage(props: FormProps): string {
  const { frame, invoice, typed, faults, problem } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "invoices",
    title: locale.say("creditInvoiceHeading", { number: invoice.number }),
    back: backTo(invoice),
    body: (
      <div class="form-alone">
        <DeskForm
          frame={frame}
          action={`${invoiceHref(invoice.number)}/credit/check`}
          className="form credit-form"
        >
          <Problem text={problem} />
          <p class="soft">{locale.say("creditExplained")}</p>
          <FaultSummary locale={locale} faults={faults} />
          <Kind {...props} />
          <Lines {...props} />
          <Amounts {...props} />
          {reasonForm.fields(props)("reason")}
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

const backTo = ({ number, vendorName }: Invoice) => ({
  href: invoiceHref(number),
  label: `${vendorName}, ${number}`,
});

function Kind({ frame, invoice, left, typed, faults }: FormProps) {
  const { locale } = frame;
  const amount = locale.money(
    Currency.formatOf(invoice, Remainder.totalLeft(left)),
    Currency.codeOf(invoice),
  );
  const labels = {
    rest: locale.say("creditAllLeft", { amount }),
    lines: locale.say("creditByLines"),
    amounts: locale.say("creditByAmounts"),
  };
  return (
    <Choices
      name="kind"
      label={locale.say("creditMake")}
      isLabelHidden
      choices={creditKinds.map((kind) => ({ value: kind, title: labels[kind] }))}
      chosen={typed.kind}
      faults={faults}
    />
  );
}

/** The quantity to credit of each line; none for lines left empty. */
function Lines({ frame, invoice, left, typed, faults }: FormProps) {
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

/** An amount including tax, for each rate. */
function Amounts({ frame, invoice, left, typed, faults }: FormProps) {
  const { locale } = frame;
  const code = Currency.codeOf(invoice);
  return (
    <div class="field-group if-amounts">
      {left.rows.map((row, at) => {
        const most = Usdc.fromMicro<Usdc.Billed>(row.taxable + row.tax);
        if (most === 0n) return "";
        return (
          <TextField
            locale={locale}
            name={`amount-${at}`}
            label={rowLabel(row, invoice, locale) ?? locale.amountIn(code)}
            hint={locale.say("creditAmountLeft", { amount: locale.figure(Currency.formatOf(invoice, most)) })}
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

type ConfirmProps = {
  frame: DeskFrame;
  invoice: Invoice;
  typed: TypedCredit;
  credited: Sum;
  /** True if it is to be mailed; null if no mail can be sent. */
  mailIt: boolean | null;
  /** The error to show. */
  problem: string | null;
};

/** Shows a credit note's sum and effect before it is created. */
export function creditConfirmPage(props: ConfirmProps): string {
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
        <Problem text={problem} />
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
        <Effect {...props} />
        <DeskForm frame={frame} action={action} className="form confirm">
          <Typed {...props} />
          {mailIt !== null && (
            <label class="check">
              <input type="checkbox" name="mail" value="on" checked={mailIt} />
              <span>
                {locale.say("creditMailIt")} <bdi class="soft">{invoice.vendorEmail}</bdi>
              </span>
            </label>
          )}
          <div class="actions">
            <SubmitButton
              kind="quiet"
              sent={["change", "1"]}
              to={`${action}/check`}
              text={locale.say("confirmBack")}
            />
            <SubmitButton text={locale.say("creditMake")} />
          </div>
        </DeskForm>
      </div>
    ),
  });
}

/** Its effect on the amount owed. */
function Effect({ frame, invoice, credited }: ConfirmProps) {
  const { locale } = frame;
  const { left, toReturn, isVoid } = CreditNote.effect(invoice, credited.totals.total);
  const sentences = [
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
        {sentences.map((text) => (
          <p>{text}</p>
        ))}
      </div>
    </div>
  );
}

/** Passes on the input, with the sum that was shown. */
function Typed({ typed, credited, invoice }: ConfirmProps) {
  const fields: [string, string][] = [
    ["kind", typed.kind],
    ...typed.quantities.map((text, at): [string, string] => [`quantity-${at}`, text]),
    ...typed.amounts.map((text, at): [string, string] => [`amount-${at}`, text]),
    ["reason", typed.reason],
    ["key", typed.key],
    ["seen", Currency.formatOf(invoice, credited.totals.total)],
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
