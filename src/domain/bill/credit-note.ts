/**
 * Credit notes: what a merchant takes back of an invoice that was issued. All notes of an invoice together never credit
 * more than it, of each line, of each row of its taxes and in all; the one that takes the rest takes it to the cent.
 */

import * as Outcome from "../payment/outcome.ts";
import * as Standing from "../payment/standing.ts";
import * as Usdc from "../usdc.ts";
import type { TaxInCurrency } from "./currency.ts";
import * as Currency from "./currency.ts";
import { billedTotal, type Invoice, type LineItem, lineTotal as linePrice } from "./invoice.ts";
import * as InvoiceNumber from "./invoice-number.ts";
import type { Quantity } from "./quantity.ts";
import type * as Tax from "./tax.ts";

/** A line of the invoice, or a part of it; `position` is its place there, from 0. */
export type CreditLine = LineItem & { position: number };

export type CreditNote = {
  /** UUID. */
  id: string;
  /** 1, 2, 3, … without gaps. */
  sequence: number;
  /** What people call it, such as `CN-0001`. */
  number: string;
  /** The sequence of the invoice that it refers to. Currency and parties are that invoice's. */
  invoice: number;
  /** `YYYY-MM-DD` */
  issueDate: string;
  reason: string;
  /** Empty when amounts are credited and not lines. */
  lines: CreditLine[];
  /** Has a row for each rate that it credits; none where the invoice says nothing of tax. */
  totals: Tax.Totals;
  /** Its tax in the currency of the seller's country; null where the invoice states none. */
  taxInCurrency: TaxInCurrency | null;
  /** What it lowers the invoice by, in USDC at the rate of the invoice. */
  usdc: Usdc.Usdc;
  /** The part of `usdc` that was paid already: what the merchant is to return. */
  toReturn: Usdc.Usdc;
  /** Unix milliseconds. */
  createdAt: number;
};

/** What is to be credited: all that is left, some of the lines, or an amount with its tax for each of some rates. */
export type CreditScope =
  | { kind: "rest" }
  | { kind: "lines"; lines: readonly { position: number; quantity: Quantity | null }[] }
  | { kind: "amounts"; amounts: readonly { row: number; amount: Usdc.Billed }[] };

type Credited = Pick<CreditNote, "lines" | "totals">;
type Creditable = Pick<Invoice, "lineItems" | "totals" | "pricesIncludeTax" | "total" | "currency">;

/** What is left to credit of one row of an invoice's taxes, or of all of one without. */
export type RowRemainder = { of: Tax.Tax | null; taxable: Usdc.Billed; tax: Usdc.Billed };
/** What is left of a line; a quantity of 0 when all of it was credited. */
type LineRemainder = { quantity: bigint; lineTotal: Usdc.Billed };
export type Remainder = { rows: RowRemainder[]; lines: LineRemainder[] };

/** Why it cannot be credited: `row` and `line` are places in the invoice, from 0. */
export type RemainderRefusal =
  | { kind: "nothing" }
  | { kind: "line"; line: number; left: bigint }
  /** `takenBack`: lines of the invoice itself that take something back leave less of it than others come to. */
  | { kind: "row"; row: number; left: Usdc.Billed; takenBack: boolean };

/** `amount × part / whole` in whole coins of `minor` millionths, half up; 0 of nothing. */
function share(amount: bigint, part: bigint, whole: bigint, minor: bigint): bigint {
  return whole === 0n ? 0n : Usdc.round(amount * part, whole, minor);
}

const minorOf = (invoice: Creditable) => Currency.minorOf(Currency.codeOf(invoice));

const sameTax = (a: Tax.Tax | null, b: Tax.Tax | null) => a?.category === b?.category && a?.rate === b?.rate;
const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);
const gross = ({ taxable, tax }: { taxable: bigint; tax: bigint }) => taxable + tax;

/** The rows that an invoice adds up to: its taxes, or one that stands for all of it. */
export function rowsOf(invoice: Creditable): RowRemainder[] {
  const { totals, total, currency } = invoice;
  if (totals && totals.rows.length > 0)
    return totals.rows.map(({ taxable, tax, ...of }) => ({ of, taxable, tax }));
  return [{ of: null, taxable: billedTotal({ currency, total }), tax: Usdc.zero }];
}

/** What the rows of a note take, each at the place of the invoice's row. */
function takenOf(rows: readonly RowRemainder[], { totals }: Credited): { taxable: bigint; tax: bigint }[] {
  return rows.map(({ of }) => {
    if (of === null) return { taxable: totals.total, tax: 0n };
    const row = totals.rows.find((each) => sameTax(each, of));
    return { taxable: row?.taxable ?? 0n, tax: row?.tax ?? 0n };
  });
}

/** What the notes have left of an invoice. */
export function left(invoice: Creditable, notes: readonly Credited[]): Remainder {
  const rows = rowsOf(invoice);
  // What was taken back cannot be credited: the amounts of its row have it.
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

/** What is left to credit in all, in the currency of the invoice. */
export const totalLeft = ({ rows }: Pick<Remainder, "rows">): Usdc.Billed =>
  Usdc.fromMicro(rows.reduce((sum, row) => sum + gross(row), 0n));

/** Works out what one more note credits, or says why it cannot. */
export function work(invoice: Creditable, notes: readonly Credited[], wanted: CreditScope): Credit {
  const rest = left(invoice, notes);
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

/** An amount with its tax, in the proportion of what is left of its row. */
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
    // Of what the line came to with its discount: all parts of it together are exactly that.
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
    // A discount on the whole lowers each row in the proportion of its lines.
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

/** A part of a line: of a discount on it there is as much as its amount is below quantity × price. */
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

/** `of`: the lines that the rows are of, with the tax or without; null for amounts. */
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

/** What an invoice comes to in USDC when so much of it, in its currency, was credited. */
export function usdcOwed(
  { total, currency }: Pick<Invoice, "total" | "currency">,
  credited: bigint,
): Usdc.Usdc {
  if (currency === null) return Usdc.fromMicro(total - credited);
  if (credited === 0n) return total;
  return Currency.toUsdc(Usdc.fromMicro(currency.total - credited), currency.rate);
}

/**
 * What the merchant is to return of a credit of `usdc`: as much of it as the customer had paid beyond what is owed with
 * it. What is marked as paid was paid in another way.
 */
function toReturn(
  usdc: Usdc.Usdc,
  { owedAfter, received, isMarked }: { owedAfter: Usdc.Usdc; received: Usdc.Usdc; isMarked: boolean },
): Usdc.Usdc {
  if (isMarked) return usdc;
  return Usdc.least(usdc, Usdc.shown(Usdc.remaining(received, owedAfter)));
}

/**
 * What one more note of `credited`, in the currency of the invoice, does to what is owed: the USDC that it lowers it by,
 * what of that is to be returned, and what is left to pay. `isVoid`: nobody has paid anything, and nobody has to.
 */
export function effect(
  invoice: Pick<Invoice, "total" | "currency" | "credited" | "deposit" | "voidedAt" | "markedPaidAt">,
  credited: Usdc.Billed,
): { usdc: Usdc.Usdc; toReturn: Usdc.Usdc; left: Usdc.Usdc; isVoid: boolean } {
  const { received, tolerance } = invoice.deposit;
  const isMarked = invoice.markedPaidAt !== null;
  const owedAfter = usdcOwed(invoice, invoice.credited + credited);
  const usdc = Usdc.fromMicro(usdcOwed(invoice, invoice.credited) - owedAfter);
  const after = { expected: owedAfter, net: owedAfter, tolerance: Outcome.toleranceOf(owedAfter, tolerance) };
  return {
    usdc,
    toReturn: toReturn(usdc, { owedAfter, received, isMarked }),
    left: Standing.of({ ...invoice, deposit: { ...invoice.deposit, ...after } }).due,
    isVoid: owedAfter === 0n && !Usdc.shows(received) && !isMarked,
  };
}

export const pdfUrl = (baseUrl: string, { id }: Pick<CreditNote, "id">) =>
  `${baseUrl}/api/credit-notes/${id}/pdf`;

/** The name of its PDF. */
export const fileName = ({ number }: Pick<CreditNote, "number">) => InvoiceNumber.fileName(number);
