import * as Currency from "../currency.ts";

/** Exchanges that tell everybody, without a key, at what USDC is bought and sold. */

/** What an exchange says of a pair now: `at` is when, in Unix milliseconds; null when it does not say. */
type Ticker = { bid: string; ask: string; at: number | null };

type Source = {
  /** As people know it. */
  label: string;
  baseUrl: string;
  /** Where it tells of a currency; one that is missing it has no market for. */
  paths: Readonly<Record<Currency.Code, string>>;
  /** Null for an answer of another form. */
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
  // It changes USDC into USD one for one, so there is no market of the two.
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

/** Where a source is asked. */
export type SourceEndpoint = { name: SourceName; baseUrl: string };

/** Whether it is asked elsewhere than everybody asks it. */
export const isElsewhere = ({ name, baseUrl }: SourceEndpoint): boolean => baseUrl !== sources[name].baseUrl;

/** The address at which a source tells of a currency; null when it has none. */
export function urlOf({ name, baseUrl }: SourceEndpoint, code: Currency.Code): string | null {
  const { paths }: Source = sources[name];
  const path = Object.hasOwn(paths, code) ? paths[code] : undefined;
  return path === undefined ? null : `${baseUrl}${path}`;
}

/** `kraken,bitstamp`, each perhaps with `=https://…` where it is asked instead, or `off`; undefined for other texts. */
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

/** What is further away than this, in either direction, is no current price. */
export const ageMaxMs = 10 * 60_000;

/** The code by which the price of 1 ETH in a currency is asked for, in the place of that of 1 USDC. */
export const ofEther = (code: Currency.Code): Currency.Code => `ETH/${code}`;

/**
 * A dollar and a euro are never further from 1 USDC than by half of it or twice it, or the answer is of something else. 1 ETH
 * costs a hundred of them or a hundred thousand.
 */
export const isPlausible = (rate: bigint, code: Currency.Code) =>
  code.startsWith("ETH/")
    ? rate >= Currency.rateUnit * 100n && rate <= Currency.rateUnit * 100_000n
    : rate >= Currency.rateUnit / 2n && rate <= Currency.rateUnit * 2n;

/** Between what is bid and what is asked; a market with more between them has no price. */
const spreadShare = 50n;

/** The middle between bid and ask, in 10⁻¹⁰ of the currency; in words, why the answer is none. */
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

/** The fields of an object of JSON; none of anything else. */
export function parts(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
