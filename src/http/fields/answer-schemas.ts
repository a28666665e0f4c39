import { type TSchema, Type } from "@sinclair/typebox";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import { problemCodes } from "../problem/problem.ts";
import { addressOf, exactUsdc, hash, instant, optional, record, text, url } from "./answer-parts.ts";

/**
 * The API's responses as schemas: they describe it to callers, and the compiler holds the code to them. Here are those
 * that belong to no noun.
 */

export const Sent = record("Sent", {
  ok: Type.Boolean({ wants: "whether the mail server has accepted the mail" }),
  code: Type.Optional(oneOf(["mail_refused"], "for a program: the same mail would be refused again")),
  detail: Type.Optional(Type.String({ wants: "what went wrong and what to do, for a person" })),
});

export const TransferRecord = record("Transfer", {
  tx_hash: hash,
  from: addressOf("the address that paid"),
  block_number: Type.Integer({ wants: "the block of the transfer" }),
  amount: exactUsdc,
  confirmations: Type.Integer({ wants: "how many blocks deep it is" }),
  confirmed: Type.Boolean({ wants: "whether it counts" }),
  seen_at: instant,
});

export const EventRecord = record("WebhookEvent", {
  id: text("what it is sent again by; the webhook-id of its deliveries, unless there is event_id"),
  endpoint_id: Type.Optional(text("the webhook endpoint that it goes to")),
  event_id: Type.Optional(text("the event, which is the webhook-id of deliveries to an endpoint")),
  status: Type.String({ wants: "the status that it reports" }),
  url,
  state: oneOf(
    ["pending", "delivered", "failed", "ended"],
    "what became of it; ended: its endpoint was deleted before",
  ),
  created_at: instant,
  next_attempt_at: optional(instant),
  body: Type.String({ wants: "the exact bytes that are signed and sent" }),
  attempts: Type.Array(
    record("DeliveryAttempt", {
      attempt: Type.Integer({ wants: "1, 2, 3, …" }),
      started_at: instant,
      duration_ms: Type.Integer({ wants: "to the status of the answer" }),
      http_status: optional(Type.Integer({ wants: "what was answered" })),
      reason: optional(text("why it failed")),
    }),
  ),
});

export const Done = record("Done", { ok: Type.Boolean({ wants: "true: it is on its way" }) });

export const Problem = record("Problem", {
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ wants: "what is wrong and what to do, for a person" }),
  code: called("ProblemCode", oneOf(problemCodes, "what is wrong, for a program")),
  errors: Type.Optional(Type.Array(record("Fault", { field: Type.String(), message: Type.String() }))),
  message: Type.Optional(
    Type.String({ wants: "the same for a payer, in the language of ?lang= or of the browser" }),
  ),
});

export const listOf = <T extends TSchema>(schema: T) =>
  record(`${schema["noun"]}List`, {
    data: Type.Array(schema, { wants: "a list" }),
    has_more: Type.Boolean({ wants: "whether there are older ones" }),
  });
export const allOf = <T extends TSchema>(schema: T) =>
  record(`Every${schema["noun"]}`, { data: Type.Array(schema, { wants: "a list" }) });
