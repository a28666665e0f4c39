import * as Currency from "../domain/bill/currency.ts";
import { consensus } from "../domain/bill/rate/consensus.ts";
import type * as ReferenceRate from "../domain/bill/rate/reference.ts";
import type * as Source from "../domain/bill/rate/source.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { messageOf } from "../lib/error.ts";

/** How long a source has, to the last byte of its answer. */
const answerMaxMs = 3_000;

/** What a source said that was not used. */
export type SourceFailure = {
  name: Source.SourceName | typeof ReferenceRate.source;
  code: Currency.Code;
  reason: string;
};

type Question = {
  sources: readonly Source.SourceEndpoint[];
  code: Currency.Code;
  /** Null where a source has nothing to tell. */
  urlOf: (source: Source.SourceEndpoint) => string | null;
  /** What 1 USDC costs, in 10⁻¹⁰ of the currency; in words, why an answer says nothing that can be used. */
  read: (name: Source.SourceName, answer: unknown) => bigint | string;
  answerBytesMax: number;
  /** The last rate that was believed; null when there is none. */
  lastRate: bigint | null;
  /** Whether one source is believed when no other has an answer, and not only when no other was asked. */
  isOneEnough: boolean;
  signal: AbortSignal;
  onFailure: (failure: SourceFailure) => void;
};

/** What those who are asked agree about, and who they are; null when nothing can be believed. */
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
    return url === null ? [] : [{ name: source.name, url }];
  });
  const answers = await Promise.all(
    requests.map(async ({ name, url }) => ({
      name,
      rate: await ask(url, (text) => read(name, JSON.parse(text)), { ...question, answerMaxMs }),
    })),
  );
  const said = answers.flatMap(({ name, rate }) => {
    if (typeof rate === "bigint") return [{ name, rate }];
    onFailure({ name, code, reason: rate });
    return [];
  });
  const agreed = consensus(said, question.isOneEnough ? said.length : requests.length, lastRate);
  for (const { name, rate } of agreed?.dropped ?? said)
    onFailure({ name, code, reason: `${Currency.formatRate(rate)}, which nothing confirms` });
  return agreed && { rate: agreed.rate, names: agreed.believed.map(({ name }) => name) };
}

type AskOptions = {
  signal: AbortSignal;
  answerBytesMax: number;
  /** For all of it, to the last byte. */
  answerMaxMs: number;
};

/** What `read` makes of the text that comes from there; in words, why none came. */
export async function ask<T>(
  url: string,
  read: (text: string) => T | Promise<T>,
  { signal, answerBytesMax, answerMaxMs }: AskOptions,
): Promise<T | string> {
  const deadline = AbortSignal.timeout(answerMaxMs);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json, text/xml", "user-agent": "Till" },
      signal: AbortSignal.any([signal, deadline]),
      redirect: "error",
    });
    if (!response.ok) return `HTTP ${response.status}`;
    return await read(await boundedText(response, answerBytesMax));
  } catch (thrown) {
    if (deadline.aborted) return `no answer within ${answerMaxMs} ms`;
    return thrown instanceof SyntaxError ? "no JSON" : messageOf(thrown);
  }
}
