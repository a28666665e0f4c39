import { type Hex, hexOf, keccak256 } from "../../lib/crypto.ts";
import { isExpired, isPriceOver } from "../link/link.ts";
import type * as Common from "../receivable/common.ts";
import type { Receivable } from "../receivable/receivable.ts";
import * as Usdc from "../usdc.ts";
import type { Address } from "../wallet/address.ts";
import type { Deposit } from "./deposit.ts";
import * as Outcome from "./outcome.ts";

/**
 * A relay: a payer signs an authorisation (EIP-3009) to a deposit address, and the gas account brings it to the chain.
 * What it paid is for the watcher to see, as any other payment.
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
  /** Why it failed; null unless it did. */
  failure: Failure | null;
  /** What moved the money, Till's transaction or anybody's; before that what Till sent. Null before it sent any. */
  txHash: Hex | null;
  /** Unix time in milliseconds. */
  createdAt: number;
  /** When it was first seen in a block, likewise; null before. */
  minedAt: number | null;
};

/** How the payer came: by the page, by a program that speaks x402 or MPP, by the command line. */
export type Source = "page" | "x402" | "mpp" | "command";

/** `mined`: in a block, with the transfer that was signed. `confirmed`: the books count it. */
export type State = "accepted" | "sent" | "mined" | "confirmed" | "failed";

/** `replaced`: the payer's nonce was used for another payment. */
export type Failure = "expired" | "reverted" | "cancelled" | "replaced";

/** Whether the money may still move: until then nobody is asked for it a second time. */
export const isUnresolved = ({ state }: Pick<Relay, "state">) =>
  state === "accepted" || state === "sent" || state === "mined";

/** What an invoice or a link asks a payer for just now. */
type Demand =
  | { kind: "open"; amount: Usdc.Usdc }
  /** All of it has come, and counts, or was marked as paid. */
  | { kind: "paid" }
  /** All of it is in a block, and waits for confirmations. */
  | { kind: "confirming" }
  | { kind: "void" }
  /** A link's time is over, or the chain took its payment back. */
  | { kind: "closed" }
  /** The price of a link has ended, and it is yet to be quoted again. */
  | { kind: "unpriced" };

/** What one is asked for and where it goes. */
export type Payable = { deposit: Deposit; demand: Demand };

/** `now` in Unix milliseconds. */
export function payableOf(receivable: Receivable, now: number): Payable {
  const { deposit } = receivable;
  if (receivable.kind === "invoice") return { deposit, demand: demandOf(deposit, receivable, false) };
  const isGone = isExpired(receivable, now);
  if (!isGone && isPriceOver(receivable, now)) return { deposit, demand: { kind: "unpriced" } };
  return { deposit, demand: demandOf(deposit, receivable, isGone || receivable.status === "error") };
}

function demandOf(
  deposit: Deposit,
  { voidedAt, markedPaidAt }: Pick<Common.Closure, "voidedAt" | "markedPaidAt">,
  isOver: boolean,
): Demand {
  if (voidedAt !== null) return { kind: "void" };
  if (markedPaidAt !== null || Outcome.isAll(deposit)) return { kind: "paid" };
  const seen = { ...deposit, received: Usdc.fromMicro(deposit.received + deposit.pending) };
  if (Outcome.isAll(seen)) return { kind: "confirming" };
  return isOver ? { kind: "closed" } : { kind: "open", amount: Outcome.remaining(seen) };
}

/**
 * The nonce that a payer of the page signs with. Until one of their authorisations for a deposit is used up or over,
 * all have the same: of two that were signed by mistake the token takes one.
 */
export function nonceOf(salt: Hex, payer: Address, attempt: number): Hex {
  return hexOf(keccak256(`${salt} ${payer} ${attempt}`));
}

/** Nobody has used more of a payer's nonces for one deposit without Till. */
export const usedNoncesMax = 16;

/** Whether a nonce is one that a payer of so many attempts was given, now or before. */
export function isNonceOf(nonce: Hex, salt: Hex, payer: Address, attempts: number): boolean {
  for (let attempt = attempts + usedNoncesMax; attempt >= 0; attempt--)
    if (nonceOf(salt, payer, attempt) === nonce) return true;
  return false;
}
