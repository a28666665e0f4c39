import { describe, expect, test } from "bun:test";
import type { FullType } from "../../../src/domain/event/event.ts";
import { deciding, endedAt, isOver } from "../../../src/domain/receivable/ending.ts";

const happened = (...types: string[]) =>
  types.map((type, at) => ({ type: `invoice.${type}` as FullType, createdAt: at + 1 }));

describe("endedAt", () => {
  test.each([
    [[], null],
    [["paid"], 1],
    [["voided"], 1],
    [["expired", "paid"], 1],
    // A late payment reopens nothing.
    [["paid", "overpaid"], 1],
    [["marked_paid", "overpaid"], 1],
    // What is owed again ends again later.
    [["paid", "payment_reversed", "paid"], 3],
    [["marked_paid", "marked_unpaid", "paid", "overpaid"], 3],
    // Too much came, of which the chain took some back: it is paid.
    [["overpaid", "payment_reversed"], 2],
    // A credit note before the end moves it no earlier, one that takes off the rest is the end.
    [["credited", "paid"], 2],
    [["credited", "credited"], 2],
    [["paid", "credited"], 1],
  ] as const)("after %p is at %p", (types, at) => {
    for (const type of types) expect(deciding).toContain(type);
    expect(endedAt(happened(...types))).toBe(at);
  });
});

describe("isOver", () => {
  const at = (text: string) => Date.parse(text);
  const isOverAt = (now: string, months: number, timeZone = "UTC") =>
    isOver(at("2026-01-31T12:00:00Z"), { months, timeZone, now: at(now) });

  test("is so from the same day of a later month on, or its last day", () => {
    expect(isOverAt("2026-02-27T23:59:59Z", 1)).toBe(false);
    expect(isOverAt("2026-02-28T00:00:00Z", 1)).toBe(true);
    expect(isOverAt("2027-01-30T23:59:59Z", 12)).toBe(false);
    expect(isOverAt("2027-01-31T00:00:00Z", 12)).toBe(true);
  });

  test("goes by the days of the shop's time zone", () => {
    expect(isOverAt("2026-02-27T10:00:00Z", 1, "Pacific/Kiritimati")).toBe(false);
    expect(isOverAt("2026-02-28T10:00:00Z", 1, "Pacific/Kiritimati")).toBe(true);
  });
});
