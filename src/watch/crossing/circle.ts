import type { Attested } from "../../chain/contract/crossing-call.ts";
import * as Crossing from "../../domain/payment/crossing.ts";
import type { Hex } from "../../lib/crypto.ts";
import { ask } from "../../rates/ask.ts";

const answerMaxMs = 5_000;
/** A transaction may hold several messages, of up to 16 kB in hex. */
const answerBytesMax = 256 * 1024;
const priceAgeMsMax = 60_000;
/** A hundredth, and 10 USDC: beyond that it is no price, but a mistake or an attempt. */
const shareMax = 10_000n;
const forwardMax = 10_000_000n;

/** What Circle has for a burn: a message that it signed. */
export type Signed = Attested & Crossing.Message;

/** Circle's service. Whoever answers there may say anything: texts are why there is no answer. */
export function createCircle({
  url,
  domain,
  now,
  signal,
}: {
  url: string;
  domain: number;
  now: () => number;
  signal: AbortSignal;
}) {
  const options = { signal, answerBytesMax, answerMaxMs, publicOnly: false };
  const prices = new Map<number, { price: Crossing.Price; until: number }>();
  return {
    /** What it costs to bring USDC here from the chain with this number of Circle's. */
    async price(source: number): Promise<Crossing.Price | string> {
      const known = prices.get(source);
      if (known && known.until > now()) return known.price;
      const asked = `${url}/v2/burn/USDC/fees/${source}/${domain}?forward=true`;
      const price = await ask(asked, (text) => priceIn(JSON.parse(text)) ?? "no price", options);
      if (typeof price !== "string") prices.set(source, { price, until: now() + priceAgeMsMax });
      return price;
    },

    /** The signed message of a transaction that burns for an address here. */
    async signed(txHash: Hex, route: Crossing.Route): Promise<Signed | string> {
      const asked = `${url}/v2/messages/${Crossing.domainOf(route.chainId)}?transactionHash=${txHash}`;
      return await ask(asked, (text) => signedIn(JSON.parse(text), route) ?? "nothing signed", options);
    },

    /** Has Circle sign a message anew whose signature was too old to be used. */
    signAnew: (nonce: Hex) =>
      ask(`${url}/v2/reattest/${nonce}`, () => "asked", { ...options, method: "POST" }),
  };
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The price of the fastest way; null if the answer has none that can be believed. */
function priceIn(answer: unknown): Crossing.Price | null {
  const prices = (Array.isArray(answer) ? answer : []).flatMap((each) => {
    if (!isObject(each) || !isObject(each["forwardFee"])) return [];
    const finality = figure(each["finalityThreshold"]);
    const share = microOf(figure(each["minimumFee"]) * 100, shareMax);
    const forward = microOf(figure(each["forwardFee"]["high"]), forwardMax);
    const isKnown = finality === 1_000 || finality === 2_000;
    return isKnown && share !== null && forward !== null ? [{ finality, share, forward }] : [];
  });
  return prices.toSorted((a, b) => a.finality - b.finality)[0] ?? null;
}

/** Not zero for what is none: null, or an empty list. */
const figure = (value: unknown): number => Number.parseFloat(String(value));

const microOf = (value: number, max: bigint): bigint | null =>
  value >= 0 && value <= Number(max) ? BigInt(Math.ceil(value)) : null;

const isBytes = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x([0-9a-f]{2})+$/i.test(value);

function signedIn(answer: unknown, route: Crossing.Route): Signed | null {
  const messages = isObject(answer) && Array.isArray(answer["messages"]) ? answer["messages"] : [];
  for (const each of messages) {
    if (!isObject(each) || !isBytes(each["message"]) || !isBytes(each["attestation"])) continue;
    const { message, attestation } = each as Attested;
    const read = Crossing.readMessage(message, route);
    if (read) return { ...read, message, attestation };
  }
  return null;
}
