import * as Usdc from "../usdc.ts";
import type { CreditNote } from "./credit-note.ts";
import { billedTotal, type Invoice } from "./invoice.ts";
import type * as Tax from "./tax.ts";

/** The remainder of an invoice: what is left to credit after its credit notes. */

export type Credited = Pick<CreditNote, "lines" | "totals">;

export type Creditable = Pick<Invoice, "lineItems" | "totals" | "pricesIncludeTax" | "total" | "currency">;

/** The rest of a tax row, or of the whole invoice if it has no tax rows. */
export type RowRemainder = { of: Tax.Tax | null; taxable: Usdc.Billed; tax: Usdc.Billed };

/** The rest of a line; a quantity of 0 once it is fully credited. */
type LineRemainder = { quantity: bigint; lineTotal: Usdc.Billed };

export type Remainder = { rows: RowRemainder[]; lines: LineRemainder[] };

export const sameTax = (a: Tax.Tax | null, b: Tax.Tax | null) =>
  a?.category === b?.category && a?.rate === b?.rate;

export const most = (a: bigint, b: bigint) => (a > b ? a : b);

export const gross = ({ taxable, tax }: { taxable: bigint; tax: bigint }) => taxable + tax;

/** The rows that an invoice adds up to: its tax rows, or a single row for the whole invoice. */
export function rowsOf(invoice: Creditable): RowRemainder[] {
  const { totals, total, currency } = invoice;
  if (totals && totals.rows.length > 0)
    return totals.rows.map(({ taxable, tax, ...of }) => ({ of, taxable, tax }));
  return [{ of: null, taxable: billedTotal({ currency, total }), tax: Usdc.zero }];
}

/** The amounts a credit note takes from each of the invoice's rows, in the same order. */
function takenOf(rows: readonly RowRemainder[], { totals }: Credited): { taxable: bigint; tax: bigint }[] {
  return rows.map(({ of }) => {
    if (of === null) return { taxable: totals.total, tax: 0n };
    const row = totals.rows.find((each) => sameTax(each, of));
    return { taxable: row?.taxable ?? 0n, tax: row?.tax ?? 0n };
  });
}

/** Computes what is left of an invoice after its credit notes. */
export function of(invoice: Creditable, notes: readonly Credited[]): Remainder {
  const rows = rowsOf(invoice);
  // Negative lines cannot be credited: their row's amounts already include them.
  const lines = invoice.lineItems.map(({ quantity, lineTotal }) => ({
    quantity: most(quantity, 0n),
    lineTotal: most(lineTotal, 0n),
  }));
  const rest = rows.map(({ taxable, tax }) => ({ taxable: taxable as bigint, tax: tax as bigint }));
  for (const note of notes) {
    for (const [at, taken] of takenOf(rows, note).entries()) {
      const row = rest[at];
      if (!row) continue;
      row.taxable -= taken.taxable;
      row.tax -= taken.tax;
    }
    for (const { position, quantity, lineTotal } of note.lines) {
      const line = lines[position];
      if (!line) continue;
      line.quantity -= quantity;
      line.lineTotal -= lineTotal;
    }
  }
  return {
    rows: rows.map(({ of }, at) => ({
      of,
      taxable: Usdc.fromMicro(rest[at]?.taxable ?? 0n),
      tax: Usdc.fromMicro(rest[at]?.tax ?? 0n),
    })),
    lines: lines.map(({ quantity, lineTotal }) => ({ quantity, lineTotal: Usdc.fromMicro(lineTotal) })),
  };
}

/** The total left to credit, in the invoice's currency. */
export const totalLeft = ({ rows }: Pick<Remainder, "rows">): Usdc.Billed =>
  Usdc.fromMicro(rows.reduce((sum, row) => sum + gross(row), 0n));
