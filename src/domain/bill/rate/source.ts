import * as Currency from "../currency.ts";

/** Exchanges that publish USDC prices without an API key. */

/** An exchange's current prices of a pair. `at` is their time in Unix milliseconds; null if not given. */
type Ticker = { bid: string; ask: string; at: number | null };

type Source = {
  /** Display name. */
  label: string;
  baseUrl: string;
  /** Path for each currency; currencies without a market are missing. */
  paths: Readonly<Record<Currency.Code, string>>;
  /** Null for an unknown form of answer. */
  read(answer: unknown): Ticker | null;
};

export const sources = {
  kraken: {
    label: "Kraken",
    baseUrl: "https://api.kraken.com",
    paths: {
      EUR: "/0/public/Ticker?pair=USDCEUR",
      USD: "/0/public/Ticker?pair=USDCUSD",
      "ETH/EUR": "/0/public/Ticker?pair=ETHEUR",
      "ETH/USD": "/0/public/Ticker?pair=ETHUSD",
    },
    read(answer) {
      const { error, result } = parts(answer);
      if (!Array.isArray(error) || error.length > 0) return null;
      const pairs = Object.values(parts(result));
      const { a, b } = parts(pairs[0]);
      if (pairs.length !== 1 || !Array.isArray(a) || !Array.isArray(b)) return null;
      return ticker(b[0], a[0], null);
    },
  },
  // Coinbase converts USDC to USD one for one, so it has no such market.
  coinbase: {
    label: "Coinbase",
    baseUrl: "https://api.exchange.coinbase.com",
    paths: {
      EUR: "/products/USDC-EUR/ticker",
      "ETH/EUR": "/products/ETH-EUR/ticker",
      "ETH/USD": "/products/ETH-USD/ticker",
    },
    read(answer) {
      const { bid, ask, time } = parts(answer);
      return typeof time === "string" ? ticker(bid, ask, Date.parse(time)) : null;
    },
  },
  bitstamp: {
    label: "Bitstamp",
    baseUrl: "https://www.bitstamp.net",
    paths: {
      EUR: "/api/v2/ticker/usdceur/",
      USD: "/api/v2/ticker/usdcusd/",
      "ETH/EUR": "/api/v2/ticker/etheur/",
      "ETH/USD": "/api/v2/ticker/ethusd/",
    },
    read(answer) {
      const { bid, ask, timestamp } = parts(answer);
      if (typeof timestamp !== "string" || !/^\d{1,12}$/.test(timestamp)) return null;
      return ticker(bid, ask, Number(timestamp) * 1000);
    },
  },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;
export const names = Object.keys(sources) as SourceName[];

/** The URL at which a source is asked. */
export type SourceEndpoint = { name: SourceName; baseUrl: string };

/** Returns whether the source is asked at another URL than its public one. */
export const isElsewhere = ({ name, baseUrl }: SourceEndpoint): boolean => baseUrl !== sources[name].baseUrl;

/** The URL for a currency's price; null when the source has no market for it. */
export function urlOf({ name, baseUrl }: SourceEndpoint, code: Currency.Code): string | null {
  const { paths }: Source = sources[name];
  const path = Object.hasOwn(paths, code) ? paths[code] : undefined;
  return path === undefined ? null : `${baseUrl}${path}`;
}

/**
 * Parses `kraken,bitstamp`, each optionally followed by `=https://…` to ask there instead, or `off`; undefined for
 * other texts.
 */
export function parseChosen(text: string): SourceEndpoint[] | undefined {
  if (text === "off") return [];
  const chosen = text.split(",").map((entry) => {
    const [, name = "", baseUrl] = /^\s*(\w+)(?:=(https?:\/\/[^\s?#@]+?)\/?)?\s*$/.exec(entry) ?? [];
    const source = names.find((each) => each === name);
    return source && { name: source, baseUrl: baseUrl ?? sources[source].baseUrl };
  });
  const endpoints = chosen.filter((each) => each !== undefined);
  const isOnceEach = new Set(endpoints.map(({ name }) => name)).size === chosen.length;
  return isOnceEach ? endpoints : undefined;
}

/** A price further from now than this, past or future, is not current. */
export const ageMaxMs = 10 * 60_000;

/** The code that asks for the price of 1 ETH in a currency, instead of that of 1 USDC. */
export const ofEther = (code: Currency.Code): Currency.Code => `ETH/${code}`;

/**
 * 1 USDC costs between half and two dollars or euros, and 1 ETH between a hundred and a hundred thousand; any other
 * answer is about something else.
 */
export const isPlausible = (rate: bigint, code: Currency.Code) =>
  code.startsWith("ETH/")
    ? rate >= Currency.rateUnit * 100n && rate <= Currency.rateUnit * 100_000n
    : rate >= Currency.rateUnit / 2n && rate <= Currency.rateUnit * 2n;

/** Maximum spread between bid and ask, as 1 in this many; a market with a wider one has no price. */
const spreadShare = 50n;

/** The middle between bid and ask, in 10⁻¹⁰ of the currency; a sentence when the answer is unusable. */
export function rateOf(name: SourceName, answer: unknown, code: Currency.Code, now: number): bigint | string {
  const read = (sources[name] as Source).read(answer);
  if (read === null) return "an answer of another form";
  const bid = Currency.scaled(read.bid);
  const ask = Currency.scaled(read.ask);
  if (bid === null || ask === null) return "a price that is none";
  if (ask < bid || (ask - bid) * spreadShare > bid)
    return `a market without a price: ${read.bid}, ${read.ask}`;
  if (read.at !== null && !(Math.abs(now - read.at) <= ageMaxMs)) return "a price of another time";
  const middle = (bid + ask) / 2n;
  return isPlausible(middle, code) ? middle : `an absurd price: ${read.bid}`;
}

function ticker(bid: unknown, ask: unknown, at: number | null): Ticker | null {
  return typeof bid === "string" && typeof ask === "string" ? { bid, ask, at } : null;
}

/** The fields of a JSON object; none for anything else. */
export function parts(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
