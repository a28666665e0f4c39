import * as Currency from "../domain/bill/currency.ts";
import * as Candle from "../domain/bill/rate/candle.ts";
import { askAll } from "./ask.ts";
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
export function createPastRates({
  sources,
  now,
  onFailure,
  signal,
}: RatesOptions & { signal: AbortSignal }): PastRates {
  return {
    againMs: 6 * 3_600_000,
    periodOf: Candle.hourOf,
    isOver: (at) => now() >= Candle.hourOf(at) + Candle.hourMs + settleMs,
    async quoteOf(code, at) {
      const hour = Candle.hourOf(at);
      const agreed = await askAll({
        sources,
        code,
        urlOf: (source) => Candle.urlOf(source, code, hour),
        read: (name, answer) => Candle.closeOf(name, answer, hour),
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
