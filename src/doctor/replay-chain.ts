import { blockSurelyBefore } from "../chain/node/block.ts";
import { paceOf } from "../chain/node/pace.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import {
  addressesPerTopicMax,
  type BlockRange,
  createTransferReader,
  topicOf,
} from "../chain/transfer/transfer-log.ts";
import type { Config } from "../config/config.ts";
import type { Transfer } from "../domain/payment/transfer.ts";
import * as Usdc from "../domain/usdc.ts";
import { messageOf } from "../lib/error.ts";
import { sleep } from "../lib/loop.ts";
import { counted } from "../lib/text/english.ts";
import type { Db } from "../store/database.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import * as CheckpointStore from "../store/tables/watch/checkpoint.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import * as WatchedStore from "../store/tables/watch/watched.ts";
import { type OnFinding, type OnProgress, type Reporter, reporter } from "./finding.ts";
import { ownerName } from "./replay.ts";

/** Without a requested first block, make at most this many calls, for the newest blocks. */
const callsMax = 500;

/** Recent blocks, in which the chain or the server may still be changing things, are compared once more. */
const settlingMs = { age: 120_000, wait: 2_000 };

const differencesNamedMax = 20;

type ChainReplayRequest = {
  db: Db;
  rpc: Rpc;
  config: Config;
  /** The first block to compare; null for the oldest deposit's, unless that is too far back. */
  from: number | null;
};

/**
 * Rereads the transfers to every deposit address from the chain, up to the block Till has read, and compares them with
 * the recorded ones.
 */
export async function replayChain(
  request: ChainReplayRequest,
  onFinding: OnFinding,
  progress: OnProgress,
): Promise<void> {
  const { db } = request;
  const report = reporter("replay from the chain", onFinding);
  const checkpoint = CheckpointStore.latest(db);
  const deposits = [...WatchedStore.changedSince(db, 0)].flat();
  if (!checkpoint || deposits.length === 0) return report.ok("Nothing was read from the chain yet.");
  try {
    const to = checkpoint.number;
    const { from, oldest } = await firstBlock(request, deposits.length, to);
    const all = await compareAll(request, deposits, { from, to }, progress);
    reportDifferences(all, report, db);
    const [crowded, ...others] = all.crowded;
    if (crowded !== undefined) {
      const more = others.length === 0 ? "" : ` and ${others.length} more`;
      report.warning(
        `Block ${crowded}${more} had more transfers to deposit addresses than the node gives at a time: a flood.`,
        "Nothing is lost by it: such a block is read by its receipts.",
      );
    }
    if (from > oldest) {
      report.warning(
        `Blocks ${oldest} to ${from - 1} were not compared: that would take more than ${callsMax} calls.`,
        `To compare them too, however long it takes: till doctor --from ${oldest}`,
      );
    }
  } catch (thrown) {
    report.wrong(`The chain cannot be compared: ${messageOf(thrown)}.`, "Try again, or with another node.");
  }
}

type Differences = { blocks: BlockRange; missing: Transfer[]; extra: Transfer[]; crowded: number[] };

async function compareAll(
  { db, rpc, config }: ChainReplayRequest,
  deposits: readonly WatchedStore.WatchedDeposit[],
  blocks: BlockRange,
  progress: OnProgress,
): Promise<Differences> {
  const recipients = new Map(deposits.map((deposit) => [topicOf(deposit.address), deposit.index]));
  const all: Differences = { blocks, missing: [], extra: [], crowded: [] };
  const onCrowded = (block: number) => all.crowded.push(block);
  const reader = createTransferReader(rpc, config.network.usdc, config.logRange, onCrowded);
  const compare = async (from: number, to: number) => {
    const onChain = await reader.read({ from, to }, recipients);
    const stored = TransferStore.listBetween(db, from, to);
    const chainKeys = new Set(onChain.map(keyOf));
    const storedKeys = new Set(stored.map(keyOf));
    return {
      missing: onChain.filter((transfer) => !storedKeys.has(keyOf(transfer))),
      extra: stored.filter((transfer) => !chainKeys.has(keyOf(transfer))),
    };
  };
  for (let first = blocks.from; first <= blocks.to; ) {
    progress(`block ${first} of ${blocks.to}`);
    const last = Math.min(blocks.to, first + reader.range - 1);
    let result = await compare(first, last);
    if (
      result.missing.length + result.extra.length > 0 &&
      last > blocks.to - paceOf(rpc).blocks(settlingMs.age)
    ) {
      await sleep(settlingMs.wait);
      result = await compare(first, last);
    }
    all.missing.push(...result.missing);
    all.extra.push(...result.extra);
    first = last + 1;
  }
  return all;
}

function reportDifferences({ blocks, missing, extra }: Differences, report: Reporter, db: Db): void {
  const { from, to } = blocks;
  const line = ({ amount, depositIndex, blockNumber, txHash }: Transfer) => {
    const owner = ownerName(ReceivableStore.nameOf(db, depositIndex), depositIndex);
    return `${Usdc.formatExact(amount)} USDC to ${owner} in block ${blockNumber} (${txHash})`;
  };
  for (const transfer of missing.slice(0, differencesNamedMax)) {
    report.wrong(
      `On the chain and not recorded: ${line(transfer)}.`,
      `Have these blocks read again: till rescan --from ${transfer.blockNumber}`,
    );
  }
  for (const transfer of extra.slice(0, differencesNamedMax)) {
    report.wrong(
      `Recorded and not on the chain: ${line(transfer)}.`,
      "Ask another node before you trust this amount: this one may not know all logs, or the database was changed.",
    );
  }
  if (missing.length + extra.length > 0)
    report.wrong(
      `${missing.length} are missing, ${extra.length} too many, in blocks ${from} to ${to}.`,
      "See above.",
    );
  else {
    const count = Math.max(0, to - from + 1);
    report.ok(
      `All transfers in blocks ${from} to ${to} are recorded, and no others (${counted(count, "block")}).`,
    );
  }
}

/** The first block to compare, and the one that the oldest deposit would require. */
async function firstBlock(
  { db, rpc, config, from }: ChainReplayRequest,
  deposits: number,
  to: number,
): Promise<{ from: number; oldest: number }> {
  if (from !== null) return { from, oldest: from };
  const oldestMs = WatchedStore.oldestChangedSince(db, 0) ?? 0;
  const oldest = await blockSurelyBefore(rpc, oldestMs, to);
  const callsPerRange = Math.ceil(deposits / addressesPerTopicMax);
  const blocksMax = Math.max(1, Math.floor(callsMax / callsPerRange)) * config.logRange;
  return { from: Math.max(oldest, to - blocksMax + 1), oldest };
}

function keyOf({ blockHash, logIndex, depositIndex, amount }: Transfer): string {
  return `${blockHash}:${logIndex}:${depositIndex}:${amount}`;
}
