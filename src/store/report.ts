import type * as Invoice from "../domain/bill/invoice.ts";
import * as WebhookEvent from "../domain/event/webhook-event.ts";
import type * as Link from "../domain/link/link.ts";
import type { EventSubject } from "./announce.ts";
import type { Db } from "./database.ts";
import * as DepositStore from "./tables/invoicing/deposit.ts";
import * as WebhookEventStore from "./tables/outbox/webhook-event.ts";

/**
 * The contract's webhook (SPEC section 6), written in the transaction of the change it reports. Each function returns
 * whether one was queued: not without a receiver, nor for a status reported before. `at` is Unix milliseconds.
 */

export function reportInvoice(
  db: Db,
  subject: EventSubject,
  invoice: Pick<Invoice.Invoice, "id" | "number" | "total"> & Invoice.Annotations,
  { status, at }: { status: Invoice.ReportedStatus; at: number },
): boolean {
  const { id: invoiceId, number: invoiceNumber } = invoice;
  const body = WebhookEvent.invoiceBody({ ...invoice, invoiceId, invoiceNumber, status });
  return write(db, subject, { status, body, at });
}

export function reportLink(
  db: Db,
  subject: EventSubject,
  link: Pick<Link.Link, "slug" | "deposit"> & Invoice.Annotations,
  { status, at }: { status: Link.ReportedStatus; at: number },
): boolean {
  const { expected, received } = link.deposit;
  const body = WebhookEvent.linkBody({ ...link, expected, received, status });
  return write(db, subject, { status, body, at });
}

function write(
  db: Db,
  { depositIndex, webhookUrl: url, webhookEvents, sealedSecret: secret }: EventSubject,
  { status, body, at }: { status: string; body: string; at: number },
): boolean {
  if (webhookEvents !== "contract" || url === null || secret === null) return false;
  const id = WebhookEvent.id(DepositStore.salt(db, depositIndex), status);
  return WebhookEventStore.insert(db, { id, depositIndex, status, url, secret, body, createdAt: at });
}
