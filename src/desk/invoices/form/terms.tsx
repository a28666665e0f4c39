import * as Currency from "../../../domain/bill/currency.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import type { TextKey } from "../../../language/locale.ts";
import { SelectField, TextArea, TextField } from "../../parts/form/form.tsx";
import { PartyFields } from "../../parts/form/party-fields.tsx";
import { DeskIcon } from "../../parts/icon.tsx";
import { editPath, type InvoiceFormProps, type TypedLine, type TypedTerms } from "./props.ts";

/** Discounts and taxes: most invoices have none, so they are asked for when somebody wants them. */

type Props = { props: InvoiceFormProps };

const names = {
  unit: "lineUnit",
  discount: "lineDiscountField",
  tax_rate: "taxRate",
  tax_reason: "taxReason",
} as const satisfies Partial<Record<keyof TypedTerms, TextKey>>;

export const categoryNames = {
  standard: "taxKindStandard",
  zero: "taxKindZero",
  exempt: "taxKindExempt",
  reverse_charge: "taxKindReverse",
  export: "taxKindExport",
  outside_scope: "taxKindOutside",
} as const satisfies Record<Tax.Category, TextKey>;

/** The names of the fields whose faults stand below a line. */
export const termFields = ["unit", "discount", "tax_rate", "tax_category", "tax_reason"] as const;

/** What is said of one line beside its price. */
export function LineTerms({ props, line, i }: Props & { line: TypedLine; i: number }) {
  const { locale } = props.frame;
  const id = `tax_category-${i}`;
  const isFaulty = props.faults.some((fault) => fault.field === id);
  return (
    <div class="line-terms">
      <Term props={props} line={line} i={i} field="unit" />
      <Term props={props} line={line} i={i} field="discount" />
      <Term props={props} line={line} i={i} field="tax_rate" />
      <label>
        <span>{locale.say("taxKind")}</span>
        <select
          id={id}
          name="tax_category"
          aria-label={locale.say("ofLine", { field: locale.say("taxKind"), number: i + 1 })}
          aria-invalid={isFaulty ? "true" : false}
          aria-describedby={isFaulty ? `${id}-fault` : false}
        >
          <option value="">{locale.say("taxKindOfRate")}</option>
          {Tax.categories.map((category) => (
            <option value={category} selected={line.terms.tax_category === category}>
              {locale.say(categoryNames[category])}
            </option>
          ))}
        </select>
      </label>
      <Term props={props} line={line} i={i} field="tax_reason" />
    </div>
  );
}

function Term({ props, line, i, field }: Props & { line: TypedLine; i: number; field: keyof typeof names }) {
  const { locale } = props.frame;
  const id = `${field}-${i}`;
  const isFaulty = props.faults.some((fault) => fault.field === id);
  const isText = field === "unit" || field === "tax_reason";
  return (
    <label class={`term-${field}`}>
      <span>{locale.say(names[field])}</span>
      <input
        id={id}
        name={`line_${field}`}
        value={line.terms[field]}
        aria-label={locale.say("ofLine", { field: locale.say(names[field]), number: i + 1 })}
        aria-invalid={isFaulty ? "true" : false}
        aria-describedby={isFaulty ? `${id}-fault` : false}
        autocomplete="off"
        {...(isText ? { dir: "auto" } : { inputmode: "decimal", dir: "ltr" })}
      />
    </label>
  );
}

/** What is said of the whole, or the way to say any of it. */
export function WholeTerms({ props }: Props) {
  const { frame, typed, faults, hasTerms } = props;
  const { locale } = frame;
  if (!hasTerms)
    return (
      <p>
        <button type="submit" class="button button-plain add" name="terms" value="on" formaction={editPath}>
          <DeskIcon name="plus" />
          {locale.say("addTerms")}
        </button>
      </p>
    );
  const wrong = faults.filter(({ field }) => field === "discount" || field === "prices_include_tax");
  return (
    <>
      <div class="line-terms whole-terms">
        <input type="hidden" name="terms" value="on" />
        <label>
          <span>{locale.say("wholeDiscount")}</span>
          <input
            id="discount"
            name="discount"
            value={typed.discount}
            inputmode="decimal"
            dir="ltr"
            autocomplete="off"
            aria-invalid={wrong.length > 0 ? "true" : false}
            aria-describedby={wrong.length > 0 ? "discount-fault" : false}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            id="prices_include_tax"
            name="prices_include_tax"
            value="on"
            checked={typed.prices_include_tax}
          />
          <span>{locale.say("pricesIncludeTax")}</span>
        </label>
      </div>
      {wrong.map(({ message }) => (
        <p class="fault" id="discount-fault">
          {message}
        </p>
      ))}
    </>
  );
}

/** What an invoice to a business says besides: closed until somebody wants it, or something of it is said. */
export function ForBusiness({ props: { frame, typed, faults } }: { props: InvoiceFormProps }) {
  const { locale } = frame;
  const { vendor_details, was_filled, payment_terms, had_terms, ...texts } = typed.trade;
  const isFilled = was_filled || Object.keys(vendor_details).length > 0;
  const isFaulty = faults.some(
    ({ field }) => field.startsWith("vendor_details.") || Object.hasOwn(typed.trade, field),
  );
  const isSaid = isFilled || Object.values(texts).some((text) => text !== "");
  const field = { locale, faults, optional: true };
  return (
    <details class="for-business" open={isFaulty || isSaid}>
      <summary>
        <span class="name-of">{locale.say("partyForBusiness")}</span>
        <span class="soft">{locale.say("partyForBusinessText")}</span>
      </summary>
      <div class="form">
        {isFilled && <input type="hidden" name="was_filled" value="on" />}
        {(had_terms || payment_terms !== "") && <input type="hidden" name="had_terms" value="on" />}
        <p class="hint">{locale.say("partyInstead")}</p>
        <PartyFields locale={locale} prefix="vendor_details" typed={vendor_details} faults={faults} />
        <div class="two">
          <TextField
            {...field}
            name="delivery_from"
            label={locale.say("partyDeliveryFrom")}
            value={texts.delivery_from}
            extra={{ type: "date" }}
          />
          <TextField
            {...field}
            name="delivery_to"
            label={locale.say("partyDeliveryTo")}
            value={texts.delivery_to}
            extra={{ type: "date" }}
          />
        </div>
        <div class="two">
          <TextField
            {...field}
            name="buyer_reference"
            label={locale.say("buyerReference")}
            value={texts.buyer_reference}
            extra={{ autocomplete: "off", maxlength: "100", dir: "auto" }}
          />
          <TextField
            {...field}
            name="purchase_order"
            label={locale.say("purchaseOrder")}
            value={texts.purchase_order}
            extra={{ autocomplete: "off", maxlength: "100", dir: "auto" }}
          />
        </div>
        <TextArea
          {...field}
          name="payment_terms"
          label={locale.say("paymentTerms")}
          value={payment_terms}
          rows={2}
          extra={{ maxlength: "500", dir: "auto" }}
        />
      </div>
    </details>
  );
}

type CurrencyProps = { props: InvoiceFormProps };

/** Those of which Till asks the rate itself come first, then those that most is billed in. */
const first = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD", "BRL", "MXN", "INR", "CNY"];
const others = Currency.allCodes.filter((code) => !first.includes(code)).sort();
const optionsOf = (codes: readonly string[]) => codes.map((code) => ({ value: code, label: code }));

/** In which currency the prices are, and what 1 USDC costs in it. */
export function CurrencyFields({ props: { frame, typed, faults } }: CurrencyProps) {
  const { locale } = frame;
  return (
    <div class="two currency">
      <SelectField
        locale={locale}
        name="currency"
        label={locale.say("pricesIn")}
        value={typed.currency}
        options={[{ value: "", label: "USDC" }, ...optionsOf(first)]}
        rest={optionsOf(others)}
        faults={faults}
      />
      <TextField
        locale={locale}
        name="rate"
        label={locale.say("rateOfUsdc")}
        hint={locale.say("rateHint")}
        value={typed.rate}
        optional
        faults={faults}
        extra={{ inputmode: "decimal", autocomplete: "off", dir: "ltr" }}
      />
    </div>
  );
}

/** What the total is in USDC at the rate of the moment. The live form replaces it, so it is there when it is empty too. */
export function InUsdc({ props: { frame, inUsdc } }: CurrencyProps) {
  return (
    <output id="in-usdc" class="soft small">
      {inUsdc !== null &&
        `${frame.locale.labelled(frame.locale.say("payInUsdc"), frame.locale.usdc(inUsdc.amount))} · ${inUsdc.rate}`}
    </output>
  );
}
