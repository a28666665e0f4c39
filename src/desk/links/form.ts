import * as Calendar from "../../domain/calendar.ts";
import { askable } from "../../domain/link/bill.ts";
import { quantityLimit } from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Fault } from "../../language/faults.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { instant } from "../../lib/time.ts";
import { percentOf } from "../invoices/form/typed.ts";
import type { FormFault } from "../parts/form/form.tsx";

const fieldLengthMax = 6_000;

/** The form, or the query of a page that shows one. */
export function readTyped(form: URLSearchParams, begun: TypedLink): TypedLink {
  const typed = { ...begun };
  for (const name of linkFields)
    if (form.has(name)) typed[name] = (form.get(name) ?? "").slice(0, fieldLengthMax);
  return typed;
}

/** The same as an API request: its amounts and days, and nothing for empty fields. */
export function bodyOf(typed: TypedLink, { locale, timeZone }: { locale: Locale; timeZone: string }): object {
  const text = (name: keyof TypedLink) => typed[name].trim();
  const some = (name: keyof TypedLink) => (text(name) === "" ? {} : { [name]: text(name) });
  const amount = (name: "expected_amount" | "amount_min" | "amount_max", field: string = name) => {
    const parsed = Usdc.parseTyped(text(name), locale.decimalMark);
    return text(name) === "" ? {} : { [field]: parsed === null ? text(name) : Usdc.format(parsed) };
  };
  const isAgain = typed.often === "again";
  const isChosen = isAgain && typed.price === "chosen";
  const quantity = Usdc.plainDigits(text("quantity_max"));
  const lines = typed.embed_origins.split(/\s+/).filter((line) => line !== "");
  const collect = askable.filter((field) => typed[`collect_${field}`] !== "");
  const questions = linesOf(typed.questions);
  return {
    business_name: text("business_name"),
    merchant_email: text("merchant_email"),
    ...some("product_description"),
    ...some("reference"),
    ...some("language"),
    ...some("success_url"),
    ...some("webhook_url"),
    ...(isAgain ? { reusable: true } : {}),
    ...currencyOf(typed, locale),
    ...(isChosen
      ? { ...amount("amount_min"), ...amount("amount_max") }
      : amount("expected_amount", typed.currency === "" ? "expected_amount" : "amount")),
    ...(isAgain && !isChosen && quantity !== ""
      ? { quantity_max: /^\d{1,9}$/.test(quantity) ? Number(quantity) : quantity }
      : {}),
    ...(text("tax_rate") === "" ? {} : { tax_rate: percentOf(text("tax_rate"), locale.decimalMark) }),
    ...some("tax_category"),
    ...(needsNoReason.includes(text("tax_category")) ? {} : some("tax_reason")),
    ...(collect.length === 0 ? {} : { collect }),
    ...(questions.length === 0 ? {} : { questions }),
    ...(text("expires_on") === "" ? {} : { expires_at: endOf(text("expires_on"), timeZone) }),
    ...(lines.length === 0 ? {} : { embed_origins: lines }),
    wallet_type: typed.wallet_type,
    ...(typed.wallet_type === "byo" ? some("wallet_address") : {}),
  };
}

/** Kinds of tax whose form shows no field for a reason. */
const needsNoReason = ["", "standard", "zero"];

/** One in each line. */
const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** What is typed of the currency, as the API has it; nothing for USDC. */
export function currencyOf(
  { currency, rate }: TypedLink,
  { decimalMark }: Locale,
): { currency?: string; rate?: string } {
  if (currency === "") return {};
  return {
    currency,
    ...(rate.trim() === "" ? {} : { rate: Usdc.plainDecimal(rate, decimalMark) ?? rate.trim() }),
  };
}

/** The end of a day as an API time; anything else stays as typed and is refused there. */
export function endOf(day: string, timeZone: string): string {
  return Calendar.isDay(day) ? instant(Calendar.endOf(day, timeZone)) : day;
}

/** Advice for each field, in the desk's words. */
const texts = {
  product_description: "linkFaultWhat",
  reference: "linkFaultReference",
  language: "settingFaultChoice",
  expires_at: "linkFaultEnds",
  business_name: "linkFaultShop",
  merchant_email: "faultCustomerEmail",
  success_url: "linkFaultSuccess",
  embed_origins: "linkFaultOrigins",
  webhook_url: "linkFaultWebhook",
  currency: "faultCurrency",
  rate: "linkFaultRate",
  tax_rate: "faultTaxRate",
  tax_category: "linkFaultTax",
  tax_reason: "linkFaultReason",
  questions: "linkFaultQuestions",
} as const satisfies Record<string, TextKey>;

const renamed: Readonly<Record<string, string>> = { expires_at: "expires_on", amount: "expected_amount" };

/** The API's faults beside the form's fields, one per field. */
export function formFaults(faults: readonly Fault[], unit: string, locale: Locale): FormFault[] {
  const most = locale.figure(Usdc.format(Usdc.max));
  const example = `42${locale.decimalMark}20`;
  const byField = new Map<string, string>();
  for (const { field: path, code } of faults) {
    const field = path.replace(/\[.*/s, "");
    const name = renamed[field] ?? field;
    if (!byField.has(name)) byField.set(name, sentence(field, code));
  }
  // In the order of the form.
  const placeOf = ({ field }: FormFault) => (linkFields as readonly string[]).indexOf(field);
  return [...byField].map(([field, message]) => ({ field, message })).sort((a, b) => placeOf(a) - placeOf(b));

  function sentence(field: string, code: Fault["code"]): string {
    if (field === "expected_amount" || field === "amount" || field === "amount_min")
      return locale.say("linkFaultPrice", { example, most });
    if (field === "amount_max") return locale.say("linkFaultMax", { example, most });
    if (field === "quantity_max")
      return locale
        .say("linkFaultQuantity", { most: locale.figure(String(quantityLimit)), sum: most })
        .replace("USDC", unit);
    if (field === "wallet_address")
      return locale.say(code === "wallet_missing" ? "faultWalletMissing" : "faultWallet");
    return Object.hasOwn(texts, field)
      ? locale.say(texts[field as keyof typeof texts])
      : locale.say("faultOther", { field });
  }
}

/** The fields of the form of a new link, as they were typed. */
export const linkFields = [
  "product_description",
  "often",
  "price",
  "currency",
  "rate",
  "expected_amount",
  "quantity_max",
  "amount_min",
  "amount_max",
  "tax_rate",
  "tax_category",
  "tax_reason",
  "expires_on",
  "reference",
  "language",
  "business_name",
  "merchant_email",
  "wallet_type",
  "wallet_address",
  "success_url",
  "embed_origins",
  "webhook_url",
  ...askable.map((field) => `collect_${field}` as const),
  "questions",
] as const;

export type LinkField = (typeof linkFields)[number];

/** `often` is `once` or `again`; `price` is `fixed` or `chosen`; `currency` is empty for USDC; `expires_on` is a day. */
export type TypedLink = Record<LinkField, string>;

export const emptyForm: TypedLink = {
  ...(Object.fromEntries(linkFields.map((name) => [name, ""])) as TypedLink),
  often: "once",
  price: "fixed",
};
