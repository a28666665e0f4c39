import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Invoice from "../../../src/domain/bill/invoice.ts";
import * as Link from "../../../src/domain/link/link.ts";
import * as Outcome from "../../../src/domain/payment/outcome.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { usdc } from "../../support/usdc.ts";

const amount = (max: bigint) => fc.bigInt({ min: 0n, max }).map(Usdc.fromMicro);
/** What is due, what the merchant allows, and what arrives: often near the edges. */
const facts = fc
  .tuple(
    fc.bigInt({ min: 1n, max: Usdc.max }),
    amount(10_000_000n),
    fc.bigInt({ min: -11_000_000n, max: 3n }),
  )
  .map(([due, allowed, short]) => {
    const expected = Usdc.fromMicro(due);
    const received = Usdc.fromMicro(due + short > 0n ? due + short : 0n);
    return { expected, received, tolerance: Outcome.toleranceOf(expected, allowed), allowed };
  });

describe("compare", () => {
  test("is exact without a tolerance", () => {
    fc.assert(
      fc.property(facts, ({ expected, received }) => {
        const outcome = Outcome.compare({ expected, received, tolerance: Usdc.zero });
        if (received === 0n) expect(outcome).toBe("none");
        else if (received < expected) expect(outcome).toBe("partial");
        else expect(outcome).toBe(received === expected ? "full" : "excess");
      }),
    );
  });

  test("takes for all of it what is short by the tolerance, and by no millionth more", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { expected, received, tolerance } = given;
        const outcome = Outcome.compare(given);
        expect(outcome === "full").toBe(
          received > 0n && received <= expected && expected - received <= tolerance,
        );
        expect(outcome === "excess").toBe(received > expected);
        expect(outcome === "none").toBe(received === 0n);
        const status = Invoice.status({ ...given, ...Invoice.open, sentAt: 1 });
        expect(Invoice.isPaid(status)).toBe(outcome === "full" || outcome === "excess");
        expect(Link.status({ ...given, ...Invoice.open, hasLost: false }) === "confirmed").toBe(
          status === "paid",
        );
        expect(Outcome.remaining(given) === 0n).toBe(
          Invoice.isPaid(status) || (received > 0n && expected === received),
        );
      }),
      { numRuns: 2_000 },
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
    );
  });
});

describe("toleranceOf", () => {
  test("is what the merchant allows, and at most a tenth of what is due", () => {
    expect(Outcome.toleranceOf(usdc("1500.00"), usdc("0.50"))).toBe(usdc("0.50"));
    expect(Outcome.toleranceOf(usdc("1.00"), usdc("0.50"))).toBe(usdc("0.10"));
    expect(Outcome.toleranceOf(usdc("0.01"), usdc("0.50"))).toBe(Usdc.fromMicro(1_000n));
    expect(Outcome.toleranceOf(usdc("1500.00"), usdc("0.00"))).toBe(Usdc.zero);
  });
});
