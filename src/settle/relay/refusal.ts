import { BadAnswer } from "../../chain/node/block.ts";
import { RpcError, RpcUnreachable } from "../../chain/node/rpc.ts";
import type { Relay } from "../../domain/payment/relay.ts";

/** Why an authorisation is rejected before anything is sent. */
export const refusals = {
  off: "This Till does not pay network fees for payers. Send a plain transfer.",
  closed: "Nothing is to be paid here just now.",
  unpriced: "The price has ended. Ask for the new one in a minute, and sign that.",
  busy: "A payment is on its way. Wait for it.",
  queue: "Too many payments of this account are on their way. Try again in some seconds.",
  receiver: "The authorisation is to another address than the one that is to be paid.",
  amount: "Another amount is due now. Ask for it again, and sign that.",
  early: "The authorisation is not valid yet.",
  late: "The authorisation is over, or ends too soon to be carried out.",
  long: "The authorisation is valid for too long: at most an hour.",
  used: "The nonce of the authorisation was used before. Sign with another one.",
  identifier: "The payment identifier belongs to another payment.",
  form: "The signature has no form that the token takes: 65 bytes with a low s, or that of a contract.",
  undeployed:
    "The account is a smart wallet that is not on the chain yet, and of none that Till puts there. Send a plain transfer from it.",
  signature: "The signature is not that of the payer's account for this authorisation.",
  balance: "The payer's account has too little USDC.",
  blocked: "The token does not let this account pay.",
  paused: "The token moves no money at the moment.",
  rejected: "The token refuses the transfer.",
  gas: "The payer's smart wallet takes too much gas to check its signature. Send a plain transfer from it.",
  minimum: "The amount is too small for a payment whose fee somebody else pays. Send a plain transfer.",
  fees: "Network fees are too high at the moment. Try again later, or send a plain transfer.",
  reserve: "The fee cannot be paid for you at the moment. Send a plain transfer.",
  budget: "No more fees are paid for payers today. Send a plain transfer.",
  failures: "Too many signed payments failed. Try again in an hour, or send a plain transfer.",
} as const;

export type RefusalCode = keyof typeof refusals;

export const isRefusal = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

export type RelayRefusal = {
  kind: "refused";
  code: RefusalCode;
  /** When to try again; null if waiting does not help. */
  retryAfterSec: number | null;
  /** For `busy`: the relay on its way; null for a payment from another network, or one not in the books yet. */
  relay: Relay | null;
};

const retryAfter: Partial<Record<RefusalCode, number>> = {
  busy: 5,
  queue: 5,
  unpriced: 60,
  paused: 600,
  fees: 300,
  reserve: 600,
  budget: 3_600,
  failures: 3_600,
};

export function refused(code: RefusalCode, relay: Relay | null = null): RelayRefusal {
  return { kind: "refused", code, retryAfterSec: retryAfter[code] ?? null, relay };
}

/** Returns whether no node gave a usable answer, so that asking again later may help. */
export function isNodeFailure(thrown: unknown): boolean {
  return thrown instanceof RpcUnreachable || thrown instanceof RpcError || thrown instanceof BadAnswer;
}
