import { addressesPerCall, type Holding, readHoldings } from "../../chain/contract/balance.ts";
import { blockSurelyBefore, listReplaced } from "../../chain/node/block.ts";
import type { Node } from "../../chain/node/nodes.ts";
import { paceOf, reorgMsMax } from "../../chain/node/pace.ts";
import { readOutflow } from "../../chain/transfer/outflow.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import { unexplainedBalance } from "../../domain/payment/deposit.ts";
import * as Usdc from "../../domain/usdc.ts";
import { msUntil } from "../../lib/time.ts";
import { type Db, transact } from "../../store/database.ts";
import * as SettlementStore from "../../store/tables/settle/settlement.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import * as OpinionStore from "../../store/tables/watch/opinion.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import type { WatchedDeposit } from "../../store/tables/watch/watched.ts";

const minuteMs = 60_000;
/**
 * Maximum time between two comparisons of a deposit; half of it is the minimum. For watched deposits looks notice
 * sooner. Late money is to be credited within a day, which includes reading its blocks.
 */
const compareEveryMs = 1_024 * minuteMs;
const sliceMs = 1_000;

/** An unexplained difference is investigated again after half of the time since it was noticed, within these bounds. */
const againMs = { min: minuteMs, max: 16 * minuteMs };

/**
 * A shortfall may at first be a reorganisation of the newest blocks, or a settlement whose logs are not available yet.
 */
const lessAfterMs = 10_000;

/** A reorganisation may have undone a recent settlement: how soon to check again, and how many at a time. */
const undoneEveryMs = 10_000;
const undoneMax = 20;

const logCallsPerSlice = 4;

/** Maximum transfers of one deposit to investigate when its money is missing. */
const doubtedMax = 100;

/** The holding of a deposit's address right after a block. */
type Held = Holding & { deposit: WatchedDeposit; block: number };

/** The context of a slice. */
type Slice = { node: Node; head: number; now: number };

/**
 * The next time to compare a deposit: a multiple of half the interval, the same for all deposits, so that those
 * compared together stay together.
 */
function nextOnGrid(now: number): number {
  const grid = compareEveryMs / 2;
  return Math.floor((now + compareEveryMs) / grid) * grid;
}

/**
 * Compares holdings with the books: soon after each change of the books, when a look found a difference, and daily.
 * Investigates one unexplained deposit at a time in a few calls; the rest follows next time. If there is more: either a
 * settlement left the chain, which the hash of its block proves, and is reverted; or no log reported a transfer, and
 * the blocks are read again. If there is less: outgoing transfers are recorded as somebody else's settlements; what
 * they do not explain is missing, and every node is asked about the payments. `onSettlementLeft`: called when a
 * settlement left the chain and the money must be settled again.
 */
export function createBalanceTask(
  { config, db, log, now }: { config: Config; db: Db; log: Log; now: () => number },
  onSettlementLeft: () => void,
) {
  const { network } = config;
  let nextAt = 0;

  /** Reverts a deposit's settlements in blocks that left the chain. Returns whether there were any. */
  async function takeBack({ index }: WatchedDeposit, { node: { rpc }, now }: Slice): Promise<boolean> {
    const left = await listReplaced(rpc, SettlementStore.listBlocks(db, index));
    if (left.length === 0) return false;
    const retracted = transact(db, () => {
      const settlements = left.flatMap(({ hash }) => SettlementStore.retract(db, hash, now));
      for (const { index: of, amount } of settlements) {
        BalanceStore.note(db, of, amount, now);
        BalanceStore.setCause(db, of, "left");
      }
      return settlements;
    });
    for (const { address: deposit, amount } of retracted) {
      const facts = { deposit, amount: Usdc.formatExact(amount) };
      log.warn("settlement.left", "a settlement left the chain: it is made again", facts);
    }
    onSettlementLeft();
    return true;
  }

  async function lookForMore(deposit: WatchedDeposit, facts: Slice) {
    if (await takeBack(deposit, facts)) return;
    const { index, address } = deposit;
    // Blocks since the last look are being read: if that does not find it, this deposit is compared again.
    if (RereadStore.isLateAtFirst(db, index)) return;
    const { node, head, now } = facts;
    const { explainedBlock, createdAt } = BalanceStore.books(db, index);
    const settledBlocks = paceOf(node.rpc).blocks(reorgMsMax);
    // A block far above the head was made up by another node.
    const isKnown = explainedBlock > 0 && explainedBlock <= head + settledBlocks;
    const since = isKnown ? explainedBlock : await blockSurelyBefore(node.rpc, createdAt, head);
    const isNew = BalanceStore.unexplained(db, index)?.noticedAt === now;
    // A reorganisation may have changed blocks from before the last comparison.
    const from = Math.max(0, Math.min(since, head) + 1 - settledBlocks);
    const isLate = RereadStore.isLate(db, index, from);
    if (!isLate) RereadStore.addLate(db, [index], { from, to: head }, now);
    if (isNew) log.info("payment.late", "money came that no log told of", { deposit: address });
  }

  /** Records outgoing transfers in the books. Returns whether all up to the block are recorded. */
  async function trace({ index, address }: WatchedDeposit, block: number, { node, now }: Slice) {
    const { rpc, reader } = node;
    const { payoutWallet } = BalanceStore.books(db, index);
    let tracedTo = BalanceStore.unexplained(db, index)?.tracedTo ?? block;
    for (let calls = 0; calls < logCallsPerSlice && tracedTo < block; calls++) {
      const range = { from: tracedTo + 1, to: Math.min(block, tracedTo + reader.range) };
      const { to, outflows } = await readOutflow(rpc, network.usdc, { address, payoutWallet }, range);
      const elsewhere = transact(db, () => {
        // Till's own transaction would be mistaken for somebody else's.
        if (BalanceStore.books(db, index).isMoving) return null;
        const isNew = outflows.map((outflow) => SettlementStore.recordElsewhere(db, index, outflow, now));
        BalanceStore.setTracedTo(db, index, to);
        return outflows.filter((_, at) => isNew[at]);
      });
      if (elsewhere === null) return false;
      for (const outflow of elsewhere) {
        const amount = Usdc.formatExact(outflow.amount);
        log.info("settlement.elsewhere", "somebody else settled a deposit", { deposit: address, amount });
      }
      tracedTo = to;
    }
    return tracedTo >= block;
  }

  async function lookForLess(held: Held, facts: Slice) {
    const { index, address } = held.deposit;
    const before = BalanceStore.unexplained(db, index);
    if (before?.noticedAt === facts.now) return BalanceStore.compareAt(db, index, facts.now + lessAfterMs);
    const isTraced = await trace(held.deposit, held.block, facts);
    const missing = transact(db, () => {
      const amount = unexplainedBalance(BalanceStore.books(db, index), held);
      if (amount === 0n) BalanceStore.markExplained(db, index, held.block);
      const isOpen = !isTraced || amount === null || amount >= 0n;
      if (isOpen || BalanceStore.traceAgain(db, index)) {
        BalanceStore.compareAt(db, index, facts.now);
        return null;
      }
      BalanceStore.note(db, index, amount, facts.now);
      BalanceStore.setCause(db, index, "missing");
      OpinionStore.doubt(db, index, facts.now, doubtedMax);
      return before?.cause === "missing" && before.amount === amount ? null : -amount;
    });
    if (missing === null) return;
    const amount = Usdc.formatExact(Usdc.fromMicro(missing));
    log.error("payment.missing", "an address holds less than was credited", { deposit: address, amount });
  }

  /** Compares one deposit and plans the next time. Returns whether it must be investigated. */
  function isUnexplained({ deposit: { index }, ...held }: Held, now: number): boolean {
    const books = BalanceStore.books(db, index);
    const amount = unexplainedBalance(books, held);
    if (amount === null) {
      BalanceStore.compareAt(db, index, now + minuteMs);
      return false;
    }
    if (amount !== 0n) {
      BalanceStore.note(db, index, amount, now);
      return true;
    }
    const noted = BalanceStore.unexplained(db, index);
    const isBack =
      noted?.cause === "left" && held.balance >= noted.amount && held.balance >= config.settleMin;
    if (isBack) {
      planAgain(db, index, now);
      return false;
    }
    BalanceStore.markExplained(db, index, held.block);
    BalanceStore.compareAt(db, index, nextOnGrid(now));
    return false;
  }

  /**
   * If the books know a later settlement, the balance says nothing yet. But the settlement's block may have left the
   * chain.
   */
  async function lookForUndone(deposits: readonly WatchedDeposit[], block: number, facts: Slice) {
    const isLater = ({ index }: WatchedDeposit) =>
      (SettlementStore.listBlocks(db, index)[0]?.number ?? 0) > block;
    const later = deposits.filter(isLater).slice(0, undoneMax);
    for (const { index } of later) BalanceStore.compareAt(db, index, facts.now + undoneEveryMs);
    const held = later.length === 0 ? [] : await readHeld(later, facts.node);
    for (const each of held)
      if ((unexplainedBalance(BalanceStore.books(db, each.deposit.index), each) ?? 0n) > 0n)
        await takeBack(each.deposit, facts);
  }

  async function readHeld(deposits: readonly WatchedDeposit[], { rpc }: Node): Promise<Held[]> {
    const addresses = deposits.map(({ address }) => address);
    const parts = await readHoldings(rpc, network.usdc, addresses, "latest");
    const held = parts.flatMap(({ number: block, of }) => of.map((holding) => ({ ...holding, block })));
    return held.flatMap((holding, at) => {
      const deposit = deposits[at];
      return deposit ? [{ ...holding, deposit }] : [];
    });
  }

  return {
    /** Milliseconds until the next slice is due; null if none is. Asks no node. */
    dueInMs(at: number): number | null {
      const next = BalanceStore.nextAt(db);
      return next === null ? null : Math.max(msUntil(next, at, compareEveryMs), msUntil(nextAt, at, sliceMs));
    },
    /** Runs one slice, with a few calls. Throws when the node fails or answers nonsense. */
    async slice(node: Node): Promise<void> {
      const at = now();
      nextAt = at + sliceMs;
      const deposits = BalanceStore.listDue(db, at, at + compareEveryMs, addressesPerCall);
      const held = await readHeld(deposits, node);
      const head = Math.min(CheckpointStore.latest(db)?.number ?? 0, ...held.map(({ block }) => block));
      const facts = { node, head, now: at };
      const unexplained = transact(db, () => held.filter((each) => isUnexplained(each, at)));
      await lookForUndone(deposits, head, facts);
      // The others keep their turn.
      const [first] = unexplained;
      if (!first) return;
      const { index } = first.deposit;
      planAgain(db, index, at);
      const noted = BalanceStore.unexplained(db, index);
      if (!noted) return;
      if (noted.amount > 0n) await lookForMore(first.deposit, facts);
      else await lookForLess(first, facts);
    },
  };
}

/** Plans when to investigate an unexplained deposit again. */
function planAgain(db: Db, index: number, now: number): void {
  const sinceMs = now - (BalanceStore.unexplained(db, index)?.noticedAt ?? now);
  BalanceStore.compareAt(db, index, now + Math.min(againMs.max, Math.max(againMs.min, sinceMs / 2)));
}
