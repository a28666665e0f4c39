import { keccak256, zeroHash } from "viem";
import type { Address } from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { BadAnswer, hash32, quantity } from "../node/block.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";
import { wei } from "./account.ts";
import type { Fees } from "./fees.ts";
import type { Wallet } from "./wallet.ts";

export type UnsignedTransaction = {
  chainId: number;
  nonce: number;
  to: Address;
  data: Hex;
  gasLimit: bigint;
  fees: Fees;
};

/** Signs as the gas account (EIP-1559, without ETH). The same input gives the same bytes. */
export async function sign(wallet: Wallet, unsigned: UnsignedTransaction): Promise<{ hash: Hex; raw: Hex }> {
  const { chainId, nonce, to, data, gasLimit, fees } = unsigned;
  const raw = await wallet.account(0).signTransaction({
    type: "eip1559",
    chainId,
    nonce,
    to,
    data,
    gas: gasLimit,
    maxFeePerGas: fees.max,
    maxPriorityFeePerGas: fees.tip,
  });
  return { hash: keccak256(raw), raw };
}

type Broadcast =
  /** The node has it, now or already before. */
  | { kind: "sent" }
  /** The chain has a transaction with this nonce: this one, another attempt, or somebody else's. */
  | { kind: "nonce-used" }
  /** A transaction with this nonce is pending, and this one does not offer enough more to replace it. */
  | { kind: "underpriced" }
  | { kind: "insufficient-funds" }
  | { kind: "refused"; reason: string };

/**
 * Phrases with which nodes refuse a transaction, as there are no codes: those of go-ethereum and its family, Reth,
 * Nethermind, Erigon, Besu and Anvil.
 */
const refusals: readonly [words: RegExp, Exclude<Broadcast["kind"], "refused">, after?: string][] = [
  [/already (known|imported|exists|in (the )?(tx)?pool)|known transaction|alreadyknown/i, "sent"],
  [/nonce (is )?too low|oldnonce/i, "nonce-used"],
  [/below|lower/i, "nonce-used", "nonce"],
  [/low/i, "nonce-used", "invalid nonce"],
  [/underpriced|feetoolow|fee per gas less than|base fee|gas price below/i, "underpriced"],
  [/insufficient (funds|balance)|insufficientfunds|upfront cost/i, "insufficient-funds"],
];

/** Hands a signed transaction to the node. Throws an RpcUnreachable if it is unknown whether the node has it. */
export async function broadcast(rpc: Rpc, raw: Hex): Promise<Broadcast> {
  try {
    await rpc.request("eth_sendRawTransaction", [raw]);
    return { kind: "sent" };
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown;
    const { message } = thrown;
    const refusal = refusals.find(([words, , start = ""]) => {
      const at = message.toLowerCase().indexOf(start);
      return at !== -1 && words.test(message.slice(at));
    });
    return refusal ? { kind: refusal[1] } : { kind: "refused", reason: thrown.message };
  }
}

export type ReceiptLog = {
  /** Its index among all logs of the block. */
  logIndex: number;
  address: string;
  topics: readonly string[];
  data: string;
};

export type TransactionReceipt = {
  txHash: Hex;
  blockNumber: number;
  blockHash: string;
  status: "success" | "reverted";
  gasUsed: number;
  /** Its cost in wei, including an OP Stack chain's fee for its data; null if the node does not say. */
  fee: bigint | null;
  logs: readonly ReceiptLog[];
};

/** Reads the receipt of a transaction; null if the node has none. Throws a BadAnswer. */
export async function readReceipt(rpc: Rpc, txHash: string): Promise<TransactionReceipt | null> {
  const answer = await rpc.request("eth_getTransactionReceipt", [txHash]);
  if (answer === null) return null;
  if (typeof answer !== "object") throw new BadAnswer(rpc.host, "a receipt that is not an object");
  const { transactionHash, blockNumber, blockHash, status, gasUsed, effectiveGasPrice, l1Fee, logs } =
    answer as Record<string, unknown>;
  if (hash32(rpc, transactionHash) !== txHash.toLowerCase()) {
    throw new BadAnswer(rpc.host, "the receipt of another transaction");
  }
  // Some nodes return transactions that are pending, or in a block still being built.
  if (blockNumber === null || blockHash === null || blockHash === zeroHash) return null;
  if (!Array.isArray(logs) || !logs.every(isLog)) {
    throw new BadAnswer(rpc.host, "a receipt whose logs are not logs");
  }
  const gas = quantity(rpc, gasUsed);
  return {
    txHash: txHash.toLowerCase() as Hex,
    blockNumber: quantity(rpc, blockNumber),
    blockHash: hash32(rpc, blockHash),
    status: quantity(rpc, status) === 1 ? "success" : "reverted",
    gasUsed: gas,
    fee:
      effectiveGasPrice == null
        ? null
        : BigInt(gas) * wei(rpc, effectiveGasPrice) + (l1Fee == null ? 0n : wei(rpc, l1Fee)),
    logs: logs.map(({ logIndex, address, topics, data }) => ({
      logIndex: quantity(rpc, logIndex),
      address,
      topics,
      data,
    })),
  };
}

function isLog(log: unknown): log is Omit<ReceiptLog, "logIndex"> & { logIndex: unknown } {
  if (typeof log !== "object" || log === null) return false;
  const { address, topics, data } = log as Record<string, unknown>;
  return (
    typeof address === "string" &&
    typeof data === "string" &&
    Array.isArray(topics) &&
    topics.every((topic) => typeof topic === "string")
  );
}
