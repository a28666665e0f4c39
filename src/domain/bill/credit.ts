import * as Usdc from "../usdc.ts";
import type { CreditLine } from "./credit-note.ts";
import * as Currency from "./currency.ts";
import { type LineItem, lineTotal as linePrice } from "./invoice.ts";
import type { Quantity } from "./quantity.ts";
import {
  type Creditable,
  type Credited,
  gross,
  most,
  of,
  type Remainder,
  type RowRemainder,
  rowsOf,
  sameTax,
  totalLeft,
} from "./remainder.ts";
import type * as Tax from "./tax.ts";

/**
 * The amounts of one more credit note. The credit notes of an invoice never add up to more than the invoice: not for a
 * line, not for a tax row, and not in total. The one that credits the remainder does so to the cent.
 */

/** The part to credit: everything that is left, some lines, or an amount including tax for each of some rates. */
export type CreditScope =
  | { kind: "rest" }
  | { kind: "lines"; lines: readonly { position: number; quantity: Quantity | null }[] }
  | { kind: "amounts"; amounts: readonly { row: number; amount: Usdc.Billed }[] };

/** Why it cannot be credited; `row` and `line` are indexes in the invoice, from 0. */
export type RemainderRefusal =
  | { kind: "nothing" }
  | { kind: "line"; line: number; left: bigint }
  /** `takenBack`: negative lines of the invoice leave less of the row than its other lines add up to. */
  | { kind: "row"; row: number; left: Usdc.Billed; takenBack: boolean };

/** `amount × part / whole`, rounded half up to multiples of `minor` millionths; 0 when `whole` is 0. */
function share(amount: bigint, part: bigint, whole: bigint, minor: bigint): bigint {
  return whole === 0n ? 0n : Usdc.round(amount * part, whole, minor);
}

const minorOf = (invoice: Creditable) => Currency.minorOf(Currency.codeOf(invoice));

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** Computes what one more credit note credits, or why it cannot. */
export function work(invoice: Creditable, notes: readonly Credited[], wanted: CreditScope): Credit {
  const rest = of(invoice, notes);
  const minor = minorOf(invoice);
  if (totalLeft(rest) === 0n) return refuse({ kind: "nothing" });
  switch (wanted.kind) {
    case "lines":
      return ofLines(invoice, notes, rest, wanted.lines);
    case "amounts":
      return ofAmounts(rest, wanted.amounts, minor);
    case "rest": {
      const lines = rest.lines.flatMap(({ quantity }, position) =>
        quantity === 0n ? [] : [{ position, quantity: null }],
      );
      const inLines = ofLines(invoice, notes, rest, lines);
      if (inLines.ok && inLines.totals.total === totalLeft(rest)) return inLines;
      const amounts = rest.rows.map((row, at) => ({
        row: at,
        amount: Usdc.fromMicro<Usdc.Billed>(gross(row)),
      }));
      return ofAmounts(rest, amounts, minor);
    }
  }
}

const refuse = (refusal: RemainderRefusal): Credit => ({ ok: false, refusal });

type Credit =
  | { ok: true; lines: CreditLine[]; totals: Tax.Totals }
  | { ok: false; refusal: RemainderRefusal };

function ofAmounts(
  rest: Remainder,
  amounts: readonly { row: number; amount: Usdc.Billed }[],
  minor: bigint,
): Credit {
  const rows: (RowRemainder | null)[] = rest.rows.map(() => null);
  for (const { row: at, amount } of amounts) {
    const row = rest.rows[at];
    const before = rows[at];
    const sum = amount + (before ? gross(before) : 0n);
    if (!row || sum > gross(row))
      return refuse({ kind: "row", row: at, left: leftOf(row), takenBack: false });
    rows[at] = { of: row.of, ...split(row, sum, minor) };
  }
  const totals = totalsOf(rows, null);
  return totals.total === 0n ? refuse({ kind: "nothing" }) : { ok: true, lines: [], totals };
}

const leftOf = (row: RowRemainder | undefined) => Usdc.fromMicro<Usdc.Billed>(row ? gross(row) : 0n);

/** Splits an amount including tax in the proportion of what is left of its row. */
function split(row: RowRemainder, amount: bigint, minor: bigint): { taxable: Usdc.Billed; tax: Usdc.Billed } {
  const tax = most(amount - row.taxable, least(row.tax, share(row.tax, amount, gross(row), minor)));
  return { taxable: Usdc.fromMicro(amount - tax), tax: Usdc.fromMicro(tax) };
}

function ofLines(
  invoice: Creditable,
  notes: readonly Credited[],
  rest: Remainder,
  wanted: readonly { position: number; quantity: Quantity | null }[],
): Credit {
  const minor = minorOf(invoice);
  const lines: CreditLine[] = [];
  for (const { position, quantity: wantedQuantity } of wanted) {
    const item = invoice.lineItems[position];
    const line = rest.lines[position];
    if (!item || !line) return refuse({ kind: "line", line: position, left: 0n });
    const quantity = wantedQuantity ?? line.quantity;
    const isTwice = lines.some((each) => each.position === position);
    if (isTwice || quantity === 0n || quantity > line.quantity)
      return refuse({ kind: "line", line: position, left: isTwice ? 0n : line.quantity });
    // A share of the discounted line total, computed so that the parts of a line add up to it exactly.
    const lineTotal = line.lineTotal - share(item.lineTotal, line.quantity - quantity, item.quantity, minor);
    lines.push(partOf(item, position, quantity as Quantity, Usdc.fromMicro(most(lineTotal, 0n)), minor));
  }
  const rows: (RowRemainder | null)[] = [];
  for (const [at, row] of rest.rows.entries()) {
    const of = (each: { tax: Tax.Tax | null }) => row.of === null || sameTax(each.tax, row.of);
    const whole = sumOf(invoice.lineItems.filter(of));
    const before = sumOf(notes.flatMap((note) => note.lines.filter(of)));
    const now = sumOf(lines.filter(of));
    if (!lines.some(of)) {
      rows.push(null);
      continue;
    }
    const issued = rowsOf(invoice)[at] as RowRemainder;
    const grossPrices = invoice.pricesIncludeTax || row.of === null;
    const base = grossPrices ? gross(issued) : issued.taxable;
    // A discount on the whole invoice lowers each row in proportion to its lines.
    const amount = share(base, before + now, whole, minor) - share(base, before, whole, minor);
    const inAll = grossPrices ? gross(row) : row.taxable;
    const isTooMuch = amount > inAll || (whole === 0n && now > 0n);
    if (isTooMuch) {
      const takenBack = invoice.lineItems.some((each) => of(each) && each.lineTotal < 0n);
      return refuse({ kind: "row", row: at, left: leftOf(row), takenBack });
    }
    if (grossPrices) rows.push({ of: row.of, ...split(row, amount, minor) });
    else {
      const tax =
        amount === row.taxable ? row.tax : least(row.tax, share(row.tax, amount, row.taxable, minor));
      rows.push({ of: row.of, taxable: Usdc.fromMicro(amount), tax: Usdc.fromMicro(tax) });
    }
  }
  const totals = totalsOf(rows, { lines: sumOf(lines), pricesIncludeTax: invoice.pricesIncludeTax });
  return totals.total === 0n ? refuse({ kind: "nothing" }) : { ok: true, lines, totals };
}

const sumOf = (lines: readonly { lineTotal: bigint }[]) =>
  lines.reduce((sum, { lineTotal }) => sum + lineTotal, 0n);

/** Returns part of a line. Its discount is what its amount is below quantity × price. */
function partOf(
  item: LineItem,
  position: number,
  quantity: Quantity,
  lineTotal: Usdc.Billed,
  minor: bigint,
): CreditLine {
  const full = linePrice(quantity, item.unitPrice, minor);
  const discount =
    item.discount === null || full <= lineTotal
      ? null
      : ({ kind: "amount", amount: Usdc.fromMicro<Usdc.Billed>(full - lineTotal) } as const);
  return { ...item, position, quantity, discount, lineTotal };
}

/** `of`: the total of the credited lines, and whether their prices include tax; null when amounts are credited. */
function totalsOf(
  all: readonly (RowRemainder | null)[],
  of: { lines: bigint; pricesIncludeTax: boolean } | null,
): Tax.Totals {
  const rows = all.filter((row) => row !== null && gross(row) > 0n) as RowRemainder[];
  const tax = Usdc.sum(rows.map((row) => row.tax));
  const total = Usdc.fromMicro<Usdc.Billed>(rows.reduce((sum, row) => sum + gross(row), 0n));
  const billed = of === null || of.pricesIncludeTax ? total : total - tax;
  const subtotal = Usdc.fromMicro<Usdc.Billed>(of === null ? total - tax : most(of.lines, billed));
  return {
    subtotal,
    discount: Usdc.fromMicro(of === null ? 0n : subtotal - billed),
    tax,
    total,
    rows: rows.flatMap(({ of, taxable, tax }) => (of === null ? [] : [{ ...of, taxable, tax }])),
  };
}
