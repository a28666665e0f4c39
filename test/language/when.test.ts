import { describe, expect, test } from "bun:test";
import { languages } from "../../src/language/languages.ts";
import { timeLeft } from "../../src/language/when.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe("timeLeft", () => {
  test.each([
    [0, "this minute"],
    [minuteMs - 1, "this minute"],
    [2 * minuteMs - 1, "in 1 minute"],
    [hourMs - 1, "in 59 minutes"],
    [hourMs, "in 1 hour"],
    [24 * hourMs - 1, "in 23 hours"],
    [24 * hourMs, null],
  ])("of %d ms never promises more than is left", (ms, said) => {
    expect(timeLeft(languages.en, ms)).toBe(said);
  });

  test("is in the reader's language, with Latin digits", () => {
    expect(timeLeft(languages.de, 25 * minuteMs)).toBe("in 25 Minuten");
    expect(timeLeft(languages.ar, 25 * minuteMs)).toBe("خلال 25 دقيقة");
  });
});
