import * as Currency from "../../../domain/bill/currency.ts";
import { choice, line } from "./controls.tsx";
import type { Row } from "./rows.ts";

/** The currencies whose rate Till looks up itself, followed by other common ones. */
const first = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD", "BRL", "MXN", "INR", "CNY"];
const others = Currency.allCodes.filter((code) => !first.includes(code)).sort();
const optionsOf = (codes: readonly string[]) => codes.map((code) => ({ value: code, label: code }));

/** USDC, and all others. */
export const currencyOptions = {
  options: [{ value: "", label: "USDC" }, ...optionsOf(first)],
  rest: optionsOf(others),
};

/** The currency of the prices. */
export const pricesIn = {
  label: "pricesIn",
  control: choice(() => currencyOptions.options, currencyOptions.rest),
} as const satisfies Row;

/** The same, and the price of 1 USDC in it. */
export const currencyRows = {
  currency: { ...pricesIn, fault: "faultCurrency" },
  rate: {
    label: "rateOfUsdc",
    hint: "rateHint",
    optional: true,
    control: line({ inputmode: "decimal", autocomplete: "off", dir: "ltr" }),
  },
} as const satisfies Record<string, Row>;

/** The amount of money to send. */
export const usdcRow = {
  label: "amount",
  control: line({ inputmode: "decimal", autocomplete: "off", maxlength: "20" }, () => "USDC"),
} as const satisfies Row;
