import type { AnnouncedType } from "./event.ts";

/** What plugins of shops are told by webhook, in the words of BTCPay's Greenfield API. */
export const shopEventTypes = [
  "InvoiceReceivedPayment",
  "InvoicePaymentSettled",
  "InvoiceSettled",
  "InvoiceExpired",
  "InvoiceInvalid",
] as const;

type ShopEventType = (typeof shopEventTypes)[number];

/** Of money that came, which a plugin notes: the others decide what becomes of an order. */
export const informing: readonly ShopEventType[] = ["InvoiceReceivedPayment", "InvoicePaymentSettled"];

export type ShopEvent = { type: ShopEventType; fields: Readonly<Record<string, boolean>> };

/**
 * `isLate`: the money came after the link's time, and `isExpiryTold`: the plugin was told of that. Whether all was paid before
 * the event (`wasSettled`) and is after it.
 */
type Facts = {
  isLate: boolean;
  isExpiryTold: boolean;
  wasSettled: boolean;
  isSettled: boolean;
  hasMoney: boolean;
};

/**
 * The webhooks that one event of a link makes, in order. A plugin completes its order at `InvoiceSettled` without asking
 * again: it is told that once all is confirmed, in time, and not when more comes, as it may have gone on since.
 */
export function shopEvents(
  type: AnnouncedType,
  { isLate, isExpiryTold, wasSettled, isSettled, hasMoney }: Facts,
): ShopEvent[] {
  const afterExpiration = isLate;
  const expired: ShopEvent = { type: "InvoiceExpired", fields: { partiallyPaid: hasMoney } };
  const payment: ShopEvent[] = [
    // Only an order that it took for expired is marked as paid late.
    ...(isLate && !isExpiryTold ? [expired] : []),
    { type: "InvoiceReceivedPayment", fields: { afterExpiration } },
    { type: "InvoicePaymentSettled", fields: { afterExpiration } },
  ];
  const settled = (overPaid: boolean, manuallyMarked = false): ShopEvent[] =>
    wasSettled ? [] : [{ type: "InvoiceSettled", fields: { manuallyMarked, overPaid } }];
  switch (type) {
    case "partially_paid":
    case "unexpected_payment":
      return payment;
    case "paid":
    case "overpaid":
      return isLate ? payment : [...payment, ...settled(type === "overpaid")];
    case "marked_paid":
      return settled(false, true);
    case "payment_reversed":
      // Of too much, the chain can take back some, and it is still paid.
      return wasSettled && !isSettled ? [{ type: "InvoiceInvalid", fields: { manuallyMarked: false } }] : [];
    case "voided":
      return [{ type: "InvoiceInvalid", fields: { manuallyMarked: true } }];
    case "expired":
      return [expired];
    default:
      return [];
  }
}

type Delivery = { id: string; endpointId: string; storeId: string; slug: string; metadata: string | null };

/** The JSON text of one webhook, with what the plugin said of its order as it came; `at` is Unix milliseconds. */
export function shopEventBody(
  { type, fields }: ShopEvent,
  { id, endpointId, storeId, slug, metadata }: Delivery,
  at: number,
): string {
  const body = {
    deliveryId: id,
    webhookId: endpointId,
    originalDeliveryId: id,
    isRedelivery: false,
    type,
    timestamp: Math.floor(at / 1_000),
    storeId,
    invoiceId: slug,
    ...fields,
  };
  return `${JSON.stringify(body).slice(0, -1)},"metadata":${metadata ?? "{}"}}`;
}
