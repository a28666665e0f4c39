import { readHoldings } from "../chain/contract/balance.ts";
import { type Block, ChainMoved, mustBeOnChain, mustReadBlock, readHeaders } from "../chain/node/block.ts";
import { countsUpTo } from "../chain/node/confirmations.ts";
import type { Node } from "../chain/node/nodes.ts";
import { type Pace, paceOf, reorgMsMax } from "../chain/node/pace.ts";
import { type BlockRange, type Recipients, topicOf } from "../chain/transfer/transfer-log.ts";
import type { BlockRef, Confirmations } from "../domain/payment/block.ts";
import type { Transfer } from "../domain/payment/transfer.ts";
import * as Address from "../domain/wallet/address.ts";
import type { Db } from "../store/database.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import * as WatchedStore from "../store/tables/watch/watched.ts";
import type { WatchedDeposits } from "./deposits.ts";
import { compare, type Difference } from "./differences.ts";
import type { Scanned } from "./payment/payment.ts";
import { listRecorded, sumByDeposit } from "./recorded.ts";

/** Maximum blocks of recorded transfers compared with the chain after a reorganisation. */
const comparedDeepMax = 2_000;

/** Maximum log calls per look: anything beyond is read outside of the looks. */
const logCallsMax = 4;
/** The same after a reorganisation: transfers not found at once are reported as lost, and credited anew. */
const logCallsDeepMax = 100;

/** Blocks that a node announced, with the deposits it said were paid there. */
export type Announced = ReadonlyMap<number, ReadonlySet<number>>;

export type LookOptions = {
  db: Db;
  node: Pick<Node, "rpc" | "reader">;
  usdc: Address.Address;
  deposits: Pick<
    WatchedDeposits,
    "recipients" | "isAsExpected" | "isEmptied" | "isShortAsBefore" | "explained"
  >;
  confirmations: Confirmations;
  announced: Announced;
  /** Called before a reorganisation is believed. Throws if the node must not be used. */
  check: () => Promise<void>;
  /** Whether to check that the checkpoint and the blocks of uncounted transfers are still on the chain. */
  isClose: boolean;
  /** Returns whether the checkpoint, above this head, can never have been on the chain. */
  isCheckpointFalse: (head: Head) => boolean;
  /** Whether somebody else needs to know up to where payments count. */
  isCountWanted: boolean;
  /** Unix milliseconds. */
  now: () => number;
};

/** The newest block as far as known without its hash. */
type Head = Pick<Block, "number" | "timestampSec" | "timeMs">;

/** The result of comparing the books with the chain up to a checkpoint. */
export type Looked = Scanned & {
  kind: "looked";
  head: Head;
  pace: Pace;
  isReorganised: boolean;
  /** By block, the deposits whose logs were read. */
  told: Announced;
  /** By deposit, what addresses held that hold less than the books say. */
  short: ReadonlyMap<number, bigint>;
  /** Announced blocks that were too many for one look. */
  unread: readonly number[];
};

/**
 * The node lacks a block that was already seen, so nothing can be concluded. `more`: deposits that hold more there
 * nevertheless.
 */
export type Behind = { kind: "behind"; head: Head; lacks: number; more: number[] };

/**
 * Looks at the newest block: the balance of each watched address there proves whether the books lack a transfer,
 * however many blocks have passed and whatever logs the node left out. Logs are read only for addresses that hold more,
 * where the node announced a transfer, or since the checkpoint if that takes few calls; money that they do not explain
 * is `late`, and has to be looked for. Changes nothing but the knowledge about addresses. Throws when the node fails or
 * answers nonsense.
 */
export async function look(options: LookOptions, checkpoint: BlockRef | null): Promise<Behind | Looked> {
  const { db, node, deposits, confirmations, isClose } = options;
  const { rpc } = node;
  const pace = paceOf(rpc);
  const { addresses, indices } = deposits.recipients.list();
  // With nothing to watch, somebody may still want to know the newest block.
  const holders = addresses.length > 0 ? addresses : [Address.zero];
  const parts = await readHoldings(rpc, options.usdc, holders, "latest");
  const lowest = parts.reduce((low, part) => (part.number < low.number ? part : low));
  // Calls at the first block of a chain see a different time than its own.
  const genesis = lowest.number === 0 ? await mustReadBlock(rpc, 0) : null;
  const head = genesis ?? { ...lowest, timeMs: lowest.timestampSec * 1_000 };
  pace.noteNewest(head);
  const isBelow = checkpoint !== null && head.number < checkpoint.number;
  const differences = await compare(options, parts, addresses, indices);
  const more = differences.filter(({ amount }) => amount > 0n);
  const behind = (lacks: number): Behind => ({
    kind: "behind",
    head,
    lacks,
    more: more.map(({ index }) => index),
  });
  if (isBelow && !options.isCheckpointFalse(head)) return behind(checkpoint.number);

  const less = differences.filter(({ amount, isNoted }) => amount < 0n && !isNoted);
  const short = differences.filter(({ amount }) => amount < 0n);
  const emptied = differences.filter(({ isEmptied }) => isEmptied);
  // Money that came there may have gone since, or hides in what is missing: the balance proves nothing.
  const unsure = differences.filter(
    ({ index, amount, balance, isEmptied, isNoted }) =>
      isEmptied || (amount < 0n && isNoted && !deposits.isShortAsBefore(index, balance)),
  );
  const found =
    checkpoint && !isBelow ? await readNew(options, checkpoint, head, [...more, ...unsure]) : null;

  const transfers = found?.transfers ?? [];
  const isWaiting = transfers.length > 0 || TransferStore.firstWaiting(db) !== null;
  const confirmedUpTo =
    isWaiting || more.length > 0 || options.isCountWanted
      ? Math.min(head.number, await countsUpTo(rpc, confirmations, head))
      : -1;
  const settledNumber = Math.max(0, head.number - pace.blocks(reorgMsMax));
  const recent = TransferStore.listBlocksAbove(db, settledNumber, 1);
  // Its hash proves all blocks below. A payment that moved to another block makes no difference to balances.
  const isCompared = isClose || less.length > 0 || recent.length > 0;
  const seen = { differences, transfers, checkpoint, confirmedUpTo, settledNumber };
  const recorded = listRecorded(db, { ...seen, isClose, now: options.now() });
  const compared = isCompared && checkpoint !== null && !isBelow ? [checkpoint] : [];
  const blocks = transfers.map(blockOf);
  // Only now, as earlier answers can all have come from another chain.
  const headers = await readHeaders(rpc, [...blocks, ...recorded, ...compared], settledNumber);
  mustHold(headers, blocks);
  // A node that lacks one of the newest blocks below its own head lags. It may have forgotten an old one.
  const isUnknown = ({ number }: BlockRef) => number <= head.number && !headers.get(number);
  const unknown = [...recorded, ...compared].filter(isUnknown);
  const lacks = Math.max(...unknown.map(({ number }) => number));
  if (lacks > settledNumber) return behind(lacks);
  const isMoved = ({ number, hash }: BlockRef) => (headers.get(number)?.hash ?? hash) !== hash;
  // The books are complete up to the block before the newest, whose hash came with the balances.
  const below = genesis ?? { number: lowest.number - 1, hash: lowest.parentHash };
  const isReplaced = checkpoint?.number === below.number && checkpoint.hash !== below.hash;
  const looked: Looked = {
    kind: "looked",
    head,
    pace,
    told: found?.told ?? new Map(),
    short: new Map(short.map(({ index, balance }) => [index, balance])),
    unread: found?.unread ?? [],
    isReorganised: isBelow || isReplaced || compared.some(isMoved) || recorded.some(isMoved),
    checkpoint: { number: below.number, hash: below.hash },
    replaced: [],
    transfers,
    headers,
    confirmedUpTo,
    unknown,
    late: [],
    unclear: less.map(({ index }) => index),
    emptied: emptied.map(({ index }) => index),
    settledNumber,
    blockMs: pace.blockMs,
  };
  if (looked.isReorganised) await readAgain(options, looked, recorded);
  explain(db, looked, more, checkpoint);
  if (checkpoint && unsure.length > 0 && !found?.isComplete) {
    const indices = unsure.map(({ index }) => index);
    looked.late.push({ indices, from: checkpoint.number + 1, amount: null, isAllRead: true });
  }
  return looked;
}

const blockOf = ({ blockNumber, blockHash }: Transfer): BlockRef => ({
  number: blockNumber,
  hash: blockHash,
});

function mustHold(headers: ReadonlyMap<number, Block | null>, blocks: readonly BlockRef[]): void {
  const moved = blocks.find((block) => headers.get(block.number)?.hash !== block.hash);
  if (moved) throw new ChainMoved(moved.number);
}

/**
 * Reads the logs of addresses that hold more, may hide what came, or were announced: first in the announced blocks,
 * and if these do not explain everything, in all blocks since the checkpoint, as far as a few calls go. `isComplete`:
 * those were read, or did not need to be.
 */
async function readNew(
  { db, node: { reader }, deposits, announced }: LookOptions,
  checkpoint: BlockRef,
  head: Head,
  differing: readonly Difference[],
): Promise<Pick<Looked, "transfers" | "told" | "unread"> & { isComplete: boolean }> {
  const there = [...announced].filter(([block]) => block <= head.number);
  const paid = there.flatMap(([, indices]) => [...indices]);
  const wanted = new Map(differing.map(({ address, index }) => [topicOf(address), index]));
  for (const { index, address } of WatchedStore.list(db, paid))
    if (deposits.recipients.has(topicOf(address))) wanted.set(topicOf(address), index);
  const found = new Map<string, Transfer>();
  const told = new Map<number, Set<number>>();
  let calls = 0;

  /** Returns whether everything was read. */
  async function read({ from, to }: BlockRange): Promise<boolean> {
    let readTo = from - 1;
    for (; readTo < to && calls < logCallsMax; calls++) {
      const some = await reader.readSome({ from: readTo + 1, to }, wanted);
      for (const transfer of some.transfers) {
        const { blockNumber, blockHash, logIndex, depositIndex } = transfer;
        told.set(blockNumber, (told.get(blockNumber) ?? new Set()).add(depositIndex));
        if (!TransferStore.isRecorded(db, transfer)) found.set(`${blockHash} ${logIndex}`, transfer);
      }
      readTo = some.to;
    }
    return readTo >= to;
  }

  const blocks = there.map(([block]) => block);
  let announcedTo = -1;
  for (const range of clusters(blocks, reader.range)) if (await read(range)) announcedTo = range.to;
  const sums = sumByDeposit(found.values());
  const isOpen = ({ index, amount, isEmptied }: Difference) =>
    isEmptied || amount < 0n || amount > (sums.get(index) ?? 0n);
  const gap = { from: checkpoint.number + 1, to: head.number };
  const fits = gap.to - gap.from < reader.range * (logCallsMax - calls);
  const isComplete = !differing.some(isOpen) || (fits && (await read(gap)));
  const unread = blocks.filter((block) => block > announcedTo);
  return { transfers: [...found.values()], told, unread, isComplete };
}

/** Groups blocks into ranges that take one call each. */
function clusters(blocks: readonly number[], range: number): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const block of blocks.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && block - last.from < range) last.to = block;
    else ranges.push({ from: block, to: block });
  }
  return ranges;
}

/**
 * Handles a reorganisation: finds the recorded blocks that are gone, and what their transfers' deposits were paid
 * instead, in one go, so that no payment is missing between two looks.
 */
async function readAgain(
  { db, node: { rpc, reader }, check }: LookOptions,
  looked: Looked,
  recorded: readonly BlockRef[],
): Promise<void> {
  await check();
  const { head, settledNumber } = looked;
  const all = [...recorded, ...TransferStore.listBlocksAbove(db, settledNumber, comparedDeepMax)];
  const headers = await readHeaders(rpc, all, settledNumber);
  // A node that lags has no block there yet, which says nothing; blocks above its head were built on what was replaced.
  const isGone = ({ number, hash }: BlockRef) => {
    const header = headers.get(number);
    return header ? header.hash !== hash : number > head.number;
  };
  const gone = new Map(all.filter(isGone).map((block) => [block.hash, block]));
  if (gone.size === 0) return;
  looked.replaced = [...gone.values()];
  const from = Math.min(...looked.replaced.map(({ number }) => number));
  const paid = WatchedStore.list(db, TransferStore.listPaidIn(db, looked.replaced));
  const wanted: Recipients = new Map(paid.map(({ address, index }) => [topicOf(address), index]));
  // A node may also leave out what came back: the balances show whether it did.
  looked.late.push({
    indices: paid.map(({ index }) => index),
    from: Math.min(from, head.number),
    amount: null,
  });
  if (head.number - from >= reader.range * logCallsDeepMax) return;
  const back = (await reader.read({ from, to: head.number }, wanted)).filter(
    (transfer) => !TransferStore.isRecorded(db, transfer),
  );
  const known = new Set(looked.transfers.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`));
  const others = back.filter(({ blockHash, logIndex }) => !known.has(`${blockHash} ${logIndex}`));
  looked.transfers = [...looked.transfers, ...others];
  // All of them, as there may have been another reorganisation since the first were read.
  looked.headers = await mustBeOnChain(rpc, ...looked.transfers.map(blockOf));
}

/**
 * Lists money that no log reported: to be looked for from the checkpoint on, or from where the books were last right.
 */
function explain(db: Db, looked: Looked, more: readonly Difference[], checkpoint: BlockRef | null): void {
  const told = sumByDeposit(looked.transfers);
  const known = checkpoint?.number ?? 0;
  // It may have come in blocks that replaced others.
  const from = (looked.isReorganised ? Math.min(looked.settledNumber, known) : known) + 1;
  for (const { index, amount } of more) {
    const left = amount - (told.get(index) ?? 0n);
    if (left <= 0n) continue;
    // A settlement may have left the chain, and without a checkpoint nothing is known: the comparison finds out.
    if (checkpoint === null || BalanceStore.books(db, index).settled > 0n) looked.unclear.push(index);
    else looked.late.push({ indices: [index], from, amount: left });
  }
}
