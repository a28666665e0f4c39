import * as Source from "../domain/rate/source.ts";
import { messageOf } from "../lib/error.ts";

/** How long a source has, to the last byte of its answer. */
const answerMaxMs = 3_000;

/** A ticker takes less than one KiB. */
const tickerBytesMax = 16 * 1024;

type Asking = { now: () => number; signal: AbortSignal };

/** What a source says 1 USDC costs, in 10⁻¹⁰ of the currency; in words, why it says nothing that can be used. */
export const ask = (name: Source.Name, url: string, { now, signal }: Asking): Promise<bigint | string> =>
  askFor(url, (answer) => Source.rateOf(name, answer, now()), { signal, answerBytesMax: tickerBytesMax });

/** What `read` makes of the JSON that comes from there; in words, why none came. */
export async function askFor<T>(
  url: string,
  read: (answer: unknown) => T,
  { signal, answerBytesMax }: { signal: AbortSignal; answerBytesMax: number },
): Promise<T | string> {
  const deadline = AbortSignal.timeout(answerMaxMs);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json", "user-agent": "Till" },
      signal: AbortSignal.any([signal, deadline]),
      redirect: "error",
    });
    if (!response.ok) return `HTTP ${response.status}`;
    return read(JSON.parse(await readText(response, answerBytesMax)));
  } catch (thrown) {
    if (deadline.aborted) return `no answer within ${answerMaxMs} ms`;
    return thrown instanceof SyntaxError ? "no JSON" : messageOf(thrown);
  }
}

async function readText(response: Response, answerBytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new RangeError(`more than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
