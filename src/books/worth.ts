import * as Currency from "../domain/bill/currency.ts";
import type * as Usdc from "../domain/usdc.ts";
import { instantOrNull } from "../lib/time.ts";
import * as BookValueStore from "../store/tables/invoicing/book-value.ts";
import type { BookColumns } from "./columns.ts";
import type { Selection } from "./table.ts";

/** In the place of who told a rate. */
export const missingValue = "not known";

export type Valued = { value: BookValueStore.BookValue | null };

/** Each with what it was worth. */
export function* valued<T extends { id: number }>(
  { db }: Pick<Selection, "db">,
  kind: BookValueStore.Kind,
  items: Iterable<T>,
): Generator<T & Valued> {
  for (const item of items) yield { ...item, value: BookValueStore.find(db, kind, item.id) };
}

/**
 * The columns of payments for something else: `isKept` whether its value is kept by now, `worthAt` what it is at a rate, in
 * a currency.
 */
export const worth = <T extends Valued>(
  valueCurrency: Currency.Code | null,
  {
    isKept,
    worthAt,
  }: { isKept(item: T): boolean; worthAt(item: T, rate: Currency.Rate, code: Currency.Code): Usdc.Billed },
): BookColumns<T> => ({
  fiat_currency: ({ value }) => value?.currency ?? valueCurrency,
  fiat_value(item) {
    if (item.value === null) return null;
    const { rate, currency } = item.value;
    return Currency.format(worthAt(item, rate, currency), currency, true);
  },
  fiat_rate: ({ value }) => value?.rate ?? null,
  fiat_source: (item) =>
    item.value?.source ?? (valueCurrency === null || !isKept(item) ? null : missingValue),
  fiat_rate_at: ({ value }) => instantOrNull(value?.rateAt ?? null),
});
