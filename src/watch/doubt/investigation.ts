import { blockSurelyBefore, listReplaced } from "../../chain/node/block.ts";
import { readOutflow } from "../../chain/transfer/outflow.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import { unexplainedBalance } from "../../domain/payment/deposit.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Db, transact } from "../../store/database.ts";
import type { WatchedDeposit } from "../../store/tables/invoicing/deposit.ts";
import * as SettlementStore from "../../store/tables/settle/settlement.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as OpinionStore from "../../store/tables/watch/opinion.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import type { Slice } from "../reread/reread.ts";

/** What is unexplained is looked into again after half of the time since it was noticed, within these. */
const againMs = { min: 60_000, max: 960_000 };

const logCallsPerSlice = 4;

/** Transfers of one deposit to investigate when its money is missing, at most. */
const doubtedMax = 100;

/** Blocks of before the last comparison that are read again with those after it: a reorg may have changed them since. */
const overlapBlocks = 64;

export type Holding = { balance: bigint; block: number };

type Investigation = {
  lookInto(deposit: WatchedDeposit, held: Holding, facts: Slice): Promise<void>;
  /** Takes back what a deposit's books call settled in blocks that left the chain. Returns whether there was any. */
  takeBack(deposit: WatchedDeposit, facts: Slice): Promise<boolean>;
};

/**
 * Finds out why a deposit holds something else than the books say right after a block, in a few calls; what is left is
 * for the next time. More: a settlement left the chain, which the hash of its block proves, and is taken back; or no
 * log told of a transfer, and the blocks are read again. Less: its outgoing transfers are settlements of somebody else;
 * what they do not explain is missing, and every node will be asked about the payments. Throws when the node fails or
 * answers nonsense.
 */
export function createInvestigation(
  { network, logRange }: Config,
  db: Db,
  log: Log,
  onSettlementLeft: () => void,
): Investigation {
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
    const { node, checkpoint, now } = facts;
    const { explainedBlock, createdAt } = BalanceStore.books(db, index);
    const since = explainedBlock || (await blockSurelyBefore(node.rpc, createdAt, checkpoint.number));
    const isNew = BalanceStore.unexplained(db, index)?.noticedAt === now;
    const from = Math.max(0, Math.min(since, checkpoint.number) + 1 - overlapBlocks);
    const isLate = RereadStore.isLate(db, index, from);
    if (!isLate) RereadStore.addLate(db, [index], { from, to: checkpoint.number }, now);
    if (isNew) log.info("payment.late", "money came that no log told of", { deposit: address });
    else if (!isLate || RereadStore.lateProblem(db)) BalanceStore.setCause(db, index, "untold");
  }

  /** Puts outgoing transfers into the books. Returns whether all up to the block are there. */
  async function trace({ index, address }: WatchedDeposit, block: number, { node: { rpc }, now }: Slice) {
    const { payoutWallet } = BalanceStore.books(db, index);
    let tracedTo = BalanceStore.unexplained(db, index)?.tracedTo ?? block;
    for (let calls = 0; calls < logCallsPerSlice && tracedTo < block; calls++) {
      const range = { from: tracedTo + 1, to: Math.min(block, tracedTo + logRange) };
      const { to, outflows } = await readOutflow(rpc, network.usdc, { address, payoutWallet }, range);
      const elsewhere = transact(db, () => {
        // Till's own transaction would be taken for somebody else's.
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

  async function lookForLess(deposit: WatchedDeposit, held: Holding, facts: Slice) {
    const { index, address } = deposit;
    const before = BalanceStore.unexplained(db, index);
    const isTraced = await trace(deposit, held.block, facts);
    const missing = transact(db, () => {
      const amount = unexplainedBalance(BalanceStore.books(db, index), held);
      if (amount === 0n) BalanceStore.explained(db, index, held.block);
      if (!isTraced || amount === null || amount >= 0n) {
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

  return {
    takeBack,
    async lookInto(deposit, held, facts) {
      planAgain(db, deposit.index, facts.now);
      const noted = BalanceStore.unexplained(db, deposit.index);
      if (!noted) return;
      if (noted.amount > 0n) await lookForMore(deposit, facts);
      else await lookForLess(deposit, held, facts);
    },
  };
}

/** Plans when a deposit that the books do not explain is looked into again. */
export function planAgain(db: Db, index: number, now: number): void {
  const sinceMs = now - (BalanceStore.unexplained(db, index)?.noticedAt ?? now);
  BalanceStore.compareAt(db, index, now + Math.min(againMs.max, Math.max(againMs.min, sinceMs / 2)));
}
