import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  parseErc6492Signature,
} from "viem";
import * as Address from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { multicall3Address } from "../node/multicall.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";
import { type Authorization, type Domain, digestOf } from "./authorization.ts";
import { isValidAnswer, judgementGas, validCall } from "./signature.ts";
import { call } from "./token.ts";

/**
 * Who makes smart wallets that Till puts on the chain: a wallet of theirs cannot judge one way when it is tried and another
 * way when it counts. Coinbase Smart Wallet 1.1 and 1, at the same address on every chain (github.com/coinbase/smart-wallet).
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

/** The signature of an account that need not be on the chain yet (ERC-6492). */
export type Undeployed = {
  /** What puts the account on the chain; null where Till makes no such call. */
  creation: ContractCall | null;
  /** What the account itself takes. */
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

/** Nothing but the making of an account passes, in Till's own encoding. */
function creationOf(target: Address.Address, data: Hex): ContractCall | null {
  const asked = factories.has(target) ? orNull(() => decodeFunctionData({ abi, data })) : null;
  if (asked?.functionName !== "createAccount") return null;
  return { target, callData: encodeFunctionData({ abi, ...asked }) };
}

function orNull<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** One call that does all of these, or nothing: who makes the call is neither asked by factories nor by the token. */
export function together(calls: readonly ContractCall[]): { to: Address.Address; data: Hex } {
  const args = [calls.map((each) => ({ ...each, allowFailure: false }))] as const;
  return { to: multicall3Address, data: encodeFunctionData({ abi, functionName: "aggregate3", args }) };
}

/**
 * Whether the creation makes the payer's account, and that account then takes the signature, as the token will ask it.
 * Else a payer with a key could have somebody's account made beside. Throws when the node fails or answers nonsense.
 */
export async function isSignedOnceCreated(
  rpc: Rpc,
  {
    domain,
    auth,
    creation,
    signature,
    gasMax,
  }: {
    domain: Domain;
    auth: Authorization;
    creation: ContractCall;
    signature: Hex;
    gasMax: bigint;
  },
): Promise<boolean> {
  const judgement = { target: auth.from, callData: validCall(digestOf(domain, auth), signature) };
  const { to, data } = together([creation, judgement]);
  try {
    const answer = await call(rpc, to, data, { gas: Number(gasMax) + judgementGas });
    // Where no Multicall3 is, nothing answers.
    const results = orNull(() => decodeFunctionResult({ abi, functionName: "aggregate3", data: answer }));
    const judged = results?.[1];
    return judged !== undefined && isValidAnswer(judged.returnData);
  } catch (thrown) {
    if (thrown instanceof RpcError) return false;
    throw thrown;
  }
}
