import { encodeFunctionData, parseAbi, recoverAddress } from "viem";
import type { Address } from "../../domain/wallet/address.ts";
import { type Hex, isWord } from "../../lib/crypto.ts";
import { readCode } from "../account/account.ts";
import { BadAnswer, quantity } from "../node/block.ts";
import { createMulticall, multicall3Address } from "../node/multicall.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";
import { type Authorization, type Domain, digestOf, usedCall } from "./authorization.ts";
import { balanceCall, blockedCall, call } from "./token.ts";

const abi = parseAbi([
  "function paused() view returns (bool)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);

/** The chain's state for an authorisation about to be executed, as of the newest block. */
export type Readiness = {
  /** The payer's balance. */
  balance: bigint;
  /** The receiver's balance. */
  held: bigint;
  isUsed: boolean;
  /** Whether the token refuses money from the payer, or to the receiver. */
  isBlocked: boolean;
  isPaused: boolean;
  /**
   * Whether the payer's account has code, which then validates signatures; includes code that a key delegates to
   * (EIP-7702).
   */
  hasCode: boolean;
  /** The chain's time, in Unix seconds; null on a chain without Multicall3. */
  timestampSec: number | null;
};

/** Reads everything in two calls. Throws when the node fails or answers nonsense. */
export async function readReadiness(rpc: Rpc, auth: Authorization): Promise<Readiness> {
  const { token, from, to } = auth;
  const ask = (target: Address, callData: Hex) => ({ target, callData });
  const [code, answers] = await Promise.all([
    readCode(rpc, from),
    createMulticall(rpc).read(
      [
        ask(token, balanceCall(from)),
        ask(token, balanceCall(to)),
        ask(token, usedCall(auth)),
        ask(token, blockedCall(from)),
        ask(token, blockedCall(to)),
        ask(token, encodeFunctionData({ abi, functionName: "paused" })),
        ask(multicall3Address, encodeFunctionData({ abi, functionName: "getCurrentBlockTimestamp" })),
      ],
      "latest",
    ),
  ]);
  const [balance, held, used, payerBlocked, receiverBlocked, paused, time] = answers;
  // A token may have no blacklist and no pause, but it has balances and nonces.
  const isTrue = (answer: Hex | null | undefined) => wordOf(answer) === 1n;
  const requiredWord = (answer: Hex | null | undefined) => {
    const word = wordOf(answer);
    if (word === null) throw new BadAnswer(rpc.host, `${answer} where a word of ${token} belongs`);
    return word;
  };
  const timestamp = wordOf(time);
  return {
    balance: requiredWord(balance),
    held: requiredWord(held),
    isUsed: requiredWord(used) === 1n,
    isBlocked: isTrue(payerBlocked) || isTrue(receiverBlocked),
    isPaused: isTrue(paused),
    hasCode: code.length > 2,
    timestampSec: timestamp === null ? null : quantity(rpc, `0x${timestamp.toString(16)}`),
  };
}

function wordOf(answer: Hex | null | undefined): bigint | null {
  return isWord(answer) ? BigInt(answer) : null;
}

/** Half of secp256k1's order: of a key's two possible signatures the token accepts the one with the lower s (EIP-2). */
const lowSMax = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * The signature of an account without code (65 bytes), with a v of 27 or 28 as the token requires; null if it is not
 * one.
 */
export function keySignature(signature: Hex): Hex | null {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return null;
  const v = Number.parseInt(signature.slice(130), 16);
  const normal = v < 2 ? v + 27 : v;
  if (normal !== 27 && normal !== 28) return null;
  if (BigInt(`0x${signature.slice(66, 130)}`) > lowSMax) return null;
  return `${signature.slice(0, 130).toLowerCase()}${normal.toString(16)}` as Hex;
}

/** The ending of a signature by an account that has no code yet (ERC-6492). */
const undeployedMark = "6492".repeat(16);

export const isOfUndeployed = (signature: Hex) => signature.toLowerCase().endsWith(undeployedMark);

/**
 * Gas for an account's own validation of a signature: a passkey takes about 350,000 where the chain has no precompile.
 */
export const judgementGas = 1_000_000;
const isValidMark = "0x1626ba7e";

/** Asks an account to validate a signature itself. */
export const validCall = (hash: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi, functionName: "isValidSignature", args: [hash, signature] });

export const isValidAnswer = (answer: Hex) => answer.length === 66 && answer.startsWith(isValidMark);

export type SignedTransfer = { domain: Domain; auth: Authorization; signature: Hex };

/** Returns whether the payer's key has signed, which the token asks of an account without code. */
export async function isSignedByKey({ domain, auth, signature }: SignedTransfer): Promise<boolean> {
  const hash = digestOf(domain, auth);
  const signer = await recoverAddress({ hash, signature }).catch(() => null);
  return signer === auth.from;
}

/**
 * Returns whether the code of the payer's account accepts the signature, as the token asks of an account with code
 * (ERC-1271): a key behind it never decides. Throws when the node fails or answers nonsense.
 */
export async function isSignedByCode(
  rpc: Rpc,
  { domain, auth, signature }: SignedTransfer,
): Promise<boolean> {
  const check = validCall(digestOf(domain, auth), signature);
  try {
    return isValidAnswer(await call(rpc, auth.from, check, { gas: judgementGas }));
  } catch (thrown) {
    if (thrown instanceof RpcError) return false;
    throw thrown;
  }
}
