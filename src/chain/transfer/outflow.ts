import * as Usdc from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { BadAnswer, hash32, mustBeOnChain, quantity } from "../node/block.ts";
import { mayBeTooMuch, type Rpc } from "../node/rpc.ts";
import { askAbout } from "./attest.ts";
import { createCrowdedBlocks } from "./crowded-block.ts";
import { amountOf, type BlockRange, readLogs, topicOf, transferTopic } from "./transfer-log.ts";

/** A deposit address with the only wallet that it can pay. */
type OutflowSource = { address: Address; payoutWallet: Address };

/** A transaction on the chain, with the amount it moved from a deposit to its payout wallet. */
type Outflow = { amount: Usdc.Usdc; txHash: Hex; blockNumber: number; blockHash: string };

/**
 * Reads what a deposit address has paid to its payout wallet, by transaction, and up to which block that is known: as
 * far as the node tells in one eth_getLogs. Anybody can fill a block with zero transfers; one with more logs than the
 * node returns is read by its receipts. Every log must be in a block of the chain and in the receipt of its
 * transaction. Throws when the node fails or answers nonsense.
 */
export async function readOutflow(
  rpc: Rpc,
  usdc: Address,
  source: OutflowSource,
  { from, to }: BlockRange,
): Promise<{ to: number; outflows: Outflow[] }> {
  const topics = [transferTopic, topicOf(source.address), topicOf(source.payoutWallet)];
  for (let last = to; ; last = Math.floor((from + last) / 2)) {
    try {
      const logs = await readLogs(rpc, usdc, { from, to: last }, topics);
      return { to: last, outflows: await verified(rpc, usdc, source, { from, to: last }, logs) };
    } catch (thrown) {
      if (!mayBeTooMuch(thrown)) throw thrown;
      if (last > from) continue;
      const logs = await createCrowdedBlocks(rpc, { token: usdc, event: transferTopic }).read(from);
      const own = logs.filter((log) => topics.every((topic, at) => String(log.topics[at]) === topic));
      return { to: from, outflows: await verified(rpc, usdc, source, { from, to: from }, own) };
    }
  }
}

async function verified(
  rpc: Rpc,
  usdc: Address,
  { address, payoutWallet }: OutflowSource,
  { from, to }: BlockRange,
  logs: readonly unknown[],
): Promise<Outflow[]> {
  const topics = [transferTopic, topicOf(address), topicOf(payoutWallet)];
  const outflows = new Map<string, Outflow>();
  for (const log of logs as Record<string, unknown>[]) {
    const amount = amountOf(rpc, log?.["data"]);
    // Anybody can send zero from anywhere.
    if (amount === 0n) continue;
    const claimed = log["topics"];
    const isWanted =
      Array.isArray(claimed) && topics.every((topic, at) => String(claimed[at]).toLowerCase() === topic);
    if (!isWanted) throw new BadAnswer(rpc.host, "a log that is not a transfer from a deposit address");
    const claim = {
      blockHash: hash32(rpc, log["blockHash"]),
      blockNumber: quantity(rpc, log["blockNumber"]),
      logIndex: quantity(rpc, log["logIndex"]),
      txHash: hash32(rpc, log["transactionHash"]),
      amount,
      address: payoutWallet,
      payer: address,
    };
    const { txHash, blockNumber, blockHash } = claim;
    if (blockNumber < from || blockNumber > to)
      throw new BadAnswer(rpc.host, `a log of block ${blockNumber} when asked for ${from} to ${to}`);
    await mustBeOnChain(rpc, { number: blockNumber, hash: blockHash });
    const [answer] = await askAbout(rpc, usdc, txHash, [claim]);
    if (answer?.kind !== "known")
      throw new BadAnswer(rpc.host, `a transfer that is not in the receipt of ${txHash}`);
    const before = outflows.get(txHash)?.amount ?? Usdc.zero;
    outflows.set(txHash, { amount: Usdc.sum([before, amount]), txHash, blockNumber, blockHash });
  }
  return [...outflows.values()];
}
