import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Standing from "../domain/payment/standing.ts";
import type * as Common from "../domain/receivable/common.ts";
import * as Usdc from "../domain/usdc.ts";
import { otherChains } from "../domain/wallet/elsewhere.ts";
import { networks, transactionUrl } from "../domain/wallet/network.ts";
import { instantOrNull } from "../lib/time.ts";
import type { Db } from "../store/database.ts";
import type * as GasStore from "../store/reports/export/gas.ts";
import * as BookValueStore from "../store/tables/invoicing/book-value.ts";

/** Columns that several tables share. */

export type Cell = string | number | boolean | null;
export type BookColumns<T> = Record<string, (item: T) => Cell>;

export const usdc = () => "USDC";

export const closed: BookColumns<Common.Closure> = {
  marked_paid_at: ({ markedPaidAt }) => instantOrNull(markedPaidAt),
  voided_at: ({ voidedAt }) => instantOrNull(voidedAt),
  void_reason: ({ voidReason }) => voidReason,
};

/** Newer columns come last, so that readers by position find the others where they were. */
export const reference: BookColumns<{ reference: string | null }> = {
  reference: ({ reference }) => reference,
};

export const metadata: BookColumns<{ metadata: Common.Metadata | null }> = {
  metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
};

export const invoiceOrLink: BookColumns<{ number: string | null; linkSlug: string | null }> = {
  invoice_number: ({ number }) => number,
  payment_link: ({ linkSlug }) => linkSlug,
};

/** Its place on the chain. */
export function transaction<T extends GasStore.ChainPlace>(
  chainIdOf: (item: T) => number | undefined,
): BookColumns<T> {
  return {
    block_time: ({ minedAt }) => instantOrNull(minedAt),
    block_number: ({ blockNumber }) => blockNumber,
    tx_hash: ({ txHash }) => txHash,
    transaction_url: (item) => item.txHash && explorerUrl(chainIdOf(item), item.txHash),
  };
}

/** All chains that Till knows, its own and those beside them. */
const chains = Object.values(networks).flatMap(({ name, chainId, explorer }) => [
  { chainId, explorer, coin: "ETH" },
  ...otherChains(name),
]);

export function chainOf(chainId: number | undefined) {
  return chains.find((chain) => chain.chainId === chainId);
}

export function explorerUrl(chainId: number | undefined, txHash: string): string | null {
  return transactionUrl(chainOf(chainId)?.explorer ?? null, txHash);
}

type InvoiceSums = Pick<Invoice.Invoice, "currency" | "total" | "totals" | "pricesIncludeTax" | "credited">;

/** In the currency of the invoice, except for `expected_usdc`. Null where an invoice without tax has no value. */
export const billing = {
  subtotal_amount: ({ totals, ...invoice }: InvoiceSums) =>
    Currency.formatOf(invoice, totals?.subtotal ?? Invoice.billedTotal(invoice)),
  discount_amount: ({ totals, ...invoice }: InvoiceSums) =>
    Currency.formatOf(invoice, totals?.discount ?? Usdc.zero),
  tax_amount: ({ totals, ...invoice }: InvoiceSums) => totals && Currency.formatOf(invoice, totals.tax),
  prices_include_tax: ({ totals, pricesIncludeTax }: InvoiceSums) => totals && pricesIncludeTax,
  expected_usdc: ({ total }: InvoiceSums) => Usdc.format(total),
  rate: ({ currency }: InvoiceSums) => currency?.rate ?? null,
  rate_source: ({ currency }: InvoiceSums) => currency?.source ?? null,
  credited_amount: (invoice: InvoiceSums) => Currency.formatOf(invoice, invoice.credited),
};

/** How it stands; `received_amount` stands beside amounts in the invoice's currency, but is in USDC. */
export const standing = {
  received_currency: usdc,
  due_usdc: (invoice: Standing.StandingFacts) => Usdc.formatExact(Standing.of(invoice).due),
  return_usdc: (invoice: Standing.StandingFacts) => Usdc.formatExact(Standing.of(invoice).toReturn),
  refunded_usdc: (invoice: Standing.StandingFacts) => Usdc.formatExact(Standing.of(invoice).refunded),
  to_refund_usdc: (invoice: Standing.StandingFacts) => Usdc.formatExact(Standing.of(invoice).toRefund),
};

/** The tax in the currency of the seller's country, with how it was computed; empty where the law requires none. */
export const taxInCurrency: BookColumns<Pick<Invoice.Invoice, "taxInCurrency">> = {
  tax_currency: ({ taxInCurrency: stated }) => stated?.code ?? null,
  tax_currency_amount: ({ taxInCurrency: stated }) => stated && Currency.format(stated.tax, stated.code),
  tax_currency_rate: ({ taxInCurrency: stated }) => stated?.rate ?? null,
  tax_currency_source: ({ taxInCurrency: stated }) => stated?.source ?? null,
};

/** Takes the place of a rate's source. */
export const missingValue = "not known";

export type Valued = { value: BookValueStore.BookValue | null };

/** Adds its value to each item. */
export function* valued<T extends { id: number }>(
  { db }: { db: Db },
  kind: BookValueStore.Kind,
  items: Iterable<T>,
): Generator<T & Valued> {
  for (const item of items) yield { ...item, value: BookValueStore.find(db, kind, item.id) };
}

/**
 * Columns for the value of anything but payments: `isKept` returns whether its value is stored by now, `worthAt` its
 * value at a rate in a currency.
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
