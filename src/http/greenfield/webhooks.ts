import type { Endpoint } from "../../domain/event/endpoint.ts";
import type { Store } from "../../domain/party/store.ts";
import type { StoreWish } from "../../invoicing/endpoints.ts";
import * as EndpointStore from "../../store/tables/outbox/endpoint.ts";
import type { HttpDeps } from "../deps.ts";
import { noteEndpoint } from "../events/endpoints.ts";
import type { Route } from "../route.ts";
import { refusal, saidOf } from "./answers.ts";
import { type AskedHere, call, fieldsOf, notJson, storePath } from "./call.ts";

/** The webhooks of a plugin: endpoints of its store. */

const path = `${storePath}/webhooks` as const;
const permission = "btcpay.store.webhooks.canmodifywebhooks";

const record = ({ id, url, pausedAt, storeTypes }: Endpoint) => ({
  id,
  url,
  enabled: pausedAt === null,
  automaticRedelivery: true,
  authorizedEvents: { everything: storeTypes === null, specificEvents: storeTypes ?? [] },
});

/** Null for what is no JSON object. What is not given stays as it is, or is as plugins expect. */
function wishOf(body: unknown): StoreWish | null {
  const fields = fieldsOf(body)?.fields;
  if (fields === undefined) return null;
  const { url, enabled, secret } = fields;
  const events = (fields["authorizedEvents"] ?? {}) as { everything?: unknown; specificEvents?: unknown };
  const chosen = Array.isArray(events.specificEvents) ? events.specificEvents.map(String) : [];
  return {
    url,
    isEnabled: enabled !== false,
    types: events.everything === true || chosen.length === 0 ? null : chosen,
    secret: typeof secret === "string" && secret !== "" ? secret : null,
  };
}

const ofWebhook =
  (answer: (deps: HttpDeps, endpoint: Endpoint, asked: AskedHere<string>) => unknown) =>
  (deps: HttpDeps, store: Store, asked: AskedHere<string>): unknown => {
    const endpoint = EndpointStore.find(deps.db, asked.params["webhookId"] ?? "");
    return endpoint?.storeId === store.id
      ? answer(deps, endpoint, asked)
      : refusal(404, "webhook-not-found", "This store has no webhook of this id.");
  };

export const webhookRoutes: readonly Route[] = [
  call({
    method: "post",
    path,
    permission,
    does: async (deps, store, asked) => {
      const wish = wishOf(asked.body);
      if (wish === null) return notJson();
      const made = await deps.endpoints.makeOfStore(store, wish);
      if (!made.ok) return saidOf(made.refusal, {});
      await noteEndpoint(deps, asked, "create", made.value.endpoint);
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
    does: ofWebhook(async (deps, { id }, asked) => {
      const wish = wishOf(asked.body);
      if (wish === null) return notJson();
      const changed = await deps.endpoints.changeOfStore(id, wish);
      if (!changed.ok) return saidOf(changed.refusal, {});
      await noteEndpoint(deps, asked, "change", changed.value);
      return record(changed.value);
    }),
  }),
  call({
    method: "delete",
    path: `${path}/:webhookId`,
    permission,
    does: ofWebhook(async (deps, endpoint, asked) => {
      await deps.endpoints.remove(endpoint.id, {});
      await noteEndpoint(deps, asked, "delete", endpoint);
      return {};
    }),
  }),
];
