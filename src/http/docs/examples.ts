import recorded from "./examples.json" with { type: "json" };

/**
 * The examples in /docs and /openapi.json: an invoice, a link and their history, as a Till at `recordedAt` responded. A
 * test checks every example against its schema and against a real Till.
 */
const recordedAt = "https://till.example";

export type Examples = {
  /** The value of each path parameter. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Bodies by title. */
  requests?: Record<string, object>;
  /** Absent if the response is not JSON. */
  answer?: object;
};

type All = {
  /** By `GET /path`. */
  calls: Record<string, Examples>;
  /** Bodies as signed and sent. */
  webhooks: Record<"invoice" | "link" | "standardInvoice" | "standardLink", string>;
  /** Signing values of the first of these deliveries. */
  signed: { secret: string; id: string; timestampSec: number };
  /** The response of a Till that is not ready. */
  notReady: object;
  /** The response to an x402 request without a payment. */
  paymentRequired: object;
};

/** Returns the examples of a Till at `baseUrl`. */
export const examplesAt = (baseUrl: string): All =>
  JSON.parse(JSON.stringify(recorded).replaceAll(recordedAt, baseUrl));
