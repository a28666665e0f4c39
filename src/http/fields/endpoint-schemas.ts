import { Type } from "@sinclair/typebox";
import { formats } from "../../domain/event/chat.ts";
import * as Endpoint from "../../domain/event/endpoint.ts";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import { instant, optional, record, text } from "./answer-parts.ts";

/** Webhook endpoints in the API's responses. */

const endpoint = {
  id: text("the id of the endpoint"),
  format: called("EndpointFormat", oneOf(formats, "signed events (till), or messages to a chat")),
  url: text("where that goes; of a chat only its beginning"),
  types: optional(
    Type.Array(called("ToldEventType", oneOf(Endpoint.types, "the type of an event")), {
      wants: "only events of these types are sent; null: of every type",
    }),
  ),
  description: optional(text("for you alone")),
  merchant_email: optional(text("only events of this merchant are sent; null: of all")),
  status: oneOf(["active", "paused"], "whether events are sent"),
  created_at: instant,
  paused_at: optional(instant),
  pause_cause: optional(
    oneOf(
      ["merchant", "failing", "gone"],
      "what paused it: you, five days of failures, or that it answered 410 Gone",
    ),
  ),
  failing_since: optional(
    Type.String({ wants: "the first failure since a delivery last succeeded, ISO 8601" }),
  ),
  failed_at: optional(Type.String({ wants: "the last such failure, ISO 8601" })),
  failure: optional(text("why that one failed")),
};

export const EndpointRecord = record("WebhookEndpoint", endpoint);

export const EndpointWithSecret = record("CreatedWebhookEndpoint", {
  ...endpoint,
  secret: optional(text("signs what is sent to it; shown only here; null for a chat")),
});

export const EndpointDeleted = record("DeletedWebhookEndpoint", {
  ok: Type.Boolean({ wants: "true: it is deleted" }),
});

export const EndpointTested = record("TestedWebhookEndpoint", {
  ok: Type.Boolean({ wants: "whether the receiver took it: it answered 2xx" }),
  http_status: optional(Type.Integer({ wants: "what it answered" })),
  reason: optional(text("why it was not taken")),
  duration_ms: Type.Integer({ wants: "to the status of the answer" }),
});
