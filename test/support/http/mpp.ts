import { Challenge, PaymentRequest } from "mppx";
import { keccak256, stringToHex } from "viem";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { Signed, Signer } from "../chain/signer.ts";

/** A credential of MPP, whose parts tests change. */
export type Credential = { challenge: Record<string, unknown>; payload: Record<string, unknown> };

/** What a 402 asks for, as the official client reads it. */
export const challengeOf = (headers: Headers) => Challenge.deserialize(headers.get("www-authenticate") ?? "");

/** An answer to a challenge, as its payer signs it. */
export async function makeCredential(
  signer: Signer,
  { id, realm, method, intent, expires, request }: Challenge.Challenge,
  signed: Partial<Signed> = {},
): Promise<Credential> {
  const { auth, signature } = await signer.sign({
    to: Address.checksum(String(request["recipient"])),
    amount: BigInt(String(request["amount"])),
    nonce: keccak256(stringToHex(`${id}${realm}`)),
    ...signed,
  });
  return {
    challenge: { id, realm, method, intent, expires, request: PaymentRequest.serialize(request) },
    payload: {
      type: "authorization",
      from: auth.from,
      to: auth.to,
      value: auth.amount.toString(),
      validAfter: auth.validAfterSec.toString(),
      validBefore: auth.validBeforeSec.toString(),
      nonce: auth.nonce,
      signature,
    },
  };
}

export const authorization = (credential: unknown) =>
  `Payment ${Buffer.from(JSON.stringify(credential)).toString("base64url")}`;
