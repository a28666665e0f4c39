import { randomBytes } from "node:crypto";
import {
  decodeFunctionResult,
  encodeFunctionData,
  hashDomain,
  type LocalAccount,
  parseAbi,
  parseSignature,
  zeroHash,
} from "viem";
import type { Address } from "../../domain/wallet/address.ts";
import { type Hex, hexOf } from "../../lib/crypto/hex.ts";
import { wei } from "../account/account.ts";
import { BadAnswer, blockParam } from "../node/block.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function decimals() view returns (uint8)",
  "function symbol() view returns (string)",
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** Of a withdrawal's transaction: twice what Circle's contract takes behind its proxy, to a wallet without USDC. */
export const authorizationGas = 200_000n;

/** EIP-3009: `from` lets whoever shows the signature move this amount to `to`, once. */
export type Authorization = {
  chainId: number;
  token: Address;
  from: Address;
  to: Address;
  amount: bigint;
  nonce: Hex;
  /** Unix seconds. */
  validBeforeSec: number;
};

export function newNonce(): Hex {
  return hexOf(randomBytes(32));
}

/** In the token's smallest unit. */
export async function readTokenBalance(rpc: Rpc, token: Address, of: Address): Promise<bigint> {
  const answer = await call(rpc, token, encodeFunctionData({ abi, functionName: "balanceOf", args: [of] }));
  if (answer === "0x") throw new BadAnswer(rpc.host, `no balance: there is no token at ${token}`);
  return wei(rpc, answer);
}

/** The decimals that a token says it has; null when there is no token at the address. */
export async function readDecimals(rpc: Rpc, token: Address): Promise<number | null> {
  try {
    return await read(rpc, token, "decimals");
  } catch (thrown) {
    if (thrown instanceof BadAnswer) return null;
    throw thrown;
  }
}

/** How the token names itself, and its decimals; null where it does not say. Both are the token's own words. */
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

/** Whether the chain has seen this authorisation used, as of a block. */
export async function isUsed(
  rpc: Rpc,
  { token, from, nonce }: Authorization,
  block: number | "latest" = "latest",
): Promise<boolean> {
  const data = encodeFunctionData({ abi, functionName: "authorizationState", args: [from, nonce] });
  return wei(rpc, await call(rpc, token, data, { block })) === 1n;
}

/** Why the token would not let `from` send this, in the node's words; null when it would. Nothing is signed. */
export async function transferRefusal(
  rpc: Rpc,
  { token, from, to, amount }: Pick<Authorization, "token" | "from" | "to" | "amount">,
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

/**
 * The token's EIP-712 domain: its name and version in its own words, and the chain and the address in ours. Throws a
 * DomainMismatch when the token's own separator is another: a signature would be worth nothing to it.
 */
export async function readDomain(rpc: Rpc, { chainId, token }: Pick<Authorization, "chainId" | "token">) {
  const [name, version, separator] = await Promise.all([
    read(rpc, token, "name"),
    read(rpc, token, "version"),
    read(rpc, token, "DOMAIN_SEPARATOR"),
  ]);
  const domain = { name, version, chainId: BigInt(chainId), verifyingContract: token };
  if (hashDomain({ domain, types: { EIP712Domain: domainType } }) !== separator)
    throw new DomainMismatch(token);
  return domain;
}

const domainType = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
] as const;

const authorizationType = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
] as const;

/** Signs an authorisation as `from` and returns the call that carries it out. The same input gives the same bytes. */
export async function authorizationCall(rpc: Rpc, account: LocalAccount, auth: Authorization): Promise<Hex> {
  const { from, to, amount, nonce, validBeforeSec } = auth;
  const domain = await readDomain(rpc, auth);
  const message = { from, to, value: amount, validAfter: 0n, validBefore: BigInt(validBeforeSec), nonce };
  const signature = await account.signTypedData({
    domain,
    types: { TransferWithAuthorization: authorizationType },
    primaryType: "TransferWithAuthorization",
    message,
  });
  const { r, s, yParity } = parseSignature(signature);
  return encodeAuthorization(auth, { v: 27 + yParity, r, s });
}

/** A call of the same length, to ask for its fee before anything is signed. */
export function unsignedAuthorizationCall(auth: Authorization): Hex {
  return encodeAuthorization(auth, { v: 27, r: zeroHash, s: zeroHash });
}

function encodeAuthorization(auth: Authorization, { v, r, s }: { v: number; r: Hex; s: Hex }): Hex {
  const { from, to, amount, nonce, validBeforeSec } = auth;
  const args = [from, to, amount, 0n, BigInt(validBeforeSec), nonce, v, r, s] as const;
  return encodeFunctionData({ abi, functionName: "transferWithAuthorization", args });
}

async function call(
  rpc: Rpc,
  to: Address,
  data: Hex,
  { from, block = "latest" }: { from?: Address; block?: number | "latest" } = {},
): Promise<Hex> {
  const answer = await rpc.request("eth_call", [{ to, data, ...(from ? { from } : {}) }, blockParam(block)]);
  if (typeof answer !== "string" || !/^0x([0-9a-f]{2})*$/i.test(answer)) {
    throw new BadAnswer(rpc.host, `${JSON.stringify(answer)} where the result of a call belongs`);
  }
  return answer as Hex;
}

type View = "symbol" | "decimals" | "name" | "version" | "DOMAIN_SEPARATOR";

async function read<T extends View>(rpc: Rpc, token: Address, functionName: T) {
  const data = await call(rpc, token, encodeFunctionData({ abi, functionName: functionName as View }));
  try {
    return decodeFunctionResult<typeof abi, T>({ abi, functionName, data } as never);
  } catch {
    throw new BadAnswer(rpc.host, `${data} where the ${functionName} of the token ${token} belongs`);
  }
}

class DomainMismatch extends Error {
  override readonly name = "DomainMismatch";
  constructor(token: Address) {
    super(
      `The token ${token} has another EIP-712 domain than its name and version say, so nothing was signed. ` +
        "Is TILL_USDC_ADDRESS right?",
    );
  }
}
