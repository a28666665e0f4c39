import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Recurring from "../../../src/domain/bill/recurring.ts";
import * as Calendar from "../../../src/domain/calendar.ts";

const schedule = (
  startsOn: string,
  unit: Recurring.Unit,
  n = 1,
  end: Partial<Pick<Recurring.Schedule, "endsOn" | "count" | "dayOfMonth">> = {},
): Recurring.Schedule => ({ every: { unit, n }, startsOn, endsOn: null, count: null, ...end });

describe("the dates of a series", () => {
  test("are the last day of a short month for the 31st, which is the 31st again after that", () => {
    expect(Recurring.nextDates(schedule("2027-12-31", "months"), "2027-12-30", 6)).toEqual([
      "2027-12-31",
      "2028-01-31",
      "2028-02-29",
      "2028-03-31",
      "2028-04-30",
      "2028-05-31",
    ]);
  });

  test("are the 30th after a February that is too short to begin on it", () => {
    const from = schedule("2027-02-28", "months", 1, { dayOfMonth: 30 });
    expect(Recurring.nextDates(from, "2027-02-01", 3)).toEqual(["2027-02-28", "2027-03-30", "2027-04-30"]);
    expect(Recurring.isShortFor(30, "2027-02-28")).toBe(true);
    for (const day of ["2027-02-27", "2027-04-30", "2028-02-28"])
      expect(Recurring.isShortFor(30, day)).toBe(false);
  });

  test("of a leap day are the 28th in other years", () => {
    expect(Recurring.nextDates(schedule("2028-02-29", "years"), "2028-02-29", 4)).toEqual([
      "2029-02-28",
      "2030-02-28",
      "2031-02-28",
      "2032-02-29",
    ]);
  });

  test("end with the last day, the count, and the calendar", () => {
    const dates = (of: Recurring.Schedule) => Recurring.nextDates(of, "2000-01-01", 9);
    expect(dates(schedule("2026-01-30", "weeks", 2, { endsOn: "2026-02-13" }))).toEqual([
      "2026-01-30",
      "2026-02-13",
    ]);
    expect(dates(schedule("2026-01-30", "days", 3, { count: 2 }))).toEqual(["2026-01-30", "2026-02-02"]);
    expect(dates(schedule("9998-06-01", "years"))).toEqual(["9998-06-01", "9999-06-01"]);
    expect(
      Recurring.newestDate(schedule("2026-01-30", "days", 3, { count: 2 }), "2026-01-30", "2027-01-01"),
    ).toBe("2026-02-02");
  });

  /** Day by day: whether a day is one of those on which the series falls. */
  function slowly(
    { every: { unit, n }, startsOn, endsOn, count, dayOfMonth }: Recurring.Schedule,
    after: string,
    to: string,
  ) {
    const dates: string[] = [];
    const first = Calendar.dayNumber(startsOn);
    for (let day = first; day <= Calendar.dayNumber(to); day++) {
      if (count !== null && dates.length === count) break;
      const text = Calendar.dayOf(day);
      if (endsOn !== null && text > endsOn) break;
      if (falls(text, day - first)) dates.push(text);
    }
    return dates.filter((day) => day > after);

    function falls(text: string, days: number): boolean {
      if (unit === "days" || unit === "weeks") return days % (n * (unit === "weeks" ? 7 : 1)) === 0;
      const [wanted, is] = [startsOn, text].map((each) => each.split("-").map(Number));
      const months = ((is?.[0] ?? 0) - (wanted?.[0] ?? 0)) * 12 + (is?.[1] ?? 0) - (wanted?.[1] ?? 0);
      if (months % (unit === "years" ? n * 12 : n) !== 0) return false;
      const isLastOfMonth = Calendar.dayOf(Calendar.dayNumber(text) + 1).endsWith("-01");
      const date = dayOfMonth ?? wanted?.[2] ?? 0;
      return is?.[2] === date || (isLastOfMonth && (is?.[2] ?? 0) < date);
    }
  }

  test("are those that a look at every single day finds", () => {
    const anyDay = fc.integer({ min: 0, max: 3_000 }).map((more) => Calendar.dayOf(20_000 + more));
    const shortEnds = ["2026-02-28", "2027-02-28", "2028-02-29", "2026-04-30", "2027-09-30"];
    const day = fc.oneof({ weight: 3, arbitrary: anyDay }, fc.constantFrom(...shortEnds));
    const longer = fc.constantFrom(...[29, 30, 31].map((dayOfMonth) => ({ dayOfMonth })), {});
    const schedules = fc.record({
      longer,
      every: fc.record({ unit: fc.constantFrom(...Recurring.units), n: fc.integer({ min: 1, max: 14 }) }),
      startsOn: day,
      endsOn: fc.option(day),
      count: fc.option(fc.integer({ min: 1, max: 40 })),
    });
    fc.assert(
      fc.property(schedules, day, ({ longer, ...rest }, after) => {
        const isShort = "dayOfMonth" in longer && Recurring.isShortFor(longer.dayOfMonth, rest.startsOn);
        const of = isShort ? { ...rest, ...longer } : rest;
        const to = Calendar.dayOf(23_100);
        const expected = slowly(of, after, to);
        const found = Recurring.nextDates(of, after, expected.length + 1).filter((each) => each <= to);
        expect(found).toEqual(expected);
        expect(Recurring.newestDate(of, after, to)).toBe(expected.at(-1) ?? null);
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});

test("only the known words in braces are filled in", () => {
  const words = { month: "March", year: "2027", period: "1 – 31 March 2027" };
  expect(Recurring.filledIn("Rent {month} {year}, {period} {Month} {x} {{month}}", words)).toBe(
    "Rent March 2027, 1 – 31 March 2027 {Month} {x} {March}",
  );
});
