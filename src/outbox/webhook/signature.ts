import { secretPrefix } from "../../domain/event/webhook-event.ts";
import { hmacSha256 } from "../../lib/crypto.ts";

type SignatureInput = {
  /** As given to the merchant, prefix included. */
  secret: string;
  /** Previous secrets that also sign, as receivers may not know the new one yet. */
  oldSecrets?: readonly string[];
  /** The same for every attempt of an event, so that receivers recognise repetitions. */
  eventId: string;
  /** The time of this attempt, in seconds since 1970. */
  timestampSec: number;
  /** Sent byte for byte; a string as UTF-8. */
  body: Uint8Array | string;
};

/**
 * The headers that prove the origin of a delivery, in two forms:
 *
 * - `X-Service-Signature: sha256=<hex>`: HMAC-SHA256 of the raw body; the key is the secret's text in UTF-8
 *   (SPEC section 5);
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature`: HMAC-SHA256 of `id.timestamp.body`; the key is the
 *   decoded base64 of the secret (Standard Webhooks 1.0.0); one signature for each secret, the newest first.
 *
 * Throws a TypeError if the secret is not `secretPrefix` and base64.
 */
export function headersFor(signed: SignatureInput): Record<string, string> {
  const { secret, oldSecrets = [], eventId, timestampSec, body } = signed;
  const bytes = Buffer.from(body);
  const timestamp = Math.floor(timestampSec).toString();
  const message = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), bytes]);
  return {
    "X-Service-Signature": `sha256=${Buffer.from(hmacSha256(secret, bytes)).toString("hex")}`,
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": [secret, ...oldSecrets]
      .map((each) => `v1,${Buffer.from(hmacSha256(standardKey(each), message)).toString("base64")}`)
      .join(" "),
  };
}

/** The header that proves the origin of a delivery to a shop's plugin; any text is a key. */
export const shopHeadersFor = ({ secret, body }: Pick<SignatureInput, "secret" | "body">) => ({
  "BTCPay-Sig": `sha256=${Buffer.from(hmacSha256(secret, Buffer.from(body))).toString("hex")}`,
});

function standardKey(secret: string): Uint8Array {
  const key = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : "";
  // Signing with an empty key would work, but anybody could forge it. The message must not contain the secret.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) throw new TypeError("A webhook secret must be whsec_ and base64");
  return Buffer.from(key, "base64");
}
