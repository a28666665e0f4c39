import { timingSafeEqual } from "node:crypto";
import { usdcDecimals } from "../../../domain/wallet/network.ts";
import { type Hex, hexOf, keccak256 } from "../../../lib/crypto.ts";
import { type Terms, timeoutSec } from "../x402/offer.ts";
import { headerText, type Resource } from "../x402/subject.ts";

/** MPP's way to pay once with a token on an EVM chain. */
export const charge = { method: "evm", intent: "charge" } as const;

/** What is asked for, as a program gives it back. `id` tells whether Till asked for it. */
export type Challenge = { id: string; realm: string; request: string; expires: string };

/** What asks and later recognises. `baseUrl` has no trailing slash. */
export type Asker = { baseUrl: string; now: () => number; mark: (text: string) => Promise<string> };

/** The protocol wants it named, although nobody needs it for an authorisation. */
const permit2Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** Base64url of JSON whose names are in order (RFC 8785): programs make the same text of it. */
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

/** The URL is no part of the challenge, but of its mark: it pays nothing else. */
const markOf = ({ mark }: Asker, { realm, request, expires }: Omit<Challenge, "id">, { url }: Resource) =>
  mark(["mpp", realm, charge.method, charge.intent, request, expires, "", "", url].join("|"));

/** Asks for what is due. Nothing is stored. */
export async function newChallenge(asker: Asker, terms: Terms, subject: Resource): Promise<Challenge> {
  const expires = new Date((Math.floor(asker.now() / 1_000) + timeoutSec) * 1_000).toISOString();
  const asked = { realm: realmOf(asker.baseUrl), request: requestOf(terms, subject), expires };
  return { id: await markOf(asker, asked, subject), ...asked };
}

/** Whether Till asked for this, of this invoice or link. */
export async function isOurs(asker: Asker, challenge: Challenge, subject: Resource): Promise<boolean> {
  const mark = Buffer.from(await markOf(asker, challenge, subject));
  const said = Buffer.from(challenge.id);
  const isRealm = challenge.realm === realmOf(asker.baseUrl);
  return isRealm && said.length === mark.length && timingSafeEqual(said, mark);
}

/** The nonce of an authorisation that answers it: the signature is worth nothing for another challenge. */
export const challengeNonce = ({ id, realm }: Challenge): Hex => hexOf(keccak256(`${id}${realm}`));

/** The header of a 402. */
export function challengeHeader({ id, realm, request, expires }: Challenge): string {
  const said = { id, realm, ...charge, request, expires };
  const parameters = Object.entries(said).map(([name, value]) => `${name}="${value}"`);
  return `Payment ${parameters.join(", ")}`;
}
