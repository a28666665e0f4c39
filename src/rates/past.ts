import * as Currency from "../domain/currency.ts";
import * as Candle from "../domain/rate/candle.ts";
import { consensus } from "../domain/rate/consensus.ts";
import { askFor } from "./ask.ts";
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
      const asked = sources.flatMap((source) => {
        const url = Candle.urlOf(source, code, hour);
        return url === null ? [] : [{ name: source.name, url }];
      });
      const answers = await Promise.all(
        asked.map(async ({ name, url }) => {
          const read = (answer: unknown) => Candle.closeOf(name, answer, hour);
          return { name, rate: await askFor(url, read, { signal, answerBytesMax }) };
        }),
      );
      const said = answers.flatMap(({ name, rate }) => {
        if (typeof rate === "bigint") return [{ name, rate }];
        onTrouble({ name, code, reason: rate });
        return [];
      });
      // Not every exchange has trades in every hour, so the word of one alone counts; two have to agree.
      const agreed = consensus(said, said.length, null);
      for (const { name, rate } of agreed?.dropped ?? said)
        onTrouble({ name, code, reason: `${Currency.formatRate(rate)}, which nothing confirms` });
      if (agreed === null) return null;
      const names = Currency.sourceOf(agreed.believed.map(({ name }) => name));
      return {
        rate: Currency.formatRate(agreed.rate),
        source: `${names}: end of the hour`,
        fetchedAt: hour + Candle.hourMs,
      };
    },
  };
}
