import * as Currency from "../domain/bill/currency.ts";
import * as Candle from "../domain/bill/rate/candle.ts";
import * as Reference from "../domain/bill/rate/reference.ts";
import * as Calendar from "../domain/calendar.ts";
import { turn } from "../lib/loop.ts";
import { ask, askAll } from "./ask.ts";
import type { RatesOptions } from "./rates.ts";

/** An exchange may still write the end of an hour down. */
const settleMs = 5 * 60_000;

/** Kraken answers with all hours since then: so much is about a month. */
const answerBytesMax = 128 * 1024;

/** What 1 USDC was worth in times that are over. */
export type PastRates = {
  /** A name for all times that have the same rate: when the hour or day began, in Unix milliseconds. */
  periodOf(at: number): number;
  /** Whether the rate of a time can be asked for already. */
  isOver(at: number): boolean;
  /** What 1 USDC was worth in a currency at a time; null when nobody can say. Never throws. */
  quoteOf(code: Currency.Code, at: number): Promise<Currency.Quote | null>;
  /** How long after an answer that knew nothing to ask again, in ms. */
  againMs: number;
};

/** Asks exchanges in parallel for the rate at an hour's end: the median of those that know it and agree. */
export function createPastRates(options: RatesOptions & { signal: AbortSignal }): PastRates {
  const { now, onFailure, signal } = options;
  return {
    againMs: 6 * 3_600_000,
    periodOf: Candle.hourOf,
    isOver: (at) => now() >= Candle.hourOf(at) + Candle.hourMs + settleMs,
    async quoteOf(code, at) {
      const hour = Candle.hourOf(at);
      const agreed = await askAll({
        sources: options.sources,
        code,
        urlOf: (source) => Candle.urlOf(source, code, hour),
        read: (name, answer) => Candle.closeOf(name, answer, code, hour),
        answerBytesMax,
        lastRate: null,
        // Not every exchange has trades in every hour.
        isOneEnough: true,
        signal,
        onFailure,
      });
      if (agreed === null) return null;
      return {
        rate: Currency.formatRate(agreed.rate),
        source: `${Currency.sourceOf(agreed.names)}: end of the hour`,
        fetchedAt: hour + Candle.hourMs,
      };
    },
  };
}

/** Its documents: about 80 KiB and 8 MiB. What was not found in one is looked for again after so long. */
const documents = {
  recent: {
    file: "eurofxref-hist-90d.xml",
    answerBytesMax: 1 << 20,
    answerMaxMs: 5_000,
    againMs: 15 * 60_000,
  },
  all: { file: "eurofxref-hist.xml", answerBytesMax: 32 << 20, answerMaxMs: 120_000, againMs: 6 * 3_600_000 },
} as const;

/** So many days are read before something else is done. */
const daysAtOnce = 100;

/** The longest that there are no rates is from the Thursday before Easter to the Tuesday after it. */
const silentDaysMax = 7;

type EcbOptions = Pick<RatesOptions, "now" | "onFailure"> & { baseUrl: string; signal: AbortSignal };

/**
 * What 1 USD costs by the reference rates of the European Central Bank, for 1 USDC: the rate of the day, by the clocks of
 * Frankfurt, or of the last day before that has one. It is asked only for a rate that should be out and is not known.
 */
export function createEcbRates({ baseUrl, now, onFailure, signal }: EcbOptions): PastRates {
  /** What was read last, by document and currency. */
  const cache = new Map<string, Reference.ReferenceDays>();
  const askedAt = new Map<string, number>();

  async function learn(code: Currency.Code, name: keyof typeof documents): Promise<void> {
    const { file, againMs, ...limits } = documents[name];
    const key = `${name} ${code}`;
    const last = askedAt.get(key);
    if (last !== undefined && last <= now() && now() - last < againMs) return;
    askedAt.set(key, now());
    const today = Calendar.dayAt(now(), Reference.timeZone);
    const failed = (reason: string) => onFailure({ name: Reference.source, code, reason });
    const days = await ask(`${baseUrl}/${file}`, (text) => readAll(text, code, today), { ...limits, signal });
    if (typeof days === "string") return failed(days);
    cache.set(key, days);
    const [newest = today] = days.keys();
    if (Calendar.dayNumber(today) - Calendar.dayNumber(newest) > silentDaysMax)
      failed(`no rates since ${newest}`);
    if (!days.get(newest)) failed(`no rate of ${code} on ${newest}`);
  }

  async function lookIn(name: keyof typeof documents, code: Currency.Code, day: string) {
    const find = () => Reference.find(cache.get(`${name} ${code}`), day);
    const reference = find();
    if (reference !== null) return reference;
    await learn(code, name);
    return find();
  }

  return {
    againMs: documents.recent.againMs,
    periodOf: (at) => Calendar.startOf(Reference.dayOf(at), Reference.timeZone),
    isOver: (at) => now() >= Reference.publishedAt(Reference.dayOf(at)),
    async quoteOf(code, at) {
      const day = Reference.dayOf(at);
      const recent = await lookIn("recent", code, day);
      const isBefore =
        recent === null && day < ([...(cache.get(`recent ${code}`)?.keys() ?? [])].at(-1) ?? "");
      const reference = isBefore ? await lookIn("all", code, day) : recent;
      return (
        reference && {
          rate: Currency.formatRate(reference.rate, Currency.rateDecimalsMax),
          source: `ECB ${reference.day}: ${reference.text}`,
          fetchedAt: Reference.publishedAt(reference.day),
        }
      );
    },
  };
}

async function readAll(
  text: string,
  code: Currency.Code,
  today: string,
): Promise<Reference.ReferenceDays | string> {
  const reading = Reference.read(text, code, today);
  for (let count = 1; ; count++) {
    const { done, value } = reading.next();
    if (done) return value;
    if (count % daysAtOnce === 0) await turn();
  }
}
