import { type Static, Type } from "@sinclair/typebox";
import * as Calendar from "../../domain/calendar.ts";
import * as Bill from "../../domain/link/bill.ts";
import { quantityLimit } from "../../domain/link/reusable-link.ts";
import { type Fault, why } from "../../language/faults.ts";
import { instant } from "../../lib/time.ts";
import type { NewLink } from "../create-link.ts";
import type { NewReusableLink } from "../reusable-link.ts";
import { lineItems } from "./bill.ts";
import { currencyFields } from "./currency.ts";
import * as Field from "./fields.ts";
import { isInCurrency, linkTaxFields, readLinkPrice } from "./link-price.ts";
import { pricesIncludeTax } from "./tax.ts";
import { type FieldReader, oneOf, type Reading, readBody, reading } from "./validation.ts";

const urlLengthMax = 2048;
const embedOriginsMax = 20;
/** Scheme, a host name of 253 characters (RFC 1035), and port. */
const originLengthMax = 270;

/** Ten years, including leap days. */
const expiryMsMax = 3_653 * 86_400_000;

const timeWanted = "a time with its time zone, such as 2026-12-31T18:00:00+01:00";

const origin = Type.String({ wants: "an origin such as https://shop.example" });

/** The body of POST /api/links (SPEC section 4.8). What a schema cannot say is checked below. */
export const LinkRequest = Type.Object(
  {
    business_name: Field.meaning("at the top of the checkout", Field.text(1, 200)),
    expected_amount: Type.Optional(
      Field.meaning(
        "of one piece if reusable; required without amount, or amount_min and amount_max",
        Field.amount,
      ),
    ),
    ...currencyFields,
    amount: Type.Optional(
      Field.meaning(
        "in the currency, in the place of expected_amount",
        Type.String({ wants: 'an amount as a string with up to two decimals, such as "20.00"' }),
      ),
    ),
    merchant_email: Field.billingEmail,
    wallet_type: Field.walletType,
    wallet_address: Type.Optional(Field.walletAddress),
    product_description: Type.Optional(Field.text(0, 500)),
    reference: Type.Optional(Field.reference),
    language: Type.Optional(Field.language),
    metadata: Type.Optional(Field.metadata),
    webhook_url: Type.Optional(Field.webhookUrl),
    webhook_events: Type.Optional(Field.webhookEvents),
    success_url: Type.Optional(
      Type.String({
        wants: "an http or https URL",
        means: "a button on the paid page leads there",
        openapi: { format: "uri" },
      }),
    ),
    expires_at: Type.Optional(
      Type.String({
        wants: timeWanted,
        means: "from then on the checkout asks for no money; what is paid all the same counts",
        openapi: { format: "date-time" },
      }),
    ),
    embed_origins: Type.Optional(
      Type.Array(origin, {
        minItems: 1,
        maxItems: embedOriginsMax,
        wants: `a list of 1 to ${embedOriginsMax} origins`,
        means: "the only sites that may frame the checkout; any site when left out",
      }),
    ),
    reusable: Type.Optional(
      Type.Boolean({
        wants: "true or false",
        means: "whether it can be paid many times; false when left out",
      }),
    ),
    line_items: Type.Optional({
      ...lineItems,
      means: "what is sold, as on an invoice, in the place of an amount; not with reusable",
    }),
    prices_include_tax: Type.Optional({
      ...pricesIncludeTax,
      means: "whether prices have the tax in them already: true when left out; false adds it",
    }),
    ...linkTaxFields,
    collect: Type.Optional(
      Type.Array(oneOf(Bill.askable, `one of ${Bill.askable.map((name) => `"${name}"`).join(", ")}`), {
        minItems: 1,
        uniqueItems: true,
        wants: 'a list of what to ask for, such as ["name", "address"], each once',
        means: "what a payer can fill in to have the receipt in their name",
      }),
    ),
    questions: Type.Optional(
      Type.Array(Field.text(1, 100), {
        minItems: 1,
        maxItems: Bill.questionsMax,
        wants: `a list of 1 to ${Bill.questionsMax} questions of 1 to 100 characters`,
        means: "your own questions to the payer, who need not answer",
      }),
    ),
    amount_min: Type.Optional(
      Field.meaning(
        "the payer chooses from this; with reusable, in the place of expected_amount",
        Field.amount,
      ),
    ),
    amount_max: Type.Optional(Field.meaning("the payer chooses up to this", Field.amount)),
    quantity_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: quantityLimit,
        wants: `a whole number from 1 to ${quantityLimit}`,
        means: "the most pieces in one payment, with reusable and one price; 1 when left out",
      }),
    ),
  },
  { additionalProperties: false, wants: "a JSON object", noun: "LinkRequest" },
);

/** A one-time link needs an amount, unless lines add up to it. */
const PaidOnceRequest = Type.Object(
  { ...LinkRequest.properties, expected_amount: Field.amount },
  { additionalProperties: false, wants: "a JSON object" },
);

export type ParsedLinkRequest =
  | { ok: true; kind: "link"; request: NewLink }
  | { ok: true; kind: "reusable"; request: NewReusableLink }
  | { ok: false; faults: Fault[] };

/** Reads a request for a payment link and reports every fault at once. */
export function parseLinkRequest(body: unknown, rules: Field.RequestRules): ParsedLinkRequest {
  const isReusable =
    typeof body === "object" && body !== null && "reusable" in body && body.reusable === true;
  const hasLines = typeof body === "object" && body !== null && "line_items" in body && body.line_items;
  const schema = isReusable || hasLines || isInCurrency(body) ? LinkRequest : PaidOnceRequest;
  const { reader, fields } = readBody(schema, body);

  const businessName = reader.read("business_name", fields.business_name, Field.plainLine);
  const merchantEmail = reader.read(
    "merchant_email",
    fields.merchant_email,
    Field.merchantEmail(rules.merchant),
  );
  const price = readLinkPrice(reader, fields);
  const collect = readCollect(reader, fields);
  const wallet = Field.readWallet(reader, fields, rules);
  const description = reader.read(
    "product_description",
    fields.product_description || undefined,
    Field.plainLines,
  );
  const successUrl = reader.read("success_url", fields.success_url, webUrl);
  const expiresAt = reader.read("expires_at", fields.expires_at, (text) => expiry(text, rules));
  const embedOrigins = (Array.isArray(fields.embed_origins) ? fields.embed_origins : []).map((text, i) =>
    reader.read(`embed_origins[${i}]`, text, webOrigin),
  );
  const reference = reader.read("reference", fields.reference, Field.plainLine);
  const metadata = Field.readMetadata(reader, fields.metadata);
  const webhook = Field.readWebhookUrl(reader, fields.webhook_url, rules);
  const webhookEvents = Field.readWebhookEvents(reader, fields);
  if (
    reader.faults.length > 0 ||
    businessName === undefined ||
    merchantEmail === undefined ||
    price === null
  ) {
    const faults = isInCurrency(fields) ? reader.faults.map(Field.ofAnyCurrency) : [...reader.faults];
    return { ok: false, faults };
  }
  const shared = {
    businessName,
    merchantEmail,
    wallet,
    productDescription: description ?? null,
    successUrl: successUrl ?? null,
    embedOrigins: [...new Set(embedOrigins.filter((origin) => origin !== undefined))],
    webhookUrl: webhook,
    webhookEvents,
    reference: reference ?? null,
    metadata,
    language: fields.language ?? null,
    expiresAt: expiresAt ?? null,
    collect,
  };
  if (price.kind === "again") {
    const { kind: _, ...priced } = price;
    return { ok: true, kind: "reusable", request: { ...shared, ...priced } };
  }
  const { billed, currency, bill } = price;
  return { ok: true, kind: "link", request: { ...shared, billed, currency, bill } };
}

function readCollect(
  reader: FieldReader,
  { collect, questions }: Partial<Static<typeof LinkRequest>>,
): Bill.Collect | null {
  const asked = (Array.isArray(questions) ? questions : []).map((text, i) =>
    reader.read(`questions[${i}]`, text, Field.plainLine),
  );
  if (collect === undefined && questions === undefined) return null;
  return { fields: collect ?? [], questions: asked.filter((question) => question !== undefined) };
}

const instantForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** ISO 8601 with a time zone, as Unix milliseconds; `or` is what else is taken, and was no such thing. */
export function expiry(text: string, rules: Pick<Field.RequestRules, "now">, or = ""): Reading<number> {
  const [, day = ""] = instantForm.exec(text) ?? [];
  const at = Calendar.isDay(day) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return { ok: false, why: why("shape", { wants: `${or}${timeWanted}` }) };
  const now = rules.now();
  if (now === null || (at > now && at <= now + expiryMsMax)) return { ok: true, value: at };
  return { ok: false, why: why(at > now ? "time_far" : "time_past", { now: instant(now) }) };
}

function webUrl(value: string): Reading<string> {
  // To parse a host takes time with the square of its length.
  const url = value.length <= urlLengthMax && URL.canParse(value) ? new URL(value) : null;
  if (!url || !isWeb(url) || url.username || url.password || url.href.length > urlLengthMax) {
    return { ok: false, why: why("web_url", { max: urlLengthMax }) };
  }
  return { ok: true, value: url.href };
}

const webOrigin = (value: string) => reading(originOf(value), why("origin"));

/** Host names in URLs may contain characters, such as `;`, that would end a Content-Security-Policy directive. */
const plainOrigin = /^https?:\/\/[a-z0-9._-]+(:\d+)?$|^https?:\/\/\[[0-9a-f:]+\](:\d+)?$/;

/** A text's origin as browsers write it; null when it is not an origin. */
export function originOf(text: string): string | null {
  const origin = text.length <= originLengthMax && URL.canParse(text) ? new URL(text).origin : "";
  return plainOrigin.test(origin) && (text === origin || text === `${origin}/`) ? origin : null;
}

function isWeb(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}
