import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Currency from "../../../src/domain/bill/currency.ts";
import * as Invoice from "../../../src/domain/bill/invoice.ts";
import * as Quantity from "../../../src/domain/bill/quantity.ts";
import * as Common from "../../../src/domain/receivable/common.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { usdc } from "../../support/usdc.ts";

const micro = (value: bigint) => Usdc.fromMicro<Usdc.AnyAmount>(value);

describe("lineTotal", () => {
  const lineTotal = (quantity: number, price: string) =>
    Currency.format(
      Invoice.lineTotal(
        Quantity.fromNumber(quantity) ?? Quantity.fromMillionths(1n),
        usdc(price),
        Usdc.microPerCent,
      ),
      "USDC",
    );

  test("rounds half a cent up and less down", () => {
    expect(lineTotal(0.5, "0.01")).toBe("0.01");
    expect(lineTotal(0.499999, "0.01")).toBe("0.00");
    expect(lineTotal(1.5, "0.01")).toBe("0.02");
    expect(lineTotal(0.1, "0.30")).toBe("0.03");
    expect(lineTotal(3, "33.33")).toBe("99.99");
    expect(lineTotal(1_000_000, "1000000000.00")).toBe("1000000000000000.00");
  });

  test("agrees with an independent calculation in whole cents", () => {
    const quantities = fc.bigInt({ min: 1n, max: 10n ** 12n });
    const cents = fc.bigInt({ min: 0n, max: 10n ** 11n });
    fc.assert(
      fc.property(quantities, cents, (millionths, priceCents) => {
        // quantity × price in cents is millionths × cents / 10⁶; divide by hand and look at the remainder.
        const product = millionths * priceCents;
        const whole = product / 1_000_000n;
        const expected = product % 1_000_000n >= 500_000n ? whole + 1n : whole;
        const total = Invoice.lineTotal(
          Quantity.fromMillionths(millionths),
          micro(priceCents * 10_000n),
          10_000n,
        );
        expect(total).toBe(micro(expected * 10_000n));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});

describe("status", () => {
  const total = usdc("1500.00");
  const status = (received: Usdc.Usdc, sentAt: number | null) =>
    Invoice.status({ expected: total, received, tolerance: Usdc.zero, sentAt, ...Common.open });

  test("follows the money to the last millionth below, and to the cent above, whether or not a mail went out", () => {
    for (const sentAt of [null, 1]) {
      expect(status(usdc("0.01"), sentAt)).toBe("partial");
      expect(status(micro(1_499_999_999n), sentAt)).toBe("partial");
      expect(status(total, sentAt)).toBe("paid");
      expect(status(micro(1_500_009_999n), sentAt)).toBe("paid");
      expect(status(micro(1_500_010_000n), sentAt)).toBe("excess");
      expect(status(micro(9_999n), sentAt)).toBe(status(Usdc.zero, sentAt));
    }
  });

  test("without money it says whether the vendor was mailed", () => {
    expect(status(Usdc.zero, null)).toBe("draft");
    expect(status(Usdc.zero, 1)).toBe("sent");
  });
});

describe("isOverdue", () => {
  const dueDate = "2026-11-30";
  test("begins on the day after the due date", () => {
    expect(Invoice.isOverdue({ status: "sent", dueDate }, "2026-11-30")).toBe(false);
    expect(Invoice.isOverdue({ status: "sent", dueDate }, "2026-12-01")).toBe(true);
  });

  test("ends only with paid", () => {
    const at = (status: Invoice.Status) => Invoice.isOverdue({ status, dueDate }, "2026-12-01");
    expect(Invoice.statuses.filter(at)).toEqual(["draft", "sent", "partial", "excess"]);
  });
});
