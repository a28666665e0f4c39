import * as Currency from "../domain/bill/currency.ts";
import * as Candle from "../domain/bill/rate/candle.ts";
import * as Reference from "../domain/bill/rate/reference.ts";
import * as Calendar from "../domain/calendar.ts";
import { turn } from "../lib/loop.ts";
import { ask, askAll } from "./ask.ts";
import type { RatesOptions } from "./rates.ts";

/** An exchange may still be recording the end of an hour. */
const settleMs = 5 * 60_000;

/** Kraken returns all hours since then: this is about a month of them. */
const answerBytesMax = 128 * 1024;

/** Past prices of 1 USDC. */
export type PastRates = {
  /** Identifies all times with the same rate: the start of the hour or day, in Unix milliseconds. */
  periodOf(at: number): number;
  /** Returns whether the rate of a time is available yet. */
  isOver(at: number): boolean;
  /** Returns the price of 1 USDC in a currency at a time; null if unavailable. Never throws. */
  quoteOf(code: Currency.Code, at: number): Promise<Currency.Quote | null>;
  /** How soon to ask again after an answer without a rate, in ms. */
  againMs: number;
};

/** Asks exchanges in parallel for the rate at an hour's end: the median of those that have one and agree. */
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
        publicOnly: options.publicOnly,
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

/** Its documents: about 80 KiB and 8 MiB. `againMs`: how soon a rate missing in one is looked for again. */
const documents = {
  recent: {
    file: "eurofxref-hist-90d.xml",
    answerBytesMax: 1 << 20,
    answerMaxMs: 5_000,
    againMs: 15 * 60_000,
  },
  all: { file: "eurofxref-hist.xml", answerBytesMax: 32 << 20, answerMaxMs: 120_000, againMs: 6 * 3_600_000 },
} as const;

/** How soon a bank that did not answer is asked again. */
const failedAgainMs = 30_000;

/** Days read before other work gets a turn. */
const daysAtOnce = 100;

/** The longest period without rates is from the Thursday before Easter to the Tuesday after it. */
const silentDaysMax = 7;

export type EcbOptions = Pick<RatesOptions, "now" | "onFailure" | "publicOnly"> & {
  baseUrl: string;
  signal: AbortSignal;
};

type EcbRates = PastRates & {
  /**
   * Returns the rate of a day, `YYYY-MM-DD`, or the newest published one before it; null if that is more than 90 days
   * ago. Never throws.
   */
  latestOf(pair: Reference.Pair, day: string): Promise<Currency.Quote | null>;
};

/**
 * Uses the European Central Bank's reference rate of 1 USD for 1 USDC: the rate of the day in Frankfurt, or of the last
 * day before that has one. The bank is asked only for a rate that should be published and is unknown.
 */
export function createEcbRates({ baseUrl, now, onFailure, signal, ...options }: EcbOptions): EcbRates {
  const publicOnly = options.publicOnly && baseUrl !== Reference.baseUrl;
  /**
   * The last result by document and pair, and when the bank may be asked for it again; concurrent callers share a
   * request.
   */
  const cache = new Map<string, Reference.ReferenceDays>();
  const askAgainAt = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  const keyOf = (name: keyof typeof documents, { from = "USD", to }: Reference.Pair) =>
    `${name} ${from} ${to}`;

  function learn(pair: Reference.Pair, name: keyof typeof documents): Promise<void> {
    const key = keyOf(name, pair);
    const learning = running.get(key) ?? read(pair, name, key).finally(() => running.delete(key));
    running.set(key, learning);
    return learning;
  }

  async function read(pair: Reference.Pair, name: keyof typeof documents, key: string): Promise<void> {
    const { file, againMs, ...limits } = documents[name];
    const wait = (askAgainAt.get(key) ?? 0) - now();
    // A clock that was set back must not prolong it.
    if (wait > 0 && wait <= againMs) return;
    const today = Calendar.dayAt(now(), Reference.timeZone);
    const code = pair.to;
    const failed = (reason: string) => onFailure({ name: Reference.source, code, reason });
    const days = await ask(`${baseUrl}/${file}`, (text) => readAll(text, pair, today), {
      ...limits,
      signal,
      publicOnly,
    });
    askAgainAt.set(key, now() + (typeof days === "string" ? failedAgainMs : againMs));
    if (typeof days === "string") return failed(days);
    cache.set(key, days);
    const [newest = today] = days.keys();
    if (Calendar.dayNumber(today) - Calendar.dayNumber(newest) > silentDaysMax)
      failed(`no rates since ${newest}`);
    if (!days.get(newest)) failed(`no rate of ${pair.from ? `${pair.from} in ` : ""}${code} on ${newest}`);
  }

  async function lookIn(name: keyof typeof documents, pair: Reference.Pair, day: string) {
    const find = () => Reference.find(cache.get(keyOf(name, pair)), day);
    const reference = find();
    if (reference !== null) return reference;
    await learn(pair, name);
    return find();
  }

  const isOver = (at: number) => now() >= Reference.publishedAt(Reference.dayOf(at));

  return {
    againMs: documents.recent.againMs,
    periodOf: (at) => Calendar.startOf(Reference.dayOf(at), Reference.timeZone),
    isOver,
    async quoteOf(to, at) {
      const day = Reference.dayOf(at);
      const recent = await lookIn("recent", { to }, day);
      const oldest = [...(cache.get(keyOf("recent", { to }))?.keys() ?? [])].at(-1) ?? "";
      return quoted(recent === null && day < oldest ? await lookIn("all", { to }, day) : recent);
    },
    async latestOf(pair, wanted) {
      const today = Calendar.dayAt(now(), Reference.timeZone);
      const first = Calendar.dayNumber(wanted < today ? wanted : today);
      for (let back = 0; back <= silentDaysMax; back++) {
        const time = Calendar.startOf(Calendar.dayOf(first - back), Reference.timeZone);
        const found = isOver(time) ? quoted(await lookIn("recent", pair, Reference.dayOf(time))) : null;
        if (found !== null) return found;
      }
      return null;
    },
  };
}

const quoted = (reference: ReturnType<typeof Reference.find>): Currency.Quote | null =>
  reference && {
    rate: Currency.formatRate(reference.rate, Currency.rateDecimalsMax),
    source: Reference.sourceOf(reference),
    fetchedAt: Reference.publishedAt(reference.day),
  };

async function readAll(
  text: string,
  pair: Reference.Pair,
  today: string,
): Promise<Reference.ReferenceDays | string> {
  const reading = Reference.read(text, pair, today);
  for (let count = 1; ; count++) {
    const { done, value } = reading.next();
    if (done) return value;
    if (count % daysAtOnce === 0) await turn();
  }
}
