import { type TSchema, Type } from "@sinclair/typebox";
import * as Event from "../../domain/event/event.ts";
import type { Kind } from "../../domain/receivable/common.ts";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import { annotations, id, instant, number, record, slug, text, usdc } from "./answer-parts.ts";
import { InvoiceAnswer } from "./invoice-schemas.ts";
import { LinkAnswer } from "./link-schemas.ts";

/** Events in the API's responses and in webhooks. */

const anything = (wants: string) => Type.Record(Type.String(), Type.Unknown(), { wants });

export const HappenedEvent = record("Event", {
  id: text("the id of the event, and the webhook-id of a webhook in the standard form"),
  type: called("EventType", oneOf(Event.fullTypes, "what happened, to an invoice or to a link")),
  created_at: instant,
  invoice_id: Type.Optional(text("the invoice that it happened to, or else there is slug")),
  invoice_number: Type.Optional(text("the number of that invoice")),
  slug: Type.Optional(text("the payment link that it happened to")),
  data: anything("what there is to say of it, by its type"),
});

export const TimelineEntry = record("TimelineEntry", {
  at: instant,
  type: text(
    "the type of an event without what it happened to, such as paid; or created, document, mail, transfer_seen, " +
      "transfer_confirmed, transfer_lost, signature_taken, signature_failed, crossing_told, " +
      "crossing_attested, crossing_unknown, settled, webhook or omitted",
  ),
  summary: text("what happened, in an English sentence"),
  data: anything("the same for a program, by its type"),
});

/** SPEC section 6. */
export const InvoiceEvent = record("InvoiceEvent", {
  event: oneOf(["invoice.paid"], "the same for each of the three statuses"),
  invoice_id: id,
  invoice_number: number,
  total_amount: usdc,
  status: oneOf(["paid", "partial", "excess"], "what the invoice has become"),
  ...annotations,
});

export const LinkEvent = record("LinkEvent", {
  event: oneOf(["link.paid"], "the same for each of the three statuses"),
  slug,
  expected_amount: usdc,
  received_amount: usdc,
  status: oneOf(["confirmed", "partial", "excess"], "what the payment has become"),
  ...annotations,
});

const standard = <R extends TSchema>(kind: Kind, noun: string, whole: R) =>
  record(noun, {
    type: oneOf(
      Event.fullTypesOf(Event.announcedTypes).filter((type) => type.startsWith(`${kind}.`)),
      "what happened",
    ),
    timestamp: instant,
    data: Type.Object(
      {
        [kind]: whole,
        status: Type.Optional(text("what the money has made of it, of an event of money")),
        received_amount: Type.Optional(
          text("all that has come, with six decimals if it has a fraction of a cent"),
        ),
      },
      { wants: "the whole record as it is after the event, and what there is to say of the event" },
    ),
  });

export const StandardInvoiceEvent = standard("invoice", "StandardInvoiceEvent", InvoiceAnswer);
export const StandardLinkEvent = standard("link", "StandardLinkEvent", LinkAnswer);
