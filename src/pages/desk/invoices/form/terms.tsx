import * as Tax from "../../../../domain/bill/tax.ts";
import type { TextKey } from "../../../../language/locale.ts";
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
