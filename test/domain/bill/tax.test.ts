import { describe, expect, test } from "bun:test";
import * as Currency from "../../../src/domain/bill/currency.ts";
import * as Tax from "../../../src/domain/bill/tax.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { createRandom } from "../../support/random.ts";
import { usdc } from "../../support/usdc.ts";

const standard = (rate: string): Tax.Tax => ({
  category: "standard",
  rate: Tax.parseShare(rate) ?? 0,
  reason: null,
});
const line = (amount: string, tax: Tax.Tax | null) => ({ lineTotal: usdc(amount), tax });
const text = (amount: Usdc.Billed) => Currency.format(amount, "EUR");
const minor = Currency.minorOf("EUR");
const asText = ({ rows, subtotal, discount, tax, total }: Tax.Totals) => ({
  subtotal: text(subtotal),
  discount: text(discount),
  tax: text(tax),
  total: text(total),
  rows: rows.map((row) => [Tax.formatShare(row.rate), text(row.taxable), text(row.tax)].join(" ")),
});

describe("totalsOf", () => {
  test("charges tax for each rate over the sum of its lines, not line by line", () => {
    // Three times 0.05 at 19 %: 0.0095 each is a cent a line, and 0.0285 are three cents together.
    const lines = ["0.05", "0.05", "0.05"].map((amount) => line(amount, standard("19")));
    const totals = Tax.totalsOf(lines, { discount: null, pricesIncludeTax: false, minor });
    expect(asText(totals)).toEqual({
      subtotal: "0.15",
      discount: "0.00",
      tax: "0.03",
      total: "0.18",
      rows: ["19.00 0.15 0.03"],
    });
  });

  test("takes a discount off before tax, from each rate by its size", () => {
    const totals = Tax.totalsOf(
      [line("1080.00", standard("19")), line("49.80", standard("7")), line("300.00", standard("19"))],
      { discount: { kind: "percent", percent: 100_000 }, pricesIncludeTax: false, minor },
    );
    expect(asText(totals)).toEqual({
      subtotal: "1429.80",
      discount: "142.98",
      tax: "239.12",
      total: "1525.94",
      rows: ["19.00 1242.00 235.98", "7.00 44.82 3.14"],
    });
  });

  test("takes the tax out of prices that have it in them, and leaves the total as it is", () => {
    const totals = Tax.totalsOf([line("119.00", standard("19")), line("10.70", standard("7"))], {
      discount: null,
      pricesIncludeTax: true,
      minor,
    });
    expect(asText(totals)).toEqual({
      subtotal: "129.70",
      discount: "0.00",
      tax: "19.70",
      total: "129.70",
      rows: ["19.00 100.00 19.00", "7.00 10.00 0.70"],
    });
  });

  test("adds up as an exact computation with fractions does, for whatever is billed", () => {
    const random = createRandom(7);
    const rounds = Number(process.env["TEST_RUNS"] ?? 2_000);
    for (let round = 0; round < rounds; round++) {
      const rates = ["0.5", "5.5", "8.875", "7", "19", "20", "25.5", "100"];
      const lines = Array.from({ length: random.between(1, 30) }, () => ({
        cents: BigInt(random.between(0, 2_000_000)),
        rate: random.pick(rates),
      }));
      const pricesIncludeTax = random.between(0, 1) === 1;
      const sum = lines.reduce((all, { cents }) => all + cents, 0n);
      const off = random.between(0, 2) === 0 ? 0n : (sum * BigInt(random.between(0, 10_000))) / 10_000n;
      const totals = Tax.totalsOf(
        lines.map(({ cents, rate }) => ({
          lineTotal: Usdc.fromMicro<Usdc.Billed>(cents * 10_000n),
          tax: standard(rate),
        })),
        {
          discount:
            off === 0n ? null : { kind: "amount", amount: Usdc.fromMicro<Usdc.Billed>(off * 10_000n) },
          pricesIncludeTax,
          minor,
        },
      );
      const inCents = (amount: bigint) => {
        expect(amount % 10_000n).toBe(0n);
        return amount / 10_000n;
      };
      expect(inCents(totals.subtotal)).toBe(sum);
      expect(inCents(totals.discount)).toBe(off);
      let bases = 0n;
      let taxes = 0n;
      for (const row of totals.rows) {
        const rate = BigInt(row.rate);
        const [taxable, tax] = [inCents(row.taxable), inCents(row.tax)];
        const group = lines.reduce(
          (all, { cents, rate: name }) => (standard(name).rate === row.rate ? all + cents : all),
          0n,
        );
        const base = pricesIncludeTax ? taxable + tax : taxable;
        // A share of the discount is off by less than a cent from the exact one.
        const exactOff = sum === 0n ? 0n : off * group - (group - base) * sum;
        expect(exactOff > -sum && exactOff < sum ? 0n : sum).toBe(0n);
        // Half up: twice the error is at least minus one and below one cent.
        const divisor = pricesIncludeTax ? 1_000_000n + rate : 1_000_000n;
        const twice = 2n * (base * rate - tax * divisor);
        expect(twice >= -divisor && twice < divisor).toBe(true);
        bases += base;
        taxes += tax;
      }
      expect(bases).toBe(sum - off);
      expect(inCents(totals.tax)).toBe(taxes);
      expect(inCents(totals.total)).toBe(sum - off + (pricesIncludeTax ? 0n : taxes));
    }
  });

  test("never takes off more than there is", () => {
    const discount = { kind: "amount", amount: usdc("5.00") } as const;
    expect(Tax.discountOf(usdc("3.00"), discount, minor)).toBe(usdc("3.00"));
    const { total } = Tax.totalsOf([line("3.00", standard("19"))], {
      discount,
      pricesIncludeTax: false,
      minor,
    });
    expect(total).toBe(Usdc.zero);
  });
});

describe("parseShare", () => {
  for (const [text, share] of [
    ["19", 190_000],
    ["19.00", 190_000],
    ["5.5", 55_000],
    ["8.875", 88_750],
    ["0.0001", 1],
    ["0", 0],
    ["100", 1_000_000],
  ] as const)
    test(`reads ${text}`, () => expect(Tax.parseShare(text)).toBe(share));
  for (const text of ["", "-1", "100.0001", "19.00001", "19,5", "1e1", " 19", "١٩"])
    test(`refuses ${JSON.stringify(text)}`, () => expect(Tax.parseShare(text)).toBeNull());
});
