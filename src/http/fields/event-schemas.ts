import { type TSchema, Type } from "@sinclair/typebox";
import * as Event from "../../domain/event/event.ts";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import { annotations, closed, id, instant, number, optional, slug, text, url, usdc } from "./answer-parts.ts";
import { InvoiceAnswer, LinkAnswer } from "./answer-schemas.ts";

/** Events in the API's answers and in webhooks. */

const anything = (wants: string) => Type.Record(Type.String(), Type.Unknown(), { wants });

const attempt = {
  attempt: Type.Integer({ wants: "1, 2, 3, …" }),
  started_at: instant,
  duration_ms: Type.Integer({ wants: "to the status of the answer" }),
  http_status: optional(Type.Integer({ wants: "what was answered" })),
  reason: optional(text("why it failed")),
};

export const EventRecord = closed(
  {
    id: text("the webhook-id of its deliveries"),
    status: Type.String({ wants: "the status that it reports" }),
    url,
    state: oneOf(["pending", "delivered", "failed"], "what became of it"),
    created_at: instant,
    next_attempt_at: optional(instant),
    body: Type.String({ wants: "the exact bytes that are signed and sent" }),
    attempts: Type.Array(closed(attempt, { noun: "DeliveryAttempt" })),
  },
  { noun: "WebhookEvent" },
);

const happened = {
  id: text("the id of the event, and the webhook-id of a webhook in the standard form"),
  type: called("EventType", oneOf(Event.fullTypes, "what happened, to an invoice or to a link")),
  created_at: instant,
  invoice_id: Type.Optional({ ...id, wants: "the invoice that it happened to, or else there is slug" }),
  invoice_number: Type.Optional(text("the number of that invoice")),
  slug: Type.Optional(text("the payment link that it happened to")),
  data: anything("what there is to say of it, by its type"),
};

export const HappenedEvent = closed(happened, { noun: "Event" });

const entry = {
  at: instant,
  type: text(
    "the type of an event without what it happened to, such as paid; or created, mail, transfer_seen, " +
      "transfer_confirmed, transfer_lost, signature_taken, signature_failed, settled, webhook or omitted",
  ),
  summary: text("what happened, in an English sentence"),
  data: anything("the same for a program, by its type"),
};

export const TimelineEntry = closed(entry, { noun: "TimelineEntry" });

/** SPEC section 6. */
const invoiceEvent = {
  event: oneOf(["invoice.paid"], "the same for each of the three statuses"),
  invoice_id: id,
  invoice_number: number,
  total_amount: usdc,
  status: oneOf(["paid", "partial", "excess"], "what the invoice has become"),
  ...annotations,
};

export const InvoiceEvent = closed(invoiceEvent, { noun: "InvoiceEvent" });

const linkEvent = {
  event: oneOf(["link.paid"], "the same for each of the three statuses"),
  slug,
  expected_amount: usdc,
  received_amount: usdc,
  status: oneOf(["confirmed", "partial", "excess"], "what the payment has become"),
  ...annotations,
};

export const LinkEvent = closed(linkEvent, { noun: "LinkEvent" });

const standard = <R extends TSchema>(kind: Event.Kind, noun: string, record: R) =>
  called(
    noun,
    closed({
      type: oneOf(
        Event.fullTypesOf(Event.announcedTypes).filter((type) => type.startsWith(`${kind}.`)),
        "what happened",
      ),
      timestamp: instant,
      data: Type.Object(
        {
          [kind]: record,
          status: Type.Optional(text("what the money has made of it, of an event of money")),
          received_amount: Type.Optional(
            text("all that has come, with six decimals if it has a fraction of a cent"),
          ),
        },
        { wants: "the whole record as it is after the event, and what there is to say of the event" },
      ),
    }),
  );

export const StandardInvoiceEvent = standard("invoice", "StandardInvoiceEvent", InvoiceAnswer);
export const StandardLinkEvent = standard("link", "StandardLinkEvent", LinkAnswer);
