import * as Calendar from "../../calendar.ts";
import * as Currency from "../currency.ts";
import { isPlausible } from "./source.ts";

/** The euro's reference rates of the European Central Bank: one for each of its working days, of currencies of states. */

/** Its name among those who are asked. */
export const source = "ecb";

/** Where everybody asks the bank. */
export const baseUrl = "https://www.ecb.europa.eu/stats/eurofxref";

/** By whose clocks its days are. */
export const timeZone = "Europe/Berlin";

/** They are usually published around 16:00 there. */
const publishedAfterMs = 16 * 3_600_000;

/** When the rates of a day are out, in Unix milliseconds. */
export const publishedAt = (day: string) => Calendar.startOf(day, timeZone) + publishedAfterMs;

/** The day of a time; the Friday before on a weekend, which never has rates. */
export function dayOf(at: number): string {
  const number = Calendar.dayNumber(Calendar.dayAt(at, timeZone));
  // The first day of all was a Thursday.
  const weekday = (number + 3) % 7;
  return Calendar.dayOf(number - Math.max(0, weekday - 4));
}

const dayBefore = (day: string) => Calendar.dayOf(Calendar.dayNumber(day) - 1);

/** What 1 of one currency costs in another by the rates of a day, in 10⁻¹⁰ of it, and what is written there. */
type Reference = { rate: bigint; text: string };

/** From USD, unless it says otherwise. */
export type Pair = { from?: Currency.Code; to: Currency.Code };

/** Days, newest first, with what is said of a pair; null where one of them is not among those of the day. */
export type ReferenceDays = ReadonlyMap<string, Reference | null>;

/** The rate of a day, or of the last before that has one; null while it is not out, and before the first. */
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

/** No currency loses or gains half from one working day to the next. */
const isLeap = (rate: bigint, beside: bigint) => rate > 2n * beside || beside > 2n * rate;

/**
 * What a document of the bank says of a pair; in words, why it is not believed: nothing of it is, when a part is
 * wrong. It yields after each day, as the document of all days takes a while.
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

/** Where a form ends that stands there; null when it does not. */
function endOf(form: RegExp, text: string, at: number | null): number | null {
  if (at === null) return null;
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : null;
}

/** What the rates of a day say; null when one of the currencies is not among them. */
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

/** The day and the equation of a rate that says it is the bank's; null of any other. */
export function saidIn(quoteSource: string): { day: string; equation: string } | null {
  const [, day, equation] = /^ECB (\d{4}-\d\d-\d\d): (.+)$/.exec(quoteSource) ?? [];
  return day === undefined || equation === undefined ? null : { day, equation };
}

/** As `saidIn` reads it. */
export const sourceOf = ({ day, text }: { day: string; text: string }) => `ECB ${day}: ${text}`;

/** `exchanges` as null; `ecb`, perhaps with `=https://…`, as where it is asked; undefined for other texts. */
export function parseSource(text: string): { baseUrl: string } | null | undefined {
  if (text === "exchanges") return null;
  const [match, own] = /^ecb(?:=(https?:\/\/[^\s?#@]+?)\/?)?$/.exec(text) ?? [];
  return match === undefined ? undefined : { baseUrl: own ?? baseUrl };
}
