import { describe, expect, test } from "bun:test";
import { wrap } from "../../../src/lib/text/english.ts";

const hash = `0x${"ab".repeat(32)}`;

describe("wrap", () => {
  test("breaks between words, and goes on in the column", () => {
    expect(wrap("Paid  750.00 USDC to a wallet", 16, 6)).toEqual([
      "Paid  750.00",
      "      USDC to a",
      "      wallet",
    ]);
  });

  test("leaves a line that fits, its spaces and colors as they are", () => {
    const line = "  \u001b[32mpaid\u001b[39m    0.50  ";
    expect(wrap(line, 16)).toEqual([line]);
  });

  test("never breaks a hash, and moves it left when that makes it whole", () => {
    const lines = wrap(`  transaction of the day  ${hash} is there`, 70, 26);
    expect(lines).toEqual(["  transaction of the day", `    ${hash}`, `${" ".repeat(26)}is there`]);
    expect(wrap(`x ${hash}`, 40, 2)).toEqual(["x", hash]);
  });
});
