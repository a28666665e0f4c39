import type { TObject } from "@sinclair/typebox";
import * as EventAnswer from "../fields/event-schemas.ts";
import { examplesAt } from "./examples.ts";
import { type Components, pascal } from "./openapi-schema.ts";

/** Webhooks that Till posts to a `webhook_url` and to endpoints, for /docs and /openapi.json. */

type WebhookDoc = { name: string; summary: string; body: TObject; example: string };

/** Lists the webhooks of a Till at `baseUrl`: the contract's form, then that of `webhook_events: "standard"`. */
export function webhookDocsAt(baseUrl: string): readonly WebhookDoc[] {
  const { webhooks } = examplesAt(baseUrl);
  return [
    {
      name: "invoice.paid",
      summary: "An invoice has become partial, paid or excess: once for each",
      body: EventAnswer.InvoiceEvent,
      example: webhooks.invoice,
    },
    {
      name: "link.paid",
      summary: "A payment link has become partial, confirmed or excess: once for each",
      body: EventAnswer.LinkEvent,
      example: webhooks.link,
    },
    {
      name: "standard-invoice-event",
      summary: 'Anything that happens to an invoice: to an endpoint, or with webhook_events: "standard"',
      body: EventAnswer.StandardInvoiceEvent,
      example: webhooks.standardInvoice,
    },
    {
      name: "standard-link-event",
      summary: 'Anything that happens to a payment link: to an endpoint, or with webhook_events: "standard"',
      body: EventAnswer.StandardLinkEvent,
      example: webhooks.standardLink,
    },
  ];
}

const { signed } = examplesAt("");

/** Headers of every delivery, with the first example's values. */
export const webhookHeaders = [
  {
    name: "X-Service-Signature",
    wants: "sha256= and the hex HMAC-SHA256 of the raw body, keyed with the whole text of the secret",
    example: "sha256=8518c7cf6c02a747084fef3fe760a64a092f2def70a93c82fc8a5370277069cf",
  },
  {
    name: "webhook-id",
    wants: "the id of the event; the same each time that it is sent",
    example: signed.id,
  },
  {
    name: "webhook-timestamp",
    wants: "when this was sent, in seconds since 1970",
    example: String(signed.timestampSec),
  },
  {
    name: "webhook-signature",
    wants:
      "v1, and a base64 HMAC-SHA256, for the libraries of Standard Webhooks; after a rotation one for each secret, with spaces between",
    example: "v1,edRgaQlG69GNQk5nm2JoODhmVbEvA9qs6HkMbUVVdtw=",
  },
] as const;

export const webhookRules = [
  'Till posts the first two bodies below to a webhook_url; to an endpoint, and with webhook_events: "standard", the others, one for each event.',
  "Verify before you parse: compute the HMAC over the bytes as they came, and compare it in constant time.",
  "Answer 2xx within 15 seconds, and the event is never sent again. 410 gives it up at once, and pauses an endpoint.",
  "After anything else the same bytes come again with the same webhook-id, for about three days: deal with each id once.",
] as const;

/** Runs unchanged in Node.js and in Bun. */
export const verifySample = `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the bytes as they came, before any parser.
// signature: the header X-Service-Signature.
export function isFromTill(body, signature, secret) {
  const hmac = createHmac("sha256", secret).update(body);
  const ours = Buffer.from("sha256=" + hmac.digest("hex"));
  const theirs = Buffer.from(signature ?? "");
  if (theirs.length !== ours.length) return false;
  return timingSafeEqual(theirs, ours);
}`;

/** Returns the `webhooks` of OpenAPI 3.1. */
export function openApiWebhooks(baseUrl: string, { schema, content, shared }: Components): object {
  return Object.fromEntries(
    webhookDocsAt(baseUrl).map(({ name, summary, body, example }) => [
      name,
      {
        post: {
          operationId: `on${body["noun"]}`,
          tags: ["Webhooks"],
          security: [],
          summary,
          description: "Verify the signature before you parse the body, as the tag Webhooks shows.",
          parameters: webhookHeaders.map(({ name, wants, example }) =>
            shared("parameters", pascal(name.toLowerCase()), {
              name,
              in: "header",
              required: true,
              schema: { type: "string", description: wants },
              example,
            }),
          ),
          requestBody: {
            required: true,
            content: content("application/json", schema(body), name, {
              body: { value: JSON.parse(example) },
            }),
          },
          responses: {
            "2XX": { description: "Taken: the event is never sent again" },
            "410": { description: "Given up at once; an endpoint is paused, and gets it once it is resumed" },
            default: { description: "Sent again later" },
          },
        },
      },
    ]),
  );
}
