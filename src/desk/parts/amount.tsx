import * as Currency from "../../domain/bill/currency.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Locale } from "../../language/locale.ts";

type AmountProps = { locale: Locale; amount: Usdc.Money; unit?: Currency.Code };

/** An amount grouped for the language, without its unit: for a column whose head names that. */
export function Amount({ locale, amount, unit = "USDC" }: AmountProps) {
  return <span class="num">{locale.figure(Currency.format(amount, unit))}</span>;
}

type FigureProps = {
  locale: Locale;
  amount: Usdc.Money;
  unit?: string;
  /** With up to six decimals. */
  isExact?: boolean;
};

/** A separate amount, with its unit. */
export function Figure({ locale, amount, unit = "USDC", isExact = false }: FigureProps) {
  return (
    <span class="num">
      {locale.figure(isExact ? Usdc.formatExact(amount as Usdc.Usdc) : Currency.format(amount, unit))}
      <span class="unit">{` ${unit}`}</span>
    </span>
  );
}
