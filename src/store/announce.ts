import type * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Endpoint from "../domain/event/endpoint.ts";
import * as Event from "../domain/event/event.ts";
import { informing, shopEventBody, shopEvents } from "../domain/event/shop-event.ts";
import * as WebhookEvent from "../domain/event/webhook-event.ts";
import { isPaidLate, isSettled } from "../domain/link/shop-status.ts";
import type { Kind, WebhookForm } from "../domain/receivable/common.ts";
import type { ReportedStatus } from "../domain/receivable/receivable.ts";
import { invoiceRecord } from "../domain/record/invoice.ts";
import { linkRecord } from "../domain/record/link.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Db } from "./database.ts";
import { receivableAt } from "./reports/receivable.ts";
import * as DepositStore from "./tables/invoicing/deposit.ts";
import * as LinkStore from "./tables/invoicing/link.ts";
import type * as ReceivableStore from "./tables/invoicing/receivable.ts";
import * as EndpointStore from "./tables/outbox/endpoint.ts";
import * as EventStore from "./tables/outbox/event.ts";
import * as WebhookEventStore from "./tables/outbox/webhook-event.ts";
import * as DepositTransferStore from "./tables/watch/deposit-transfer.ts";

/** The settings that events and receipts are recorded with. `baseUrl` has no trailing slash. */
export type RecordSettings = { baseUrl: string; timeZone: string; receiptNumber: InvoiceNumber.Pattern };

/** The invoice or link of an event, identified by its deposit, with its webhook. */
export type EventSubject = {
  kind: Kind;
  depositIndex: number;
  /** Null without a webhook. */
  webhookUrl: string | null;
  webhookEvents: WebhookForm;
  /** Sealed for the deposit. */
  sealedSecret: string | null;
};

export type Happening = {
  type: Event.Type;
  /** Distinguishes events of one type for the same invoice or link; see `Event.id`. */
  occasion: string;
  /** Data for programs. */
  data?: Readonly<Record<string, unknown>>;
  /** The previous status, if it may have changed. */
  from?: string;
  /** Unix time in milliseconds. */
  at: number;
};

/**
 * Records an event of an invoice or a link, and queues a webhook for its own receiver, if that wants one per event, and
 * for each endpoint that receives the event. Call it in the transaction of the change, after the change: webhooks carry
 * the record as it is then. Returns whether any was queued; an event that is already recorded is not recorded again.
 */
export function announce(
  db: Db,
  recordSettings: RecordSettings,
  subject: EventSubject,
  happening: Happening,
): boolean {
  const { kind, depositIndex, webhookUrl: url, sealedSecret: secret } = subject;
  const { type, data, from, at } = happening;
  const id = note(db, subject, happening);
  if (id === null || !Event.isAnnounced(type)) return false;
  const isWanted = subject.webhookEvents === "standard" && url !== null && secret !== null;
  const endpoints = EndpointStore.listActive(db);
  const ofStores = endpoints.filter(({ storeId }) => storeId !== null);
  const isStoreTold = ofStores.length > 0 && tellStores(db, ofStores, { id, type, from, at }, depositIndex);
  if (!isWanted && endpoints.length === ofStores.length) return isStoreTold;
  const record = recordOf(db, recordSettings, depositIndex, at);
  const fullType = `${kind}.${type}` as const;
  const hearing = endpoints.filter((each) => Endpoint.hears(each, fullType, record.merchant_email));
  if (!isWanted && hearing.length === 0) return isStoreTold;
  const body = WebhookEvent.standardBody({ type: fullType, at, data: { [kind]: record, ...data } });
  const webhook = { depositIndex, status: record.status, body, createdAt: at };
  if (isWanted) WebhookEventStore.insert(db, { ...webhook, id, url, secret });
  for (const { id: endpointId, url } of hearing)
    WebhookEventStore.insert(db, {
      ...webhook,
      id: Endpoint.webhookId(endpointId, id),
      url,
      endpointId,
      eventId: id,
    });
  return true;
}

/** Queues the webhooks for the plugin of the link's store. Returns whether there are any. */
function tellStores(
  db: Db,
  endpoints: readonly Endpoint.Endpoint[],
  { id, type, from, at }: { id: string; type: Event.AnnouncedType; from: string | undefined; at: number },
  depositIndex: number,
): boolean {
  const origin = LinkStore.ofStore(db, depositIndex);
  const link = origin && LinkStore.byDeposit(db, depositIndex);
  if (!link) return false;
  const paidAt =
    DepositTransferStore.paidAt(db, link.deposit) ?? DepositTransferStore.lastMadeAt(db, depositIndex);
  const events = shopEvents(type, {
    isLate: isPaidLate({ ...link, completedAt: paidAt }),
    isExpiryTold: EventStore.count(db, depositIndex, "link.expired") > 0,
    wasSettled: isSettled(from ?? link.status),
    isSettled: isSettled(link.status),
    hasMoney: Usdc.shows(link.deposit.received),
  });
  let isTold = false;
  for (const { id: endpointId, url, storeId, storeTypes } of endpoints) {
    if (storeId !== origin.storeId) continue;
    for (const [place, event] of events.entries()) {
      if (storeTypes !== null && !storeTypes.includes(event.type)) continue;
      const webhookId = Endpoint.webhookId(endpointId, place === 0 ? id : `${id} ${event.type}`);
      const delivery = { ...origin, id: webhookId, endpointId, slug: link.slug };
      const informs = informing.includes(event.type);
      const webhook = {
        id: webhookId,
        depositIndex,
        status: link.status,
        url,
        endpointId,
        eventId: id,
        informs,
      };
      const body = shopEventBody(event, delivery, at);
      isTold = WebhookEventStore.insert(db, { ...webhook, body, createdAt: at }) || isTold;
    }
  }
  return isTold;
}

/** Records an event for the merchant only. Returns its id; null if it was already recorded. */
export function note(
  db: Db,
  { kind, depositIndex }: Pick<EventSubject, "kind" | "depositIndex">,
  { type, occasion, data = {}, at }: Happening,
): string | null {
  const id = Event.id(DepositStore.salt(db, depositIndex), type, occasion);
  const event = { id, depositIndex, type: `${kind}.${type}`, data, createdAt: at } as const;
  return EventStore.insert(db, event) ? id : null;
}

function recordOf(db: Db, { baseUrl, timeZone }: RecordSettings, depositIndex: number, at: number) {
  const receivable = receivableAt(db, depositIndex);
  return receivable.kind === "invoice"
    ? invoiceRecord(baseUrl, receivable, Calendar.dayAt(at, timeZone))
    : linkRecord(baseUrl, receivable);
}

/**
 * Queues the contract's webhook (SPEC section 6), in the transaction of the change that it reports. Returns whether it
 * was queued: not without a receiver, nor for a status already reported. `at` is Unix milliseconds.
 */
export function report(
  db: Db,
  brief: ReceivableStore.Brief,
  { status, at }: { status: ReportedStatus | null; at: number },
): boolean {
  const { depositIndex, webhookUrl: url, sealedSecret: secret } = brief;
  if (status === null || brief.webhookEvents !== "contract" || url === null || secret === null) return false;
  const id = WebhookEvent.id(DepositStore.salt(db, depositIndex), status);
  const body = WebhookEvent.contractBody({ ...brief, status });
  return WebhookEventStore.insert(db, { id, depositIndex, status, url, secret, body, createdAt: at });
}
