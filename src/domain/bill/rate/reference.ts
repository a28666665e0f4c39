import * as Calendar from "../../calendar.ts";
import * as Currency from "../currency.ts";
import { isPlausible } from "./source.ts";

/** The European Central Bank's euro reference rates: one per TARGET working day, for government-issued currencies. */

/** Its name as a rate source. */
export const source = "ecb";

/** The bank's public URL. */
export const baseUrl = "https://www.ecb.europa.eu/stats/eurofxref";

/** The time zone that its days are in. */
export const timeZone = "Europe/Berlin";

/** They are usually published around 16:00 there. */
const publishedAfterMs = 16 * 3_600_000;

/** When a day's rates are published, in Unix milliseconds. */
export const publishedAt = (day: string) => Calendar.startOf(day, timeZone) + publishedAfterMs;

/** The day of a time; on weekends, which have no rates, the Friday before. */
export function dayOf(at: number): string {
  const number = Calendar.dayNumber(Calendar.dayAt(at, timeZone));
  // 1 January 1970 was a Thursday.
  const weekday = (number + 3) % 7;
  return Calendar.dayOf(number - Math.max(0, weekday - 4));
}

const dayBefore = (day: string) => Calendar.dayOf(Calendar.dayNumber(day) - 1);

/** The price of 1 of one currency in another by the rates of a day, in 10⁻¹⁰, and the equation as published. */
type Reference = { rate: bigint; text: string };

/** From USD, unless stated otherwise. */
export type Pair = { from?: Currency.Code; to: Currency.Code };

/** Rates of a pair by day, newest first; null where one of the currencies has no rate that day. */
export type ReferenceDays = ReadonlyMap<string, Reference | null>;

/**
 * Finds the rate of a day, or else of the latest earlier day that has one; null if it is not published yet, and before
 * the first day.
 */
export function find(days: ReferenceDays | undefined, wanted: string): (Reference & { day: string }) | null {
  let isOut = false;
  for (const [day, reference] of days ?? []) {
    isOut ||= day >= wanted;
    if (isOut && day <= wanted) return reference && { ...reference, day };
  }
  return null;
}

const head = [
  /\s*(?:<\?xml [^<>]*\?>\s*)?<gesmes:Envelope [^<>]*>/y,
  /\s*<gesmes:subject>Reference rates<\/gesmes:subject>\s*<gesmes:Sender>/y,
  /\s*<gesmes:name>European Central Bank<\/gesmes:name>\s*<\/gesmes:Sender>\s*<Cube>/y,
];
const dayForm =
  /\s*<Cube time=["'](\d{4}-\d\d-\d\d)["']>((?:\s*<Cube currency=["'][A-Z]{3}["'] rate=["'][\d.]+["']\s*\/>)+)\s*<\/Cube>/y;
const end = /\s*<\/Cube>\s*<\/gesmes:Envelope>\s*$/y;

/** No currency halves or doubles from one working day to the next. */
const isLeap = (rate: bigint, beside: bigint) => rate > 2n * beside || beside > 2n * rate;

/**
 * Reads a pair's rates from a document of the bank; returns a sentence if any part is wrong, as then none of it is
 * trusted. Yields after each day, as the document of all days takes a while.
 */
export function* read(text: string, pair: Pair, today: string): Generator<void, ReferenceDays | string> {
  const days = new Map<string, Reference | null>();
  let at = head.reduce<number | null>((start, form) => endOf(form, text, start), 0);
  let dayMax = today;
  let beside: bigint | null = null;
  while (at !== null) {
    dayForm.lastIndex = at;
    const [section, day = "", cubes = ""] = dayForm.exec(text) ?? [];
    if (section === undefined) break;
    at += section.length;
    if (!Calendar.isDay(day) || day > dayMax) return `a wrong day: ${day}`;
    const reference = referenceOf(cubes, pair);
    if (typeof reference === "string") return `${reference} on ${day}`;
    if (reference && beside && isLeap(reference.rate, beside))
      return `an absurd rate on ${day}: ${reference.text}`;
    days.set(day, reference);
    dayMax = dayBefore(day);
    beside = reference?.rate ?? beside;
    yield;
  }
  if (at === null || endOf(end, text, at) === null) return "an answer of another form";
  return days.size > 0 ? days : "an answer without a day";
}

/** Returns where a match at `at` ends; null if there is none. */
function endOf(form: RegExp, text: string, at: number | null): number | null {
  if (at === null) return null;
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : null;
}

/** Computes a pair's rate from the rates of a day; null when one of the currencies is not listed. */
function referenceOf(cubes: string, { from = "USD", to }: Pair): Reference | string | null {
  const rateIn = (wanted: Currency.Code) =>
    wanted === "EUR" ? "1" : new RegExp(`currency=.${wanted}. rate=.([\\d.]+)`).exec(cubes)?.[1];
  const ofUsd = rateIn("USD");
  const ofBase = rateIn(from);
  const ofOwn = rateIn(to);
  if (ofUsd === undefined) return "no rate of USD";
  if (ofBase === undefined || ofOwn === undefined) return null;
  const usd = Currency.scaled(ofUsd);
  const base = Currency.scaled(ofBase);
  const own = Currency.scaled(ofOwn);
  if (usd === null || base === null || own === null) return "a rate that is none";
  const sides = [`${ofBase} ${from}`, `${ofOwn} ${to}`];
  const text = ["1 EUR", ...new Set(sides)]
    .filter((side, at) => at === 0 || !side.endsWith("EUR"))
    .join(" = ");
  if (!isPlausible(usd, "EUR")) return `an absurd rate: ${text}`;
  // Half up.
  return { rate: (2n * own * Currency.rateUnit + base) / (2n * base), text };
}

/** The day and the equation of a rate whose source is the bank; null for any other source. */
export function saidIn(quoteSource: string): { day: string; equation: string } | null {
  const [, day, equation] = /^ECB (\d{4}-\d\d-\d\d): (.+)$/.exec(quoteSource) ?? [];
  return day === undefined || equation === undefined ? null : { day, equation };
}

/** In the form that `saidIn` reads. */
export const sourceOf = ({ day, text }: { day: string; text: string }) => `ECB ${day}: ${text}`;

/**
 * Parses the setting: null for `exchanges`; the URL to ask for `ecb`, which may be followed by `=https://…`; undefined
 * for anything else.
 */
export function parseSource(text: string): { baseUrl: string } | null | undefined {
  if (text === "exchanges") return null;
  const [match, own] = /^ecb(?:=(https?:\/\/[^\s?#@]+?)\/?)?$/.exec(text) ?? [];
  return match === undefined ? undefined : { baseUrl: own ?? baseUrl };
}
