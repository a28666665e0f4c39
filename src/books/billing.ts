import * as Invoice from "../domain/bill/invoice.ts";
import * as Standing from "../domain/payment/standing.ts";
import * as Usdc from "../domain/usdc.ts";
import { usdc } from "./columns.ts";

/** The columns that say what an invoice comes to: the same at the desk and in `till export`. */

export type InvoiceSums = Pick<
  Invoice.Invoice,
  "currency" | "total" | "totals" | "pricesIncludeTax" | "credited"
>;

/** In the currency of the invoice, but for `expected_usdc`. Null where an invoice without tax says nothing. */
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

/** How it stands; `received_amount` is beside amounts in the currency of the invoice, and is not. */
export const standing = {
  received_currency: usdc,
  due_usdc: (invoice: Standing.StandingFacts) => Usdc.formatExact(Standing.of(invoice).due),
  return_usdc: (invoice: Standing.StandingFacts) => Usdc.formatExact(Standing.of(invoice).toReturn),
};
