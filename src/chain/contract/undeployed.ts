import {
  decodeAbiParameters,
  decodeFunctionData,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  hashTypedData,
  pad,
  parseAbi,
  parseAbiParameters,
  parseErc6492Signature,
  recoverAddress,
} from "viem";
import * as Address from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { multicall3Address } from "../node/multicall.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";
import { type Authorization, type Domain, digestOf } from "./authorization.ts";
import { isValidAnswer, judgementGas, keySignature, validCall } from "./signature.ts";
import { call } from "./token.ts";

/**
 * Factories of smart wallets that Till deploys: Coinbase Smart Wallet 1.1 and 1, at the same address on every chain
 * (github.com/coinbase/smart-wallet). Their own code is fixed, but consults an owner that is a contract, which may
 * answer differently in a trial run and in earnest: `isOfFixedJudgement` keeps those out.
 */
const factories: ReadonlySet<Address.Address> = new Set([
  Address.checksum("0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842"),
  Address.checksum("0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a"),
]);

const abi = parseAbi([
  "function createAccount(bytes[] owners, uint256 nonce) returns (address account)",
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) returns (Result[] results)",
]);

type ContractCall = { target: Address.Address; callData: Hex };

/** The call that creates such a wallet; its owners are addresses (32 bytes) and passkeys (64 bytes). */
type Creation = ContractCall & { owners: readonly Hex[] };

/** The signature of an account that need not be deployed yet (ERC-6492). */
export type Undeployed = {
  /** The call that deploys the account; null if Till makes no such call. */
  creation: Creation | null;
  /** The signature for the account itself. */
  signature: Hex;
};

/** Null for a signature of another form. */
export function readUndeployed(signature: Hex): Undeployed | null {
  const wrapped = orNull(() => parseErc6492Signature(signature));
  if (!wrapped?.address) return null;
  return {
    creation: creationOf(Address.checksum(wrapped.address), wrapped.data),
    signature: wrapped.signature,
  };
}

/** Accepts nothing but the creation of an account, in Till's own encoding. */
function creationOf(target: Address.Address, data: Hex): Creation | null {
  const call = factories.has(target) ? orNull(() => decodeFunctionData({ abi, data })) : null;
  if (call?.functionName !== "createAccount") return null;
  const callData = encodeFunctionData({ abi, ...call });
  return callData === data.toLowerCase() ? { target, callData, owners: call.args[0] } : null;
}

/**
 * Such a wallet signs this instead of the hash, so that the signature is useless for another wallet of the same owner.
 */
const message = { types: { CoinbaseSmartWalletMessage: [{ name: "hash", type: "bytes32" }] } } as const;
const wrapping = parseAbiParameters("(uint256 ownerIndex, bytes signatureData)");

/**
 * Returns whether an owner's key has signed, or the wallet's own code will check a passkey. Any other owner may change
 * its mind.
 */
async function isOfFixedJudgement(
  { domain, auth, signature }: Signed,
  owners: readonly Hex[],
): Promise<boolean> {
  const [wrapper] = orNull(() => decodeAbiParameters(wrapping, signature)) ?? [];
  if (!wrapper || encodeAbiParameters(wrapping, [wrapper]) !== signature.toLowerCase()) return false;
  const owner = owners[Number(wrapper.ownerIndex)];
  if (owner?.length === 2 + 2 * 64) return true;
  const { signatureData } = wrapper;
  // With another v the wallet would consult the owner's code.
  if (keySignature(signatureData) !== signatureData) return false;
  const hash = hashTypedData({
    ...message,
    domain: {
      name: "Coinbase Smart Wallet",
      version: "1",
      chainId: domain.chainId,
      verifyingContract: auth.from,
    },
    primaryType: "CoinbaseSmartWalletMessage",
    message: { hash: digestOf(domain, auth) },
  });
  const signer = await recoverAddress({ hash, signature: signatureData }).catch(() => null);
  return signer !== null && owner === pad(signer).toLowerCase();
}

function orNull<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** One call that makes all of these, or none: neither factories nor the token check who calls. */
export function together(calls: readonly ContractCall[]): { to: Address.Address; data: Hex } {
  const args = [calls.map(({ target, callData }) => ({ target, callData, allowFailure: false }))] as const;
  return { to: multicall3Address, data: encodeFunctionData({ abi, functionName: "aggregate3", args }) };
}

type Signed = { domain: Domain; auth: Authorization; signature: Hex };

/**
 * Returns whether the creation deploys the payer's account and the account then accepts the signature, as the token
 * will ask it; otherwise a payer with a key could have somebody else's account deployed along the way. Null where the
 * chain has no such factory, or no Multicall3. Throws when the node fails or answers nonsense.
 */
export async function isSignedOnceCreated(
  rpc: Rpc,
  { creation, gasMax, ...signed }: Signed & { creation: Creation; gasMax: bigint },
): Promise<boolean | null> {
  const { domain, auth, signature } = signed;
  if (!(await isOfFixedJudgement(signed, creation.owners))) return false;
  const judgement = { target: auth.from, callData: validCall(digestOf(domain, auth), signature) };
  const { to, data } = together([creation, judgement]);
  try {
    const answer = await call(rpc, to, data, { gas: Number(gasMax) + judgementGas });
    const results = orNull(() => decodeFunctionResult({ abi, functionName: "aggregate3", data: answer }));
    const [created, judged] = results ?? [];
    if (!created || created.returnData === "0x") return null;
    return judged !== undefined && isValidAnswer(judged.returnData);
  } catch (thrown) {
    if (thrown instanceof RpcError) return false;
    throw thrown;
  }
}
