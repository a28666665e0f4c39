import type { Hex } from "../lib/hex.ts";
import type { Address } from "./address.ts";
import type { Usdc } from "./usdc.ts";

/** The on-chain side of one invoice or link: all that is needed to watch, prove and empty its address. */
export type Deposit = {
  /** 0, 1, 2, … per installation; the salt is derived from it. */
  index: number;
  address: Address;
  payoutWallet: Address;
  /** 32 bytes as hex. */
  salt: Hex;
  factory: Address;
  expected: Usdc;
  /** A payment that is short by no more than this counts as all of it; fixed when the deposit is made. */
  tolerance: Usdc;
  /** The sum of confirmed transfers. */
  received: Usdc;
  /** The sum of transfers that are in a block and wait for confirmations. */
  pending: Usdc;
};
