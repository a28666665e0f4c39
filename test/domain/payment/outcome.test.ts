import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Invoice from "../../../src/domain/bill/invoice.ts";
import * as Link from "../../../src/domain/link/link.ts";
import * as Outcome from "../../../src/domain/payment/outcome.ts";
import * as Common from "../../../src/domain/receivable/common.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { usdc } from "../../support/usdc.ts";

const amount = (max: bigint) => fc.bigInt({ min: 0n, max }).map(Usdc.fromMicro);
/** What is due, what the merchant allows, and what arrives: often near the edges. */
const facts = fc
  .tuple(
    fc.bigInt({ min: 1n, max: Usdc.max / 10_000n }).map((cents) => cents * 10_000n),
    amount(10_000_000n),
    fc.bigInt({ min: -11_000_000n, max: 20_000n }),
  )
  .map(([due, allowed, short]) => {
    const expected = Usdc.fromMicro(due);
    const received = Usdc.fromMicro(due + short > 0n ? due + short : 0n);
    return { expected, received, tolerance: Outcome.toleranceOf(expected, allowed), allowed };
  });

describe("compare", () => {
  test("is exact without a tolerance, but for what shows as 0.00", () => {
    fc.assert(
      fc.property(facts, ({ expected, received }) => {
        const outcome = Outcome.compare({ expected, received, tolerance: Usdc.zero });
        if (received < 10_000n) expect(outcome).toBe("none");
        else if (received < expected) expect(outcome).toBe("partial");
        else expect(outcome).toBe(received < expected + 10_000n ? "full" : "excess");
      }),
      { seed: 1 },
    );
  });

  test("takes for all of it what is short by the tolerance, and by no millionth more", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { expected, received, tolerance } = given;
        const outcome = Outcome.compare(given);
        expect(outcome === "full").toBe(
          received >= 10_000n && received < expected + 10_000n && expected - received <= tolerance,
        );
        expect(outcome === "excess").toBe(received >= expected + 10_000n);
        expect(outcome === "none").toBe(received < 10_000n);
        const status = Invoice.status({ ...given, ...Common.open, sentAt: 1 });
        expect(Invoice.isPaid(status)).toBe(outcome === "full" || outcome === "excess");
        expect(Link.status({ ...given, ...Common.open, hasLost: false }) === "confirmed").toBe(
          status === "paid",
        );
        expect(Outcome.remaining(given) === 0n).toBe(Invoice.isPaid(status));
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });

  test("never takes more money for a worse outcome", () => {
    const order = ["none", "partial", "full", "excess"];
    fc.assert(
      fc.property(facts, amount(5_000_000n), (given, more) => {
        const received = Usdc.sum([given.received, more]);
        const after = Outcome.compare({ ...given, received });
        expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(Outcome.compare(given)));
      }),
      { seed: 1 },
    );
  });
});

test("what is left to pay is exact, and all of it as long as nothing shows as received", () => {
  const left = (received: bigint) =>
    Outcome.remaining({
      ...{ expected: usdc("25.00"), received: Usdc.fromMicro(received), tolerance: Usdc.zero },
    });
  expect([0n, 1n, 9_999n].map(left)).toEqual(Array(3).fill(usdc("25.00")));
  expect([10_000n, 10_001n, 24_999_999n].map(left).map(Number)).toEqual([24_990_000, 24_989_999, 1]);
  expect([25_000_000n, 25_009_999n, 25_010_000n].map(left)).toEqual(Array(3).fill(Usdc.zero));
});

describe("toleranceOf", () => {
  test("is what the merchant allows, and at most a tenth of what is due", () => {
    expect(Outcome.toleranceOf(usdc("1500.00"), usdc("0.50"))).toBe(usdc("0.50"));
    expect(Outcome.toleranceOf(usdc("1.00"), usdc("0.50"))).toBe(usdc("0.10"));
    expect(Outcome.toleranceOf(usdc("0.01"), usdc("0.50"))).toBe(Usdc.fromMicro(1_000n));
    expect(Outcome.toleranceOf(usdc("1500.00"), usdc("0.00"))).toBe(Usdc.zero);
  });
});
