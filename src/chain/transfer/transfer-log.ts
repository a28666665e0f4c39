import type { Transfer } from "../../domain/payment/transfer.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Address, checksum } from "../../domain/wallet/address.ts";
import { isWord, quantityHex } from "../../lib/crypto.ts";
import { batches, turn } from "../../lib/loop.ts";
import { world } from "../../lib/world.ts";
import { BadAnswer, hash32, quantity, shown } from "../node/block.ts";
import { mayBeTooMuch, type Rpc, RpcError, RpcUnreachable } from "../node/rpc.ts";
import { createCrowdedBlocks, logsAtOnce } from "./crowded-block.ts";

/** keccak256("Transfer(address,address,uint256)"), the first topic of an ERC-20 transfer (EIP-20). */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** geth and its family refuse more values than this in one topic position. */
export const addressesPerTopicMax = 1000;

/** A node that accepts fewer is asked for half as many, but never for less than this: then it means something else. */
const addressesPerTopicMin = 10;

/** Phrases for too many addresses in a filter; there is no code for it. geth and Erigon have a setting. */
const tooMany = /\b(exceed|max|limit|too (many|long)|less|fewer)/i;
const ofAddresses = /address|topic/i;

/** More than the total supply of USDC; it also keeps sums of what came within SQLite's 64 bits. */
export const amountMax = 10n ** 17n;

/** A single block counts as too large once the node has refused it this often but answers when nothing matches. */
const refusalsAloneMin = 2;

/** Pads an address to the 32 bytes of a log topic. */
export const topicPadding = `0x${"0".repeat(24)}`;

/** An address as a log topic: 32 bytes, lower case. */
export function topicOf(address: Address): string {
  return topicPadding + address.slice(2).toLowerCase();
}

/** Deposit indexes by recipient topic. */
export type Recipients = Pick<ReadonlyMap<string, number>, "size" | "get" | "has"> & {
  keys(): Iterable<string>;
};

/** The address in a log topic. */
export function addressOf(topic: string): Address {
  return checksum(`0x${topic.slice(-40)}`);
}

export type BlockRange = { from: number; to: number };

/** The node's answer to eth_getLogs, unchecked. Throws a BadAnswer if it is not a list. */
export async function readLogs(
  rpc: Rpc,
  address: Address,
  { from, to }: BlockRange,
  topics: readonly (string | readonly string[] | null)[],
): Promise<unknown[]> {
  const filter = { address, fromBlock: quantityHex(from), toBlock: quantityHex(to), topics };
  const logs = await rpc.request("eth_getLogs", [filter]);
  if (!Array.isArray(logs)) throw new BadAnswer(rpc.host, "logs that are not a list");
  return logs;
}

/** Reads the amount from the data of a USDC transfer log. Throws a BadAnswer, also for more than the total supply. */
export function amountOf(rpc: Rpc, data: unknown): Usdc.Usdc {
  if (!isWord(data)) throw new BadAnswer(rpc.host, "a transfer without an amount");
  return amountWithin(rpc, BigInt(data));
}

/** Checks an amount of USDC from a node. Throws a BadAnswer for more than the total supply. */
export function amountWithin(rpc: Rpc, amount: bigint): Usdc.Usdc {
  if (amount > amountMax) throw new BadAnswer(rpc.host, `an amount of ${amount} micro-USDC`);
  return Usdc.fromMicro(amount);
}

export type TransferReader = {
  /** Current maximum of blocks per call. */
  readonly range: number;
  /** Reads every transfer to `recipients` in the blocks `from` to `to`, both included. */
  read(blocks: BlockRange, recipients: Recipients): Promise<Transfer[]>;
  /** Reads as many of the blocks, from the first on, as the node accepts in one call; returns how far it came. */
  readSome(blocks: BlockRange, recipients: Recipients): Promise<{ to: number; transfers: Transfer[] }>;
};

/** A recipient that nobody pays, for testing whether the call itself works. */
export const nobody = `${topicPadding}${"11".repeat(20)}`;

/** How long a refusal counts: the node may have been busy, or another one may answer for it by now. */
const refusalMs = 3_600_000;

/**
 * Reads USDC transfers in calls of as many blocks as the node accepts: at most `rangeMax`, half after every call that
 * the node refuses or that takes too long, slowly more again after every call that used the range in full, and
 * `rangeMax` again an hour after the last refusal. If the node says that there are too many addresses, calls have half
 * as many from then on. A block that is too large on its own is read by its receipts, without reducing the range for
 * others. `onCrowded` is called for each such block once it is read.
 */
export function createTransferReader(
  rpc: Rpc,
  usdc: Address,
  rangeMax: number,
  onCrowded: (blockNumber: number) => void = () => {},
): TransferReader {
  let range = rangeMax;
  let refusedAt = 0;
  let width = addressesPerTopicMax;
  const crowded = createCrowdedBlocks(rpc, { token: usdc, event: transferTopic });

  const getLogs = (from: number, to: number, topics: readonly string[]) =>
    readLogs(rpc, usdc, { from, to }, [transferTopic, null, topics]);

  async function readBlocks(from: number, to: number, recipients: Recipients): Promise<Transfer[]> {
    const transfers: Transfer[] = [];
    for (const topics of batches(recipients.keys(), width)) {
      for (const [at, log] of (await getLogs(from, to, topics)).entries()) {
        if (at % logsAtOnce === logsAtOnce - 1) await turn();
        const transfer = decode(rpc, log, usdc, recipients);
        if (transfer === null) continue;
        if (transfer.blockNumber < from || transfer.blockNumber > to) {
          throw new BadAnswer(
            rpc.host,
            `a log of block ${transfer.blockNumber} when asked for ${from} to ${to}`,
          );
        }
        transfers.push(transfer);
      }
    }
    return transfers;
  }

  async function readCrowded(blockNumber: number, recipients: Recipients) {
    const transfers: Transfer[] = [];
    for (const [at, log] of (await crowded.read(blockNumber)).entries()) {
      if (at % logsAtOnce === logsAtOnce - 1) await turn();
      const transfer = recipients.has(log.topics[2]) ? decode(rpc, log, usdc, recipients) : null;
      if (transfer !== null) transfers.push(transfer);
    }
    return { to: blockNumber, transfers };
  }

  /** Returns whether the node answers when nothing matches, so that the answer was too large. */
  async function answersNothing(blockNumber: number): Promise<boolean> {
    try {
      return (await getLogs(blockNumber, blockNumber, [nobody])).length === 0;
    } catch (thrown) {
      if (thrown instanceof RpcError || thrown instanceof RpcUnreachable) return false;
      throw thrown;
    }
  }

  /** Asks for fewer addresses at a time. Returns false if the node means something else. */
  function narrow(thrown: unknown, addresses: number): boolean {
    const count = Math.min(width, addresses);
    if (!(thrown instanceof RpcError && tooMany.test(thrown.reason) && ofAddresses.test(thrown.reason)))
      return false;
    if (count <= addressesPerTopicMin) return false;
    width = Math.max(addressesPerTopicMin, Math.floor(count / 2));
    return true;
  }

  function currentRange(): number {
    if (world.uptime() - refusedAt >= refusalMs) range = rangeMax;
    return range;
  }

  function reduceRange(blocks: number): void {
    range = blocks;
    refusedAt = world.uptime();
  }

  async function readSome({ from, to: last }: BlockRange, recipients: Recipients) {
    const rangeBefore = currentRange();
    let asked = rangeBefore;
    let refusedAlone = 0;
    for (;;) {
      const nextCrowded = crowded.next(from);
      if (nextCrowded === from) return readCrowded(from, recipients);
      const to = Math.min(last, from + asked - 1, nextCrowded - 1);
      asked = to - from + 1;
      try {
        const transfers = await readBlocks(from, to, recipients);
        if (asked >= range) range = Math.min(rangeMax, Math.ceil(range * 1.25));
        return { to, transfers };
      } catch (thrown) {
        if (narrow(thrown, recipients.size)) continue;
        if (!mayBeTooMuch(thrown)) throw thrown;
        if (to === from) {
          if (!(await answersNothing(from))) {
            // It refuses any number of blocks from there, such as those that it does not have yet.
            range = rangeBefore;
            throw thrown;
          }
          refusedAlone += 1;
          // Several nodes may share a URL, and one of them may not have had the block yet.
          if (refusedAlone < refusalsAloneMin) continue;
          const read = await readCrowded(from, recipients);
          // The problem was not the range, but the content of this block.
          range = rangeBefore;
          width = addressesPerTopicMax;
          onCrowded(from);
          return read;
        }
        const half = Math.floor(asked / 2);
        // A node that does not answer at all would be asked again for every halving: one failed scan is enough.
        if (thrown instanceof RpcUnreachable && thrown.tooMuch === "perhaps") {
          reduceRange(half);
          throw thrown;
        }
        // A shorter call ends at the newest block, which one of several nodes behind a URL may not have yet.
        if (asked >= range) reduceRange(half);
        asked = half;
      }
    }
  }

  return {
    get range() {
      return currentRange();
    },
    readSome,
    async read(blocks, recipients) {
      const transfers: Transfer[] = [];
      let from = blocks.from;
      while (from <= blocks.to) {
        const some = await readSome({ from, to: blocks.to }, recipients);
        for (const transfer of some.transfers) transfers.push(transfer);
        from = some.to + 1;
      }
      return transfers;
    },
  };
}

/**
 * Decodes a log; null for a zero transfer. Throws a BadAnswer for a log that was not requested or is not a USDC
 * transfer to a known deposit address.
 */
function decode(rpc: Rpc, log: unknown, usdc: Address, recipients: Recipients): Transfer | null {
  if (typeof log !== "object" || log === null) throw new BadAnswer(rpc.host, "a log that is not an object");
  const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex, removed } = log as Record<
    string,
    unknown
  >;
  if (removed === true) throw new BadAnswer(rpc.host, "a log that was removed from the chain");
  if (typeof address !== "string" || address.toLowerCase() !== usdc.toLowerCase()) {
    throw new BadAnswer(rpc.host, `a log of the contract ${shown(address)}`);
  }
  const [event, from, to] = Array.isArray(topics) ? (topics as unknown[]) : [];
  const depositIndex = typeof to === "string" ? recipients.get(to.toLowerCase()) : undefined;
  if (event !== transferTopic || depositIndex === undefined) {
    throw new BadAnswer(rpc.host, "a log that is not a transfer to a deposit address");
  }
  if (typeof from !== "string" || !/^0x0{24}[0-9a-f]{40}$/i.test(from)) {
    throw new BadAnswer(rpc.host, "a transfer from what is not an address");
  }
  const amount = amountOf(rpc, data);
  if (amount === 0n) return null;
  return {
    blockHash: hash32(rpc, blockHash),
    logIndex: quantity(rpc, logIndex),
    blockNumber: quantity(rpc, blockNumber),
    txHash: hash32(rpc, transactionHash),
    depositIndex,
    payer: checksum(`0x${from.slice(-40)}`),
    amount,
  };
}
