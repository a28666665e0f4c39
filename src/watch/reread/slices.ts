import { listReplaced, mustBeOnChain } from "../../chain/node/block.ts";
import type { Node } from "../../chain/node/nodes.ts";
import { paceOf } from "../../chain/node/pace.ts";
import { topicOf } from "../../chain/transfer/transfer-log.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { transact } from "../../store/database.ts";
import { quietLog } from "../../store/log.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import * as WatchedStore from "../../store/tables/watch/watched.ts";
import type { Watching } from "../deposits.ts";
import type { Follow } from "../follow.ts";
import type { Credit } from "../payment/credit.ts";
import { listNewest } from "../recorded.ts";
import { afterMs } from "./sweep.ts";
import { firstUntold, listWithMore, type More } from "./untold.ts";

/** Maximum log calls per slice. */
const callsPerSlice = 8;

/** The cost of one halving in addition to its steps, in calls: the state at both ends, and the logs. */
const halvingCalls = 3;

export type SliceOptions = Watching & {
  credit: Credit;
  follow: Pick<Follow, "isFresh" | "readNow" | "wake">;
};

/** The outcome of a slice. */
export type Outcome =
  | { kind: "on"; row: RereadStore.Reread }
  | { kind: "done"; problem: string | null }
  | { kind: "failed"; row: RereadStore.Reread; problem: string };

/** Reads the blocks of a row on the list, one slice at a time. */
export function createSlices(options: SliceOptions) {
  const { config, db, log, now, nodes, credit, follow } = options;
  const { usdc } = config.network;

  /** Reads some blocks for these deposits, from the first on, and books unrecorded transfers. */
  async function read(
    row: RereadStore.Reread,
    deposits: readonly WatchedStore.WatchedDeposit[],
    node: Node,
    { from, to, calls }: { from: number; to: number; calls: number },
  ): Promise<RereadStore.Reread> {
    const recipients = new Map(deposits.map(({ index, address }) => [topicOf(address), index]));
    const transfers: Transfer[] = [];
    let readTo = recipients.size === 0 ? to : from - 1;
    for (let call = 0; call < calls && readTo < to; call++) {
      const some = await node.reader.readSome({ from: readTo + 1, to }, recipients);
      transfers.push(...some.transfers);
      readTo = some.to;
    }
    const found = await bookAll(transfers, node);
    if (found > 0) log.info("payment.found", "payments were found in older blocks", { count: found });
    return { ...row, next: readTo + 1, transfers: row.transfers + found };
  }

  /** Books unrecorded transfers, once they are seen to be on the chain. Returns their number. */
  async function bookAll(transfers: readonly Transfer[], node: Node): Promise<number> {
    const unknown = transfers.filter((transfer) => !TransferStore.isRecorded(db, transfer));
    const blocks = unknown.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }));
    // Otherwise they would be added to transfers that a look has not yet seen to be gone.
    if (await isAnyGone(unknown, node)) await follow.readNow();
    const headers = await mustBeOnChain(node.rpc, ...blocks);
    await quietLog(db);
    credit.book({ transfers: unknown, headers }, node);
    // A look decides whether they count; with several nodes it is requested once another node knows them.
    if (unknown.length > 0 && nodes.count === 1) follow.wake();
    return unknown.length;
  }

  /** Returns whether some of the newest blocks that paid the same deposits have left the chain. */
  async function isAnyGone(transfers: readonly Transfer[], { rpc }: Node): Promise<boolean> {
    const indices = [...new Set(transfers.map(({ depositIndex }) => depositIndex))];
    const recorded = listNewest(db, indices, CheckpointStore.settledNumber(db));
    return (await listReplaced(rpc, recorded)).length > 0;
  }

  /** Reads all logs of a row. */
  async function readAll(row: RereadStore.Reread, node: Node): Promise<Outcome> {
    // A look leaves blocks up to its newest one, which is above the checkpoint.
    const head = (CheckpointStore.latest(db)?.number ?? 0) + (row.request === null ? 1 : 0);
    const to = Math.min(row.to ?? head, head);
    const problem = `the chain is at block ${head} only`;
    if (row.request === null && to !== row.to) return { kind: "failed", row, problem };
    if (row.from > to) return { kind: "done", problem };
    if (row.next === null) RereadStore.begin(db, row, to);
    const { firstDeposit: first, lastDeposit: last } = row;
    const deposits = WatchedStore.listBetween(db, { first, last });
    const done = await read({ ...row, to }, deposits, node, {
      from: row.next ?? row.from,
      to,
      calls: callsPerSlice,
    });
    if ((done.next ?? 0) <= to)
      return { kind: "on", row: { ...done, failures: row.failures % nodes.count, problem: null } };
    RereadStore.save(db, done);
    // A node that lags reports nothing, too.
    const mayLag = done.transfers === 0 && head < to + paceOf(node.rpc).blocks(afterMs);
    if (row.request === null && mayLag)
      return {
        kind: "failed",
        row: { ...done, next: null },
        problem: `${node.rpc.host} tells of no transfer in blocks ${row.from} to ${to} to an address that was emptied`,
      };
    return { kind: "done", problem: null };
  }

  /**
   * Looks for the logs of existing money: near the block in which it came, if the node can tell, otherwise in all of
   * them.
   */
  async function readLate(row: RereadStore.Reread, node: Node): Promise<Outcome> {
    const reading = { db, rpc: node.rpc, usdc };
    const { firstDeposit: first, lastDeposit: last } = row;
    const { head, more } = await listWithMore(reading, WatchedStore.listBetween(db, { first, last }));
    if (more.length === 0) {
      BalanceStore.compareUnexplained(db, { first, last }, now());
      return { kind: "done", problem: null };
    }
    const to = row.next === null ? Math.max(head, row.from) : (row.to ?? head);
    const from = row.next ?? row.from;
    if (from > to) return endLate(row, more, node);
    const deposits = more.map(({ deposit }) => deposit);
    const { range } = node.reader;
    const calls = Math.ceil((to - from + 1) / range);
    const isHalved = calls > callsPerSlice && deposits.length * (Math.log2(calls) + halvingCalls) < calls;
    const start = isHalved ? await firstUntold(reading, deposits, { from, to, range }) : "unknown";
    if (start === null) return { kind: "on", row: { ...row, to, next: to + 1 } };
    const blocks =
      start === "unknown"
        ? { from, to, calls: callsPerSlice }
        : { from: start, to: Math.min(to, start + range - 1), calls: 1 };
    return { kind: "on", row: await read({ ...row, to }, deposits, node, blocks) };
  }

  /** Handles money that is still unexplained after all blocks were read. */
  function endLate(row: RereadStore.Reread, more: readonly More[], { rpc }: Node): Outcome {
    const untold = more.filter(({ amount }) => amount !== null);
    transact(db, () => {
      for (const { deposit, amount } of untold) {
        if (amount === null) continue;
        BalanceStore.note(db, deposit.index, amount, now());
        BalanceStore.setCause(db, deposit.index, "untold");
        // It may have come earlier, hidden by a node: the comparison knows since when the books are right.
        if (row.failures === 0) BalanceStore.compareAt(db, deposit.index, now());
      }
    });
    const [first, ...others] = untold;
    const where = `${first?.deposit.address}${others.length === 0 ? "" : ` and ${others.length} more`}`;
    const problem = first
      ? `${rpc.host} tells of no transfer from block ${row.from} on for money that came to ${where}`
      : `${rpc.host} is behind the books, or the money is moving`;
    const indices = more.map(({ deposit }) => deposit.index);
    const rest = { firstDeposit: Math.min(...indices), lastDeposit: Math.max(...indices) };
    return { kind: "failed", row: { ...row, ...rest, to: null, next: null }, problem };
  }

  return {
    bookAll,
    /** Reads one slice of a row. Throws when the node fails or answers nonsense. */
    readOne: (row: RereadStore.Reread, node: Node): Promise<Outcome> =>
      row.reason === "late" ? readLate(row, node) : readAll(row, node),
  };
}
