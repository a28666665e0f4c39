import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Quantity from "../../../src/domain/bill/quantity.ts";

describe("fromNumber", () => {
  test.each([
    [0.1, 100_000n],
    [1, 1_000_000n],
    [1.5, 1_500_000n],
    [0.000001, 1n],
    [1_000_000, 1_000_000_000_000n],
    [999_999.999999, 999_999_999_999n],
  ])("takes %d exactly as it was written", (value, millionths) => {
    expect(Quantity.fromNumber(value)).toBe(Quantity.fromMillionths(millionths));
  });

  test.each([0, -1, -0, 1_000_000.000001, 0.0000001, 1.0000001, Number.NaN, Number.POSITIVE_INFINITY, 1e21])(
    "refuses %d",
    (value) => {
      expect(Quantity.fromNumber(value)).toBeNull();
    },
  );

  test("keeps every number within the limits, through JSON and back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), (millionths) => {
        const written = Quantity.format(Quantity.fromMillionths(millionths));
        const read = Quantity.fromNumber(JSON.parse(written) as number);
        expect(read).toBe(Quantity.fromMillionths(millionths));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});

describe("format", () => {
  test("writes no trailing zeros", () => {
    expect(Quantity.format(Quantity.fromMillionths(1_500_000n))).toBe("1.5");
    expect(Quantity.format(Quantity.fromMillionths(10_000_000n))).toBe("10");
    expect(Quantity.format(Quantity.fromMillionths(1n))).toBe("0.000001");
  });
});
