import type { Address } from "../domain/address.ts";
import { BadAnswer, blockParam, quantity } from "./block.ts";
import type { Rpc } from "./rpc.ts";

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

/** Reads a JSON-RPC quantity of up to 256 bits. */
export function wei(rpc: Rpc, value: unknown): bigint {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(value)) {
    throw new BadAnswer(rpc.host, `${JSON.stringify(value)} where an amount belongs`);
  }
  return BigInt(value);
}
