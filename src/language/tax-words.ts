import type { Invoice } from "../domain/bill/invoice.ts";
import * as Tax from "../domain/bill/tax.ts";
import type { LanguageCode } from "./languages.ts";
import type { Locale } from "./locale.ts";

/**
 * The names that the law of a seller's country gives its sales tax and the related documents: a customer who reads
 * French owes a German shop USt., not TVA.
 */

type Seller = Pick<Invoice, "merchantDetails">;

/** Countries by the name of their tax; by its name abroad if the country has another script or several languages. */
const countriesByTax = {
  VAT: "AE BB BG BH BW BY CH CN CY EG ET FJ GB GE GH GR IE IL IM KE KR KZ MK MT MU NA NG NP OM PH PL QA RU RW SA TH TT TW TZ UA UG UZ VN ZA ZM ZW",
  GST: "AU IN JE MV NZ PK SG",
  "GST/HST": "CA",
  "sales tax": "US",
  "consumption tax": "JP",
  IVA: "AO AR BO CL CO CR CV EC ES GT IT MX MZ NI PT PY SM SV UY VE",
  TVA: "BF BJ CD CG CI CM DZ FR GA LU MA MC MD MG ML NE RO SN TD TG TN",
  IGV: "PE",
  ITBIS: "DO",
  ITBMS: "PA",
  ISV: "HN",
  "USt.": "AT DE",
  MWST: "LI",
  BTW: "BE NL SR",
  Moms: "DK SE",
  MVA: "NO",
  ALV: "FI",
  VSK: "IS",
  KM: "EE",
  PVN: "LV",
  PVM: "LT",
  DPH: "CZ SK",
  ÁFA: "HU",
  PDV: "BA HR ME RS",
  DDV: "SI",
  TVSH: "AL XK",
  KDV: "TR",
  PPN: "ID",
} as const;

const taxNames = new Map(
  Object.entries(countriesByTax).flatMap(([name, countries]) =>
    countries.split(" ").map((country) => [country, name] as const),
  ),
);

/** For readers of one of the country's languages. */
const ofOwnLanguage: Partial<Record<LanguageCode, Readonly<Record<string, string>>>> = {
  ar: Object.fromEntries(
    "AE BH DZ EG MA OM QA SA TN".split(" ").map((country) => [country, "ضريبة القيمة المضافة"]),
  ),
  de: { BE: "MwSt.", CH: "MWST", IT: "MwSt.", LU: "MwSt." },
  es: { US: "impuesto sobre ventas" },
  fr: { BE: "TVA", CA: "TPS/TVH", CH: "TVA" },
  ja: { JP: "消費税" },
  zh: { CN: "增值税", JP: "消费税" },
};

/** Returns the tax's name for the middle of a sentence; the language's word if the country is missing or unknown. */
export function taxName({ merchantDetails }: Seller, { code, say }: Locale): string {
  const country = merchantDetails?.country ?? "";
  return ofOwnLanguage[code]?.[country] ?? taxNames.get(country) ?? say("tax");
}

/** Returns the tax's name as the first word of a sentence. */
export function taxTitle(seller: Seller, locale: Locale): string {
  const name = taxName(seller, locale);
  return name.charAt(0).toLocaleUpperCase(locale.tag) + name.slice(1);
}

/** Countries whose law requires these words on a document with tax. */
const titled = { taxInvoice: ["AE", "AU", "IN", "SA", "SG"], taxCreditNote: ["AE"] };

type Bill = Seller & Pick<Invoice, "totals">;

const isTaxed = ({ totals }: Bill) => totals?.rows.some(({ category }) => category === "standard") ?? false;

const isTitled = (title: keyof typeof titled, bill: Bill) =>
  isTaxed(bill) && titled[title].includes(bill.merchantDetails?.country ?? "");

export function invoiceTitle(invoice: Bill, { code, say }: Locale): string {
  // 消費税法 article 57-4 (1).
  if (code === "ja" && isRegisteredInJapan(invoice)) return "適格請求書";
  return say(isTitled("taxInvoice", invoice) ? "taxInvoice" : "invoice");
}

const isRegisteredInJapan = (bill: Bill) =>
  bill.merchantDetails?.country === "JP" && Boolean(bill.merchantDetails.taxId) && isTaxed(bill);

/** Returns the title of a receipt with tax, which is also an invoice if it names its buyer, else a simplified one. */
export function receiptTitle(bill: Bill & { hasBuyer: boolean }, locale: Locale): string {
  if (bill.hasBuyer) return invoiceTitle(bill, locale);
  // 消費税法 article 57-4 (2).
  if (locale.code === "ja" && isRegisteredInJapan(bill)) return "適格簡易請求書";
  return isTitled("taxInvoice", bill) ? locale.say("simplifiedTaxInvoice") : locale.say("simplifiedInvoice");
}

/** Returns the title of a credit note; `bill` is the invoice's. */
export function creditNoteTitle(bill: Bill, { code, say }: Locale): string {
  // Real Decreto 1619/2012, article 15; 消費税法 article 57-4 (3).
  if (code === "es" && bill.merchantDetails?.country === "ES") return "Factura rectificativa";
  if (code === "ja" && isRegisteredInJapan(bill)) return "適格返還請求書";
  return say(isTitled("taxCreditNote", bill) ? "taxCreditNote" : "creditNote");
}

/** `190_000` → `19`, `55_000` → `5.5`, with the language's decimal mark. */
export function shareText(share: Tax.Share, locale: Locale): string {
  return locale.figure(Tax.plainShare(share));
}
