import * as Usdc from "../../../domain/usdc.ts";
import type { Locale } from "../../../language/locale.ts";
import { Amount, Figure } from "../../parts/amount.tsx";
import { DeskIcon } from "../../parts/icon.tsx";
import { editPath, type InvoiceFormProps, type TypedLine } from "./props.ts";
import { InUsdc, LineTerms, termFields, WholeTerms } from "./terms.tsx";

export const exampleQuantity = "1.5";
export const examplePrice = "40.00";

type Props = { props: InvoiceFormProps };

const fields = ["description", "quantity", "unit_price"] as const;
type LineField = (typeof fields)[number];
const faultFields: readonly string[] = [...fields, ...termFields];

const names = {
  description: "description",
  quantity: "quantity",
  unit_price: "linePrice",
} as const;

/** What the invoice is for, line by line, and what it comes to. */
export function Lines({ props }: Props) {
  const { frame, typed, faults, total, hasRoom } = props;
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
        {hasRoom ? (
          <p>
            <button
              type="submit"
              class="button button-plain add"
              name="add"
              value="line"
              formaction={editPath}
            >
              <DeskIcon name="plus" />
              {locale.say("addLine")}
            </button>
          </p>
        ) : (
          <p class="hint">{locale.say("allLines")}</p>
        )}
        <WholeTerms props={props} />
      </fieldset>
      <output id="sums" class="bill-sums">
        {props.sums.map(({ label, amount }) => (
          <span>
            <span dir="auto">{label}</span>
            <bdi class="num">{amount}</bdi>
          </span>
        ))}
      </output>
      <p class="total">
        <span>{locale.say("total")}</span>
        <output id="total">
          <Figure locale={locale} amount={total} unit={typed.currency || "USDC"} />
        </output>
      </p>
      <InUsdc props={props} />
    </div>
  );
}

function Line({ props, line, i }: Props & { line: TypedLine; i: number }) {
  const { frame, faults, lineTotals, typed } = props;
  const { locale } = frame;
  const lineTotal = lineTotals[i] ?? null;
  const wrong = faultFields.flatMap((field) => faults.filter((fault) => fault.field === `${field}-${i}`));
  const unreadText = wrong.length === 0 ? unread(line, locale) : "";
  const number = String(i + 1);
  return (
    <>
      <div class="line">
        <Cell props={props} line={line} i={i} field="description" />
        <Cell props={props} line={line} i={i} field="quantity" />
        <span class="of" aria-hidden="true">
          ×
        </span>
        <Cell props={props} line={line} i={i} field="unit_price" />
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

/** What is wrong with the numbers of a line while they are typed; decimals may still come. */
function unread({ quantity, unit_price }: TypedLine, { decimalMark, say }: Locale): string {
  const isUnread = (text: string) =>
    !/[.,\u066b]$|^$/.test(text) && Usdc.plainDecimal(text, decimalMark) === null;
  const example = (decimal: string) => ({ example: decimal.replace(".", decimalMark) });
  if (isUnread(quantity)) return say("faultQuantity", example(exampleQuantity));
  return isUnread(unit_price) ? say("faultPrice", example(examplePrice)) : "";
}

function Cell({ props, line, i, field }: Props & { line: TypedLine; i: number; field: LineField }) {
  const { locale } = props.frame;
  const id = `${field}-${i}`;
  const isFaulty = props.faults.some((fault) => fault.field === id);
  const label = locale.say("ofLine", { field: locale.say(names[field]), number: i + 1 });
  const isText = field === "description";
  return (
    <input
      id={id}
      name={field}
      value={line[field]}
      aria-label={label}
      aria-invalid={isFaulty ? "true" : false}
      aria-describedby={isFaulty ? `${id}-fault` : false}
      autocomplete="off"
      {...(isText ? { dir: "auto" } : { class: "end", inputmode: "decimal", dir: "ltr" })}
    />
  );
}
