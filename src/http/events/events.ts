import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Fault } from "../../invoicing/outcome.ts";
import { instant } from "../../lib/time.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import type { HttpDeps } from "../deps.ts";
import type * as EventAnswer from "../fields/event-schemas.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { EventListQuery, queryFaults } from "../fields/list-query.ts";
import { problem, validationProblem } from "../problem/problem.ts";

/** The events of all invoices and links. */
export function eventRoutes(deps: HttpDeps) {
  const { db } = deps;
  return new Elysia()
    .get("/api/events", ({ query, request }) => {
      const faults: Fault[] = queryFaults(EventListQuery, query, request.url);
      if (faults.length > 0) return validationProblem(faults);
      const filter = query as Static<typeof EventListQuery>;
      const lookUp = <T>(field: keyof typeof filter, find: (name: string) => T | null, what: string) => {
        const name = filter[field];
        if (name === undefined) return null;
        const record = find(name);
        if (record === null) faults.push({ field, message: `must be ${what}` });
        return record;
      };
      const after = lookUp("starting_after", (id) => EventStore.byId(db, id), "the id of an event");
      const invoice = lookUp(
        "invoice",
        (name) => deps.invoices.find(name),
        "the id or the number of an invoice",
      );
      const link = lookUp("link", (slug) => LinkStore.bySlug(db, slug), "the slug of a link");
      if (filter.invoice !== undefined && filter.link !== undefined)
        faults.push({ field: "link", message: "must be omitted when there is invoice" });
      if (faults.length > 0) return validationProblem(faults);
      const owner = invoice ?? link;
      const { events, hasMore } = EventStore.list(db, {
        limit: Number(filter.limit ?? listLimitDefault),
        ...(after ? { before: after.position } : {}),
        ...(filter.type ? { type: filter.type } : {}),
        ...(owner ? { deposit: owner.deposit.index } : {}),
      });
      return { data: events.map(eventRecord), has_more: hasMore };
    })

    .get("/api/events/:id", ({ params }) => {
      const event = EventStore.byId(db, params.id);
      return event ? eventRecord(event) : problem("not_found", "There is no event with this id.");
    });
}

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
