import { hmacSha256, idFrom } from "../../lib/crypto.ts";
import { instant } from "../../lib/time.ts";
import type * as Invoice from "../bill/invoice.ts";
import type * as Link from "../link/link.ts";
import type { Kind } from "../receivable/common.ts";
import * as Common from "../receivable/common.ts";
import * as Usdc from "../usdc.ts";
import type { FullType } from "./event.ts";

/**
 * The bodies of webhook events. A body is made once and kept: receivers verify a signature over its bytes, so
 * every attempt has to send the same ones.
 */

/** How the secret that signs them starts (Standard Webhooks 1.0.0); base64 follows. */
export const secretPrefix = "whsec_";

/** What is owed, and the payment status that it reached. */
type Reached = {
  kind: Kind;
  /** UUID of an invoice, slug of a link. */
  id: string;
  /** `INV-…`, or the slug. */
  name: string;
  /** As it was issued or quoted; `expected` is what is due now. */
  total: Usdc.Usdc;
  expected: Usdc.Usdc;
  received: Usdc.Usdc;
  status: Invoice.ReportedStatus | Link.ReportedStatus;
} & Common.Annotations;

/**
 * The id of the event of a deposit with this salt that reaches `status`. It is the same when a payment is credited once
 * more, as after a backup was restored: receivers tell by it that they have had the event (Standard Webhooks).
 */
export function id(salt: string, status: string): string {
  return idFrom("evt", hmacSha256(salt, status));
}

/** What the contract's webhook says of each (SPEC section 6). `event` is the same for all statuses; amounts are rounded down. */
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

/** The JSON text of the contract's webhook: exactly these fields in this order, then what was given of the merchant's own. */
export const contractBody = (reached: Reached): string =>
  JSON.stringify({
    ...contractFields[reached.kind](reached),
    status: reached.status,
    ...Common.annotationFields(reached),
  });

/** The type of what is sent to try an endpoint; no event has it. */
export const testType = "endpoint.test";

export const testBody = (endpointId: string, at: number): string =>
  standardBody({ type: testType, at, data: { endpoint_id: endpointId } });

/** The JSON text for an event in the standard form; `at` is Unix milliseconds (Standard Webhooks 1.0.0). */
export function standardBody(event: { type: FullType | typeof testType; at: number; data: object }): string {
  return JSON.stringify({ type: event.type, timestamp: instant(event.at), data: event.data });
}
