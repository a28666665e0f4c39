import { expect, test } from "bun:test";
import fc from "fast-check";
import * as Credit from "../../../src/domain/bill/credit.ts";
import { lineTotal } from "../../../src/domain/bill/invoice.ts";
import * as Quantity from "../../../src/domain/bill/quantity.ts";
import * as Remainder from "../../../src/domain/bill/remainder.ts";
import * as Tax from "../../../src/domain/bill/tax.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

const cents = (n: number) => Usdc.fromMicro<Usdc.Billed>(BigInt(n) * 10_000n);

const taxes: readonly Tax.Tax[] = [
  { category: "standard", rate: 190_000, reason: null },
  { category: "standard", rate: 70_000, reason: null },
  { category: "standard", rate: 0, reason: null },
  { category: "zero", rate: 0, reason: null },
  { category: "exempt", rate: 0, reason: "small business" },
];

const discount = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant("percent" as const), percent: fc.integer({ min: 1, max: 9_999 }) }),
  fc.record({ kind: fc.constant("amount" as const), amount: fc.integer({ min: 1, max: 50_000 }).map(cents) }),
);

const line = fc.record({
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 12 }).map((n) => BigInt(n) * 1_000_000n),
    fc.bigInt(1n, 9_999_999n),
  ),
  unitPrice: fc.integer({ min: 0, max: 99_999 }).map(cents),
  discount,
  tax: fc.nat(taxes.length - 1),
});

const minor = Usdc.microPerCent;

const invoice = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    discount,
    pricesIncludeTax: fc.boolean(),
    isTaxed: fc.boolean(),
  })
  .map(({ lines, discount, pricesIncludeTax: included, isTaxed }) => {
    const pricesIncludeTax = included && isTaxed;
    const lineItems = lines.map((each) => {
      const full = lineTotal(Quantity.fromMillionths(each.quantity), each.unitPrice, minor);
      return {
        description: "Work",
        quantity: Quantity.fromMillionths(each.quantity),
        unitPrice: each.unitPrice,
        unit: null,
        discount: each.discount,
        tax: isTaxed ? (taxes[each.tax] ?? null) : null,
        lineTotal: Usdc.fromMicro<Usdc.Billed>(full - Tax.discountOf(full, each.discount, minor)),
      };
    });
    const totals = Tax.totalsOf(lineItems, { discount, pricesIncludeTax, minor });
    const isPlain = !isTaxed && discount === null;
    return {
      lineItems,
      totals: isPlain ? null : totals,
      pricesIncludeTax,
      total: Usdc.asUsdc(totals.total),
      currency: null,
    };
  })
  .filter(({ total }) => total > 0n);

/** What is asked for next: fractions in thousandths of what is left, so that many notes fit. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant("lines" as const),
    lines: fc.array(fc.record({ at: fc.nat(5), part: fc.integer({ min: 1, max: 1_000 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    kind: fc.constant("amounts" as const),
    rows: fc.array(fc.record({ at: fc.nat(4), part: fc.integer({ min: 1, max: 1_000 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Creditable = Parameters<typeof Credit.work>[0];
type Made = Extract<ReturnType<typeof Credit.work>, { ok: true }>;

function wantedOf(invoice: Creditable, notes: Made[], asked: Step): Credit.CreditScope {
  const left = Remainder.of(invoice, notes);
  if (asked.kind === "amounts")
    return {
      kind: "amounts",
      amounts: asked.rows.flatMap(({ at, part }) => {
        const row = at % left.rows.length;
        const { taxable = 0n, tax = 0n } = left.rows[row] ?? {};
        const amount = ((((taxable + tax) / 10_000n) * BigInt(part)) / 1_000n) * 10_000n;
        return amount === 0n ? [] : [{ row, amount: Usdc.fromMicro<Usdc.Billed>(amount) }];
      }),
    };
  return {
    kind: "lines",
    lines: asked.lines.map(({ at, part }) => {
      const position = at % left.lines.length;
      const quantity = ((left.lines[position]?.quantity ?? 0n) * BigInt(part)) / 1_000n;
      return {
        position,
        quantity: part === 1_000 || quantity === 0n ? null : Quantity.fromMillionths(quantity),
      };
    }),
  };
}

/** All of these are sums of what was asked for, and of the rest. */
function checkWhole(invoice: Creditable, notes: readonly Made[], isByLines: boolean) {
  const sum = (of: (note: Made) => bigint) => notes.reduce((all, note) => all + of(note), 0n);
  expect(sum(({ totals }) => totals.total)).toBe(invoice.total);
  expect(sum(({ totals }) => totals.tax)).toBe(invoice.totals?.tax ?? 0n);
  for (const row of invoice.totals?.rows ?? []) {
    const same = ({ totals }: Made) =>
      totals.rows.find(({ category, rate }) => category === row.category && rate === row.rate);
    expect(sum((note) => same(note)?.taxable ?? 0n)).toBe(row.taxable);
    expect(sum((note) => same(note)?.tax ?? 0n)).toBe(row.tax);
  }
  if (isByLines)
    for (const [at, item] of invoice.lineItems.entries()) {
      const parts = notes.flatMap(({ lines }) => lines.filter(({ position }) => position === at));
      const quantity = parts.reduce((all, part) => all + part.quantity, 0n);
      const lineTotal = parts.reduce((all, part) => all + part.lineTotal, 0n);
      // A rest of a line that comes to nothing with its discounts needs no note.
      expect(quantity).toBeLessThanOrEqual(item.quantity);
      if (quantity === item.quantity) expect(lineTotal).toBe(item.lineTotal);
      else expect(lineTotal).toBeLessThanOrEqual(item.lineTotal);
    }
}

function checkOne(invoice: Creditable, before: readonly Made[], note: Made) {
  const { totals, lines } = note;
  expect(totals.total).toBeGreaterThan(0n);
  const parts = [totals.subtotal, totals.discount, totals.tax, ...lines.map((each) => each.lineTotal)];
  for (const amount of [...parts, ...totals.rows.flatMap(({ taxable, tax }) => [taxable, tax])]) {
    expect(amount).toBeGreaterThanOrEqual(0n);
    expect(amount % 10_000n).toBe(0n);
  }
  // As on an invoice.
  expect(
    totals.subtotal - totals.discount + (invoice.pricesIncludeTax && lines.length > 0 ? 0n : totals.tax),
  ).toBe(totals.total);
  for (const row of Remainder.of(invoice, [...before, note]).rows) {
    expect(row.taxable).toBeGreaterThanOrEqual(0n);
    expect(row.tax).toBeGreaterThanOrEqual(0n);
  }
}

test("all credit notes of an invoice together are it to the cent, of each line, each tax and in all", () => {
  fc.assert(
    fc.property(invoice, fc.array(step, { maxLength: 12 }), (invoice, steps) => {
      const notes: Made[] = [];
      const add = (wanted: Credit.CreditScope) => {
        const made = Credit.work(invoice, notes, wanted);
        if (!made.ok) return made.refusal;
        checkOne(invoice, notes, made);
        notes.push(made);
        return null;
      };
      for (const each of steps) add(wantedOf(invoice, notes, each));
      const rest = add({ kind: "rest" });
      expect(rest === null || rest.kind === "nothing").toBe(true);
      expect(Remainder.totalLeft(Remainder.of(invoice, notes))).toBe(0n as never);
      expect(Credit.work(invoice, notes, { kind: "rest" })).toEqual({
        ok: false,
        refusal: { kind: "nothing" },
      });
      checkWhole(
        invoice,
        notes,
        notes.every(({ lines }) => lines.length > 0),
      );
    }),
    { numRuns: Number(process.env["TEST_RUNS"] ?? 700), seed: 1 },
  );
});

test("an invoice with an item taken back is credited by its amounts, to the cent", () => {
  const tax = taxes[0] ?? null;
  const item = (quantity: bigint, lineTotal: bigint) => ({
    description: "Bulbs",
    quantity: Quantity.fromMillionths(quantity),
    unitPrice: 50_000_000n as Usdc.Billed,
    unit: null,
    discount: null,
    tax,
    lineTotal: lineTotal as Usdc.Billed,
  });
  const lineItems = [item(3_000_000n, 150_000_000n), item(-1_000_000n, -50_000_000n)];
  const totals = Tax.totalsOf(lineItems, { discount: null, pricesIncludeTax: false, minor });
  const invoice = {
    lineItems,
    totals,
    pricesIncludeTax: false,
    total: Usdc.asUsdc(totals.total),
    currency: null,
  };
  const line = (position: number) =>
    Credit.work(invoice, [], { kind: "lines", lines: [{ position, quantity: null }] });
  expect(line(1)).toEqual({ ok: false, refusal: { kind: "line", line: 1, left: 0n } });
  expect(line(0)).toMatchObject({ ok: false, refusal: { kind: "row", row: 0 } });
  const rest = Credit.work(invoice, [], { kind: "rest" });
  expect(rest).toMatchObject({ ok: true, lines: [], totals: { total: totals.total } });
  if (!rest.ok) throw new Error("refused");
  expect(Remainder.totalLeft(Remainder.of(invoice, [rest]))).toBe(Usdc.zero);
});

/** Lines of quantity × price at a rate, as an invoice adds them up. */
function billOf(lines: readonly [quantity: bigint, price: number, tax: number][]) {
  const lineItems = lines.map(([quantity, price, tax]) => ({
    ...{ description: "Chair", unit: null, discount: null, tax: taxes[tax] ?? null, unitPrice: cents(price) },
    quantity: (quantity * Quantity.one) as Quantity.Quantity,
    lineTotal: (quantity * cents(price)) as Usdc.Billed,
  }));
  const totals = Tax.totalsOf(lineItems, { discount: null, pricesIncludeTax: false, minor });
  const total = Usdc.fromMicro<Usdc.Usdc>(totals.total);
  const currency = { code: "EUR", rate: "1", source: "caller", fetchedAt: 0, total: totals.total };
  return { lineItems, totals, total, pricesIncludeTax: false, currency };
}
const linesOf = (...lines: [position: number, quantity: bigint | null][]) => ({
  kind: "lines" as const,
  lines: lines.map(([position, quantity]) => ({
    position,
    quantity: quantity === null ? null : ((quantity * Quantity.one) as Quantity.Quantity),
  })),
});

test("lines beside one that takes them back are credited up to what is left of their rate, and refused for that", () => {
  // 1 × 100.00 at 19 %; 20 × 2.50 and −20 × 2.50 at 7 %, of which nothing is left.
  const cancelled = billOf([
    [1n, 10_000, 0],
    [20n, 250, 1],
    [-20n, 250, 1],
  ]);
  const refused = { ok: false, refusal: { kind: "row", row: 1, left: cents(0), takenBack: true } } as const;
  expect(Credit.work(cancelled, [], linesOf([0, null], [1, null]))).toEqual(refused);
  expect(Credit.work(cancelled, [], linesOf([1, null]))).toEqual(refused);
  const whole = Credit.work(cancelled, [], { kind: "rest" });
  // 100.00 and 19.00 of tax.
  expect(whole.ok && [whole.totals.total, whole.totals.discount].map(Number)).toEqual([119_000_000, 0]);

  // 20 × 2.50 − 15 × 2.50 = 12.50, which is 5 of them; 12.50 × 19 % = 2.375, so 2.38.
  const part = billOf([
    [20n, 250, 0],
    [-15n, 250, 0],
  ]);
  expect(Credit.work(part, [], linesOf([0, 6n]))).toEqual({
    ok: false,
    refusal: { kind: "row", row: 0, left: cents(1_488), takenBack: true },
  });
  const five = Credit.work(part, [], linesOf([0, 5n]));
  const { total, discount: off, tax } = five.ok ? five.totals : cancelled.totals;
  expect([total, off, tax].map(Number)).toEqual([14_880_000, 0, 2_380_000]);
});
