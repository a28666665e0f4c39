import type { Address } from "../domain/address.ts";
import * as Usdc from "../domain/usdc.ts";
import { quantityHex } from "../lib/hex.ts";
import { askAbout } from "./attest.ts";
import { BadAnswer, hash32, quantity } from "./block.ts";
import type { Rpc } from "./rpc.ts";
import { mustBeOnChain } from "./scan.ts";
import { amountMax, type BlockRange, topicOf, transferTopic } from "./transfer-log.ts";

/** A deposit address, and the only wallet that it can pay. */
export type Source = { address: Address; payoutWallet: Address };

/**
 * How much USDC a deposit address has paid to its payout wallet in these blocks, in one eth_getLogs. Every log has to be
 * in a block of the chain and in the receipt of its transaction. Throws what the node's answers make it throw.
 */
export async function readOutflow(
  rpc: Rpc,
  usdc: Address,
  { address, payoutWallet }: Source,
  { from, to }: BlockRange,
): Promise<Usdc.Usdc> {
  const topics = [transferTopic, topicOf(address), topicOf(payoutWallet)];
  const filter = { address: usdc, fromBlock: quantityHex(from), toBlock: quantityHex(to), topics };
  const logs = await rpc.request("eth_getLogs", [filter]);
  if (!Array.isArray(logs)) throw new BadAnswer(rpc.host, "logs that are not a list");
  const amounts: Usdc.Usdc[] = [];
  for (const log of logs as Record<string, unknown>[]) {
    const data = String(log?.["data"]);
    if (!/^0x[0-9a-f]{64}$/i.test(data)) throw new BadAnswer(rpc.host, "a transfer without an amount");
    // Anybody may move nothing from anywhere.
    if (BigInt(data) === 0n) continue;
    const claimed = log["topics"];
    const isWanted =
      Array.isArray(claimed) && topics.every((topic, at) => String(claimed[at]).toLowerCase() === topic);
    if (!isWanted || BigInt(data) > amountMax)
      throw new BadAnswer(rpc.host, "a log that is not a transfer from a deposit address");
    const claim = {
      blockHash: hash32(rpc, log["blockHash"]),
      blockNumber: quantity(rpc, log["blockNumber"]),
      logIndex: quantity(rpc, log["logIndex"]),
      txHash: hash32(rpc, log["transactionHash"]),
      amount: Usdc.fromMicro(BigInt(data)),
      address: payoutWallet,
      payer: address,
    };
    if (claim.blockNumber < from || claim.blockNumber > to)
      throw new BadAnswer(rpc.host, `a log of block ${claim.blockNumber} when asked for ${from} to ${to}`);
    await mustBeOnChain(rpc, { number: claim.blockNumber, hash: claim.blockHash });
    const [answer] = await askAbout(rpc, usdc, claim.txHash, [claim]);
    if (answer?.kind !== "known")
      throw new BadAnswer(rpc.host, `a transfer that is not in the receipt of ${claim.txHash}`);
    amounts.push(claim.amount);
  }
  return Usdc.sum(amounts);
}
