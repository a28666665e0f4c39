import type { LanguageCode } from "../languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { attention } from "./en/attention.ts";
import { books } from "./en/books.ts";
import { counter } from "./en/counter.ts";
import { credit } from "./en/credit.ts";
import { customers } from "./en/customers.ts";
import { deeds } from "./en/deeds.ts";
import { door } from "./en/door.ts";
import { eInvoice } from "./en/e-invoice.ts";
import { frame } from "./en/frame.ts";
import { health } from "./en/health.ts";
import { home } from "./en/home.ts";
import { invoice } from "./en/invoice.ts";
import { invoiceForm } from "./en/invoice-form.ts";
import { invoices } from "./en/invoices.ts";
import { link } from "./en/link.ts";
import { linkForm } from "./en/link-form.ts";
import { links } from "./en/links.ts";
import { money } from "./en/money.ts";
import { party } from "./en/party.ts";
import { people } from "./en/people.ts";
import { shop } from "./en/shop.ts";
import { webhooks } from "./en/webhooks.ts";
import { withdrawal } from "./en/withdraw.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

/** Every text of the desk, which only the merchant's own people read. Written as those in `../en.ts`. */
const en = {
  ...attention,
  ...books,
  ...counter,
  ...credit,
  ...customers,
  ...deeds,
  ...door,
  ...eInvoice,
  ...frame,
  ...health,
  ...home,
  ...invoice,
  ...invoiceForm,
  ...invoices,
  ...link,
  ...linkForm,
  ...links,
  ...money,
  ...party,
  ...people,
  ...shop,
  ...webhooks,
  ...withdrawal,
} as const;

export type DeskTexts = Readonly<Record<keyof typeof en, string>>;
export type DeskEnglish = typeof en;

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
