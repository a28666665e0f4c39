import type { Hex } from "../../lib/crypto.ts";
import type { Usdc } from "../usdc.ts";
import type { Address } from "../wallet/address.ts";

/** The on-chain side of an invoice or a link: everything needed to watch, prove and empty its address. */
export type Deposit = {
  /** 0, 1, 2, … per installation; the salt is derived from it. */
  index: number;
  address: Address;
  payoutWallet: Address;
  /** 32 bytes as hex. */
  salt: Hex;
  factory: Address;
  /**
   * The amount that counts as full payment: `net`, plus credit notes on money already paid, for as long as that money
   * remains.
   */
  expected: Usdc;
  /** As issued, less credit notes. */
  net: Usdc;
  /** The part marked as paid in another way; fixed when it was marked. */
  elsewhere: Usdc;
  /** Amounts already refunded, and amounts of refunds under way. */
  refunded: Usdc;
  refunding: Usdc;
  /** The part of `refunded` that was given back outside of Till. */
  refundedElsewhere: Usdc;
  /** A payment short by at most this counts as full; fixed when the deposit is created. */
  tolerance: Usdc;
  /** The sum of confirmed transfers. */
  received: Usdc;
  /** The sum of transfers in a block that await confirmation. */
  pending: Usdc;
};

/** The books of one deposit. */
export type Books = {
  /** Confirmed. */
  received: Usdc;
  /** Everything any node reported, confirmed or not, contradicted or not. */
  told: Usdc;
  settled: Usdc;
  /** Whether a transaction that moves the money is on its way. */
  isMoving: boolean;
  /** The highest block of a confirmed transfer or a settlement; 0 without any. */
  lastBlock: number;
};

/**
 * Compares the balance of a deposit address right after a block with the books, in micro-USDC. Positive: unexplained
 * money; either no log reported a transfer, or a settlement left the chain. Negative: missing money; either somebody
 * moved it, or it never came. 0: the books explain the balance. Null: unknown, as the node is behind the books or the
 * money is moving.
 */
export function unexplainedBalance(
  { received, told, settled, isMoving, lastBlock }: Books,
  { balance, block }: { balance: bigint; block: number },
): bigint | null {
  if (lastBlock > block) return null;
  const held = balance + settled;
  if (held > told) return held - told;
  if (isMoving) return null;
  return held < received ? held - received : 0n;
}
