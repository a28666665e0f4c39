import type { Static } from "@sinclair/typebox";
import type { Endpoint } from "../../domain/event/endpoint.ts";
import type { Outcome } from "../../invoicing/outcome.ts";
import { EndpointChange, EndpointRequest } from "../../invoicing/request/endpoint.ts";
import { speak } from "../../language/locale.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import { type DeliveryOutcome, failureOf } from "../../outbox/webhook/post.ts";
import { testEndpoint } from "../../outbox/webhook-sender.ts";
import { stored } from "../../store/group-commit.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as EndpointStore from "../../store/tables/outbox/endpoint.ts";
import { doneBy, nameOf } from "../access/api-key.ts";
import * as Answer from "../fields/answer-schemas.ts";
import {
  EndpointDeleted,
  EndpointRecord,
  EndpointTested,
  EndpointWithSecret,
} from "../fields/endpoint-schemas.ts";
import { problem, refusalText } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { type CallInput, type Route, route, runUseCase, subjectInPath } from "../route/route.ts";

const endpointNamed = subjectInPath(
  "id",
  ({ db }, id) => EndpointStore.findOwn(db, id),
  // A merchant's endpoint can be changed to receive all events.
  null,
  () => problem(...refusalText({ kind: "endpoint_gone" })),
);

const path = "/api/webhook-endpoints";

/** Endpoints that receive every event of the account. */
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
    fails: ["too_many_endpoints", "not_found"],
    does: (deps) => (input) =>
      runUseCase(
        deps,
        input,
        (by) =>
          withAuditEntry(
            deps,
            input,
            "create",
            deps.endpoints.make(input.body, by),
            ({ endpoint }) => endpoint,
          ),
        (made) => ({ status: 201, body: withSecret(made) }),
      ),
  }),
  route({
    method: "get",
    path,
    scope: "read",
    summary: "List the webhook endpoints, the oldest first",
    gives: Answer.allOf(EndpointRecord),
    does:
      ({ db }) =>
      () => ({ data: EndpointStore.listOwn(db).map(endpointRecord) }),
  }),
  route({
    method: "get",
    path: `${path}/:id`,
    scope: "read",
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
    does: endpointNamed.of((deps, { id }, input) =>
      runUseCase(
        deps,
        input,
        (by) =>
          withAuditEntry(
            deps,
            input,
            "change",
            deps.endpoints.change(id, input.body, by),
            (changed) => changed,
          ),
        (endpoint) => ({ status: 200, body: endpointRecord(endpoint) }),
      ),
    ),
  }),
  route({
    method: "delete",
    path: `${path}/:id`,
    scope: "shop",
    summary: "Delete a webhook endpoint, and end what waits for it",
    gives: EndpointDeleted,
    does: endpointNamed.of(async (deps, endpoint, input) => {
      await deps.endpoints.remove(endpoint.id, { who: nameOf(input.request) });
      await noteEndpoint(deps, input, "delete", endpoint);
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
    fails: ["no_secret"],
    does: endpointNamed.of((deps, { id }, input) =>
      runUseCase(
        deps,
        input,
        (by) =>
          withAuditEntry(deps, input, "rotate", deps.endpoints.rotate(id, by), ({ endpoint }) => endpoint),
        (rotated) => ({ status: 200, body: withSecret(rotated) }),
      ),
    ),
  }),
  route({
    method: "post",
    path: `${path}/:id/test`,
    scope: "shop",
    summary: "Send a test event to a webhook endpoint now, and hear what it answers",
    gives: EndpointTested,
    does: endpointNamed.of(async (deps, endpoint) => testRecord(await sendTestTo(deps, endpoint))),
  }),
];

type Action = "create" | "change" | "rotate" | "delete";

/** Records a key's action in the desk's log: an endpoint that it created outlives the key's revocation. */
export const noteEndpoint = (
  { db, now }: HttpDeps,
  { request }: Pick<CallInput, "request">,
  action: Action,
  { url }: Endpoint,
) => stored(db, () => AuditStore.note(db, doneBy(request, `endpoint.${action}`, new URL(url).host, now())));

/** Returns the outcome of an action, which is recorded once. */
async function withAuditEntry<T>(
  deps: HttpDeps,
  input: Pick<CallInput, "request">,
  action: Action,
  work: Promise<Outcome<T>>,
  endpointOf: (value: T) => Endpoint,
): Promise<Outcome<T>> {
  const outcome = await work;
  if (outcome.ok && !outcome.isAgain) await noteEndpoint(deps, input, action, endpointOf(outcome.value));
  return outcome;
}

/** Posts a test event of type `endpoint.test` to an endpoint, or a message to a chat, even if that is paused. */
export const sendTestTo = async ({ endpoints, config, baseUrl, now }: HttpDeps, endpoint: Endpoint) =>
  testEndpoint(
    { publicOnly: config.publicWebhooksOnly, now: now() },
    endpoint,
    await endpoints.secretsOf(endpoint.id),
    { locale: speak(config.language), baseUrl },
  );

function testRecord(outcome: DeliveryOutcome): Static<typeof EndpointTested> {
  const { kind, httpStatus, durationMs } = outcome;
  return {
    ok: kind === "acknowledged",
    http_status: httpStatus,
    reason: failureOf(outcome),
    duration_ms: durationMs,
  };
}

function endpointRecord(endpoint: Endpoint): Static<typeof EndpointRecord> {
  return {
    id: endpoint.id,
    format: endpoint.format,
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

const withSecret = ({ endpoint, secret }: { endpoint: Endpoint; secret: string | null }) => ({
  ...endpointRecord(endpoint),
  secret,
});
