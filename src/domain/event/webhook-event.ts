import { hmacSha256, idFrom } from "../../lib/crypto.ts";
import { instant } from "../../lib/time.ts";
import * as Invoice from "../bill/invoice.ts";
import type * as Link from "../link/link.ts";
import * as Usdc from "../usdc.ts";
import type { FullType } from "./event.ts";

/**
 * The bodies of webhook events. A body is made once and kept: receivers verify a signature over its bytes, so
 * every attempt has to send the same ones.
 */

/** How the secret that signs them starts (Standard Webhooks 1.0.0); base64 follows. */
export const secretPrefix = "whsec_";

type InvoiceEvent = {
  /** UUID */
  invoiceId: string;
  /** `INV-…` */
  invoiceNumber: string;
  total: Usdc.Usdc;
  status: Invoice.ReportedStatus;
} & Invoice.Annotations;

type LinkEvent = {
  slug: string;
  expected: Usdc.Usdc;
  received: Usdc.Usdc;
  status: Link.ReportedStatus;
} & Invoice.Annotations;

/**
 * The id of the event of a deposit with this salt that reaches `status`. It is the same when a payment is credited once
 * more, as after a backup was restored: receivers tell by it that they have had the event (Standard Webhooks).
 */
export function id(salt: string, status: string): string {
  return idFrom("evt", hmacSha256(salt, status));
}

/**
 * The JSON text for an invoice that reached a payment status. It has exactly these five fields in this order, and then
 * what was given of the merchant's own; `event` is the same for all three statuses (SPEC section 6).
 */
export function invoiceBody({ invoiceId, invoiceNumber, total, status, ...own }: InvoiceEvent): string {
  return JSON.stringify({
    event: "invoice.paid",
    invoice_id: invoiceId,
    invoice_number: invoiceNumber,
    total_amount: Usdc.format(total),
    status,
    ...Invoice.annotationFields(own),
  });
}

/** The JSON text for a payment link that reached a payment status; the received amount is rounded down. */
export function linkBody({ slug, expected, received, status, ...own }: LinkEvent): string {
  return JSON.stringify({
    event: "link.paid",
    slug,
    expected_amount: Usdc.format(expected),
    received_amount: Usdc.format(received),
    status,
    ...Invoice.annotationFields(own),
  });
}

/** The type of what is sent to try an endpoint; no event has it. */
export const testType = "endpoint.test";

export const testBody = (endpointId: string, at: number): string =>
  standardBody({ type: testType, at, data: { endpoint_id: endpointId } });

/** The JSON text for an event in the standard form; `at` is Unix milliseconds (Standard Webhooks 1.0.0). */
export function standardBody(event: { type: FullType | typeof testType; at: number; data: object }): string {
  return JSON.stringify({ type: event.type, timestamp: instant(event.at), data: event.data });
}
