import * as Currency from "../domain/bill/currency.ts";
import * as Candle from "../domain/bill/rate/candle.ts";
import { askAll } from "./ask.ts";
import type { RatesOptions } from "./rates.ts";

/** An exchange may still write the end of an hour down. */
const settleMs = 5 * 60_000;

/** Kraken answers with all hours since then: so much is about a month. */
const answerBytesMax = 128 * 1024;

export type PastRates = {
  /** Whether the hour in which a time lies is over, so that it can be asked for. */
  isOver(at: number): boolean;
  /**
   * What 1 USDC cost in a currency at the end of the hour in which a time lies: the median of the exchanges that know it
   * and agree; null when there is none. Never throws.
   */
  quoteOf(code: Currency.Code, at: number): Promise<Currency.Quote | null>;
};

/** Asks the sources about hours that are over, in parallel. */
export function createPastRates({
  sources,
  now,
  onTrouble,
  signal,
}: RatesOptions & { signal: AbortSignal }): PastRates {
  return {
    isOver: (at) => now() >= Candle.hourOf(at) + Candle.hourMs + settleMs,
    async quoteOf(code, at) {
      const hour = Candle.hourOf(at);
      const agreed = await askAll({
        sources,
        code,
        urlOf: (source) => Candle.urlOf(source, code, hour),
        read: (name, answer) => Candle.closeOf(name, answer, hour),
        answerBytesMax,
        known: null,
        // Not every exchange has trades in every hour.
        isOneEnough: true,
        signal,
        onTrouble,
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
