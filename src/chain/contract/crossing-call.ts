import { encodeFunctionData, pad, parseAbi, zeroHash } from "viem";
import { contractsOf, forwardHook } from "../../domain/payment/crossing.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { type Hex, isWord } from "../../lib/crypto.ts";
import { BadAnswer } from "../node/block.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";
import { call } from "./token.ts";

/** Circle's contracts for USDC that crosses from one chain to another, and the token's `approve`. */
const abi = parseAbi([
  "function approve(address spender, uint256 value) returns (bool)",
  "function depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)",
  "function receiveMessage(bytes message, bytes attestation) returns (bool)",
  "function usedNonces(bytes32 nonce) view returns (uint256)",
]);

/** A call that somebody's wallet sends. */
export type WalletCall = { to: Address; data: Hex };

export type Burn = {
  usdc: Address;
  amount: bigint;
  fee: bigint;
  finality: number;
  /** Where it is minted: the domain is Circle's number of Till's own chain, `home` its id. */
  to: Address;
  domain: number;
  home: number;
};

/** The two transactions of a payer on the other chain: letting Circle's contract have the money, and the burn. */
export function burnCalls(burn: Burn): { approve: WalletCall; burn: WalletCall } {
  const { usdc, amount, fee, finality, to, domain, home } = burn;
  const { messenger } = contractsOf(home);
  // Anybody may mint it: if Circle does not, the payer does.
  const args = [amount, domain, pad(to), usdc, zeroHash, fee, finality, forwardHook] as const;
  return {
    approve: {
      to: usdc,
      data: encodeFunctionData({ abi, functionName: "approve", args: [messenger, amount] }),
    },
    burn: {
      to: messenger,
      data: encodeFunctionData({ abi, functionName: "depositForBurnWithHook", args }),
    },
  };
}

export type Attested = { message: Hex; attestation: Hex };

/** The transaction that mints, which anybody can send. */
export function mintCall(home: number, { message, attestation }: Attested): WalletCall {
  const data = encodeFunctionData({ abi, functionName: "receiveMessage", args: [message, attestation] });
  return { to: contractsOf(home).transmitter, data };
}

/** Returns whether the contract would mint it now: then Circle did sign this message. Throws if the node fails. */
export async function wouldMint(rpc: Rpc, home: number, attested: Attested): Promise<boolean> {
  const { to, data } = mintCall(home, attested);
  try {
    return BigInt((await call(rpc, to, data)) || "0x0") === 1n;
  } catch (thrown) {
    if (thrown instanceof RpcError || thrown instanceof SyntaxError) return false;
    throw thrown;
  }
}

/** Returns whether a message was minted as of a block. Throws if the node fails, or the chain has no such contract. */
export async function wasMinted(rpc: Rpc, home: number, nonce: Hex, block: number): Promise<boolean> {
  const data = encodeFunctionData({ abi, functionName: "usedNonces", args: [nonce] });
  const answer = await call(rpc, contractsOf(home).transmitter, data, { block });
  if (!isWord(answer)) throw new BadAnswer(rpc.host, "no word whether a message was used");
  return BigInt(answer) !== 0n;
}
