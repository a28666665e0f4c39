import * as Currency from "../../domain/bill/currency.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Locale } from "../../language/locale.ts";

type AmountProps = { locale: Locale; amount: Usdc.Money; unit?: Currency.Code };

/** An amount as the language groups it, without its unit: for a column whose head names that. */
export function Amount({ locale, amount, unit = "USDC" }: AmountProps) {
  return <span class="num">{locale.figure(Currency.format(amount, unit))}</span>;
}

type FigureProps = {
  locale: Locale;
  amount: Usdc.Money;
  unit?: string;
  /** To the last millionth. */
  isExact?: boolean;
};

/** An amount that stands alone, with its unit. */
export function Figure({ locale, amount, unit = "USDC", isExact = false }: FigureProps) {
  return (
    <span class="num">
      {locale.figure(isExact ? Usdc.formatExact(amount as Usdc.Usdc) : Currency.format(amount, unit))}
      <span class="unit">{` ${unit}`}</span>
    </span>
  );
}
