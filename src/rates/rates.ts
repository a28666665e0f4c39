import * as Currency from "../domain/bill/currency.ts";
import * as Source from "../domain/bill/rate/source.ts";
import { askAll, type SourceFailure } from "./ask.ts";

/** How long a result is fresh, with or without a rate; until then it is not requested again. */
const freshMs = { rate: 60_000, none: 10_000 };

/** A ticker takes less than one KiB. */
const tickerBytesMax = 16 * 1024;

/** How long a rate that sources agreed on vouches for a single one. */
const knownMaxMs = 24 * 3_600_000;

export type Rates = ReturnType<typeof createRates>;

export type RatesOptions = {
  /** Read on each request. */
  sources: readonly Source.SourceEndpoint[];
  /** Whether a custom address must be on the public Internet. */
  publicOnly: boolean;
  now: () => number;
  onFailure: (failure: SourceFailure) => void;
};

type Memory = {
  askedAt: number;
  /** Whether there was no rate then. */
  hasFailed: boolean;
  quote: Currency.Quote | null;
  /** The last rate that more than one source confirmed. */
  confirmed: { rate: bigint; at: number } | null;
};

/** Asks the sources in parallel, only when somebody wants a rate. Answers are cached in memory. */
export function createRates(options: RatesOptions) {
  const { now, onFailure } = options;
  const memories = new Map<Currency.Code, Memory>();
  const running = new Map<Currency.Code, Promise<Memory>>();
  const stopping = new AbortController();

  /** Returns whether a time is less than this long ago; a future time comes from a clock that was set back. */
  const isWithin = (at: number, ms: number) => at <= now() && now() - at < ms;

  async function learn(code: Currency.Code): Promise<Memory> {
    const before = memories.get(code);
    const last = before?.confirmed && isWithin(before.confirmed.at, knownMaxMs) ? before.confirmed : null;
    const agreed = await askAll({
      sources: options.sources,
      code,
      urlOf: (source) => Source.urlOf(source, code),
      read: (name, answer) => Source.rateOf(name, answer, code, now()),
      answerBytesMax: tickerBytesMax,
      publicOnly: options.publicOnly,
      lastRate: last?.rate ?? null,
      isOneEnough: false,
      signal: stopping.signal,
      onFailure,
    });
    const at = now();
    const memory: Memory = {
      askedAt: at,
      hasFailed: agreed === null,
      quote: agreed && {
        rate: Currency.formatRate(agreed.rate),
        source: Currency.sourceOf(agreed.names),
        fetchedAt: at,
      },
      confirmed: agreed && agreed.names.length > 1 ? { rate: agreed.rate, at } : last,
    };
    memories.set(code, { ...memory, quote: memory.quote ?? before?.quote ?? null });
    return memory;
  }

  async function quote(code: Currency.Code): Promise<Currency.Quote | null> {
    const memory = memories.get(code);
    const isFresh = memory && isWithin(memory.askedAt, memory.hasFailed ? freshMs.none : freshMs.rate);
    if (!isFresh) {
      const learning = running.get(code) ?? learn(code).finally(() => running.delete(code));
      running.set(code, learning);
      await learning;
    }
    return current(code);
  }

  function current(code: Currency.Code): Currency.Quote | null {
    const latest = memories.get(code)?.quote ?? null;
    return latest && isWithin(latest.fetchedAt, Source.ageMaxMs) ? latest : null;
  }

  return {
    /** Returns the price of 1 USDC in a currency, at most 10 minutes old; null if unavailable. Never throws. */
    quote: (code: Currency.Code) =>
      options.sources.some((source) => Source.urlOf(source, code)) ? quote(code) : Promise.resolve(null),
    /** The currencies for which a rate was wanted, and whether there was one at the last request, or still is. */
    state: () =>
      [...memories].map(([code, { askedAt, hasFailed }]) => ({
        code,
        isKnown: !hasFailed || current(code) !== null,
        wantedAgoMs: now() - askedAt,
      })),
    stop: () => stopping.abort(),
  };
}
