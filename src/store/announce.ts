import type { WebhookForm } from "../domain/bill/invoice.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Event from "../domain/event/event.ts";
import * as WebhookEvent from "../domain/event/webhook-event.ts";
import { invoiceRecord, linkRecord } from "../domain/record.ts";
import type { Db } from "./database.ts";
import * as DepositStore from "./tables/invoicing/deposit.ts";
import * as InvoiceStore from "./tables/invoicing/invoice.ts";
import * as LinkStore from "./tables/invoicing/link.ts";
import * as EventStore from "./tables/outbox/event.ts";
import * as WebhookEventStore from "./tables/outbox/webhook-event.ts";

/** Where this Till is, and when its day begins: what is told of it depends on both. `baseUrl` ends without a slash. */
export type Site = { baseUrl: string; timeZone: string };

/** What an event is told of: an invoice or a link, by its deposit, and its webhook. */
export type EventSubject = {
  kind: Event.Kind;
  depositIndex: number;
  /** Null without a webhook. */
  webhookUrl: string | null;
  webhookEvents: WebhookForm;
  /** Sealed for the deposit. */
  sealedSecret: string | null;
};

export type Happening = {
  type: Event.Type;
  /** Tells it from others of its type that happen to the same invoice or link; see `Event.id`. */
  occasion: string;
  /** What there is to say of it, for a program. */
  data?: Readonly<Record<string, unknown>>;
  /** Unix time in milliseconds. */
  at: number;
};

/**
 * Writes down what happened to an invoice or a link, and a webhook for receivers that want one for each event. To be
 * called in the transaction of the change, after it: the webhook tells of the record as it is then. Returns whether a
 * webhook waits to be sent. What was written before is not written again.
 */
export function announce(db: Db, site: Site, subject: EventSubject, happening: Happening): boolean {
  const { kind, depositIndex, webhookUrl: url, sealedSecret: secret } = subject;
  const { type, data, at } = happening;
  const id = note(db, subject, happening);
  if (id === null) return false;
  if (subject.webhookEvents !== "standard" || url === null || secret === null || !Event.isAnnounced(type))
    return false;
  const record = recordOf(db, site, subject, at);
  const body = WebhookEvent.standardBody({ type: `${kind}.${type}`, at, data: { [kind]: record, ...data } });
  const { status } = record;
  return WebhookEventStore.insert(db, { id, depositIndex, status, url, secret, body, createdAt: at });
}

/**
 * Writes down what happened to an invoice or a link, for the merchant's own eyes. Returns the id of the event; null when
 * it was written before.
 */
export function note(
  db: Db,
  { kind, depositIndex }: Pick<EventSubject, "kind" | "depositIndex">,
  { type, occasion, data = {}, at }: Happening,
): string | null {
  const id = Event.id(DepositStore.salt(db, depositIndex), type, occasion);
  const event = { id, depositIndex, type: `${kind}.${type}`, data, createdAt: at } as const;
  return EventStore.insert(db, event) ? id : null;
}

function recordOf(db: Db, { baseUrl, timeZone }: Site, { kind, depositIndex }: EventSubject, at: number) {
  const invoice = kind === "invoice" ? InvoiceStore.byDeposit(db, depositIndex) : null;
  if (invoice) return invoiceRecord(baseUrl, invoice, Calendar.dayAt(at, timeZone));
  const link = LinkStore.byDeposit(db, depositIndex);
  if (!link) throw new Error(`Deposit ${depositIndex} belongs to nothing`);
  return linkRecord(baseUrl, link);
}
