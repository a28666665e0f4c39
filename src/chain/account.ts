import type { Address } from "../domain/address.ts";
import { BadAnswer, quantity, readBlock } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/** Nodes that keep no archive forget the state of older blocks; this far back each of them remembers. */
const stateDepthBlocksMax = 64;

/** How many transactions of an account the chain has as of a block: the nonce of the next one. */
export async function readNonce(
  rpc: Rpc,
  account: Address,
  block: number | "latest" = "latest",
): Promise<number> {
  return quantity(rpc, await rpc.request("eth_getTransactionCount", [account, blockParam(block)]));
}

/** ETH in wei. */
export async function readBalance(rpc: Rpc, account: Address): Promise<bigint> {
  return wei(rpc, await rpc.request("eth_getBalance", [account, "latest"]));
}

export async function hasCode(rpc: Rpc, account: Address): Promise<boolean> {
  const code = await rpc.request("eth_getCode", [account, "latest"]);
  if (typeof code !== "string") throw new BadAnswer(rpc.host, "code that is not text");
  return code.length > 2;
}

/**
 * Up to which block things count, and from which block state can be asked for: the same, unless the first is so
 * old that nodes have forgotten its state. Throws a BadAnswer when the node does not know the tag.
 */
export async function readConfirmed(
  rpc: Rpc,
  confirmations: number | "safe" | "finalized",
): Promise<{ countsUpTo: number; stateBlock: number }> {
  const head = await readBlock(rpc, "latest");
  const tagged = typeof confirmations === "number" ? null : await readBlock(rpc, confirmations);
  if (!head || (typeof confirmations !== "number" && !tagged)) {
    throw new BadAnswer(rpc.host, `no ${head ? confirmations : "latest"} block`);
  }
  const countsUpTo = tagged?.number ?? head.number - Number(confirmations) + 1;
  return { countsUpTo, stateBlock: Math.max(0, countsUpTo, head.number - stateDepthBlocksMax) };
}

export function blockParam(block: number | "latest"): string {
  return typeof block === "number" ? `0x${block.toString(16)}` : block;
}

/** Reads a JSON-RPC quantity of up to 256 bits. */
export function wei(rpc: Rpc, value: unknown): bigint {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(value)) {
    throw new BadAnswer(rpc.host, `${JSON.stringify(value)} where an amount belongs`);
  }
  return BigInt(value);
}
