import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../domain/wallet/address.ts";
import { usdcDecimals } from "../../domain/wallet/network.ts";
import { type Hex, quantityHex } from "../../lib/crypto.ts";
import { wei } from "../account/account.ts";
import { BadAnswer, blockParam, shown } from "../node/block.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function decimals() view returns (uint8)",
  "function symbol() view returns (string)",
  "function paused() view returns (bool)",
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function isBlacklisted(address) view returns (bool)",
]);

export const balanceCall = (of: Address): Hex =>
  encodeFunctionData({ abi, functionName: "balanceOf", args: [of] });

export const blockedCall = (who: Address): Hex =>
  encodeFunctionData({ abi, functionName: "isBlacklisted", args: [who] });

/** In the token's smallest unit. */
export async function readTokenBalance(rpc: Rpc, token: Address, of: Address): Promise<bigint> {
  const answer = await call(rpc, token, balanceCall(of));
  if (answer === "0x") throw new BadAnswer(rpc.host, `no balance: there is no token at ${token}`);
  return wei(rpc, answer);
}

/** The decimals that a token reports; null if there is no token at the address. */
async function readDecimals(rpc: Rpc, token: Address): Promise<number | null> {
  try {
    return await read(rpc, token, "decimals");
  } catch (thrown) {
    if (thrown instanceof BadAnswer) return null;
    throw thrown;
  }
}

/** Throws a NotUsdc if there is no token at the address, or one with other decimals. */
export async function mustBeUsdc(rpc: Rpc, token: Address): Promise<void> {
  const decimals = await readDecimals(rpc, token);
  if (decimals === null) throw new NotUsdc(`There is no token at ${token}.`);
  if (decimals !== usdcDecimals)
    throw new NotUsdc(`The token at ${token} has ${decimals} decimals; USDC has ${usdcDecimals}.`);
}

/** The configured address is not USDC's, so no payment would ever be seen. */
export class NotUsdc extends Error {
  override readonly name = "NotUsdc";
  constructor(
    readonly fact: string,
    readonly advice = "Correct TILL_USDC_ADDRESS, or leave it out to use Circle's.",
  ) {
    super(`${fact} ${advice}`);
  }
}

/** Returns whether the token is paused; null if it has no such function. */
export async function isPaused(rpc: Rpc, token: Address): Promise<boolean | null> {
  try {
    return await read(rpc, token, "paused");
  } catch (thrown) {
    if (thrown instanceof RpcError || thrown instanceof BadAnswer) return null;
    throw thrown;
  }
}

/** The symbol and decimals that the token itself reports; null if it does not. */
export async function describeToken(
  rpc: Rpc,
  token: Address,
): Promise<{ symbol: string; decimals: number } | null> {
  try {
    const [symbol, decimals] = await Promise.all([read(rpc, token, "symbol"), read(rpc, token, "decimals")]);
    return { symbol: symbol.slice(0, 32), decimals };
  } catch {
    return null;
  }
}

/** Returns why the token would not let `from` send this, in the node's words; null if it would. Nothing is signed. */
export async function transferRefusal(
  rpc: Rpc,
  { token, from, to, amount }: { token: Address; from: Address; to: Address; amount: bigint },
): Promise<string | null> {
  const data = encodeFunctionData({ abi, functionName: "transfer", args: [to, amount] });
  try {
    const answer = await call(rpc, token, data, { from });
    return answer !== "0x" && wei(rpc, answer) === 1n ? null : "the token answered false to the transfer";
  } catch (thrown) {
    if (thrown instanceof RpcError) return thrown.message;
    throw thrown;
  }
}

/** Calls a contract and returns its answer as bytes. Throws an RpcError if it reverts. */
export async function call(
  rpc: Rpc,
  to: Address,
  data: Hex,
  { from, gas, block = "latest" }: { from?: Address; gas?: number; block?: number | "latest" } = {},
): Promise<Hex> {
  const more = { ...(from ? { from } : {}), ...(gas ? { gas: quantityHex(gas) } : {}) };
  const answer = await rpc.request("eth_call", [{ to, data, ...more }, blockParam(block)]);
  if (typeof answer !== "string" || !/^0x([0-9a-f]{2})*$/i.test(answer)) {
    throw new BadAnswer(rpc.host, `${shown(answer)} where the result of a call belongs`);
  }
  return answer as Hex;
}

type View = "symbol" | "paused" | "decimals" | "name" | "version" | "DOMAIN_SEPARATOR";

/** Reads one of the token's own properties. */
export async function read<T extends View>(rpc: Rpc, token: Address, functionName: T) {
  const data = await call(rpc, token, encodeFunctionData({ abi, functionName: functionName as View }));
  try {
    return decodeFunctionResult<typeof abi, T>({ abi, functionName, data } as never);
  } catch {
    throw new BadAnswer(rpc.host, `${data} where the ${functionName} of the token ${token} belongs`);
  }
}
