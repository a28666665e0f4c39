import { describe, expect, test } from "bun:test";
import { chooseLanguage, type LanguageCode, languageCodes } from "../../src/language/languages.ts";
import { speak, type TextKey } from "../../src/language/locale.ts";
import { invoicePage } from "../../src/pay/invoice-page.tsx";
import { parse, words } from "../pages/dom.ts";
import { invoice, states } from "../pages/sample.ts";

const { texts: en } = speak("en");
const keys = Object.keys(en) as TextKey[];
const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
const count = (text: string, mark: string) => text.split(mark).length - 1;

const textsIn = (code: LanguageCode) => Object.values<string>(speak(code).texts);

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
  expect(textsIn("fr").filter((text) => /'| [:;?!]/.test(text))).toEqual([]);
});

test.each(["ja", "zh"] as const)("%s has no space after its marks, which bring their own", (code) => {
  expect(textsIn(code).filter((text) => /[。、：，？！](?:\*\*)? /.test(text))).toEqual([]);
});

test("an amount is followed by no verb that would have to be singular for 1.00", () => {
  const plural = {
    de: /\} USDC (sind|waren)\b(?! es wurden)/,
    es: /\b([Ss]e han|[Hh]an llegado|[Ff]altan)\b.*\{/,
    fr: /\} USDC (ont|sont|étaient)\b/,
    pt: /\b(Foram|Chegaram|estão)\b.*\{/,
  } as const;
  for (const code of ["de", "es", "fr", "pt"] as const)
    expect(textsIn(code).filter((text) => plural[code].test(text))).toEqual([]);
});

test("the word for where money goes is not used for where a page is", () => {
  const address = /[Aa]dresse|[Dd]irección|[Ee]ndereço|عنوان|\baddress\b/;
  for (const code of languageCodes) {
    const { invoiceNotFoundText, linkNotFoundText, pageNotFoundText } = speak(code).texts;
    expect(
      [invoiceNotFoundText, linkNotFoundText, pageNotFoundText].filter((text) => address.test(text)),
    ).toEqual([]);
  }
});

test("Portuguese is that of Brazil, Spanish has one word for a wallet, Arabic one spelling", () => {
  expect(
    textsIn("pt").filter((text) =>
      /detetad|telemóvel|palavra-passe|ligação|levant|\ba (aguardar|ser)\b/i.test(text),
    ),
  ).toEqual([]);
  expect(textsIn("es").filter((text) => /monedero/i.test(text))).toEqual([]);
  expect(textsIn("ar").filter((text) => /يرجى|تعذر/.test(text))).toEqual([]);
});

test("every part is among the texts, and no two have a text of the same name", async () => {
  const folder = `${import.meta.dir}/../../src/language/texts/english`;
  const files = [...new Bun.Glob("**/*.ts").scanSync({ cwd: folder })].filter(
    (file) => file !== "english.ts",
  );
  const parts: object[] = await Promise.all(files.map((file) => import(`${folder}/${file}`)));
  const names = parts.flatMap((part) => Object.values<object>({ ...part })).flatMap(Object.keys);
  expect(names.toSorted()).toEqual(keys.toSorted());
});

test("no text stands twice with the same words in every language", () => {
  const all = languageCodes.map((code): Record<string, string> => speak(code).texts);
  const same = Map.groupBy(keys, (key) => JSON.stringify(all.map((texts) => texts[key])));
  expect([...same.values()].filter((names) => names.length > 1)).toEqual([]);
});

describe.each(languageCodes)("the texts in %s", (code) => {
  const locale = speak(code);
  const { texts } = locale;

  test("are all there, with the same names, bold parts and links as in English", () => {
    expect(Object.keys(texts)).toEqual(keys);
    for (const key of keys) {
      expect(texts[key].trim()).not.toBe("");
      expect({ key, names: namesIn(texts[key]) }).toEqual({ key, names: namesIn(en[key]) });
      for (const mark of ["**", "[", "]"])
        expect({ key, mark, count: count(texts[key], mark) }).toEqual({
          key,
          mark,
          count: count(en[key], mark),
        });
    }
  });

  test("are no copies of the English ones", () => {
    const same = keys.filter((key) => texts[key] === en[key] && en[key].includes(" "));
    if (code !== "en") expect(same).toEqual([]);
  });

  test("stand beside each other with the marks of the language", () => {
    const props = { ...states.paid, locale };
    const text = words(parse(invoicePage(invoice({ payment: props })).html));
    const isWide = code === "ja" || code === "zh";
    expect(text).toContain(isWide ? "（Europe/Berlin）" : " (Europe/Berlin)");
    expect(text).toContain(isWide ? "（Base）" : " (Base)");
    expect(text).not.toMatch(isWide ? /[\p{L}] ?[(:,]/u : /[（：，、]/);
    if (code === "fr") expect(text).not.toMatch(/\p{L}:/u);
  });

  test("say dates, and when a payment counts, with Latin digits", () => {
    expect(locale.day("2026-11-30")).toMatch(/30.*2026|2026.*30/);
    expect(locale.day("soon")).toBe("soon");
    expect(locale.minute("2026-11-30T14:05:00Z")).toContain("UTC");
    expect(locale.confirmedIn(6_100)).toContain("7");
    expect(locale.confirmedIn(0)).toBe(texts.beingConfirmed);
    expect(locale.confirmedIn(119_000)).toContain("2");
    expect(locale.confirmedIn(null)).toBe(texts.notFinalYet);
  });
});
