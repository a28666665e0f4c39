import { readReceipt } from "../chain/account/transaction.ts";
import { mustReadBlock } from "../chain/node/block.ts";
import { countsUpTo, readConfirmed } from "../chain/node/confirmations.ts";
import { paceOf, reorgMsMax } from "../chain/node/pace.ts";
import { readOutflow } from "../chain/transfer/outflow.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import { type Finding, warning } from "../domain/finding.ts";
import * as Standing from "../domain/payment/standing.ts";
import * as Usdc from "../domain/usdc.ts";
import { messageOf } from "../lib/error.ts";
import { startLooking } from "../lib/loop.ts";
import type { RecordSettings } from "../store/announce.ts";
import { type Db, transact } from "../store/database.ts";
import { receivableAt } from "../store/reports/receivable.ts";
import { moveRefund } from "../store/reports/refund.ts";
import * as RefundStore from "../store/tables/invoicing/refund.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import type { OwnWallets, Treasury } from "./treasury.ts";

/** How often to look while blocks are left to read, while a refund is on its way, while one waits, and otherwise. */
const lookMs = { behind: 1_000, sent: 2_000, waiting: 5_000, idle: 60_000 };

/** Maximum log calls for one refund per turn. */
const logCallsPerTurn = 4;

/** After a call that the node took in full, the next one asks for so many times as many blocks. */
const rangeGrowth = 1.25;

/** After so many calls, how far they read is stored: after a restart they are not made again. */
const keptEveryCalls = 50;

/** How long a seen transfer is checked again, as a reorganisation may undo it. */
const seenMs = 86_400_000;

type Refund = RefundStore.StoredRefund;

/** The next block to read: of the new ones, and of those that no reorganisation is expected to replace. */
type Place = { next: number; settled: number };

export type Refunder = {
  /** Call it when a refund was approved. */
  wake(): void;
  /** A sentence saying what holds up an approved refund; null if nothing does. */
  obstacleOf(id: string): string | null;
  warnings(): Finding[];
  stop(): Promise<void>;
};

type RefunderDeps = {
  config: Pick<Config, "network" | "logRange">;
  db: Db;
  recordSettings: RecordSettings;
  log: Log;
  now: () => number;
  treasury: Pick<Treasury, "plan" | "begin" | "withNode">;
  ownWallets: OwnWallets;
  /** Called when webhooks and mails may be due. */
  onTold: () => void;
};

/**
 * Sends the refunds that owners approved, one after another from each wallet, each by one withdrawal, and records the
 * outcome of each: refunds follow their withdrawals and never the other way round. Looks on the chain for transfers
 * that merchants make from their own wallets.
 */
export function startRefunder(deps: RefunderDeps): Refunder {
  const { config, db, recordSettings, log, now, treasury, ownWallets, onTold } = deps;
  const { logRange } = config;
  const { usdc } = config.network;
  const obstacles = new Map<string, string>();
  /** Where to look for each refund's transfer. */
  const places = new Map<string, Place>();
  /** As many blocks as the node takes in one call. */
  let range = logRange;
  /** Whether this turn has left blocks to read. */
  let isBehind = false;

  /** Changes a refund in a transaction, unless it changed meanwhile. */
  function move(refund: Refund, change: Parameters<typeof moveRefund>[3]): void {
    const hasMoved = transact(db, () => {
      const current = RefundStore.byId(db, refund.id);
      if (current?.changedAt !== refund.changedAt || current.state !== refund.state) return false;
      moveRefund(db, recordSettings, current, change, now());
      return true;
    });
    if (hasMoved) told(refund, change.state);
  }

  function told({ id, amount }: Refund, to: string | undefined): void {
    obstacles.delete(id);
    const fields = { refund: id, amount: Usdc.formatExact(amount), ...(to ? { to } : {}) };
    log.info("refund.changed", "a refund was changed", fields);
    onTold();
  }

  /** Updates refunds to the state of their withdrawals. */
  function follow(): void {
    for (const refund of RefundStore.listBehind(db)) {
      const withdrawal = WithdrawalStore.byId(db, refund.withdrawalId ?? 0);
      if (withdrawal === null) continue;
      const { state, txHash, failure } = withdrawal;
      if (state === "done") move(refund, { state: "confirmed", txHash, failure: null });
      else if (state === "pending") move(refund, { state: "sent", txHash: null, failure: null });
      else move(refund, { state: "requested", txHash: null, failure });
    }
  }

  /**
   * Since approval the chain may have taken the payment back, or a mark may have been removed. Everything else in the
   * wallet belongs to others.
   */
  function mustBeOwed(depositIndex: number): void {
    const record = receivableAt(db, depositIndex);
    const { received, refunding } = record.deposit;
    const isOwed = Standing.of(record).toReturn >= refunding;
    if (!isOwed || RefundStore.sumOnChain(db, depositIndex) > received)
      throw new Error("what it gives back is not owed any more, or left the chain: cancel it");
  }

  /** Begins the withdrawal of an approved refund once it is due. */
  async function send(refund: Refund): Promise<void> {
    const { id, address, amount, depositIndex, approvedAt, readyAt } = refund;
    if (address === null || approvedAt === null || readyAt === null || now() < readyAt) return;
    const { payoutWallet } = receivableAt(db, depositIndex).deposit;
    mustBeOwed(depositIndex);
    const wallet = (await ownWallets()).get(payoutWallet);
    if (!wallet) throw new Error(`${payoutWallet} is not a wallet of this Till`);
    if (WithdrawalStore.pendingOf(db, config.network.chainId, payoutWallet)) return;
    // This machine's clock may have been set forward; the chain's cannot be.
    if (readyAt > approvedAt) {
      const { timestampSec } = await treasury.withNode(({ rpc }) => mustReadBlock(rpc, "latest"));
      if (timestampSec * 1_000 < readyAt) return;
    }
    const plan = await treasury.plan({ accountIndex: wallet.account, to: address, amount });
    if (plan.fee.shortage !== null) throw new Error("the gas account lacks ETH for the fee");
    const isBegun = transact(db, () => {
      const current = RefundStore.byId(db, id);
      const isStill = current?.state === "approved" && current.approvedAt === approvedAt;
      if (!isStill || current.address !== address || current.way !== "till") return false;
      mustBeOwed(depositIndex);
      const { id: withdrawalId } = treasury.begin(plan, WithdrawalStore.keyOfRefund(id, approvedAt), true);
      moveRefund(db, recordSettings, current, { state: "sent", withdrawalId }, now());
      return true;
    });
    if (isBegun) told(refund, "sent");
  }

  /**
   * Looks for the transfer of an approved refund from the merchant's own wallet. Reads each block soon after it was made,
   * and once more when no reorganisation is expected to replace it and every node has its logs: with a node that takes
   * few blocks per call, reading the last minutes anew each time would take hundreds of calls.
   */
  async function find(refund: Refund): Promise<void> {
    const { id, address, amount, depositIndex, begunBlock } = refund;
    if (address === null || begunBlock === null) return;
    const { payoutWallet } = receivableAt(db, depositIndex).deposit;
    const source = { address: payoutWallet, payoutWallet: address };
    const place = places.get(id) ?? { next: 0, settled: 0 };
    places.set(id, place);
    const found = await treasury.withNode(async ({ rpc, confirmations }) => {
      const head = await mustReadBlock(rpc, "latest");
      const pace = paceOf(rpc);
      pace.noteNewest(head);
      const settledTo = head.number - pace.blocks(reorgMsMax);
      for (let calls = 0; ; calls++) {
        const due = dueBlocks(place, { first: begunBlock + 1, settledTo, head: head.number, range });
        isBehind ||= due !== null && calls === logCallsPerTurn;
        if (due === null || calls === logCallsPerTurn) return null;
        const { of, from, to } = due;
        const read = await readOutflow(rpc, usdc, source, { from, to });
        const match = read.outflows.find(
          ({ txHash, ...each }) => each.amount === amount && !RefundStore.isTaken(db, txHash, address),
        );
        if (match) return { ...match, countsTo: await countsUpTo(rpc, confirmations, head) };
        place[of] = Math.max(place[of], read.to + 1);
        if (read.to < to) range = read.to - from + 1;
        else if (to - from + 1 === range) range = Math.min(logRange, Math.ceil(range * rangeGrowth));
      }
    });
    if (found === null) {
      const readTo = place.settled - 1;
      if (readTo - begunBlock >= keptEveryCalls * range) RefundStore.setBegun(db, refund, readTo);
      return;
    }
    const { txHash, blockNumber, countsTo } = found;
    move(refund, { state: blockNumber <= countsTo ? "confirmed" : "sent", txHash, blockNumber });
  }

  /** Checks whether the chain still has a seen transfer, and whether it counts by now. */
  async function lookAgain(refund: Refund): Promise<void> {
    const { txHash, blockNumber, state } = refund;
    if (txHash === null || blockNumber === null) return;
    const { receipt, confirmedUpTo } = await treasury.withNode(async ({ rpc, confirmations }) => {
      const { confirmedUpTo } = await readConfirmed(rpc, confirmations);
      return { receipt: await readReceipt(rpc, txHash), confirmedUpTo };
    });
    // A node that is behind does not know it yet, and another block may contain it soon: it must not be paid twice.
    if (receipt === null && confirmedUpTo < blockNumber) return;
    if (receipt?.status !== "success") {
      places.delete(refund.id);
      move(refund, { state: "approved", txHash: null, blockNumber: null });
    } else if (state === "sent" && receipt.blockNumber <= confirmedUpTo) move(refund, { state: "confirmed" });
  }

  type Work = (refund: Refund) => Promise<void>;
  async function attempt(refund: Refund, work: Work, signal: AbortSignal): Promise<void> {
    try {
      await work(refund);
      obstacles.delete(refund.id);
    } catch (thrown) {
      if (signal.aborted) return;
      const reason = messageOf(thrown);
      if (obstacles.get(refund.id) !== reason)
        log.warn("refund.waiting", "a refund waits", { refund: refund.id, reason });
      obstacles.set(refund.id, reason);
    }
  }

  async function turn(signal: AbortSignal): Promise<number> {
    isBehind = false;
    follow();
    const approved = RefundStore.listIn(db, "approved");
    const seen = RefundStore.listSeen(db, now() - seenMs);
    for (const id of obstacles.keys())
      if (![...approved, ...seen].some((refund) => refund.id === id)) obstacles.delete(id);
    for (const refund of approved) {
      if (signal.aborted) break;
      await attempt(refund, refund.way === "till" ? send : find, signal);
    }
    for (const refund of seen) if (!signal.aborted) await attempt(refund, lookAgain, signal);
    if (isBehind) return lookMs.behind;
    if (RefundStore.listIn(db, "sent").length > 0) return lookMs.sent;
    return approved.length > 0 ? lookMs.waiting : lookMs.idle;
  }

  /** Why the last turn could not read or write the database; null if it could. */
  let problem: string | null = null;

  const looking = startLooking({
    async look(signal) {
      const nextMs = await turn(signal);
      problem = null;
      return nextMs;
    },
    failed(thrown) {
      problem = messageOf(thrown);
    },
    againMs: lookMs.waiting,
  });
  return {
    ...looking,
    obstacleOf: (id) => obstacles.get(id) ?? problem,
    warnings: () =>
      [...new Set([...obstacles.values(), ...(problem === null ? [] : [problem])])].map((reason) =>
        warning("wallet", `a refund waits: ${reason}`),
      ),
  };
}

/**
 * The blocks of the next call, at most `range`; null if none is due. `first`: where the refund begins; `settledTo`: the
 * last block that no reorganisation is expected to replace.
 */
function dueBlocks(
  place: Place,
  { first, settledTo, head, range }: { first: number; settledTo: number; head: number; range: number },
): { of: keyof Place; from: number; to: number } | null {
  const next = Math.max(first, settledTo + 1, place.next);
  if (next <= head) {
    // Whatever the call can reach besides is read again.
    const from = Math.max(first, Math.min(next, head - range + 1));
    return { of: "next", from, to: Math.min(head, from + range - 1) };
  }
  const from = Math.max(first, place.settled);
  const to = from + range - 1;
  return to <= settledTo ? { of: "settled", from, to } : null;
}
