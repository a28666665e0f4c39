import type { Address } from "../../domain/wallet/address.ts";
import { BadAnswer, blockParam, quantity, shown } from "../node/block.ts";
import type { Rpc } from "../node/rpc.ts";

/** Returns how many transactions of an account the chain has as of a block, which is the next nonce. */
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
  return (await readCode(rpc, account)).length > 2;
}

/** `0x` if there is no contract. */
export async function readCode(rpc: Rpc, account: Address): Promise<string> {
  const code = await rpc.request("eth_getCode", [account, "latest"]);
  if (typeof code !== "string" || !/^0x([0-9a-f]{2})*$/i.test(code))
    throw new BadAnswer(rpc.host, `${shown(code)} where code belongs`);
  return code;
}

/** The code of an account with a key that delegates to a contract (EIP-7702): 0xef0100 and the contract's address. */
const delegation = /^0xef0100[0-9a-f]{40}$/i;

/** Returns whether an account is a contract rather than an account with a key, which has that key on every chain. */
export async function isContract(rpc: Rpc, account: Address): Promise<boolean> {
  const code = await readCode(rpc, account);
  return code.length > 2 && !delegation.test(code);
}

/** Reads a JSON-RPC quantity of up to 256 bits. */
export function wei(rpc: Rpc, value: unknown): bigint {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(value)) {
    throw new BadAnswer(rpc.host, `${shown(value)} where an amount belongs`);
  }
  return BigInt(value);
}
