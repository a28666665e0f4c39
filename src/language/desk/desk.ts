import type { LanguageCode } from "../languages.ts";
import { ar } from "./ar/desk.ts";
import { de } from "./de/desk.ts";
import { counter } from "./en/counter.ts";
import { credit } from "./en/credit.ts";
import { customers } from "./en/customers.ts";
import { door } from "./en/door.ts";
import { frame } from "./en/frame.ts";
import { home } from "./en/home.ts";
import { invoice } from "./en/invoice.ts";
import { invoiceForm } from "./en/invoice-form.ts";
import { invoices } from "./en/invoices.ts";
import { links } from "./en/links.ts";
import { money } from "./en/money.ts";
import { people } from "./en/people.ts";
import { shop } from "./en/shop.ts";
import { es } from "./es/desk.ts";
import { fr } from "./fr/desk.ts";
import { ja } from "./ja/desk.ts";
import { pt } from "./pt/desk.ts";
import { zh } from "./zh/desk.ts";

/** Every text of the desk, which only the merchant's own people read. Written as those in `../texts/en.ts`. */
const en = {
  ...counter,
  ...credit,
  ...customers,
  ...door,
  ...frame,
  ...home,
  ...invoice,
  ...invoiceForm,
  ...invoices,
  ...links,
  ...money,
  ...people,
  ...shop,
} as const;

export type DeskTexts = Readonly<Record<keyof typeof en, string>>;
type DeskEnglish = typeof en;

/** The texts of the desk in each language. */
export const deskTexts: { en: DeskEnglish } & Readonly<Record<LanguageCode, DeskTexts>> = {
  en,
  de,
  es,
  fr,
  pt,
  ja,
  zh,
  ar,
};
