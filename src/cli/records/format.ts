import { isTimeZone } from "../../config/parse.ts";
import type { InvoiceAnswer } from "../../http/fields/invoice-schemas.ts";
import { notationOf } from "../../language/notation.ts";
import type { TextCell } from "../terminal/table.ts";

const { figure } = notationOf("en");

/** Formats an amount as in all texts for people: `1738.80` → `1,738.80`. Returns anything else unchanged. */
export function amountText(decimal: string): string {
  return figure(decimal);
}

/** Formats an API time for people, in `TILL_TIMEZONE`: `2026-11-22 04:21:34 UTC`. */
export function timeText(instant: string): string {
  const timeZone = process.env["TILL_TIMEZONE"]?.trim();
  const zone = { timeZone: timeZone && isTimeZone(timeZone) ? timeZone : "UTC" };
  const parts = new Intl.DateTimeFormat("en-GB", { ...zone, timeZoneName: "short" }).formatToParts(
    new Date(instant),
  );
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // The Swedish form of a date is the ISO form.
  const local = new Intl.DateTimeFormat("sv-SE", { ...zone, dateStyle: "short", timeStyle: "medium" });
  return `${local.format(new Date(instant))} ${name}`;
}

/** The status of an invoice or link, coloured by meaning. */
export function statusCell(status: string): TextCell {
  if (status === "paid" || status === "confirmed") return { text: status, color: "green" };
  if (status === "partial" || status === "excess") return { text: status, color: "yellow" };
  if (status === "void") return { text: status, color: "dim" };
  return status === "error" ? { text: status, color: "red" } : status;
}

export const bold = (text: string): TextCell => ({ text, color: "bold" });
export const usdc = (amount: string) => `${amountText(amount)} USDC`;
export const isZero = (amount: string) => Number(amount) === 0;

type InCurrency = { currency?: string };

/** Formats an amount in its record's currency, USDC by default. */
export const money = (amount: string, { currency = "USDC" }: InCurrency) =>
  `${amountText(amount)} ${currency}`;

type ExchangeRate = NonNullable<(typeof InvoiceAnswer)["static"]["exchange_rate"]>;

export const rateText = ({ exchange_rate: at, currency }: InCurrency & { exchange_rate?: ExchangeRate }) =>
  at && `1 USDC = ${at.rate} ${currency}, ${at.source}, ${timeText(at.fetched_at)}`;
