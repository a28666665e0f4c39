import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { TransferTerms } from "../../../settle/relay/terms.ts";
import { authorizationFields, authorized, decode, signature } from "../x402/payment.ts";
import type { MppProblem } from "../x402/reason.ts";
import { type Challenge, charge } from "./challenge.ts";

/** A payment as sent by a program. None of it is verified. */
export type Credential = { version: "mpp"; challenge: Challenge; identifier: null } & ReturnType<
  typeof authorized
> & { auth: TransferTerms };

type ReadCredential =
  | { ok: true; payment: Credential }
  | { ok: false; version: "mpp"; reason: Extract<MppProblem, "malformed-credential" | "method-unsupported"> };

const text = Type.String();
const Asked = Type.Object({ challenge: Type.Object({ method: text, intent: text }) });
const Answered = Type.Object({
  challenge: Type.Object({
    id: text,
    realm: text,
    request: Type.String({ pattern: "^[A-Za-z0-9_-]+$" }),
    expires: Type.String({ pattern: "^[0-9T:.Z-]+$" }),
  }),
  payload: Type.Object({ type: Type.Literal("authorization"), signature, ...authorizationFields }),
});

const scheme = /^Payment(?: +(\S.*))?$/i;

/** Finds the MPP scheme among the comma-separated ones of a request's header. Others are keys, which pay nothing. */
function credentialOf(headers: Headers): RegExpExecArray | null {
  const schemes = (headers.get("authorization") ?? "").split(",").map((each) => scheme.exec(each.trim()));
  return schemes.find((each) => each !== null) ?? null;
}

/** True if a request has one. */
export const hasCredential = (headers: Headers) => credentialOf(headers) !== null;

/** Returns the payment in a request's headers; null if there is none. */
export function readCredential(headers: Headers): ReadCredential | null {
  const credential = credentialOf(headers);
  if (credential === null) return null;
  const sent = decode(credential[1] ?? "", /^[A-Za-z0-9_-]+$/);
  const failed = { ok: false, version: "mpp" } as const;
  if (!Value.Check(Asked, sent)) return { ...failed, reason: "malformed-credential" };
  const { method, intent } = sent.challenge;
  if (method !== charge.method || intent !== charge.intent)
    return { ...failed, reason: "method-unsupported" };
  if (!Value.Check(Answered, sent)) return { ...failed, reason: "malformed-credential" };
  const { challenge, payload } = sent as { challenge: Challenge; payload: typeof Answered.static.payload };
  const { id, realm, request, expires } = challenge;
  return {
    ok: true,
    payment: {
      version: "mpp",
      challenge: { id, realm, request, expires },
      identifier: null,
      ...authorized({ signature: payload.signature, authorization: payload }),
    },
  };
}
