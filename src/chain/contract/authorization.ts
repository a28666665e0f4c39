import {
  encodeFunctionData,
  hashDomain,
  hashTypedData,
  type LocalAccount,
  parseAbi,
  parseSignature,
  zeroHash,
} from "viem";
import type { Address } from "../../domain/wallet/address.ts";
import { type Hex, hexOf } from "../../lib/crypto.ts";
import { world } from "../../lib/world.ts";
import { wei } from "../account/account.ts";
import type { Rpc } from "../node/rpc.ts";
import * as Token from "./token.ts";

const abi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);
/** FiatTokenV2_2: any signature that the payer's account takes, and not only that of a key. */
const signedAbi = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
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
  /** Unix seconds; the token takes it after the first and before the second. */
  validAfterSec: number;
  validBeforeSec: number;
};

/** One that can be used as soon as it is signed. */
type ImmediateAuthorization = Omit<Authorization, "validAfterSec">;

export type Domain = { name: string; version: string; chainId: bigint; verifyingContract: Address };

export function newNonce(): Hex {
  return hexOf(world.randomBytes(32));
}

/** Whether the chain has seen this authorisation used or cancelled, as of a block. */
export async function isUsed(
  rpc: Rpc,
  { token, from, nonce }: Pick<Authorization, "token" | "from" | "nonce">,
  block: number | "latest" = "latest",
): Promise<boolean> {
  return wei(rpc, await Token.call(rpc, token, usedCall({ from, nonce }), { block })) === 1n;
}

export function usedCall({ from, nonce }: Pick<Authorization, "from" | "nonce">): Hex {
  return encodeFunctionData({ abi, functionName: "authorizationState", args: [from, nonce] });
}

/**
 * The token's EIP-712 domain: its name and version in its own words, and the chain and the address in ours. Throws a
 * DomainMismatch when the token's own separator is another: a signature would be worth nothing to it.
 */
export async function readDomain(
  rpc: Rpc,
  { chainId, token }: Pick<Authorization, "chainId" | "token">,
): Promise<Domain> {
  const [name, version, separator] = await Promise.all([
    Token.read(rpc, token, "name"),
    Token.read(rpc, token, "version"),
    Token.read(rpc, token, "DOMAIN_SEPARATOR"),
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

const primaryType = "TransferWithAuthorization";

function messageOf({ from, to, amount, validAfterSec, validBeforeSec, nonce }: Authorization) {
  const validAfter = BigInt(validAfterSec);
  const validBefore = BigInt(validBeforeSec);
  return { from, to, value: amount, validAfter, validBefore, nonce };
}

/** What the payer's key signs (EIP-712). */
export function digestOf(domain: Domain, auth: Authorization): Hex {
  const types = { [primaryType]: authorizationType };
  return hashTypedData({ domain, types, primaryType, message: messageOf(auth) });
}

/**
 * What a wallet is asked to sign, as JSON takes it (`eth_signTypedData_v4`). The type of the domain is named: without
 * it some wallets take an empty one, and the signature is worth nothing.
 */
export function typedDataOf(domain: Domain, auth: Authorization) {
  const { value, validAfter, validBefore, ...rest } = messageOf(auth);
  return {
    types: { EIP712Domain: domainType, [primaryType]: authorizationType },
    primaryType,
    domain: { ...domain, chainId: Number(domain.chainId) },
    message: { ...rest, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` },
  };
}

/** Signs an authorisation as `from` and returns the call that carries it out. The same input gives the same bytes. */
export async function authorizationCall(
  rpc: Rpc,
  account: LocalAccount,
  auth: ImmediateAuthorization,
): Promise<Hex> {
  const signed = { ...auth, validAfterSec: 0 };
  const domain = await readDomain(rpc, auth);
  const types = { [primaryType]: authorizationType };
  const signature = await account.signTypedData({ domain, types, primaryType, message: messageOf(signed) });
  const { r, s, yParity } = parseSignature(signature);
  return encode(signed, { v: 27 + yParity, r, s });
}

/** A call of the same length, to ask for its fee before anything is signed. */
export function unsignedAuthorizationCall(auth: ImmediateAuthorization): Hex {
  return encode({ ...auth, validAfterSec: 0 }, { v: 27, r: zeroHash, s: zeroHash });
}

/** The call that carries out an authorisation which somebody else has signed, with a key or with a contract. */
export function signedCall(auth: Authorization, signature: Hex): Hex {
  const functionName = "transferWithAuthorization";
  return encodeFunctionData({ abi: signedAbi, functionName, args: [...argsOf(auth), signature] });
}

function encode(auth: Authorization, { v, r, s }: { v: number; r: Hex; s: Hex }): Hex {
  const functionName = "transferWithAuthorization";
  return encodeFunctionData({ abi, functionName, args: [...argsOf(auth), v, r, s] });
}

function argsOf(auth: Authorization) {
  const { from, to, value, validAfter, validBefore, nonce } = messageOf(auth);
  return [from, to, value, validAfter, validBefore, nonce] as const;
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
