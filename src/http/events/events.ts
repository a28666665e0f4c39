import type { Static } from "@sinclair/typebox";
import { depth } from "../../domain/payment/transfer.ts";
import * as Usdc from "../../domain/usdc.ts";
import { CommentRequest } from "../../invoicing/request/closing.ts";
import { why } from "../../language/faults.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as WebhookHistoryStore from "../../store/tables/outbox/webhook-history.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import type * as TransferStore from "../../store/tables/watch/transfer.ts";
import * as Answer from "../fields/answer-schemas.ts";
import * as EventAnswer from "../fields/event-schemas.ts";
import { EventListQuery } from "../fields/list-query.ts";
import { invoiceNamed } from "../invoices/records.ts";
import { linkNamed } from "../links/link-record.ts";
import { listPreset } from "../mcp/tool.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import { lookUpsIn, pageAnswer, type Route, route, subjectInPath } from "../route/route.ts";
import { timelineOf } from "./timeline.ts";

const eventNamed = subjectInPath(
  "id",
  ({ db }, id) => EventStore.byId(db, id),
  ({ merchant }) => merchant ?? "",
  () => problem("not_found", "There is no event with this id."),
);

/** The events of all invoices and links. */
export const eventRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/api/events",
    scope: "read",
    isConfined: true,
    summary: "List what happened to all invoices and links, the newest first",
    tool: { name: "list_events", preset: listPreset },
    query: EventListQuery,
    gives: Answer.listOf(EventAnswer.HappenedEvent),
    does: (deps) => (input) => {
      const { query, merchant } = input;
      const { faults, lookUp, limit } = lookUpsIn(query);
      const after = lookUp("starting_after", eventNamed.find(deps, input), "the id of an event");
      const findInvoice = invoiceNamed.find(deps, input);
      const invoice = lookUp("invoice", findInvoice, "the id or the number of an invoice");
      const link = lookUp("link", linkNamed.find(deps, input), "the slug of a link");
      if (query.invoice !== undefined && query.link !== undefined)
        faults.push({ field: "link", ...why("left_out_with", { other: "invoice" }) });
      if (faults.length > 0) return validationProblem(faults);
      const deposit = (invoice ?? link)?.deposit.index;
      const before = after?.position;
      const page = EventStore.list(deps.db, { limit, before, type: query.type, deposit, merchant });
      return pageAnswer(page, eventRecord);
    },
  }),
  route({
    method: "get",
    path: "/api/events/:id",
    scope: "read",
    summary: "Get an event",
    gives: EventAnswer.HappenedEvent,
    does: eventNamed.of((_, event) => eventRecord(event)),
  }),
  route({
    method: "post",
    path: "/api/events/:id/redeliver",
    scope: "shop",
    isConfined: true,
    summary: "Send a webhook again; by the id of an event, all of its webhooks",
    tool: { name: "redeliver_event", isOpen: true },
    gives: Answer.Done,
    does:
      ({ db, now, onEventDue }) =>
      ({ params, merchant }) => {
        if (!WebhookEventStore.redeliver(db, params.id, now(), { tells: true, merchant }))
          return problem(
            "not_found",
            merchant === null && WebhookEventStore.has(db, params.id)
              ? "The endpoint of this webhook event was deleted, or is paused: resume it first."
              : "There is no webhook event with this id.",
          );
        onEventDue();
        return { ok: true };
      },
  }),
];

type Subject = Parameters<typeof timelineOf>[1];

/** The lists of an invoice or a link, and comments on it. `path` is its own, `noun` its name. */
export const historyRoutes = <T extends Omit<Subject, "kind">>(
  path: "/api/invoices/:id" | "/api/links/:slug",
  kind: Subject["kind"],
  noun: string,
  { of, act }: ReturnType<typeof subjectInPath<T>>,
  comment: Parameters<typeof act<EventStore.ListedEvent>>[0],
): Route[] => [
  route({
    method: "get",
    path: `${path}/payments`,
    scope: "read",
    summary: `List the transfers to ${noun}`,
    tool: { name: `list_${kind}_payments` },
    gives: Answer.allOf(Answer.TransferRecord),
    does: of(({ db, chainHead }, { deposit }) => {
      const transfers = DepositTransferStore.list(db, deposit.index);
      return { data: transfers.map((transfer) => transferRecord(transfer, chainHead())) };
    }),
  }),
  route({
    method: "get",
    path: `${path}/events`,
    scope: "read",
    summary: `List the webhook events of ${noun}`,
    gives: Answer.allOf(Answer.EventRecord),
    does: of(({ db }, { deposit }, { merchant }) => ({
      data: WebhookHistoryStore.list(db, deposit.index).map((event) => webhookRecord(event, merchant)),
    })),
  }),
  route({
    method: "get",
    path: `${path}/timeline`,
    scope: "read",
    summary: `Get all that happened to ${noun}, the oldest first`,
    tool: { name: `get_${kind}_timeline` },
    gives: Answer.allOf(EventAnswer.TimelineEntry),
    does: of((deps, thing) => ({ data: timelineOf(deps, { kind, ...thing }) })),
  }),
  route({
    method: "post",
    path: `${path}/comments`,
    scope: "shop",
    summary: `Comment on ${noun}, for the merchant alone`,
    tool: { name: `comment_on_${kind}` },
    once: true,
    body: CommentRequest,
    status: 201,
    gives: EventAnswer.HappenedEvent,
    does: act(comment, (event) => ({ status: 201, body: eventRecord(event) })),
  }),
];

/** One transfer; `head` is the highest block Till knows. */
function transferRecord(
  transfer: TransferStore.RecordedTransfer,
  head: number | null,
): Static<typeof Answer.TransferRecord> {
  return {
    tx_hash: transfer.txHash,
    from: transfer.payer,
    block_number: transfer.blockNumber,
    amount: Usdc.formatExact(transfer.amount),
    confirmations: depth(transfer.blockNumber, head ?? transfer.blockNumber),
    confirmed: transfer.confirmed,
    seen_at: instant(transfer.seenAt),
  };
}

/** Shows a merchant's own key only the origin of an endpoint's URL: the rest may contain a secret of all merchants. */
function webhookRecord(
  event: WebhookHistoryStore.QueuedEvent,
  merchant: string | null,
): Static<typeof Answer.EventRecord> {
  const { endpointId: endpoint_id, eventId: event_id } = event;
  const ofEndpoint = endpoint_id === null || event_id === null ? null : { endpoint_id, event_id };
  return {
    id: event.id,
    ...ofEndpoint,
    status: event.status,
    url: ofEndpoint && merchant !== null ? new URL(event.url).origin : event.url,
    state: event.state,
    created_at: instant(event.createdAt),
    next_attempt_at: instantOrNull(event.nextAttemptAt),
    body: event.body,
    attempts: event.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      started_at: instant(attempt.startedAt),
      duration_ms: attempt.durationMs,
      http_status: attempt.httpStatus,
      reason: attempt.reason,
    })),
  };
}

/** An event, and its invoice or link. */
function eventRecord(event: EventStore.ListedEvent): Static<typeof EventAnswer.HappenedEvent> {
  const { id, type, createdAt, data } = event;
  return { id, type, created_at: instant(createdAt), ...subjectRecord(event), data: { ...data } };
}

/** Identifies the invoice or link of an event. */
export const subjectRecord = ({
  invoiceId,
  invoiceNumber,
  slug,
}: Pick<EventStore.ListedEvent, "invoiceId" | "invoiceNumber" | "slug">) => ({
  ...(invoiceId !== null && { invoice_id: invoiceId }),
  ...(invoiceNumber !== null && { invoice_number: invoiceNumber }),
  ...(slug !== null && { slug }),
});
