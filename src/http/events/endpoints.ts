import type { Static } from "@sinclair/typebox";
import type { Endpoint } from "../../domain/event/endpoint.ts";
import { EndpointChange, EndpointRequest } from "../../invoicing/request/endpoint.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import type { DeliveryOutcome } from "../../outbox/webhook/post.ts";
import { testEndpoint } from "../../outbox/webhook-sender.ts";
import * as EndpointStore from "../../store/tables/outbox/endpoint.ts";
import type { HttpDeps } from "../deps.ts";
import * as Answer from "../fields/answer-schemas.ts";
import {
  EndpointDeleted,
  EndpointRecord,
  EndpointTested,
  EndpointWithSecret,
} from "../fields/endpoint-schemas.ts";
import { problem, refusalText } from "../problem/problem.ts";
import { acted, named, type Route, route } from "../route.ts";

const endpointNamed = named(
  "id",
  ({ db }, id) => EndpointStore.find(db, id),
  // One of a merchant can be changed to hear of all.
  null,
  () => problem(...refusalText({ kind: "endpoint_gone" })),
);

const path = "/api/webhook-endpoints";

/** Where every event of the account is told. */
export const endpointRoutes: readonly Route[] = [
  route({
    method: "post",
    path,
    scope: "shop",
    summary: "Make a webhook endpoint, which hears of every event",
    once: true,
    body: EndpointRequest,
    status: 201,
    gives: EndpointWithSecret,
    fails: ["too_many_endpoints"],
    does: (deps) => (asked) =>
      acted(
        deps,
        asked,
        (by) => deps.endpoints.make(asked.body, by),
        (made) => ({ status: 201, body: withSecret(made) }),
      ),
  }),
  route({
    method: "get",
    path,
    scope: "shop",
    summary: "List the webhook endpoints, the oldest first",
    gives: Answer.allOf(EndpointRecord),
    does:
      ({ db }) =>
      () => ({ data: EndpointStore.list(db).map(endpointRecord) }),
  }),
  route({
    method: "get",
    path: `${path}/:id`,
    scope: "shop",
    summary: "Get a webhook endpoint",
    gives: EndpointRecord,
    does: endpointNamed.of((_, endpoint) => endpointRecord(endpoint)),
  }),
  route({
    method: "patch",
    path: `${path}/:id`,
    scope: "shop",
    summary: "Change a webhook endpoint, pause or resume it",
    once: true,
    body: EndpointChange,
    gives: EndpointRecord,
    does: endpointNamed.act(
      ({ endpoints }, { id }, body, by) => endpoints.change(id, body, by),
      (endpoint) => ({ status: 200, body: endpointRecord(endpoint) }),
    ),
  }),
  route({
    method: "delete",
    path: `${path}/:id`,
    scope: "shop",
    summary: "Delete a webhook endpoint, and end what waits for it",
    gives: EndpointDeleted,
    does: endpointNamed.of(async ({ endpoints }, { id }) => {
      await endpoints.remove(id);
      return { ok: true };
    }),
  }),
  route({
    method: "post",
    path: `${path}/:id/rotate`,
    scope: "shop",
    summary: "Give a webhook endpoint another secret; the one before signs as well for 24 hours",
    once: true,
    gives: EndpointWithSecret,
    does: endpointNamed.act(
      ({ endpoints }, { id }, _, by) => endpoints.rotate(id, by),
      (rotated) => ({ status: 200, body: withSecret(rotated) }),
    ),
  }),
  route({
    method: "post",
    path: `${path}/:id/test`,
    scope: "shop",
    summary: "Send a test event to a webhook endpoint now, and hear what it answers",
    gives: EndpointTested,
    does: endpointNamed.of(async (deps, endpoint) => testRecord((await sendTestTo(deps, endpoint)).outcome)),
  }),
];

/** Posts a test event, of the type `endpoint.test`, to an endpoint that may be paused. */
export const sendTestTo = async ({ endpoints, config, now }: HttpDeps, { id, url }: Endpoint) =>
  testEndpoint({ url, publicOnly: config.publicWebhooksOnly, now: now() }, id, await endpoints.secretsOf(id));

function testRecord(outcome: DeliveryOutcome): Static<typeof EndpointTested> {
  const { kind, httpStatus, durationMs } = outcome;
  const reason = kind === "failed" ? outcome.reason : kind === "gone" ? "answered 410 Gone" : null;
  return { ok: kind === "acknowledged", http_status: httpStatus, reason, duration_ms: durationMs };
}

function endpointRecord(endpoint: Endpoint): Static<typeof EndpointRecord> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types && [...endpoint.types],
    description: endpoint.description,
    merchant_email: endpoint.merchantEmail,
    status: endpoint.pausedAt === null ? "active" : "paused",
    created_at: instant(endpoint.createdAt),
    paused_at: instantOrNull(endpoint.pausedAt),
    pause_cause: endpoint.pauseCause,
    failing_since: instantOrNull(endpoint.failingSince),
    failed_at: instantOrNull(endpoint.failedAt),
    failure: endpoint.failure,
  };
}

const withSecret = ({ endpoint, secret }: { endpoint: Endpoint; secret: string }) => ({
  ...endpointRecord(endpoint),
  secret,
});
