import * as Currency from "../../domain/bill/currency.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Locale } from "../../language/locale.ts";

/** An amount as the language groups it, without its unit: for a column whose head names that. */
export function Amount({
  locale,
  amount,
  unit = "USDC",
}: {
  locale: Locale;
  amount: Usdc.Money;
  unit?: Currency.Code;
}) {
  return <span class="num">{locale.figure(Currency.format(amount, unit))}</span>;
}

/** An amount that stands alone, with its unit. */
export function Figure({
  locale,
  amount,
  unit = "USDC",
  isExact = false,
}: {
  locale: Locale;
  amount: Usdc.Money;
  unit?: string;
  /** To the last millionth. */
  isExact?: boolean;
}) {
  return (
    <span class="num">
      {locale.figure(isExact ? Usdc.formatExact(amount as Usdc.Usdc) : Currency.format(amount, unit))}
      <span class="unit">{` ${unit}`}</span>
    </span>
  );
}
