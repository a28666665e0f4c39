import { hmacSha256, idFrom } from "../../lib/crypto.ts";
import { instant } from "../../lib/time.ts";
import type * as Invoice from "../bill/invoice.ts";
import type * as Link from "../link/link.ts";
import type { Kind } from "../receivable/common.ts";
import * as Common from "../receivable/common.ts";
import * as Usdc from "../usdc.ts";
import type { FullType } from "./event.ts";

/**
 * Bodies of webhook events. A body is built once and stored: receivers verify a signature over its bytes, so every
 * attempt must send the same ones.
 */

/** Prefix of signing secrets (Standard Webhooks 1.0.0); base64 follows. */
export const secretPrefix = "whsec_";

/** An invoice or a link, with the payment status it reached. */
type Reached = {
  kind: Kind;
  /** UUID of an invoice, slug of a link. */
  id: string;
  /** `INV-…`, or the slug. */
  name: string;
  /** As issued or quoted; `expected` is the amount due now. */
  total: Usdc.Usdc;
  expected: Usdc.Usdc;
  received: Usdc.Usdc;
  status: Invoice.ReportedStatus | Link.ReportedStatus;
} & Common.Annotations;

/**
 * The id of the event in which the deposit with this salt reaches `status`. It stays the same when a payment is
 * credited again, as after a backup is restored, so that receivers can detect duplicates (Standard Webhooks).
 */
export function id(salt: string, status: string): string {
  return idFrom("evt", hmacSha256(salt, status));
}

/**
 * Fields of the contract's webhook for each kind (SPEC section 6). `event` is the same for all statuses; amounts are
 * rounded down.
 */
const contractFields = {
  invoice: ({ id, name, total }: Reached) => ({
    event: "invoice.paid",
    invoice_id: id,
    invoice_number: name,
    total_amount: Usdc.format(total),
  }),
  link: ({ id, expected, received }: Reached) => ({
    event: "link.paid",
    slug: id,
    expected_amount: Usdc.format(expected),
    received_amount: Usdc.format(received),
  }),
};

/** The JSON of the contract's webhook: exactly these fields in this order, then the merchant's annotations. */
export const contractBody = (reached: Reached): string =>
  JSON.stringify({
    ...contractFields[reached.kind](reached),
    status: reached.status,
    ...Common.annotationFields(reached),
  });

/** The type of a test delivery; no real event has it. */
export const testType = "endpoint.test";

export const testBody = (endpointId: string, at: number): string =>
  standardBody({ type: testType, at, data: { endpoint_id: endpointId } });

/** The JSON of an event in the standard form; `at` is Unix milliseconds (Standard Webhooks 1.0.0). */
export function standardBody(event: { type: FullType | typeof testType; at: number; data: object }): string {
  return JSON.stringify({ type: event.type, timestamp: instant(event.at), data: event.data });
}
