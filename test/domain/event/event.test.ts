import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Event from "../../../src/domain/event/event.ts";
import * as Outcome from "../../../src/domain/payment/outcome.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { usdc } from "../../support/usdc.ts";

const open = { expected: usdc("100.00"), tolerance: Usdc.zero, voidedAt: null, markedPaidAt: null };
const become = (before: string, received: string, changes = {}, isTold = true) =>
  Event.ofMoney(usdc(before), { ...open, received: usdc(received), ...changes }, isTold);

describe("an event of money", () => {
  test.each([
    ["0.00", "40.00", "partially_paid"],
    ["0.00", "100.00", "paid"],
    ["40.00", "100.00", "paid"],
    ["100.00", "100.01", "overpaid"],
    ["0.00", "150.00", "overpaid"],
    ["40.00", "60.00", null],
    ["150.00", "200.00", null],
    ["100.00", "40.00", "payment_reversed"],
    ["150.00", "100.00", "payment_reversed"],
    ["40.00", "0.00", "payment_reversed"],
    ["40.00", "30.00", null],
    ["0.00", "0.00", null],
  ] as const)("from %s to %s of 100.00 is %p", (before, received, event) => {
    expect(become(before, received)).toBe(event);
  });

  test("is unexpected when nobody owes the money any more", () => {
    for (const closed of [{ voidedAt: 1 }, { markedPaidAt: 1 }]) {
      expect(become("0.00", "40.00", closed)).toBe("unexpected_payment");
      expect(become("40.00", "100.00", closed)).toBe("unexpected_payment");
      expect(become("100.00", "0.00", closed)).toBe("payment_reversed");
      expect(become("40.00", "60.00", closed, false)).toBe("unexpected_payment");
      expect(become("40.00", "60.00", closed)).toBe(null);
      expect(become("60.00", "40.00", closed, false)).toBe(null);
    }
  });

  test("is as many as changes of what there is to say, however many payments come and go", () => {
    const amount = fc.bigInt({ min: 0n, max: 200_000_000n }).map(Usdc.fromMicro);
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
        let told: Outcome.Outcome = "none";
        for (const [i, received] of amounts.entries()) {
          const before = amounts[i - 1] ?? Usdc.zero;
          const event = Event.ofMoney(before, { ...open, received }, true);
          if (event === null) expect(Outcome.compare({ ...open, received })).toBe(told);
          else expect(event === "payment_reversed").toBe(received < before);
          told = Outcome.compare({ ...open, received });
        }
      }),
      { seed: 1 },
    );
  });
});

describe("the id of an event", () => {
  test("is the same each time, and another one for each deposit, type and occasion", () => {
    const ids = ["0x01", "0x02"].flatMap((salt) =>
      (["paid", "overpaid"] as const).flatMap((type) =>
        ["1", "2"].map((occasion) => Event.id(salt, type, occasion)),
      ),
    );
    expect(new Set(ids).size).toBe(8);
    expect(Event.id("0x01", "paid", "1")).toBe(ids[0] ?? "");
    expect(ids[0]).toMatch(/^evt_[2-9a-z]{26}$/);
  });
});

test("of links no type is listed that only invoices have", () => {
  const ofLinks = Event.fullTypes.filter((type) => type.startsWith("link."));
  expect(ofLinks).toContain("link.paid");
  expect(ofLinks).not.toContain("link.credited");
  expect(Event.fullTypes).toContain("invoice.credited");
});
