import { describe, expect, test } from "bun:test";
import * as Calendar from "../../src/domain/calendar.ts";

describe("isDay", () => {
  test("takes days that exist", () => {
    expect(["2026-11-21", "2024-02-29", "1970-01-01", "9999-12-31"].filter(Calendar.isDay)).toHaveLength(4);
  });

  test("refuses what is not a day", () => {
    const wrong = [
      "2026-02-30",
      "2025-02-29",
      "2026-13-01",
      "2026-00-10",
      "26-01-01",
      "2026-1-1",
      "2026-11-21T00:00",
      "",
    ];
    expect(wrong.filter(Calendar.isDay)).toEqual([]);
  });
});

describe("dayAt", () => {
  test("is the day in that time zone", () => {
    const ms = Date.UTC(2026, 10, 21, 23, 30);
    expect(Calendar.dayAt(ms, "UTC")).toBe("2026-11-21");
    expect(Calendar.dayAt(ms, "Europe/Paris")).toBe("2026-11-22");
    expect(Calendar.dayAt(ms, "America/Los_Angeles")).toBe("2026-11-21");
  });
});
