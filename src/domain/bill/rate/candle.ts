import * as Currency from "../currency.ts";
import { isPlausible, parts, type SourceEndpoint, type SourceName } from "./source.ts";

/** Hourly prices from exchanges: the closing price of a completed hour. */

export const hourMs = 3_600_000;

/** The start of the hour a time falls in. Both are Unix milliseconds. */
export const hourOf = (ms: number) => Math.floor(ms / hourMs) * hourMs;

type Candle = { low: string; high: string; close: string };

type Source = {
  /** Path for the hour beginning at `sec`, in Unix seconds; currencies without a market are missing. */
  paths: Readonly<Record<Currency.Code, (sec: number) => string>>;
  /** Null when the answer does not contain that hour. */
  read(answer: unknown, sec: number): Candle | null;
};

const kraken = (pair: string) => (sec: number) => `/0/public/OHLC?pair=${pair}&interval=60&since=${sec - 1}`;

const bitstamp = (pair: string) => (sec: number) =>
  `/api/v2/ohlc/${pair}/?step=3600&limit=2&start=${sec}&end=${sec + 3600}`;

const time = (sec: number) => new Date(sec * 1000).toISOString();

const coinbase = (pair: string) => (sec: number) =>
  `/products/${pair}/candles?granularity=3600&start=${time(sec)}&end=${time(sec + 3599)}`;

const sources: Record<SourceName, Source> = {
  kraken: {
    paths: {
      EUR: kraken("USDCEUR"),
      USD: kraken("USDCUSD"),
      "ETH/EUR": kraken("ETHEUR"),
      "ETH/USD": kraken("ETHUSD"),
    },
    read(answer, sec) {
      const { error, result } = parts(answer);
      if (!Array.isArray(error) || error.length > 0) return null;
      const { last: _, ...pairs } = parts(result);
      const [, , high, low, close] = rowOf(Object.values(pairs)[0], sec);
      return candle(low, high, close);
    },
  },
  coinbase: {
    paths: {
      EUR: coinbase("USDC-EUR"),
      "ETH/EUR": coinbase("ETH-EUR"),
      "ETH/USD": coinbase("ETH-USD"),
    },
    read(answer, sec) {
      const [, low, high, , close] = rowOf(answer, sec);
      return candle(low, high, close);
    },
  },
  bitstamp: {
    paths: {
      EUR: bitstamp("usdceur"),
      USD: bitstamp("usdcusd"),
      "ETH/EUR": bitstamp("etheur"),
      "ETH/USD": bitstamp("ethusd"),
    },
    read(answer, sec) {
      const { ohlc } = parts(parts(answer)["data"]);
      const rows = Array.isArray(ohlc) ? ohlc.map(parts) : [];
      const { low, high, close } = rows.find(({ timestamp }) => timestamp === String(sec)) ?? {};
      return candle(low, high, close);
    },
  },
};

/** The URL for the candle of an hour; null when the source has no market for the currency. */
export function urlOf({ name, baseUrl }: SourceEndpoint, code: Currency.Code, hour: number): string | null {
  const { paths } = sources[name];
  const path = Object.hasOwn(paths, code) ? paths[code] : undefined;
  return path === undefined ? null : baseUrl + path(hour / 1000);
}

/** The closing price of the hour, in 10⁻¹⁰ of the currency; a sentence when the answer has none. */
export function closeOf(
  name: SourceName,
  answer: unknown,
  code: Currency.Code,
  hour: number,
): bigint | string {
  const read = sources[name].read(answer, hour / 1000);
  if (read === null) return "an answer without that hour";
  const [low, high, close] = [read.low, read.high, read.close].map(Currency.scaled);
  if (low == null || high == null || close == null) return "a price that is none";
  if (close < low || close > high) return `a price outside of its hour: ${read.close}`;
  return isPlausible(close, code) ? close : `an absurd price: ${read.close}`;
}

/** Finds the row of numbers that begins with a time in seconds. */
function rowOf(rows: unknown, sec: number): unknown[] {
  const match = Array.isArray(rows) && rows.find((row) => Array.isArray(row) && row[0] === sec);
  return Array.isArray(match) ? match : [];
}

/** Exchanges write prices as strings or as numbers. */
function candle(low: unknown, high: unknown, close: unknown): Candle | null {
  const isPrice = (value: unknown) => typeof value === "string" || typeof value === "number";
  return [low, high, close].every(isPrice)
    ? { low: String(low), high: String(high), close: String(close) }
    : null;
}
