import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { largest, type Payment } from "../../../src/domain/receipt/receipt.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

const payment = (amount: bigint, at: number) =>
  ({ amount: Usdc.fromMicro(amount), blockNumber: at, logIndex: 0 }) as Payment;

describe("largest", () => {
  test("names the largest in the order of the chain, and counts all others", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 30 }),
        fc.nat(25),
        fc.nat(5),
        (amounts, count, otherPayments) => {
          const payments = amounts.map(payment);
          const { shown, others } = largest({ payments, otherPayments }, count);
          expect(shown.length).toBe(Math.min(count, amounts.length));
          expect(shown.length + others).toBe(amounts.length + otherPayments);
          const blocks = shown.map(({ blockNumber }) => blockNumber);
          expect(blocks).toEqual(blocks.toSorted((a, b) => a - b));
          const hidden = payments.filter((each) => !shown.includes(each));
          for (const small of hidden)
            for (const large of shown) expect(large.amount >= small.amount).toBe(true);
        },
      ),
      { seed: 1 },
    );
  });
});
