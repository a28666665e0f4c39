import * as Currency from "../../../domain/bill/currency.ts";
import type { DeskFrame } from "../page/desk-frame.ts";
import { type FormFault, fieldsOf, SelectField } from "./form.tsx";

type CurrencyFieldsProps = {
  frame: Pick<DeskFrame, "locale">;
  typed: { currency: string; rate: string };
  faults: readonly FormFault[];
};

/** First the currencies whose rate Till looks up itself, then the most common others. */
const first = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD", "BRL", "MXN", "INR", "CNY"];
const others = Currency.allCodes.filter((code) => !first.includes(code)).sort();
const optionsOf = (codes: readonly string[]) => codes.map((code) => ({ value: code, label: code }));

/** USDC, and all others. */
export const currencyOptions = {
  options: [{ value: "", label: "USDC" }, ...optionsOf(first)],
  rest: optionsOf(others),
};

/** In which currency the prices are, and what 1 USDC costs in it. */
export function CurrencyFields(props: CurrencyFieldsProps) {
  const { locale } = props.frame;
  const numeric = { optional: true, inputmode: "decimal", autocomplete: "off", dir: "ltr" } as const;
  return (
    <div class="two currency">
      <SelectField
        locale={locale}
        name="currency"
        label={locale.say("pricesIn")}
        value={props.typed.currency}
        {...currencyOptions}
        faults={props.faults}
      />
      {fieldsOf(props).text("rate", locale.say("rateOfUsdc"), { hint: locale.say("rateHint"), ...numeric })}
    </div>
  );
}
