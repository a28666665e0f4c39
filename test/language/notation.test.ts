import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type LanguageCode, languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { notationOf } from "../../src/language/notation.ts";
import { whenFor } from "../../src/language/when.ts";

const figures = {
  en: "1,738.80",
  de: "1.738,80",
  es: "1.738,80",
  fr: "1\u202f738,80",
  pt: "1.738,80",
  ja: "1,738.80",
  zh: "1,738.80",
  ar: "1,738.80",
};

describe("figure", () => {
  test.each(languageCodes)("groups as %s does, from four digits on, and keeps the decimals", (code) => {
    const { figure } = notationOf(code);
    expect(figure("1738.80")).toBe(figures[code]);
    expect(figure("25.00")).toBe(figures[code].replace(/^1.738(.)80$/, "25$100"));
    expect(figure("0.000001")).toMatch(/^0[.,]000001$/);
    expect(figure("2")).toBe("2");
  });

  test("is exact at any size, and has every digit", () => {
    expect(notationOf("en").figure("90071992547409930000000.000001")).toBe(
      "90,071,992,547,409,930,000,000.000001",
    );
    const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^\d{2,6}$/));
    fc.assert(
      fc.property(fc.constantFrom(...languageCodes), amount, (code, [whole, fraction]) => {
        const written = notationOf(code).figure(`${whole}.${fraction}`);
        expect(written.replace(/[^\d]/g, "")).toBe(`${whole}${fraction}`);
        expect(written).toMatch(/^\d{1,3}([.,\u202f]\d{3})*[.,]\d{2,6}$/);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  test("leaves what is no decimal as it is", () => {
    for (const text of ["", "soon", "+1.00", "1,5", "1e3", "<b>", "1.", "١٢"])
      expect(notationOf("de").figure(text)).toBe(text);
  });
});

describe("dates", () => {
  test.each([
    ["fr", "2026-12-01", "1er décembre 2026"],
    ["fr", "2026-12-11", "11 décembre 2026"],
    ["pt", "2026-12-01", "1 de dezembro de 2026"],
    ["ja", "2026-12-01", "2026年12月1日"],
    ["ar", "2026-12-01", "1 ديسمبر 2026"],
  ] as const)("in %s %s is %s", (code, day, written) => {
    expect(notationOf(code).day(day)).toBe(written);
  });

  test.each(languageCodes)("in %s nobody can take the month for the day", (code) => {
    const written = notationOf(code).minute("2026-12-01T09:05:00Z");
    expect(written).not.toMatch(/\b0?1[/.-]0?12\b|\b0?12[/.-]0?1\b/);
    expect(written).toContain("09:05");
    expect(written).toEndWith(" UTC");
    expect(notationOf(code).minute("2026-12-01T14:05:00Z")).toMatch(/14:05 UTC$/);
  });

  test("in French the first of a month is an ordinal in short dates too", () => {
    expect(notationOf("fr").minute("2026-12-01T09:05:00Z")).toBe("1er déc. 2026, 09:05 UTC");
  });
});

describe("days at the desk", () => {
  const now = Date.parse("2026-07-01T12:00:00Z");
  const of = (code: LanguageCode) => whenFor(speak(code), "UTC", now);

  test("the first of a month is 1er in French, and no other day or language is", () => {
    expect(of("fr").day("2026-07-01")).toBe("1er juillet");
    expect(of("fr").day("2025-07-01")).toBe("1er juillet 2025");
    expect(of("fr").todayInFull()).toBe("Mercredi 1er juillet");
    expect(of("fr").moment(Date.parse("2026-05-01T09:41:00Z"))).toStartWith("1er mai");
    expect(of("fr").moment(Date.parse("2026-05-21T01:11:00Z"))).toStartWith("21 mai");
    expect(of("pt").day("2026-07-01")).toBe("1 de julho");
  });

  test("a day is written in capitals only where no words stand before it", () => {
    const written = (code: LanguageCode, day: string) => {
      const { moment, momentInText } = of(code);
      const ms = Date.parse(`${day}T09:41:00Z`);
      return [moment(ms), momentInText(ms)];
    };
    expect(written("en", "2026-07-01")).toEqual(["Today, 09:41", "today, 09:41"]);
    expect(written("de", "2026-06-30")).toEqual(["Gestern, 09:41", "gestern, 09:41"]);
    expect(written("fr", "2026-07-01")).toEqual(["Aujourd’hui, 09:41", "aujourd’hui, 09:41"]);
    expect(written("es", "2026-06-30")).toEqual(["Ayer, 09:41", "ayer, 09:41"]);
    expect(written("pt", "2026-07-01")).toEqual(["Hoje, 09:41", "hoje, 09:41"]);
    expect(new Set(written("ar", "2026-07-01")).size).toBe(1);
    expect(of("es").todayInFull()).toStartWith("Miércoles");
  });
});
