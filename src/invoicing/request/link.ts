import { type Static, Type } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import { type Price, quantityLimit } from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Fault, why } from "../../language/faults.ts";
import { instant } from "../../lib/time.ts";
import type { NewLink } from "../create-link.ts";
import type { NewReusableLink } from "../reusable-link.ts";
import { currencyFields, readCurrency } from "./currency.ts";
import * as Field from "./fields.ts";
import { type FieldReader, type Reading, readBody, reading } from "./validation.ts";

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

/** A one-time link needs an amount. */
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
  const schema = isReusable || isInCurrency(body) ? LinkRequest : PaidOnceRequest;
  const { reader, fields } = readBody(schema, body);

  const businessName = reader.read("business_name", fields.business_name, Field.plainLine);
  const merchantEmail = reader.read(
    "merchant_email",
    fields.merchant_email,
    Field.merchantEmail(rules.merchant),
  );
  const price = readLinkPrice(reader, fields);
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
    expiresAt: expiresAt ?? null,
  };
  return price.kind === "once"
    ? { ok: true, kind: "link", request: { ...shared, billed: price.billed, currency: price.currency } }
    : { ok: true, kind: "reusable", request: { ...shared, price: price.price, currency: price.currency } };
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
  const url = URL.canParse(value) ? new URL(value) : null;
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
  const origin = URL.canParse(text) ? new URL(text).origin : "";
  return text.length <= originLengthMax &&
    plainOrigin.test(origin) &&
    (text === origin || text === `${origin}/`)
    ? origin
    : null;
}

function isWeb(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}

/** A one-time link's amount, or the price of each payment of a reusable one. */
type LinkPrice = { currency: NewLink["currency"] } & (
  | { kind: "once"; billed: Usdc.Billed }
  | { kind: "again"; price: Price }
);

type PriceFields = Partial<Static<typeof LinkRequest>>;

const ofReusable = ["amount_min", "amount_max", "quantity_max"] as const;

/** Whether its price is in a currency, or a part of the request says so. */
function isInCurrency(body: unknown): boolean {
  const fields: { currency?: unknown; amount?: unknown } = typeof body === "object" && body ? body : {};
  return (fields.currency ?? fields.amount ?? null) !== null;
}

/** Reads a link's price; null after a fault. */
function readLinkPrice(reader: FieldReader, fields: PriceFields): LinkPrice | null {
  const currency = readCurrency(reader, fields);
  const field = isInCurrency(fields) ? "amount" : "expected_amount";
  // After a fault of the currency, what was asked for says it.
  const unit =
    currency === null && field === "amount" ? String(fields.currency ?? "") : Currency.codeOf({ currency });
  const billed = reader.read(field, fields[field], positivePrice(unit));
  const isReusable = fields.reusable === true;
  const isChosen = isReusable && (fields.amount_min !== undefined || fields.amount_max !== undefined);
  const isObject = !reader.faults.some(({ field }) => field === "body");
  if (field === "amount") {
    if (fields.currency === undefined) reader.add("currency", why("currency_missing"));
    if (fields.expected_amount !== undefined) reader.add("expected_amount", why("computed_amount"));
  }
  if (isReusable && fields[field] === undefined && !isChosen && isObject)
    reader.add(field, why("required_without", { other: "amount_min and amount_max" }));
  if (!isReusable) {
    for (const field of ofReusable)
      if (fields[field] !== undefined) reader.add(field, why("omitted_without", { other: "reusable: true" }));
    if (field === "amount" && fields.amount === undefined)
      reader.add("amount", why("required_with", { other: "currency" }));
    return billed === undefined ? null : { kind: "once", billed, currency };
  }
  const price = isChosen ? readBounds(reader, fields, unit) : readFixed(reader, fields, billed, unit);
  return price && { kind: "again", price, currency };
}

function readFixed(
  reader: FieldReader,
  fields: PriceFields,
  each: Usdc.Billed | undefined,
  unit: string,
): Price | null {
  const quantityMax = fields.quantity_max ?? 1;
  if (each === undefined || reader.faults.some(({ field }) => field === "quantity_max")) return null;
  if (Reusable.times(each, quantityMax) > Usdc.max) {
    const [price, max] = [Usdc.format(each), Usdc.format(Usdc.max)];
    reader.add("quantity_max", why("pieces", { quantity: quantityMax, each: price, max, unit }));
    return null;
  }
  return { kind: "fixed", each, quantityMax };
}

function readBounds(reader: FieldReader, fields: PriceFields, unit: string): Price | null {
  const min = reader.read("amount_min", fields.amount_min, positivePrice(unit));
  const max = reader.read("amount_max", fields.amount_max, positivePrice(unit));
  if (fields.amount_min === undefined)
    reader.add("amount_min", why("required_with", { other: "amount_max" }));
  if (fields.amount_max === undefined)
    reader.add("amount_max", why("required_with", { other: "amount_min" }));
  for (const field of ["expected_amount", "amount"] as const)
    if (fields[field] !== undefined) reader.add(field, why("chosen_amount"));
  if (fields.quantity_max !== undefined) reader.add("quantity_max", why("chosen_pieces"));
  if (min === undefined || max === undefined) return null;
  if (max < min) {
    reader.add("amount_max", why("amount_below", { other: "amount_min", min: Usdc.format(min) }));
    return null;
  }
  return { kind: "chosen", min, max };
}

const positivePrice =
  (unit: string) =>
  (value: string): Reading<Usdc.Unsaid> => {
    const price = Field.price(value);
    return price.ok && price.value === Usdc.zero ? { ok: false, why: why("amount_zero", { unit }) } : price;
  };
