import * as Invoice from "../domain/bill/invoice.ts";
import * as Usdc from "../domain/usdc.ts";

/** What an invoice comes to, as columns of a table for a bookkeeper: at the desk and in `till export` alike. */

export type InvoiceSums = Pick<
  Invoice.Invoice,
  "currency" | "total" | "totals" | "pricesIncludeTax" | "credited"
>;

/** Amounts are in that currency, but for `expected_usdc`. What an invoice without tax cannot say is null. */
export const billing = {
  subtotal_amount: ({ totals, ...invoice }: InvoiceSums) =>
    Usdc.format(totals?.subtotal ?? Invoice.billedTotal(invoice)),
  discount_amount: ({ totals }: InvoiceSums) => Usdc.format(totals?.discount ?? Usdc.zero),
  tax_amount: ({ totals }: InvoiceSums) => totals && Usdc.format(totals.tax),
  prices_include_tax: ({ totals, pricesIncludeTax }: InvoiceSums) => totals && pricesIncludeTax,
  expected_usdc: ({ total }: InvoiceSums) => Usdc.format(total),
  rate: ({ currency }: InvoiceSums) => currency?.rate ?? null,
  rate_source: ({ currency }: InvoiceSums) => currency?.source ?? null,
  credited_amount: ({ credited }: InvoiceSums) => Usdc.format(credited),
};
