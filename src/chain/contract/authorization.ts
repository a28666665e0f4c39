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
/** FiatTokenV2_2: accepts any signature valid for the payer's account, not only one by a key. */
const signedAbi = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
]);

/** Gas limit of a withdrawal: twice what Circle's contract takes behind its proxy, to a wallet without USDC. */
export const authorizationGas = 200_000n;

/** EIP-3009: lets anybody with `from`'s signature move this amount to `to`, once. */
export type Authorization = {
  chainId: number;
  token: Address;
  from: Address;
  to: Address;
  amount: bigint;
  nonce: Hex;
  /** Unix seconds; the token accepts it after the first and before the second. */
  validAfterSec: number;
  validBeforeSec: number;
};

/** An authorisation that can be used as soon as it is signed. */
type ImmediateAuthorization = Omit<Authorization, "validAfterSec">;

export type Domain = { name: string; version: string; chainId: bigint; verifyingContract: Address };

export function newNonce(): Hex {
  return hexOf(world.randomBytes(32));
}

/** Returns whether the chain has seen this authorisation used or cancelled, as of a block. */
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
 * Reads the token's EIP-712 domain: name and version from the token, chain and address from us. Throws a DomainMismatch
 * if the token's own separator differs, as it would reject our signatures.
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

/** The EIP-712 digest that the payer's key signs. */
export function digestOf(domain: Domain, auth: Authorization): Hex {
  const types = { [primaryType]: authorizationType };
  return hashTypedData({ domain, types, primaryType, message: messageOf(auth) });
}

/**
 * The JSON a wallet is asked to sign (`eth_signTypedData_v4`). Includes the type of the domain, without which some
 * wallets use an empty one, making the signature worthless.
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

/** Signs an authorisation as `from` and returns the call that executes it. The same input gives the same bytes. */
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

/** A call of the same length, for asking about its fee before anything is signed. */
export function unsignedAuthorizationCall(auth: ImmediateAuthorization): Hex {
  return encode({ ...auth, validAfterSec: 0 }, { v: 27, r: zeroHash, s: zeroHash });
}

/** The call that executes an authorisation signed by somebody else, with a key or a contract. */
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
