import type { LanguageCode } from "../languages.ts";
import * as ar from "./ar/desk.ts";
import * as de from "./de/desk.ts";
import * as english from "./en/desk.ts";
import * as es from "./es/desk.ts";
import * as fr from "./fr/desk.ts";
import * as ja from "./ja/desk.ts";
import * as pt from "./pt/desk.ts";
import type { TextsOf } from "./texts.ts";
import * as zh from "./zh/desk.ts";

/** Every text of the desk, which only the merchant's own people read. Written as those in `../texts/en.ts`. */
const en = {
  ...english.counter,
  ...english.credit,
  ...english.customers,
  ...english.door,
  ...english.frame,
  ...english.home,
  ...english.invoice,
  ...english.invoiceForm,
  ...english.invoices,
  ...english.links,
  ...english.money,
  ...english.people,
  ...english.shop,
} as const;

export type DeskTexts = Readonly<Record<keyof typeof en, string>>;
type DeskEnglish = typeof en;

/** A language has every part of the English texts. */
type Parts = { readonly [Part in keyof typeof english]: TextsOf<(typeof english)[Part]> };
const whole = (parts: Parts): DeskTexts => Object.assign({}, ...Object.values(parts));

/** The texts of the desk in each language. */
export const deskTexts: { en: DeskEnglish } & Readonly<Record<LanguageCode, DeskTexts>> = {
  en,
  de: whole(de),
  es: whole(es),
  fr: whole(fr),
  pt: whole(pt),
  ja: whole(ja),
  zh: whole(zh),
  ar: whole(ar),
};
