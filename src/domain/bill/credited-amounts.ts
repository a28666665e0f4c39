import * as Usdc from "../usdc.ts";
import type { CreditNote } from "./credit-note.ts";
import { type LineItem, plainLine } from "./invoice.ts";
import * as Quantity from "./quantity.ts";
import type * as Tax from "./tax.ts";

/**
 * The amounts of a credit note without lines, as lines: one for each rate, or a single one when the invoice states no
 * tax. `withTax`: line totals include the tax.
 */
export function amountLines(
  { totals, reason }: Pick<CreditNote, "totals" | "reason">,
  { withTax }: { withTax: boolean },
): LineItem[] {
  const line = (amount: Usdc.Billed, tax: Tax.Tax | null): LineItem => ({
    ...plainLine,
    description: reason,
    quantity: Quantity.fromMillionths(Quantity.one),
    unitPrice: amount,
    tax,
    lineTotal: amount,
  });
  if (totals.rows.length === 0) return [line(totals.total, null)];
  return totals.rows.map(({ taxable, tax, ...of }) => line(withTax ? Usdc.sum([taxable, tax]) : taxable, of));
}
