import { type Hex, hexOf, keccak256 } from "../../lib/crypto.ts";
import { isExpired, isPriceOver } from "../link/link.ts";
import type * as Common from "../receivable/common.ts";
import type { Receivable } from "../receivable/receivable.ts";
import * as Usdc from "../usdc.ts";
import type { Address } from "../wallet/address.ts";
import type { Deposit } from "./deposit.ts";
import * as Outcome from "./outcome.ts";

/**
 * A relay: the payer signs an authorisation (EIP-3009) for a transfer to a deposit address, and the gas account submits
 * it. The watcher sees the payment like any other.
 */
export type Relay = {
  id: number;
  depositIndex: number;
  source: Source;
  payer: Address;
  amount: Usdc.Usdc;
  nonce: Hex;
  validBeforeSec: number;
  state: State;
  /** Null unless it failed. */
  failure: Failure | null;
  /**
   * The transaction that moved the money, whether Till's or not; before that, the one Till sent. Null before Till sent
   * any.
   */
  txHash: Hex | null;
  /** Unix time in milliseconds. */
  createdAt: number;
  /** When it was first seen in a block, in Unix milliseconds; null before. */
  minedAt: number | null;
};

/** Where the payer came from: the page, a program speaking x402 or MPP, or the command line. */
export type Source = "page" | "x402" | "mpp" | "command";

/** `mined`: in a block, with the transfer that was signed. `confirmed`: the books count it. */
export type State = "accepted" | "sent" | "mined" | "confirmed" | "failed";

/** `replaced`: the payer's nonce was used for another payment. */
export type Failure = "expired" | "reverted" | "cancelled" | "replaced";

/** Returns whether the money may still move: until it is settled nobody is asked for it again. */
export const isUnresolved = ({ state }: Pick<Relay, "state">) =>
  state === "accepted" || state === "sent" || state === "mined";

/** The current demand of an invoice or a link on a payer. */
type Demand =
  | { kind: "open"; amount: Usdc.Usdc }
  /** Fully paid and confirmed, or marked as paid. */
  | { kind: "paid" }
  /** Fully paid in blocks, awaiting confirmations. */
  | { kind: "confirming" }
  /** All that is due is on its way from another network. */
  | { kind: "crossing" }
  | { kind: "void" }
  /** The link has expired, or the chain took its payment back. */
  | { kind: "closed" }
  /** The link's price has ended and is not quoted again yet. */
  | { kind: "unpriced" };

/** A deposit and what is asked for it. */
export type Payable = { deposit: Deposit; demand: Demand };

/** `now` in Unix milliseconds; `crossing`: what comes for certain from another network. */
export function payableOf(receivable: Receivable, now: number, crossing: Usdc.Usdc = Usdc.zero): Payable {
  const { deposit } = receivable;
  const of = { deposit, closure: receivable, crossing };
  if (receivable.kind === "invoice") return { deposit, demand: demandOf({ ...of, isOver: false }) };
  const isGone = isExpired(receivable, now);
  if (!isGone && isPriceOver(receivable, now)) return { deposit, demand: { kind: "unpriced" } };
  return { deposit, demand: demandOf({ ...of, isOver: isGone || receivable.status === "error" }) };
}

type DemandFacts = {
  deposit: Deposit;
  closure: Pick<Common.Closure, "voidedAt" | "markedPaidAt">;
  crossing: Usdc.Usdc;
  isOver: boolean;
};

function demandOf({ deposit, closure, crossing, isOver }: DemandFacts): Demand {
  const { voidedAt, markedPaidAt } = closure;
  if (voidedAt !== null) return { kind: "void" };
  if (markedPaidAt !== null || Outcome.isAll(deposit)) return { kind: "paid" };
  const seen = { ...deposit, received: Usdc.fromMicro(deposit.received + deposit.pending) };
  if (Outcome.isAll(seen)) return { kind: "confirming" };
  if (isOver) return { kind: "closed" };
  const coming = { ...seen, received: Usdc.sum([seen.received, crossing]) };
  return Outcome.isAll(coming) ? { kind: "crossing" } : { kind: "open", amount: Outcome.remaining(seen) };
}

/** Returns whether nothing is due any more, with a payment in a block that the books do not have yet. */
export function isPaidWith({ deposit, demand }: Payable, amount: bigint): boolean {
  const received = Usdc.fromMicro(deposit.received + deposit.pending + amount);
  return demand.kind === "paid" || Outcome.isAll({ ...deposit, received });
}

/**
 * The nonce that a payer signs with on the page. All authorisations of a payer for a deposit share it until one is used
 * or expires, so that the token accepts only one of two signed by mistake.
 */
export function nonceOf(salt: Hex, payer: Address, attempt: number): Hex {
  return hexOf(keccak256(`${salt} ${payer} ${attempt}`));
}

/** Maximum number of a payer's nonces for one deposit used without Till. */
export const usedNoncesMax = 16;

/** Returns whether a payer with this many attempts was ever given the nonce. */
export function isNonceOf(nonce: Hex, salt: Hex, payer: Address, attempts: number): boolean {
  for (let attempt = attempts + usedNoncesMax; attempt >= 0; attempt--)
    if (nonceOf(salt, payer, attempt) === nonce) return true;
  return false;
}
