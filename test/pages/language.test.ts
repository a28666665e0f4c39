import { describe, expect, test } from "bun:test";
import { documentMessages } from "../../src/document/words.ts";
import { chooseLanguage, languageCodes } from "../../src/lib/language.ts";
import { mailMessages } from "../../src/mail/language/words.ts";
import { en, type MessageKey } from "../../src/pages/language/en.ts";
import { language } from "../../src/pages/language/languages.ts";
import { readerOf } from "../../src/pages/language/reader.ts";

const keys = Object.keys(en) as MessageKey[];
const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
const count = (text: string, mark: string) => text.split(mark).length - 1;

describe("chooseLanguage", () => {
  test.each([
    [null, null, "en"],
    [null, "de-AT,de;q=0.9,en;q=0.8", "de"],
    [null, "en;q=0.5, fr-CA;q=0.7", "fr"],
    [null, "zh-TW", "zh"],
    [null, "nl, ja;q=0.1", "ja"],
    [null, "de;q=0", "en"],
    ["es", "de", "es"],
    ["tlh", "pt-BR", "pt"],
    ["__proto__", "constructor", "en"],
  ])("asked for %p, with a browser that prefers %p: %p", (asked, header, chosen) => {
    expect(String(chooseLanguage(asked, header))).toBe(chosen);
  });
});

test("French has its apostrophes, and spaces that do not break before its marks", () => {
  const texts = [language("fr").messages, mailMessages.fr, documentMessages.fr].flatMap(Object.values);
  expect(texts.filter((text) => /'| [:;?!]/.test(text))).toEqual([]);
});

test.each(["ja", "zh"] as const)("%s has no space after its marks, which bring their own", (code) => {
  const texts = [language(code).messages, mailMessages[code], documentMessages[code]].flatMap(Object.values);
  expect(texts.filter((text) => /[。、：，？！](?:\*\*)? /.test(text))).toEqual([]);
});

describe.each(languageCodes)("the texts in %s", (code) => {
  const { messages } = language(code);

  test("are all there, with the same names, bold parts and links as in English", () => {
    expect(Object.keys(messages)).toEqual(keys);
    for (const key of keys) {
      expect(messages[key].trim()).not.toBe("");
      expect({ key, names: namesIn(messages[key]) }).toEqual({ key, names: namesIn(en[key]) });
      for (const mark of ["**", "[", "]"])
        expect({ key, mark, count: count(messages[key], mark) }).toEqual({
          key,
          mark,
          count: count(en[key], mark),
        });
    }
  });

  test("are no copies of the English ones", () => {
    const same = keys.filter((key) => messages[key] === en[key] && en[key].includes(" "));
    if (code !== "en") expect(same).toEqual([]);
  });

  test("say dates and confirmations, with Latin digits", () => {
    const reader = readerOf(code);
    expect(reader.day("2026-11-30")).toMatch(/30.*2026|2026.*30/);
    expect(reader.day("soon")).toBe("soon");
    expect(reader.minute("2026-11-30T14:05:00Z")).toContain("UTC");
    expect(reader.confirmations(7, 5)).toContain("5");
    expect(reader.confirmations(1, null)).toBe(messages.notFinalYet);
  });
});
