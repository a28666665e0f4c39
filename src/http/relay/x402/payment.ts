import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import * as Address from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto.ts";
import type { TransferTerms } from "../../../settle/relay/terms.ts";
import type { InvalidReason } from "./reason.ts";

/** Headers of payments and their responses, by version of x402. */
export const headersOf = {
  1: { payment: "x-payment", result: "x-payment-response" },
  2: { payment: "payment-signature", result: "payment-response" },
} as const;

export type Version = keyof typeof headersOf;

/** A payment as sent by a program. None of it is verified. */
export type PaymentPayload = {
  version: Version;
  /** The offer the payer claims to accept; in version 1 only its scheme and network. */
  accepted: Record<string, unknown>;
  auth: TransferTerms;
  signature: Hex;
  /** The program's own name for the payment; null if it gives none. */
  identifier: string | null;
};

type ReadPayment =
  | { ok: true; payment: PaymentPayload }
  | { ok: false; version: Version; reason: InvalidReason; detail: string };

/** In characters. A smart wallet's signature and its offer fit. */
const headerLengthMax = 8 * 1024;

const uint = Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$" });
const address = Type.String({ pattern: Address.pattern });

/** An authorisation, with its numbers as text. */
export const authorizationFields = {
  from: address,
  to: address,
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
};
export const signature = Type.String({ pattern: "^0x([0-9a-fA-F]{2})+$" });

const Authorized = Type.Object({
  signature,
  authorization: Type.Object(authorizationFields, { additionalProperties: false }),
});

/** Format of a payment's own name, in the extension payment-identifier. */
export const identifierForm = {
  type: "string",
  minLength: 16,
  maxLength: 128,
  pattern: "^[a-zA-Z0-9_-]+$",
} as const;

/** Why a payment cannot be read, in words. */
const notPayment = "The payment is none of x402, version 1 or 2, of the scheme exact on EVM chains.";
const notIdentifier =
  "The payment-identifier has no id that Till takes: 16 to 128 letters, digits, hyphens and underscores.";

const Extensions = Type.Object({
  "payment-identifier": Type.Optional(
    Type.Object({ info: Type.Object({ id: Type.Optional(Type.String(identifierForm)) }) }),
  ),
});

const Shape = {
  1: Type.Object({
    x402Version: Type.Literal(1),
    scheme: Type.String(),
    network: Type.String(),
    payload: Authorized,
  }),
  2: Type.Object({
    x402Version: Type.Literal(2),
    accepted: Type.Record(Type.String(), Type.Unknown()),
    payload: Authorized,
    extensions: Type.Optional(Extensions),
  }),
};

/** Returns the payment in a request's headers; null if there is none. With both versions, the newer counts. */
export function readPayment(headers: Headers): ReadPayment | null {
  for (const version of [2, 1] as const) {
    const text = headers.get(headersOf[version].payment);
    if (text !== null) return parse(version, text);
  }
  return null;
}

function parse(version: Version, text: string): ReadPayment {
  const sent = decode(text, /^[A-Za-z0-9+/]+={0,2}$/);
  const failed = { ok: false, version, reason: "invalid_payload", detail: notPayment } as const;
  if (typeof sent !== "object" || sent === null) return failed;
  if ((sent as { x402Version?: unknown }).x402Version !== version)
    return { ...failed, reason: "invalid_x402_version" };
  const own = { version, identifier: null };
  if (version === 1 && Value.Check(Shape[1], sent)) {
    const { scheme, network, payload } = sent;
    return { ok: true, payment: { ...own, accepted: { scheme, network }, ...authorized(payload) } };
  }
  if (version === 2 && Value.Check(Shape[2], sent)) {
    const identifier = sent.extensions?.["payment-identifier"]?.info.id ?? null;
    const { accepted, payload } = sent;
    return { ok: true, payment: { ...own, accepted, identifier, ...authorized(payload) } };
  }
  const isElseRight = version === 2 && Value.Check(Shape[2], { ...sent, extensions: {} });
  return isElseRight ? { ...failed, detail: notIdentifier } : failed;
}

/** Returns null unless the text is Base64, in this form, of JSON in UTF-8. */
export function decode(text: string, form: RegExp): unknown {
  if (text.length > headerLengthMax || !form.test(text)) return null;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64")));
  } catch {
    return null;
  }
}

export function authorized({ signature, authorization }: Static<typeof Authorized>) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const auth: TransferTerms = {
    from: Address.checksum(from),
    to: Address.checksum(to),
    amount: BigInt(value),
    validAfterSec: seconds(validAfter),
    validBeforeSec: seconds(validBefore),
    nonce: nonce.toLowerCase() as Hex,
  };
  return { auth, signature: signature.toLowerCase() as Hex };
}

/** A time too large for a number is rejected like any far future. */
const seconds = (text: string) => Math.min(Number(text), Number.MAX_SAFE_INTEGER);
