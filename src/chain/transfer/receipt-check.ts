import { type Confirmations, confirmationsName } from "../../domain/payment/block.ts";
import { depth } from "../../domain/payment/transfer.ts";
import type { ProvedTransfer, ReceiptProof } from "../../domain/receipt/receipt-proof.ts";
import type { ChainCheck, TransferCheck } from "../../domain/receipt/receipt-verdict.ts";
import * as Usdc from "../../domain/usdc.ts";
import type * as Address from "../../domain/wallet/address.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import { isWord } from "../../lib/crypto.ts";
import { batches } from "../../lib/loop.ts";
import { readCode } from "../account/account.ts";
import { type ReceiptLog, readReceipt, type TransactionReceipt } from "../account/transaction.ts";
import { mustReadBlock, quantity, readBlockWithTransactions } from "../node/block.ts";
import { countsUpTo } from "../node/confirmations.ts";
import type { Rpc } from "../node/rpc.ts";
import { addressOf, amountOf, topicOf, transferTopic } from "./transfer-log.ts";

/** Transactions looked up in parallel, as public nodes refuse many calls at once. */
const lookedUpAtOnce = 8;

/**
 * Verifies a receipt on a node's chain, whatever the receipt claims: each transfer must be in a block of the current
 * chain, as a log of `token` to the receipt's address with the claimed sender and amount, and old enough to count.
 * Duplicates count once. Nothing is looked up on another chain. Throws when the node fails or answers nonsense.
 */
export async function checkOnChain(
  rpc: Rpc,
  proof: ReceiptProof,
  { token, confirmations: wanted }: { token: Address.Address; confirmations: Confirmations },
): Promise<ChainCheck> {
  const node = rpc.host;
  const chainId = quantity(rpc, await rpc.request("eth_chainId", []));
  if (chainId !== proof.chain_id) return { node, chainId, payoutWallet: null, transfers: [] };
  const code = await readCode(rpc, proof.deposit_address);
  const head = await mustReadBlock(rpc, "latest");
  const confirmedUpTo = await countsUpTo(rpc, wanted, head);
  const seen = new Set<string>();
  const transfers: TransferCheck[] = [];

  async function check(transfer: ProvedTransfer, isRepeated: boolean): Promise<TransferCheck> {
    const receipt = await readReceipt(rpc, transfer.tx_hash);
    const block = receipt && (await readBlockWithTransactions(rpc, receipt.blockNumber));
    const isOnChain = block?.hash === receipt?.blockHash && block?.transactions.includes(transfer.tx_hash);
    const confirmations = receipt && isOnChain ? depth(receipt.blockNumber, head.number) : null;
    const blockMs = block && isOnChain ? block.timeMs : null;
    const faulty = (fault: string | null) => ({ ...transfer, fault, confirmations, blockMs });
    if (isRepeated) return faulty("it is listed twice, and counts once");
    if (!receipt)
      return faulty("the node knows no such transaction; one that keeps no old ones may have forgotten it");
    if (!isOnChain) return faulty("its block is not on the chain any more");
    const fault = faultOf(rpc, transfer, receipt, { token, to: proof.deposit_address });
    if (fault !== null) return faulty(fault);
    if (receipt.blockNumber <= confirmedUpTo) return faulty(null);
    return faulty(
      `it is ${confirmations} blocks deep, and does not count before ${confirmationsName(wanted)}`,
    );
  }

  for (const batch of batches(proof.transfers, lookedUpAtOnce)) {
    const checks = batch.map((transfer) => {
      const place = `${transfer.tx_hash} ${transfer.log_index}`;
      const isRepeated = seen.has(place);
      seen.add(place);
      return check(transfer, isRepeated);
    });
    transfers.push(...(await Promise.all(checks)));
  }
  return { node, chainId, payoutWallet: DepositAddress.payoutWalletOf(code), transfers };
}

/** Returns why a transaction on the chain is not the claimed transfer; null if it is. */
function faultOf(
  rpc: Rpc,
  claimed: ProvedTransfer,
  { status, blockNumber, blockHash, logs }: TransactionReceipt,
  { token, to }: { token: Address.Address; to: Address.Address },
): string | null {
  if (status !== "success") return "the transaction failed, and moved nothing";
  if (blockNumber !== claimed.block_number || blockHash !== claimed.block_hash)
    return `it is in block ${blockNumber} (${blockHash}), not in the one that is named`;
  const log = logs.find(({ logIndex }) => logIndex === claimed.log_index);
  if (!log) return `it has no log ${claimed.log_index}`;
  if (log.address.toLowerCase() !== token.toLowerCase())
    return `it moved another token, ${printed(log.address)}, and not USDC (${token})`;
  if (log.topics[0] !== transferTopic) return `its log ${claimed.log_index} is no transfer`;
  if (log.topics[2]?.toLowerCase() !== topicOf(to)) return `it paid another address, ${recipientOf(log)}`;
  if (log.topics[1]?.toLowerCase() !== topicOf(claimed.from)) return "somebody else sent it than is named";
  const amount = amountOf(rpc, log.data);
  if (amount === Usdc.parseExact(claimed.amount)) return null;
  return `it paid ${Usdc.formatExact(amount)} USDC, not ${claimed.amount}`;
}

function recipientOf({ topics: [, , to = ""] }: ReceiptLog): string {
  return isWord(to) ? addressOf(to) : printed(to);
}

/** Quotes a node's answer, which may be anything. */
const printed = (text: string) => JSON.stringify(text.slice(0, 66));
