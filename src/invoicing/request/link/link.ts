import type { Static } from "@sinclair/typebox";
import * as Calendar from "../../../domain/calendar.ts";
import type * as Bill from "../../../domain/link/bill.ts";
import { type Fault, why } from "../../../language/faults.ts";
import { instant } from "../../../lib/time.ts";
import type { NewLink } from "../../links/create-link.ts";
import type { NewReusableLink } from "../../links/reusable-link.ts";
import * as Field from "../fields.ts";
import { type FieldReader, type Reading, readBody, reading } from "../validation.ts";
import { isInCurrency, readLinkPrice } from "./link-price.ts";
import { LinkRequest, originLengthMax, PaidOnceRequest, timeWanted, urlLengthMax } from "./link-schema.ts";

/** Ten years, including leap days. */
const expiryMsMax = 3_653 * 86_400_000;

export type ParsedLinkRequest =
  | { ok: true; kind: "link"; request: NewLink }
  | { ok: true; kind: "reusable"; request: NewReusableLink }
  | { ok: false; faults: Fault[] };

/** Parses a request for a payment link and reports every fault at once. */
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
  const input = (Array.isArray(questions) ? questions : []).map((text, i) =>
    reader.read(`questions[${i}]`, text, Field.plainLine),
  );
  if (collect === undefined && questions === undefined) return null;
  return { fields: collect ?? [], questions: input.filter((question) => question !== undefined) };
}

const instantForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Parses ISO 8601 with a time zone to Unix milliseconds; `or` names other accepted forms that did not match, for the
 * message.
 */
export function expiry(text: string, rules: Pick<Field.RequestRules, "now">, or = ""): Reading<number> {
  const [, day = ""] = instantForm.exec(text) ?? [];
  const at = Calendar.isDay(day) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return { ok: false, why: why("shape", { wants: `${or}${timeWanted}` }) };
  const now = rules.now();
  if (now === null || (at > now && at <= now + expiryMsMax)) return { ok: true, value: at };
  return { ok: false, why: why(at > now ? "time_far" : "time_past", { now: instant(now) }) };
}

function webUrl(value: string): Reading<string> {
  // Parsing a host takes quadratic time.
  const url = value.length <= urlLengthMax && URL.canParse(value) ? new URL(value) : null;
  if (!url || !isWeb(url) || url.username || url.password || url.href.length > urlLengthMax) {
    return { ok: false, why: why("web_url", { max: urlLengthMax }) };
  }
  return { ok: true, value: url.href };
}

const webOrigin = (value: string) => reading(originOf(value), why("origin"));

/** Host names in URLs may contain characters, such as `;`, that would end a Content-Security-Policy directive. */
const plainOrigin = /^https?:\/\/[a-z0-9._-]+(:\d+)?$|^https?:\/\/\[[0-9a-f:]+\](:\d+)?$/;

/** A text's origin as browsers write it; null if it is not an origin. */
export function originOf(text: string): string | null {
  const origin = text.length <= originLengthMax && URL.canParse(text) ? new URL(text).origin : "";
  return plainOrigin.test(origin) && (text === origin || text === `${origin}/`) ? origin : null;
}

function isWeb(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}
