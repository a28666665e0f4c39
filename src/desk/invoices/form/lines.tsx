import { lineItemsMax } from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import type { Locale } from "../../../language/locale.ts";
import { Amount } from "../../parts/amount.tsx";
import { described } from "../../parts/form/form.tsx";
import { categoryNames } from "../../parts/form/tax-kinds.ts";
import { DeskIcon } from "../../parts/icon.tsx";
import { inputOf, type LineName, labelOf, lineForm, wrongPrice, wrongQuantity } from "./fields.ts";
import type { InvoiceFormProps } from "./form-props.ts";
import { editPath, type TypedLine } from "./typed.ts";

/** The items, line by line, and their total. */
export function Lines(props: InvoiceFormProps) {
  const { frame, typed, faults } = props;
  const { locale } = frame;
  const fault = faults.find(({ field }) => field === "lines");
  return (
    <div id="billed" class="billed">
      <fieldset id="lines" tabindex="-1">
        <legend>{locale.say("whatFor")}</legend>
        <div class="lines">
          <div class="line line-names" aria-hidden="true">
            <span>{locale.say("description")}</span>
            <span class="end">{locale.say("quantity")}</span>
            <span class="end">{locale.say("linePrice")}</span>
            <output id="lines-unit" class="end">
              {typed.currency || locale.say("lineTotal")}
            </output>
            <span />
          </div>
          {typed.lines.map((line, i) => (
            <Line props={props} line={line} i={i} />
          ))}
        </div>
        {fault !== undefined && <p class="fault">{fault.message}</p>}
        {typed.lines.length < lineItemsMax ? (
          <Add name="add" value="line" text={locale.say("addLine")} />
        ) : (
          <p class="hint">{locale.say("allLines")}</p>
        )}
        <WholeTerms {...props} />
      </fieldset>
      <output id="sums" class="bill-sums">
        {props.sums.map(({ label, amount }) => (
          <span>
            <span dir="auto">{label}</span>
            <bdi class="num">{amount}</bdi>
          </span>
        ))}
      </output>
    </div>
  );
}

/** A button that reloads the form with more in it. */
const Add = ({ name, value, text }: { name: string; value: string; text: string }) => (
  <p>
    <button type="submit" class="button button-plain add" name={name} value={value} formaction={editPath}>
      <DeskIcon name="plus" />
      {text}
    </button>
  </p>
);

type LineProps = { props: InvoiceFormProps; line: TypedLine; i: number };

function Line({ props, line, i }: LineProps) {
  const { frame, faults, bill, typed } = props;
  const { locale } = frame;
  const lineTotal = bill.lineTotals[i] ?? null;
  const wrong = lineForm.names.flatMap((name) => faults.filter(({ field }) => field === `${name}-${i}`));
  const unreadText = wrong.length === 0 ? unread(line, locale) : "";
  const number = String(i + 1);
  return (
    <>
      <div class="line">
        <input {...inputAttributes({ props, line, i }, "description")} />
        <input {...inputAttributes({ props, line, i }, "quantity")} class="end" />
        <span class="of" aria-hidden="true">
          ×
        </span>
        <input {...inputAttributes({ props, line, i }, "unit_price")} class="end" />
        <output id={`line-total-${number}`} class="num">
          {lineTotal === null ? "–" : <Amount locale={locale} amount={lineTotal} />}
        </output>
        {typed.lines.length === 1 ? (
          <span />
        ) : (
          <button
            type="submit"
            class="button button-plain button-icon"
            name="remove"
            value={String(i)}
            formaction={editPath}
            aria-label={locale.say("removeLine", { number })}
          >
            <DeskIcon name="cross" />
          </button>
        )}
      </div>
      <output id={`line-fault-${number}`} class="fault">
        {unreadText}
      </output>
      {props.hasTerms && <LineTerms props={props} line={line} i={i} />}
      {wrong.map(({ field, message }) => (
        <p class="fault" id={`${field}-fault`}>
          {message}
        </p>
      ))}
    </>
  );
}

/** Returns the fault of a line's numbers while somebody types; after a decimal mark, digits may still come. */
function unread({ quantity, unit_price }: TypedLine, locale: Locale): string {
  const isUnread = (text: string) =>
    !/[.,\u066b−-]$|^$/.test(text) && Quantity.parseTyped(text, locale.decimalMark) === null;
  if (isUnread(quantity)) return wrongQuantity(locale);
  return isUnread(unit_price) ? wrongPrice(locale) : "";
}

const texts: readonly LineName[] = ["description", "unit", "tax_reason"];

/** Returns the attributes of a line's input or select. */
function attributesOf({ props, i }: LineProps, name: LineName) {
  const { say } = props.frame.locale;
  const id = `${name}-${i}`;
  return {
    id,
    name: inputOf(name),
    "aria-label": say("ofLine", { field: say(labelOf(name)), number: i + 1 }),
    ...described({ name: id, faults: props.faults }),
  };
}

const inputAttributes = (props: LineProps, name: LineName) => ({
  ...attributesOf(props, name),
  value: props.line[name],
  autocomplete: "off",
  ...(texts.includes(name) ? { dir: "auto" } : { inputmode: "decimal", dir: "ltr" }),
});

/** A line's unit, discount and tax. */
function LineTerms(props: LineProps) {
  const { locale } = props.props.frame;
  const term = (name: "unit" | "discount" | "tax_rate" | "tax_reason") => (
    <label class={`term-${name}`}>
      <span>{locale.say(labelOf(name))}</span>
      <input {...inputAttributes(props, name)} />
    </label>
  );
  return (
    <div class="line-terms">
      {term("unit")}
      {term("discount")}
      {term("tax_rate")}
      <label>
        <span>{locale.say("taxKind")}</span>
        <select {...attributesOf(props, "tax_category")}>
          <option value="">{locale.say("taxKindOfRate")}</option>
          {Tax.categories.map((category) => (
            <option value={category} selected={props.line.tax_category === category}>
              {locale.say(categoryNames[category])}
            </option>
          ))}
        </select>
      </label>
      {term("tax_reason")}
    </div>
  );
}

/** Discount and taxes of the whole invoice. Most invoices have none, so they are only shown on demand. */
function WholeTerms({ frame: { locale }, typed, faults, hasTerms }: InvoiceFormProps) {
  if (!hasTerms) return <Add name="terms" value="on" text={locale.say("addTerms")} />;
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
