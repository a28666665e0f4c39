import { describe, expect, test } from "bun:test";
import { type Books, unexplainedBalance } from "../../../src/domain/payment/deposit.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

const usdc = Usdc.fromMicro;
const books: Books = {
  received: usdc(100n),
  told: usdc(100n),
  settled: Usdc.zero,
  isMoving: false,
  lastBlock: 10,
};
const of = (changes: Partial<Books>, balance: bigint, block = 10) =>
  unexplainedBalance({ ...books, ...changes }, { balance, block });

describe("unexplainedBalance", () => {
  test("is 0 when what was received and not settled is there", () => {
    expect(of({}, 100n)).toBe(0n);
    expect(of({ settled: usdc(100n) }, 0n)).toBe(0n);
    // What was not confirmed yet was moved along.
    expect(of({ told: usdc(130n), settled: usdc(130n) }, 0n)).toBe(0n);
  });

  test("is more after a transfer that no log told, and after a settlement that left the chain", () => {
    expect(of({}, 140n)).toBe(40n);
    expect(of({ settled: usdc(100n) }, 100n)).toBe(100n);
    // The settlement moved what no log had told.
    expect(of({ settled: usdc(140n) }, 0n)).toBe(40n);
    // The payment left the chain with the settlement.
    expect(of({ received: Usdc.zero, told: Usdc.zero, settled: usdc(100n) }, 0n)).toBe(100n);
  });

  test("takes what is told and does not count for explained, there or not", () => {
    expect(of({ told: usdc(130n) }, 130n)).toBe(0n);
    expect(of({ told: usdc(130n) }, 100n)).toBe(0n);
    expect(of({ told: usdc(130n) }, 131n)).toBe(1n);
  });

  test("is less when confirmed money is not there", () => {
    expect(of({}, 60n)).toBe(-40n);
    expect(of({ settled: usdc(50n) }, 0n)).toBe(-50n);
  });

  test("says nothing of a node that is behind the books, nor of less while money moves", () => {
    expect(of({}, 500n, 9)).toBeNull();
    expect(of({ isMoving: true }, 0n)).toBeNull();
    expect(of({ isMoving: true }, 100n)).toBeNull();
    expect(of({ isMoving: true }, 140n)).toBe(40n);
  });
});
