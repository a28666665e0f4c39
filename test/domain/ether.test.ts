import { describe, expect, test } from "bun:test";
import * as Ether from "../../src/domain/ether.ts";

describe("format", () => {
  test.each([
    [0n, "0"],
    [1n, "0.000000000000000001"],
    [10n ** 18n, "1"],
    [123_456_789_000_000n, "0.0001235"],
    [999_950_000_000_000_000n, "1"],
    [12_345_000_000_000_000_001n, "12.35"],
  ])("%d wei are %s ETH", (wei, text) => {
    expect(Ether.format(wei)).toBe(text);
  });

  test("never shows less than there is to send", () => {
    expect(Ether.format(1_000_100_000_000_000_000n)).toBe("1.001");
  });
});
