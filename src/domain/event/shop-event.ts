import type { AnnouncedType } from "./event.ts";

/** Webhooks for shop plugins, in the terms of BTCPay's Greenfield API. */
export const shopEventTypes = [
  "InvoiceReceivedPayment",
  "InvoicePaymentSettled",
  "InvoiceSettled",
  "InvoiceExpired",
  "InvoiceInvalid",
] as const;

type ShopEventType = (typeof shopEventTypes)[number];

/** Events about incoming money, which a plugin merely records: the other types decide on the order. */
export const informing: readonly ShopEventType[] = ["InvoiceReceivedPayment", "InvoicePaymentSettled"];

export type ShopEvent = { type: ShopEventType; fields: Readonly<Record<string, boolean>> };

/**
 * `isLate`: the money arrived after the link expired; `isExpiryTold`: the plugin was told of that. `wasSettled` and
 * `isSettled`: fully paid before and after the event.
 */
type Facts = {
  isLate: boolean;
  isExpiryTold: boolean;
  wasSettled: boolean;
  isSettled: boolean;
  hasMoney: boolean;
};

/**
 * Returns the webhooks for one event of a link, in order. A plugin completes its order at `InvoiceSettled` without
 * checking again, so that is sent only once everything is confirmed, in time, and not for later money, as the order may
 * have moved on.
 */
export function shopEvents(
  type: AnnouncedType,
  { isLate, isExpiryTold, wasSettled, isSettled, hasMoney }: Facts,
): ShopEvent[] {
  const afterExpiration = isLate;
  const expired: ShopEvent = { type: "InvoiceExpired", fields: { partiallyPaid: hasMoney } };
  const payment: ShopEvent[] = [
    // Plugins mark an order as paid late only if they hold it for expired.
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
      // After an overpayment the chain can take some back and leave it paid.
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

/** The JSON of one webhook, with the plugin's own metadata unchanged; `at` is Unix milliseconds. */
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
