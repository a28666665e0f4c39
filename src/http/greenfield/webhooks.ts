import { type Static, Type } from "@sinclair/typebox";
import type { Endpoint } from "../../domain/event/endpoint.ts";
import type { Store } from "../../domain/party/store.ts";
import type { StoreWebhook } from "../../invoicing/endpoints.ts";
import * as EndpointStore from "../../store/tables/outbox/endpoint.ts";
import { noteEndpoint } from "../events/endpoints.ts";
import type { HttpDeps } from "../route/deps.ts";
import type { Route } from "../route/route.ts";
import { refusal, saidOf } from "./answers.ts";
import { call, readFields, type StoreInput, storePath } from "./call.ts";

/** A plugin's webhooks, which are endpoints of its store. */

const path = `${storePath}/webhooks` as const;
const permission = "btcpay.store.webhooks.canmodifywebhooks";

const record = ({ id, url, pausedAt, storeTypes }: Endpoint) => ({
  id,
  url,
  enabled: pausedAt === null,
  automaticRedelivery: true,
  authorizedEvents: { everything: storeTypes === null, specificEvents: storeTypes ?? [] },
});

const WebhookRequest = Type.Object({
  url: Type.String({ wants: "an http or https URL" }),
  enabled: Type.Optional(Type.Boolean({ wants: "true or false" })),
  secret: Type.Optional(Type.String({ maxLength: 200, wants: "text of at most 200 characters" })),
  authorizedEvents: Type.Optional(
    Type.Object(
      {
        everything: Type.Optional(Type.Boolean({ wants: "true or false" })),
        specificEvents: Type.Optional(
          Type.Array(Type.String({ maxLength: 100, wants: "the type of an event" }), {
            maxItems: 100,
            wants: "a list of types of events",
          }),
        ),
      },
      { wants: "an object" },
    ),
  ),
});

/** Missing fields stay as they are, or get the default that plugins expect. */
function webhookOf({
  url,
  enabled = true,
  secret,
  authorizedEvents: { everything = false, specificEvents = [] } = {},
}: Static<typeof WebhookRequest>): StoreWebhook {
  return {
    url,
    isEnabled: enabled,
    types: everything || specificEvents.length === 0 ? null : specificEvents,
    secret: secret || null,
  };
}

const ofWebhook =
  (answer: (deps: HttpDeps, endpoint: Endpoint, input: StoreInput<string>) => unknown) =>
  (deps: HttpDeps, store: Store, input: StoreInput<string>): unknown => {
    const endpoint = EndpointStore.find(deps.db, input.params["webhookId"] ?? "");
    return endpoint?.storeId === store.id
      ? answer(deps, endpoint, input)
      : refusal(404, "webhook-not-found", "This store has no webhook of this id.");
  };

export const webhookRoutes: readonly Route[] = [
  call({
    method: "post",
    path,
    permission,
    does: async (deps, store, input) => {
      const read = readFields(WebhookRequest, input.body);
      if (!read.ok) return read.answer;
      const made = await deps.endpoints.makeOfStore(store, webhookOf(read.fields));
      if (!made.ok) return saidOf(made.refusal, {});
      await noteEndpoint(deps, input, "create", made.value.endpoint);
      return { ...record(made.value.endpoint), secret: made.value.secret };
    },
  }),
  call({
    method: "get",
    path,
    permission,
    does: ({ db }, store) =>
      EndpointStore.list(db)
        .filter(({ storeId }) => storeId === store.id)
        .map(record),
  }),
  call({
    method: "get",
    path: `${path}/:webhookId`,
    permission,
    does: ofWebhook((_, endpoint) => record(endpoint)),
  }),
  call({
    method: "put",
    path: `${path}/:webhookId`,
    permission,
    does: ofWebhook(async (deps, { id }, input) => {
      const read = readFields(WebhookRequest, input.body);
      if (!read.ok) return read.answer;
      const changed = await deps.endpoints.changeOfStore(id, webhookOf(read.fields));
      if (!changed.ok) return saidOf(changed.refusal, {});
      await noteEndpoint(deps, input, "change", changed.value);
      return record(changed.value);
    }),
  }),
  call({
    method: "delete",
    path: `${path}/:webhookId`,
    permission,
    does: ofWebhook(async (deps, endpoint, input) => {
      await deps.endpoints.remove(endpoint.id, {});
      await noteEndpoint(deps, input, "delete", endpoint);
      return {};
    }),
  }),
];
