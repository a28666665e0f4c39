import type { Hex } from "../../lib/crypto.ts";
import type { Usdc } from "../usdc.ts";
import type { Address } from "../wallet/address.ts";

/** The on-chain side of one invoice or link: all that is needed to watch, prove and empty its address. */
export type Deposit = {
  /** 0, 1, 2, … per installation; the salt is derived from it. */
  index: number;
  address: Address;
  payoutWallet: Address;
  /** 32 bytes as hex. */
  salt: Hex;
  factory: Address;
  /** What it takes to be paid: `net`, and what was paid when it was credited, as long as that is still there. */
  expected: Usdc;
  /** As issued, less credit notes. */
  net: Usdc;
  /** What of it was paid in another way, as the merchant says; fixed when it was marked so. */
  elsewhere: Usdc;
  /** What refunds have given back, and what those under way are to give back. */
  refunded: Usdc;
  refunding: Usdc;
  /** A payment that is short by no more than this counts as all of it; fixed when the deposit is made. */
  tolerance: Usdc;
  /** The sum of confirmed transfers. */
  received: Usdc;
  /** The sum of transfers that are in a block and wait for confirmations. */
  pending: Usdc;
};

/** What the books say of one deposit. */
export type Books = {
  /** Confirmed. */
  received: Usdc;
  /** All that any node told of, confirmed or not, contradicted or not. */
  told: Usdc;
  settled: Usdc;
  /** Whether a transaction is on its way that moves the money. */
  isMoving: boolean;
  /** The highest block of a confirmed transfer or a settlement; 0 without any. */
  lastBlock: number;
};

/**
 * Compares what a deposit address held right after a block with the books, in micro-USDC. Above 0: so much is there that
 * nothing explains. Either no log told of a transfer, or a settlement left the chain. Below 0: so much is not there.
 * Either somebody moved it, or it never came. 0: the books explain it. Null: nothing can be said yet, as the node is
 * behind the books or the money is moving.
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
