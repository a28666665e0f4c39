import * as Invoice from "../domain/bill/invoice.ts";
import * as Usdc from "../domain/usdc.ts";

/** What an invoice comes to, as columns of a table for a bookkeeper: at the desk and in `till export` alike. */

export type Billed = Pick<Invoice.Invoice, "currency" | "total" | "totals" | "pricesIncludeTax" | "credited">;

/** Amounts are in that currency, but for `expected_usdc`. What an invoice without tax cannot say is null. */
export const billing = {
  subtotal_amount: ({ totals, ...invoice }: Billed) =>
    Usdc.format(totals?.subtotal ?? Invoice.billedTotal(invoice)),
  discount_amount: ({ totals }: Billed) => Usdc.format(totals?.discount ?? Usdc.zero),
  tax_amount: ({ totals }: Billed) => totals && Usdc.format(totals.tax),
  prices_include_tax: ({ totals, pricesIncludeTax }: Billed) => totals && pricesIncludeTax,
  expected_usdc: ({ total }: Billed) => Usdc.format(total),
  rate: ({ currency }: Billed) => currency?.rate ?? null,
  rate_source: ({ currency }: Billed) => currency?.source ?? null,
  credited_amount: ({ credited }: Billed) => Usdc.format(credited),
};
