import type { Usdc } from "../usdc.ts";
import type { Address } from "../wallet/address.ts";

/** One USDC Transfer log to a deposit address, identified by block hash and log index. */
export type Transfer = {
  blockHash: string;
  logIndex: number;
  blockNumber: number;
  txHash: string;
  depositIndex: number;
  /** The sender, according to the log. */
  payer: Address;
  amount: Usdc;
};

/** How many blocks deep a transfer is: 1 in the head block itself, 0 when the head is not known to reach it. */
export function depth(blockNumber: number, headNumber: number): number {
  return Math.max(0, headNumber - blockNumber + 1);
}
