import { timingSafeEqual } from "node:crypto";
import { usdcDecimals } from "../../../domain/wallet/network.ts";
import { type Hex, hexOf, keccak256 } from "../../../lib/crypto.ts";
import { type Terms, timeoutSec } from "../x402/offer.ts";
import { headerText, type Resource } from "../x402/subject.ts";

/** MPP's method for a single payment with a token on an EVM chain. */
export const charge = { method: "evm", intent: "charge" } as const;

/** The request for payment, as a program returns it. `id` proves that Till made it. */
export type Challenge = { id: string; realm: string; request: string; expires: string };

/** Makes challenges and later recognises them. `baseUrl` has no trailing slash. */
export type Asker = { baseUrl: string; now: () => number; mark: (text: string) => Promise<string> };

/** Required by the protocol, although an authorisation does not need it. */
const permit2Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** Base64url of JSON whose names are in order (RFC 8785), so that programs get the same text. */
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

export const requestOf = (
  { network, payTo, amount }: Terms,
  { description }: Pick<Resource, "description">,
) =>
  encode({
    amount: amount.toString(),
    currency: network.usdc,
    description: headerText(description),
    methodDetails: {
      chainId: network.chainId,
      credentialTypes: ["authorization"],
      decimals: usdcDecimals,
      permit2Address,
    },
    recipient: payTo,
  });

const realmOf = (baseUrl: string) => new URL(baseUrl).hostname;

/** The URL is not part of the challenge, but of its MAC: it pays nothing else. */
const markOf = ({ mark }: Asker, { realm, request, expires }: Omit<Challenge, "id">, { url }: Resource) =>
  mark(["mpp", realm, charge.method, charge.intent, request, expires, "", "", url].join("|"));

/** Asks for the amount due. Nothing is stored. */
export async function newChallenge(asker: Asker, terms: Terms, subject: Resource): Promise<Challenge> {
  const expires = new Date((Math.floor(asker.now() / 1_000) + timeoutSec) * 1_000).toISOString();
  const parts = { realm: realmOf(asker.baseUrl), request: requestOf(terms, subject), expires };
  return { id: await markOf(asker, parts, subject), ...parts };
}

/** True if Till made this challenge for this invoice or link. */
export async function isOurs(asker: Asker, challenge: Challenge, subject: Resource): Promise<boolean> {
  const mark = Buffer.from(await markOf(asker, challenge, subject));
  const id = Buffer.from(challenge.id);
  const isRealm = challenge.realm === realmOf(asker.baseUrl);
  return isRealm && id.length === mark.length && timingSafeEqual(id, mark);
}

/** The nonce of an authorisation that answers the challenge: the signature is worthless for any other. */
export const challengeNonce = ({ id, realm }: Challenge): Hex => hexOf(keccak256(`${id}${realm}`));

/** Returns the header of a 402. */
export function challengeHeader({ id, realm, request, expires }: Challenge): string {
  const attributes = { id, realm, ...charge, request, expires };
  const parameters = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
  return `Payment ${parameters.join(", ")}`;
}
