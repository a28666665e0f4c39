import type { Static } from "@sinclair/typebox";
import { instant } from "../../lib/time.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as Answer from "../fields/answer-schemas.ts";
import * as EventAnswer from "../fields/event-schemas.ts";
import { EventListQuery } from "../fields/list-query.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import { lookUpsIn, type Route, route } from "../route.ts";

/** The events of all invoices and links. */
export const eventRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/api/events",
    scope: "read",
    summary: "List what happened to all invoices and links, the newest first",
    query: EventListQuery,
    gives: Answer.listOf(EventAnswer.HappenedEvent),
    does:
      ({ db, invoices }) =>
      ({ query }) => {
        const { faults, lookUp, limit } = lookUpsIn(query);
        const after = lookUp("starting_after", (id) => EventStore.byId(db, id), "the id of an event");
        const invoice = lookUp("invoice", invoices.find, "the id or the number of an invoice");
        const link = lookUp("link", (slug) => LinkStore.bySlug(db, slug), "the slug of a link");
        if (query.invoice !== undefined && query.link !== undefined)
          faults.push({ field: "link", message: "must be omitted when there is invoice" });
        if (faults.length > 0) return validationProblem(faults);
        const { events, hasMore } = EventStore.list(db, {
          limit,
          before: after?.position,
          type: query.type,
          deposit: (invoice ?? link)?.deposit.index,
        });
        return { data: events.map(eventRecord), has_more: hasMore };
      },
  }),
  route({
    method: "get",
    path: "/api/events/:id",
    scope: "read",
    summary: "Get an event",
    gives: EventAnswer.HappenedEvent,
    does:
      ({ db }) =>
      ({ params }) => {
        const event = EventStore.byId(db, params.id);
        return event ? eventRecord(event) : problem("not_found", "There is no event with this id.");
      },
  }),
  route({
    method: "post",
    path: "/api/events/:id/redeliver",
    scope: "shop",
    summary: "Send a webhook event again",
    gives: Answer.Done,
    does:
      ({ db, now, onEventDue }) =>
      ({ params }) => {
        if (!WebhookEventStore.redeliver(db, params.id, now()))
          return problem("not_found", "There is no webhook event with this id.");
        onEventDue();
        return { ok: true };
      },
  }),
];

/** The answer to a comment. */
export const commented = (event: EventStore.ListedEvent) => ({ status: 201, body: eventRecord(event) });

/** An event, and its invoice or link. */
export function eventRecord(event: EventStore.ListedEvent): Static<typeof EventAnswer.HappenedEvent> {
  const { id, type, createdAt, invoiceId, invoiceNumber, slug, data } = event;
  return {
    id,
    type,
    created_at: instant(createdAt),
    ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
    ...(invoiceNumber === null ? {} : { invoice_number: invoiceNumber }),
    ...(slug === null ? {} : { slug }),
    data: { ...data },
  };
}
