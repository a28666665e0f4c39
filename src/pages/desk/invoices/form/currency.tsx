import * as Currency from "../../../../domain/bill/currency.ts";
import { SelectField, TextField } from "../../parts/form/form.tsx";
import type { InvoiceFormProps } from "./props.ts";

type Props = { props: InvoiceFormProps };

/** Those of which Till asks the rate itself come first, then those that most is billed in. */
const first = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD", "BRL", "MXN", "INR", "CNY"];
const others = Currency.allCodes.filter((code) => !first.includes(code)).sort();
const optionsOf = (codes: readonly string[]) => codes.map((code) => ({ value: code, label: code }));

/** In which currency the prices are, and what 1 USDC costs in it. */
export function CurrencyFields({ props: { frame, typed, faults } }: Props) {
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
export function InUsdc({ props: { frame, inUsdc } }: Props) {
  return (
    <output id="in-usdc" class="soft small">
      {inUsdc !== null &&
        `${frame.locale.labelled(frame.locale.say("payInUsdc"), frame.locale.usdc(inUsdc.amount))} · ${inUsdc.rate}`}
    </output>
  );
}
