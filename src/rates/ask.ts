import { Readable } from "node:stream";
import * as Currency from "../domain/bill/currency.ts";
import type * as ReferenceRate from "../domain/bill/rate/reference.ts";
import * as Source from "../domain/bill/rate/source.ts";
import { hostOf, mayBePublic } from "../domain/event/webhook-url.ts";
import { messageOf } from "../lib/error.ts";
import { PrivateAddressError, publicLookup } from "../lib/net/address-guard.ts";
import { boundedText } from "../lib/net/bounded-text.ts";
import { world } from "../lib/world.ts";

/** Time limit of a source, to the last byte of its answer. */
const answerMaxMs = 3_000;

/** A source's answer that was not used. */
export type SourceFailure = {
  name: Source.SourceName | typeof ReferenceRate.source;
  code: Currency.Code;
  reason: string;
};

type Question = {
  sources: readonly Source.SourceEndpoint[];
  code: Currency.Code;
  /** Null where a source has no answer. */
  urlOf: (source: Source.SourceEndpoint) => string | null;
  /** Returns the price of 1 USDC in 10⁻¹⁰ of the currency; a sentence if an answer is unusable. */
  read: (name: Source.SourceName, answer: unknown) => bigint | string;
  answerBytesMax: number;
  publicOnly: boolean;
  /** The last trusted rate; null if there is none. */
  lastRate: bigint | null;
  /** Whether a single source is trusted when no other answers, and not only when no other was asked. */
  isOneEnough: boolean;
  signal: AbortSignal;
  onFailure: (failure: SourceFailure) => void;
};

/** The rate that sources agree on, and their names; null if none can be trusted. */
type Agreement = { rate: bigint; names: Source.SourceName[] };

/** Asks the sources in parallel. */
export async function askAll({
  code,
  read,
  lastRate,
  onFailure,
  ...question
}: Question): Promise<Agreement | null> {
  const requests = question.sources.flatMap((source) => {
    const url = question.urlOf(source);
    const publicOnly = question.publicOnly && Source.isElsewhere(source);
    return url === null ? [] : [{ name: source.name, url, publicOnly }];
  });
  const answers = await Promise.all(
    requests.map(async ({ name, url, publicOnly }) => ({
      name,
      rate: await ask(url, (text) => read(name, JSON.parse(text)), { ...question, answerMaxMs, publicOnly }),
    })),
  );
  const quotes = answers.flatMap(({ name, rate }) => {
    if (typeof rate === "bigint") return [{ name, rate }];
    onFailure({ name, code, reason: rate });
    return [];
  });
  const agreed = consensus(quotes, question.isOneEnough ? quotes.length : requests.length, lastRate);
  for (const { name, rate } of agreed?.dropped ?? quotes)
    onFailure({ name, code, reason: `${Currency.formatRate(rate)}, which nothing confirms` });
  return agreed && { rate: agreed.rate, names: agreed.believed.map(({ name }) => name) };
}

type AskOptions = {
  signal: AbortSignal;
  answerBytesMax: number;
  /** For the whole answer, to the last byte. */
  answerMaxMs: number;
  /** Connects to public addresses only. */
  publicOnly: boolean;
  method?: "GET" | "POST";
};

const headers = { accept: "application/json, text/xml", "user-agent": "Till" };

/** Replaces `fetch`, which cannot check the address it connects to. */
function getPublic(url: URL, signal: AbortSignal): Promise<Response> {
  if (!mayBePublic(hostOf(url))) return Promise.reject(new PrivateAddressError(hostOf(url)));
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const plain = { ...headers, "accept-encoding": "identity", connection: "close" };
  const request = world.request(url, { agent: false, lookup: publicLookup(), signal, headers: plain });
  request.on("error", reject);
  request.on("response", (answer) => {
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return resolve(new Response(Readable.toWeb(answer) as ReadableStream));
    request.destroy();
    reject(new Error(`HTTP ${status}`));
  });
  request.end();
  return promise;
}

/** Returns the result of `read` on the answer's text; a sentence if there was none. */
export async function ask<T>(
  url: string,
  read: (text: string) => T | Promise<T>,
  { signal, answerBytesMax, answerMaxMs, publicOnly, method = "GET" }: AskOptions,
): Promise<T | string> {
  const deadline = world.timeout(answerMaxMs);
  const ended = AbortSignal.any([signal, deadline]);
  try {
    const response = publicOnly
      ? await getPublic(new URL(url), ended)
      : await world.fetch(url, { method, headers, signal: ended, redirect: "error" });
    if (!response.ok) return `HTTP ${response.status}`;
    return await read(await boundedText(response, answerBytesMax));
  } catch (thrown) {
    if (deadline.aborted) return `no answer within ${answerMaxMs} ms`;
    return thrown instanceof SyntaxError ? "no JSON" : messageOf(thrown);
  }
}

/** A source's price of 1 USDC, in 10⁻¹⁰ of the currency. */
type SourceRate = { name: Source.SourceName; rate: bigint };

/** Rates within a fiftieth of each other belong to one market at one time. */
const nearShare = 50n;

const isNear = (rate: bigint, to: bigint) => (rate > to ? rate - to : to - rate) * nearShare <= to;

type Consensus = { rate: bigint; believed: SourceRate[]; dropped: SourceRate[] };

/**
 * The median of the sources' rates. Of three, one far from the middle is dropped. Two must be near each other. An
 * unconfirmed rate is trusted only near the last trusted one (`lastRate`, null without one), or if there is no other
 * source to ask (`sourceCount`), as somebody chose that one alone. Null if nothing can be trusted.
 */
function consensus(
  quotes: readonly SourceRate[],
  sourceCount: number,
  lastRate: bigint | null,
): Consensus | null {
  // Not the average of two: each might be near it and far from the other.
  const middle = quotes.map(({ rate }) => rate).sort(byRate)[Math.floor((quotes.length - 1) / 2)];
  const close = quotes.filter(({ rate }) => middle !== undefined && isNear(rate, middle));
  const isEnough = close.length > 1 || (close.length === 1 && sourceCount === 1);
  const believed = isEnough
    ? close
    : quotes.filter(({ rate }) => lastRate !== null && isNear(rate, lastRate));
  const rate = median(believed);
  if (rate === null) return null;
  return { rate, believed, dropped: quotes.filter((each) => !believed.includes(each)) };
}

function byRate(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** For an even number, the average of the middle two. */
function median(quotes: readonly SourceRate[]): bigint | null {
  const rates = quotes.map(({ rate }) => rate).sort(byRate);
  const low = rates[Math.floor((rates.length - 1) / 2)];
  const high = rates[Math.floor(rates.length / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2n;
}
