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

test.each(["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "the last day of all ends in %s",
  (timeZone) => {
    const day = "9999-12-31";
    expect(Calendar.endOf(day, timeZone)).toBe(Calendar.startOf(day, timeZone) + 86_400_000);
  },
);

describe("startOf", () => {
  // Clocks are put forward at midnight in Santiago and Beirut, by half an hour on Lord Howe.
  const zones = [
    ["2026-11-21", "UTC", "2026-11-21T00:00:00Z"],
    ["2026-11-21", "Asia/Kathmandu", "2026-11-20T18:15:00Z"],
    ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z"],
    ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00Z"],
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z"],
    ["2026-03-29", "Asia/Beirut", "2026-03-28T22:00:00Z"],
    ["2026-10-04", "Australia/Lord_Howe", "2026-10-03T13:30:00Z"],
    ["2026-10-05", "Australia/Lord_Howe", "2026-10-04T13:00:00Z"],
    ["2026-11-21", "Pacific/Kiritimati", "2026-11-20T10:00:00Z"],
  ] as const;

  test.each(zones)("%s in %s", (day, zone, start) => {
    expect(new Date(Calendar.startOf(day, zone)).toISOString()).toBe(start.replace("Z", ".000Z"));
  });

  test("is the first moment of every day of a year", () => {
    const wrong = zones.flatMap(([, zone]) =>
      Array.from({ length: 366 }, (_, i) => Calendar.dayOf(Calendar.dayNumber("2026-01-01") + i)).filter(
        (day) => {
          const start = Calendar.startOf(day, zone);
          return Calendar.dayAt(start, zone) !== day || Calendar.dayAt(start - 1, zone) === day;
        },
      ),
    );
    expect(wrong).toEqual([]);
  });
});
