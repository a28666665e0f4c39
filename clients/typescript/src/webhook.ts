import { parsed } from "./error.ts";
import type { InvoiceEvent, LinkEvent, StandardInvoiceEvent, StandardLinkEvent } from "./schema.ts";

/** What `POST /api/webhook-endpoints/{id}/test` sends. */
type TestEvent = { type: "endpoint.test"; timestamp: string; data: { endpoint_id: string } };

/** What Till posts. The standard form has a `type`, the contract's an `event`. A newer Till may send more types. */
export type TillEvent = StandardInvoiceEvent | StandardLinkEvent | TestEvent | InvoiceEvent | LinkEvent;

export type VerifyOptions = {
  /**
   * `webhook-signature` unless told. `body` checks `X-Service-Signature`, for a receiver that gets no other header: it
   * covers neither id nor time, so whoever has an old post can send it again.
   */
  signature?: "standard" | "body";
  /** How far the time of a post may be from now: 300 s unless told. */
  toleranceSec?: number;
};

export type Verified = {
  /** The same whenever the event is sent again: deal with each once. With `signature: "body"` it is the signature. */
  id: string;
  event: TillEvent;
};

/** Base64 of a byte or more, with or without padding. */
const secretForm = /^whsec_(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Three times what the largest record has. */
const bytesMax = 1024 * 1024;

/** Why a post is not to be believed. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  constructor(
    readonly code: "not_signed" | "wrong_signature" | "wrong_time" | "too_large" | "not_an_event",
    message: string,
  ) {
    super(message);
  }
}

type Given = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks that a post is from Till, and returns its event. `body` is the request, or its bytes as they came: not what a
 * parser made of them. With several secrets, any may have signed. Throws a WebhookError for what is not Till's.
 */
export async function verifyWebhook(
  body: Request | Uint8Array | ArrayBuffer | string,
  headers: Given,
  secret: string | readonly string[],
  { signature = "standard", toleranceSec = 300 }: VerifyOptions = {},
): Promise<Verified> {
  const secrets = [secret].flat();
  // An empty key would work, and anybody could forge its signatures.
  if (secrets.length === 0 || !secrets.every((each) => secretForm.test(each)))
    throw new TypeError("A webhook secret must be whsec_ and base64, as Till gave it");
  const isBytes = typeof body === "string" || typeof (body as ArrayBuffer | null)?.byteLength === "number";
  // A request of Node.js is another one.
  if (!isBytes && typeof (body as Request | null)?.bodyUsed !== "boolean")
    throw new TypeError("Give the bytes as they came or a web Request, not what was made of them");
  const isStandard = signature === "standard";
  const { id, before, signatures } = isStandard ? standardOf(headers, toleranceSec) : bodyAloneOf(headers);
  const raw = new Blob(isBytes ? [body as Bytes] : await partsOf(body as Request));
  const message = await new Blob([before, raw]).arrayBuffer();
  const keys = secrets.map((each) => (isStandard ? decoded(each.slice(6)) : new TextEncoder().encode(each)));
  if (!(await isSignedByAny(keys, signatures, message)))
    throw new WebhookError("wrong_signature", "The signature is not that of this body with this secret.");
  const event = parsed(await raw.text()) as { type?: unknown; event?: unknown } | null | undefined;
  if (typeof (event?.type ?? event?.event) !== "string")
    throw new WebhookError("not_an_event", "The body is signed, but it is no event.");
  return { id, event: event as TillEvent };
}

type Bytes = Uint8Array<ArrayBuffer>;
/** What is signed before the body, and the signatures, one of which has to be right. */
type Signed = { id: string; before: string; signatures: readonly Bytes[] };

/** Till signs with one secret, and for a day after each change with the four before it. */
const signaturesMax = 5;

/** Standard Webhooks 1.0.0: `v1,<base64>` of `id.timestamp.body`, with spaces between several. */
function standardOf(headers: Given, toleranceSec: number): Signed {
  const [id, time] = [headerOf(headers, "webhook-id"), headerOf(headers, "webhook-timestamp")];
  const all = headerOf(headers, "webhook-signature");
  const given = all.split(" ").flatMap((each) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(each)?.[1] ?? []);
  if (!id || given.length === 0)
    throw new WebhookError("not_signed", "There is no webhook-id or no webhook-signature of Till's form.");
  const awaySec = /^\d{1,12}$/.test(time) ? Math.abs(Date.now() / 1000 - Number(time)) : Number.NaN;
  if (!(awaySec <= toleranceSec))
    throw new WebhookError("wrong_time", "The webhook-timestamp is too far from now. Is the clock right?");
  return { id, before: `${id}.${time}.`, signatures: given.slice(0, signaturesMax).map(decoded) };
}

function bodyAloneOf(headers: Given): Signed {
  const id = headerOf(headers, "x-service-signature");
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(id) ?? [];
  if (!hex) throw new WebhookError("not_signed", "There is no X-Service-Signature of Till's form.");
  const bytes = hex.match(/../g) ?? [];
  return { id, before: "", signatures: [Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16))] };
}

/** Web Crypto compares in constant time. */
async function isSignedByAny(keys: readonly Bytes[], signatures: readonly Bytes[], message: ArrayBuffer) {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  for (const raw of keys) {
    const key = await crypto.subtle.importKey("raw", raw, hmac, false, ["verify"]);
    for (const each of signatures) if (await crypto.subtle.verify("HMAC", key, each, message)) return true;
  }
  return false;
}

/** Empty when it is missing. What came several times is joined, and then matches nothing. */
function headerOf(headers: Given, name: string): string {
  if (typeof headers.get === "function") return headers.get(name) ?? "";
  return String(Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? "");
}

async function partsOf({ body, bodyUsed }: Request): Promise<Bytes[]> {
  if (bodyUsed) throw new TypeError("The body was read before: give its bytes instead of the request");
  const parts: Bytes[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > bytesMax) throw new WebhookError("too_large", `The body is longer than ${bytesMax} bytes.`);
    parts.push(part);
  }
  return parts;
}

const decoded = (base64: string): Bytes => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
