import { type Static, type TObject, Type } from "@sinclair/typebox";
import * as Address from "../../domain/wallet/address.ts";
import type { Fault } from "../../invoicing/outcome.ts";
import { meaning } from "../../invoicing/request/fields.ts";
import { shapeFaults, withoutNulls } from "../../invoicing/request/validation.ts";
import type { Hex } from "../../lib/crypto/hex.ts";
import type { TransferTerms } from "../../settle/relay/terms.ts";

const closed = { additionalProperties: false, wants: "a JSON object" } as const;
const address = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", wants: "an address: 0x and 40 hex digits" });
const hex = (digits: string, wants: string) => Type.String({ pattern: `^0x[0-9a-fA-F]${digits}$`, wants });
/** Whole numbers as EIP-712 writes them in JSON, at most 256 bits. */
const whole = Type.String({ pattern: "^[0-9]{1,78}$", wants: "a whole number as text" });
const seconds = Type.String({ pattern: "^[0-9]{1,15}$", wants: "Unix seconds as text" });

/** The body of POST …/authorization. */
const AuthorizationRequest = Type.Object(
  {
    payer: meaning("whose USDC pays", address),
    value: Type.Optional(
      meaning("what the payer was shown, in micro-USDC; refused when another amount is due", whole),
    ),
  },
  closed,
);

/** The body of POST …/relay. */
const RelayRequest = Type.Object(
  {
    authorization: Type.Object(
      {
        from: address,
        to: address,
        value: meaning("in micro-USDC", whole),
        validAfter: seconds,
        validBefore: seconds,
        nonce: hex("{64}", "32 bytes: 0x and 64 hex digits"),
      },
      { ...closed, means: "the message of the typed data" },
    ),
    // A contract's is the longest: the relayer rejects longer ones.
    signature: meaning("of the typed data", hex("{2,16000}", "0x and hex digits")),
  },
  closed,
);

type Parsed<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

export function parseAuthorizationRequest(
  body: unknown,
): Parsed<{ payer: Address.Address; value: bigint | null }> {
  const parsed = parse(AuthorizationRequest, body);
  if (!parsed.ok) return parsed;
  const { payer, value } = parsed.value;
  return {
    ok: true,
    value: { payer: Address.checksum(payer), value: value === undefined ? null : BigInt(value) },
  };
}

export function parseRelayRequest(body: unknown): Parsed<{ auth: TransferTerms; signature: Hex }> {
  const parsed = parse(RelayRequest, body);
  if (!parsed.ok) return parsed;
  const { authorization, signature } = parsed.value;
  const auth: TransferTerms = {
    from: Address.checksum(authorization.from),
    to: Address.checksum(authorization.to),
    amount: BigInt(authorization.value),
    validAfterSec: Number(authorization.validAfter),
    validBeforeSec: Number(authorization.validBefore),
    nonce: authorization.nonce.toLowerCase() as Hex,
  };
  return { ok: true, value: { auth, signature: signature as Hex } };
}

function parse<S extends TObject>(schema: S, body: unknown): Parsed<Static<S>> {
  const present = withoutNulls(schema, body);
  const faults = shapeFaults(schema, present);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: present as Static<S> };
}
