import type { Transfer } from "../../domain/payment/transfer.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { isWord } from "../../lib/crypto.ts";
import { readReceipt, type TransactionReceipt } from "../account/transaction.ts";
import { type Block, readBlock } from "../node/block.ts";
import type { Rpc } from "../node/rpc.ts";
import { topicOf, transferTopic } from "./transfer-log.ts";

/** A transfer as another node reported it, with its recipient address. */
type TransferClaim = Omit<Transfer, "depositIndex"> & { address: Address };

export type Attestation =
  /** It is on this node's chain: same block, transaction, log index, payer, address and amount. */
  | { kind: "known" }
  /** This node has the block or the transaction, but not this transfer in it. */
  | { kind: "contradicted"; reason: string }
  /** This node does not have the block yet; `head` is its newest. */
  | { kind: "behind"; head: Block | null }
  /** This node has no receipt of the transaction, or not even the block any more: it may have pruned them. */
  | { kind: "forgotten" };

/**
 * Asks a node whether it knows the transfers of one transaction; answers in order. If it does, that takes one call for
 * the receipt. Without a receipt the block decides, as a made-up transaction has none anywhere. Throws when the node
 * fails or answers nonsense.
 */
export async function askAbout(
  rpc: Rpc,
  usdc: Address,
  txHash: string,
  claims: readonly TransferClaim[],
): Promise<Attestation[]> {
  const receipt = await readReceipt(rpc, txHash);
  const answers: Attestation[] = [];
  for (const claim of claims)
    answers.push(receipt ? compare(receipt, claim, usdc) : await askBlock(rpc, claim, usdc));
  return answers;
}

function compare(
  { txHash, status, blockNumber, blockHash, logs }: TransactionReceipt,
  claim: TransferClaim,
  usdc: Address,
): Attestation {
  if (blockHash !== claim.blockHash || blockNumber !== claim.blockNumber)
    return { kind: "contradicted", reason: `the transaction is in block ${blockNumber} (${blockHash})` };
  if (status !== "success") return { kind: "contradicted", reason: "the transaction failed" };
  const isThere = logs.some(
    (log) =>
      log.logIndex === claim.logIndex &&
      isClaimed({ ...log, blockHash, transactionHash: txHash }, claim, usdc),
  );
  return isThere ? { kind: "known" } : { kind: "contradicted", reason: "its receipt has no such transfer" };
}

async function askBlock(rpc: Rpc, claim: TransferClaim, usdc: Address): Promise<Attestation> {
  const { blockNumber, blockHash, txHash } = claim;
  const block = await readBlock(rpc, blockNumber);
  if (!block) {
    const head = await readBlock(rpc, "latest");
    // A node beyond a block had one there, and no longer keeps it.
    return head && head.number >= blockNumber ? { kind: "forgotten" } : { kind: "behind", head };
  }
  if (block.hash !== blockHash)
    return { kind: "contradicted", reason: `block ${blockNumber} has the hash ${block.hash}` };
  const body = await rpc.request("eth_getBlockByHash", [blockHash, false]);
  const hashes =
    typeof body === "object" && body !== null && "transactions" in body ? body.transactions : null;
  if (!Array.isArray(hashes)) return { kind: "forgotten" };
  if (!hashes.some((hash) => String(hash).toLowerCase() === txHash))
    return { kind: "contradicted", reason: `block ${blockNumber} has no such transaction` };
  const filter = { address: usdc, blockHash, topics: [transferTopic, null, topicOf(claim.address)] };
  const logs = await rpc.request("eth_getLogs", [filter]);
  const isThere = Array.isArray(logs) && logs.some((log) => isClaimed(log, claim, usdc));
  return isThere ? { kind: "known" } : { kind: "forgotten" };
}

/** Compares a log with the transfer, field by field. */
function isClaimed(log: unknown, claim: TransferClaim, usdc: Address): boolean {
  if (typeof log !== "object" || log === null) return false;
  const { address, topics, data, logIndex, blockHash, transactionHash } = log as Record<string, unknown>;
  const same = (value: unknown, wanted: string) => String(value).toLowerCase() === wanted.toLowerCase();
  return (
    same(address, usdc) &&
    same(blockHash, claim.blockHash) &&
    same(transactionHash, claim.txHash) &&
    Number(logIndex) === claim.logIndex &&
    Array.isArray(topics) &&
    same(topics[0], transferTopic) &&
    same(topics[1], topicOf(claim.payer)) &&
    same(topics[2], topicOf(claim.address)) &&
    isWord(data) &&
    BigInt(data) === claim.amount
  );
}
