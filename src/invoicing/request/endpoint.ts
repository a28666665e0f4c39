import { type Static, Type } from "@sinclair/typebox";
import { checkAddress, type Format, formats, isChat, typesDefault } from "../../domain/event/chat.ts";
import * as Endpoint from "../../domain/event/endpoint.ts";
import * as Field from "./fields.ts";
import { bodyOf, called, type FieldReader, oneOf, type Parsed, readBody, readChanged } from "./validation.ts";

const settings = {
  url: Field.meaning(
    "receives a signed POST for each event, or the address of a chat",
    Type.String({ wants: "an http or https URL" }),
  ),
  types: Type.Optional(
    Type.Array(called("ToldEventType", oneOf(Endpoint.types, "the type of an event, such as invoice.paid")), {
      minItems: 1,
      uniqueItems: true,
      wants: "a list of different types of events",
      means: "only these; when left out every type, also new ones, and for a chat those about money",
    }),
  ),
  description: Type.Optional(Field.meaning("for you alone", Field.text(1, 200))),
  merchant_email: Type.Optional(
    Field.meaning("only events of this merchant; of all when left out", Field.email),
  ),
};

/** The body of POST /api/webhook-endpoints. */
export const EndpointRequest = bodyOf("WebhookEndpointRequest", {
  ...settings,
  format: Type.Optional(
    Field.meaning(
      "signed events (till, the default), or messages to a chat; never changes",
      called("EndpointFormat", oneOf(formats, formats.map((format) => `"${format}"`).join(", "))),
    ),
  ),
});

/** The body of PATCH /api/webhook-endpoints/{id}. */
export const EndpointChange = Field.meaning(
  "null takes back types, description or merchant_email",
  bodyOf("WebhookEndpointChange", {
    ...settings,
    url: Type.Optional(settings.url),
    status: Type.Optional(
      Field.meaning("paused: it is sent nothing", oneOf(["active", "paused"], '"active" or "paused"')),
    ),
  }),
);

type Rules = Pick<Field.RequestRules, "publicWebhooksOnly">;

/** The requested values of all fields. */
function readSettings(
  reader: FieldReader,
  fields: Partial<Static<typeof EndpointChange>>,
  rules: Rules,
  format: Format,
) {
  const url = Field.readWebhookUrl(reader, fields.url, rules, "url") ?? undefined;
  const checked = url !== undefined && isChat(format) ? checkAddress(format, url) : null;
  if (checked?.ok === false) reader.add("url", checked.why);
  return {
    url,
    types: fields.types,
    description: reader.read("description", fields.description, Field.plainLine),
    merchantEmail: reader.read("merchant_email", fields.merchant_email, Field.emailAddress),
  };
}

export function parseEndpoint(
  body: unknown,
  rules: Rules,
): Parsed<Endpoint.Settings & Pick<Endpoint.Endpoint, "format">> {
  const { reader, fields } = readBody(EndpointRequest, body);
  const { format = "till" } = fields;
  const settings = readSettings(reader, fields, rules, format);
  const { url, description = null, merchantEmail = null } = settings;
  if (reader.faults.length > 0 || url === undefined) return reader.refused();
  const types = settings.types ?? (isChat(format) ? typesDefault : null);
  return { ok: true, value: { format, url, types, description, merchantEmail } };
}

/** Omitted fields stay unchanged. */
export function parseEndpointChange(body: unknown, rules: Rules, format: Format): Parsed<Endpoint.Change> {
  const clearable = ["types", "description", "merchant_email"] as const;
  const { reader, fields, cleared } = readChanged(EndpointChange, body, clearable);
  const settings = { ...readSettings(reader, fields, rules, format), status: fields.status };
  if (reader.faults.length > 0) return reader.refused();
  const nameOf = (field: string) => (field === "merchant_email" ? "merchantEmail" : field);
  return {
    ok: true,
    value: {
      ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
      ...Object.fromEntries(cleared.map((field) => [nameOf(field), null])),
    },
  };
}
