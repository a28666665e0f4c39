import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Epoch from "../../../src/domain/wallet/epoch.ts";

const now = Date.UTC(2027, 0, 1);
const quarterMs = 900_000;

describe("Epoch", () => {
  test("never gives an index or an account to two epochs, and holds both in the numbers that carry them", () => {
    const last = 2 ** 20 - 1;
    expect(Number.isSafeInteger(Epoch.firstIndex(last + 1))).toBe(true);
    expect(Epoch.firstAccount(last + 1) - 1).toBeLessThan(2 ** 31);
    fc.assert(
      fc.property(fc.nat(last), (epoch) => {
        expect(Epoch.ofIndex(Epoch.firstIndex(epoch))).toBe(epoch);
        expect(Epoch.ofIndex(Epoch.firstIndex(epoch + 1) - 1)).toBe(epoch);
        expect(Epoch.ofAccount(Epoch.firstAccount(epoch))).toBe(epoch);
        expect(Epoch.ofAccount(Epoch.firstAccount(epoch + 1) - 1)).toBe(epoch);
      }),
      { seed: 1 },
    );
  });

  test("goes on above everything known, wherever the clock stands, or not at all", () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.integer({ min: -20_000, max: 20_000 }), (known, quarters) => {
        const at = now + quarters * quarterMs;
        for (const [after, least] of [
          [Epoch.after, Epoch.at(at)],
          // A start may have begun the one of now.
          [Epoch.afterRestore, Epoch.at(at) + 1],
        ] as const) {
          const epoch = after(known, at);
          if (epoch === null) expect(known).toBeGreaterThanOrEqual(Epoch.at(at) + Epoch.aheadMax);
          else {
            expect(epoch).toBeGreaterThan(known);
            expect(epoch).toBeGreaterThanOrEqual(least);
            // A search at that time comes to it.
            expect(epoch).toBeLessThanOrEqual(Epoch.at(at) + Epoch.aheadMax);
          }
        }
        // And one that came to the newest known.
        expect(Epoch.beyond(known, at)).toBeGreaterThan(known);
        expect(Epoch.beyond(known, at)).toBeLessThanOrEqual(known + Epoch.aheadMax);
      }),
      { seed: 1 },
    );
  });

  test("begins with 1 where the clock is before the first quarter", () => {
    expect(Epoch.at(0)).toBe(0);
    expect(Epoch.after(0, 0)).toBe(1);
    expect(Epoch.startMs(Epoch.at(now))).toBe(now);
  });

  test("keeps two restores apart that go on beyond the same one", () => {
    expect(Epoch.beyond(90_000, now)).not.toBe(Epoch.beyond(90_000, now + quarterMs));
  });
});
