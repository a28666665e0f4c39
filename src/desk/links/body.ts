import * as Calendar from "../../domain/calendar.ts";
import { askable } from "../../domain/link/bill.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Locale } from "../../language/locale.ts";
import { instant } from "../../lib/time.ts";
import { amountOf, percentOf, rateOf } from "../invoices/form/body.ts";
import type { TypedLink } from "./fields.ts";

/** Returns the form of a link as an API request: with its amounts and days, and without empty fields. */
export function bodyOf(typed: TypedLink, { locale, timeZone }: { locale: Locale; timeZone: string }): object {
  const some = (...names: (keyof TypedLink)[]) =>
    Object.fromEntries(names.filter((name) => typed[name] !== "").map((name) => [name, typed[name]]));
  const amount = (name: "expected_amount" | "amount_min" | "amount_max", field: string = name) =>
    typed[name] === ""
      ? {}
      : { [field]: amountOf(typed[name], locale.decimalMark, typed.currency || "USDC") };
  const isAgain = typed.often === "again";
  const isChosen = isAgain && typed.price === "chosen";
  const quantity = Usdc.plainDigits(typed.quantity_max);
  const lines = typed.embed_origins.split(/\s+/).filter((line) => line !== "");
  const collect = askable.filter((field) => typed[`collect_${field}`] !== "");
  const questions = linesOf(typed.questions);
  return {
    business_name: typed.business_name,
    merchant_email: typed.merchant_email,
    ...some("product_description", "reference", "language", "success_url", "webhook_url"),
    ...(isAgain ? { reusable: true } : {}),
    ...currencyOf(typed, locale),
    ...(isChosen
      ? { ...amount("amount_min"), ...amount("amount_max") }
      : amount("expected_amount", typed.currency === "" ? "expected_amount" : "amount")),
    ...(isAgain && !isChosen && quantity !== ""
      ? { quantity_max: /^\d{1,9}$/.test(quantity) ? Number(quantity) : quantity }
      : {}),
    ...(typed.tax_rate === "" ? {} : { tax_rate: percentOf(typed.tax_rate, locale.decimalMark) }),
    ...some("tax_category"),
    ...(needsNoReason.includes(typed.tax_category) ? {} : some("tax_reason")),
    ...(collect.length === 0 ? {} : { collect }),
    ...(questions.length === 0 ? {} : { questions }),
    ...(typed.expires_on === "" ? {} : { expires_at: endOf(typed.expires_on, timeZone) }),
    ...(lines.length === 0 ? {} : { embed_origins: lines }),
    wallet_type: typed.wallet_type,
    ...(typed.wallet_type === "byo" ? some("wallet_address") : {}),
  };
}

/** Kinds of tax whose form shows no field for a reason. */
const needsNoReason = ["", "standard", "zero"];

/** One per line. */
const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the typed currency and rate for the API; empty for USDC. */
export function currencyOf(
  { currency, rate }: TypedLink,
  { decimalMark }: Locale,
): { currency?: string; rate?: string } {
  if (currency === "") return {};
  return {
    currency,
    ...(rate === "" ? {} : { rate: rateOf(rate, decimalMark) }),
  };
}

/** Returns the end of a day as an API time; anything else stays as typed and is refused there. */
export function endOf(day: string, timeZone: string): string {
  return Calendar.isDay(day) ? instant(Calendar.endOf(day, timeZone)) : day;
}
