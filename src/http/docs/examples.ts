import recorded from "./examples.json" with { type: "json" };

/**
 * What /docs and /openapi.json show: an invoice, a link and what becomes of them, as a Till at `recordedAt` answered. A
 * test holds every example against its schema and against a real Till.
 */
const recordedAt = "https://till.example";

export type Examples = {
  /** The value of each path parameter. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Bodies by title. */
  requests?: Record<string, object>;
  /** Absent when the answer is not JSON. */
  answer?: object;
};

type All = {
  /** By `GET /path`. */
  calls: Record<string, Examples>;
  /** Bodies as they are signed and sent. */
  webhooks: Record<"invoice" | "link" | "standardInvoice" | "standardLink", string>;
  /** What the first of these is delivered with. */
  signed: { secret: string; id: string; timestampSec: number };
  /** The answer of a Till that is not ready. */
  notReady: object;
  /** What x402 asks for. */
  paymentRequired: object;
};

/** The examples of a Till at `baseUrl`. */
export const examplesAt = (baseUrl: string): All =>
  JSON.parse(JSON.stringify(recorded).replaceAll(recordedAt, baseUrl));
