import type { Invoice } from "../../domain/bill/invoice.ts";
import * as Event from "../../domain/event/event.ts";
import * as WebhookEvent from "../../domain/event/webhook-event.ts";
import type { Link } from "../../domain/link/link.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { invoiceRecord, linkRecord } from "../../domain/record.ts";
import type { Usdc } from "../../domain/usdc.ts";
import type { ListedEvent } from "../../store/tables/outbox/event.ts";
import { eventRecord } from "../events/events.ts";
import { entriesOf } from "../events/timeline.ts";

/** What happens to the sample invoice and link in /docs and /openapi.json. */

type Exemplary = {
  invoice: Invoice;
  link: Link;
  /** The transfer that paid part of the invoice. */
  transfer: Pick<Transfer, "txHash" | "payer" | "blockNumber">;
  paidAt: number;
};

const comment = { text: "Called them: the rest comes on Monday." };
const none = { named: [], others: 0 };

/** Link events like the invoice's; the comment is on the invoice only. */
export function eventExamplesOf({ invoice, link, transfer, paidAt }: Exemplary) {
  const { deposit, id: invoiceId, number: invoiceNumber } = invoice;
  const happened = (
    type: "partially_paid" | "commented",
    data: Record<string, unknown>,
    createdAt: number,
  ): ListedEvent => {
    const id = Event.id(deposit.salt, type, "");
    const owner = { depositIndex: deposit.index, invoiceId, invoiceNumber, slug: null };
    return { id, type: `invoice.${type}`, data, createdAt, position: 1, ...owner };
  };
  const paid = happened("partially_paid", Event.moneyData({ ...invoice, ...deposit }), paidAt);
  const commented = happened("commented", comment, paidAt + 3_600_000);
  const moneyTo = (amount: Usdc, events: ListedEvent[]) => {
    const seen = { ...transfer, amount, confirmed: true, seenAt: paidAt - 10_000, confirmedAt: paidAt };
    const transfers = { named: [seen], others: 0, sum: amount, lastSeenAt: seen.seenAt };
    return {
      events: { named: events, others: 0 },
      mails: none,
      transfers,
      ...{ losses: none, settlements: none, webhooks: none, relays: none },
    };
  };
  const explorer = { explorer: "https://basescan.org" };
  const { createdAt, voidReason } = invoice;
  const linkPaid = {
    ...commented,
    id: Event.id(link.deposit.salt, "commented", ""),
    type: "link.commented",
    invoiceId: null,
    invoiceNumber: null,
    slug: link.slug,
  } as const;
  return {
    event: eventRecord(paid),
    comment: { request: comment, ofInvoice: eventRecord(commented), ofLink: eventRecord(linkPaid) },
    timeline: {
      ofInvoice: entriesOf(
        moneyTo(deposit.received, [commented, paid]),
        { kind: "invoice", createdAt, voidReason },
        explorer,
      ),
      ofLink: entriesOf(
        moneyTo(link.deposit.received, [linkPaid]),
        { kind: "link", createdAt, voidReason },
        explorer,
      ),
    },
  };
}

/** Two webhook bodies in the standard form, from a Till at `baseUrl`. */
export function standardBodiesOf(baseUrl: string, { invoice, link, paidAt }: Omit<Exemplary, "transfer">) {
  const standard = { ...invoice, webhookEvents: "standard" } as const;
  const invoiceData = {
    invoice: invoiceRecord(baseUrl, standard, "2026-11-06"),
    ...Event.moneyData({ ...invoice, ...invoice.deposit }),
  };
  const linkData = {
    link: linkRecord(baseUrl, { ...link, webhookEvents: "standard" }),
    ...Event.moneyData({ ...link, ...link.deposit }),
  };
  return {
    invoice: WebhookEvent.standardBody({ type: "invoice.partially_paid", at: paidAt, data: invoiceData }),
    link: WebhookEvent.standardBody({ type: "link.paid", at: paidAt, data: linkData }),
  };
}
