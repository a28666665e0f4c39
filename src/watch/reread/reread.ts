import { listReplaced, mustBeOnChain } from "../../chain/node/block.ts";
import type { Node } from "../../chain/node/nodes.ts";
import { paceOf } from "../../chain/node/pace.ts";
import { topicOf } from "../../chain/transfer/transfer-log.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { messageOf } from "../../lib/error.ts";
import { backoffMs, createWakeable } from "../../lib/loop.ts";
import { msUntil } from "../../lib/time.ts";
import { isStorageFailure, transact } from "../../store/database.ts";
import { quietLog } from "../../store/log.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import * as WatchedStore from "../../store/tables/watch/watched.ts";
import type { Watching } from "../deposits.ts";
import type { createBalanceTask } from "../doubt/balances.ts";
import type { Follow } from "../follow.ts";
import type { Credit } from "../payment/credit.ts";
import { listNewest } from "../recorded.ts";
import { afterMs, createSweep } from "./sweep.ts";
import { firstUntold, listWithMore, type More } from "./untold.ts";

/** How often the database is asked whether there is anything to do, such as a rescan. No node notices. */
const turnMsMax = 1_000;

/** When nothing can be stored, and when balances could not be compared. */
const storageRestMs = 8_000;
const balancesRestMs = { min: 1_000, max: 300_000 };

/** Between two slices of a row, and calls for logs in one. */
const paceMs = 20;
const callsPerSlice = 8;

/** A failed row comes again after a pause that doubles. */
const retryMs = { min: 1_000, max: 30_000 };
/** Money that no log tells of is looked for as long as it is there: after so many failures, an hour's, ever less often. */
const failuresClose = 120;
const lateMsMax = 6 * 3_600_000;
/** Failures after which a rescan that somebody asked for is given up: they are waiting. */
const rescanFailuresMax = 8;

/** Reading as many blocks as this takes to make is worth telling of. */
const longMs = 10 * 60_000;

/** What one halving costs more than its steps, in calls: the state at both ends, and the logs. */
const halvingCalls = 3;

type RereadOptions = Watching & {
  credit: Credit;
  follow: Pick<Follow, "isFresh" | "readNow" | "wake">;
  balances: ReturnType<typeof createBalanceTask>;
};

/** What became of a slice. */
type Outcome =
  | { kind: "on"; row: RereadStore.Reread }
  | { kind: "done"; problem: string | null }
  | { kind: "failed"; row: RereadStore.Reread; problem: string };

type Job = { rank: number; dueInMs: number; run(): Promise<void> };

/**
 * Works beside the looks, the most urgent first, one slice at a time: reads the blocks that are on the list, compares
 * balances, and reads all logs once more, some time after they were made.
 */
export function startRereading(options: RereadOptions) {
  const { config, db, log, now, clock, signal, nodes, credit, follow, balances } = options;
  const { usdc } = config.network;
  const bell = createWakeable();
  /** As of the last turn: who asks must hear of a database that cannot be read elsewhere. */
  let warnings: readonly string[] = [];
  const sweep = createSweep(options, bookAll);
  /** When what failed may come again. */
  const restUntil = { balances: 0, sweep: 0 };
  /** How often in a row, and why. */
  const failed = { balances: { times: 0, problem: "" }, sweep: { times: 0, problem: "" } };

  function jobs(): Job[] {
    const at = now();
    const rows = RereadStore.listOpen(db).map((row) => ({
      rank: row.reason === "rescan" ? 1 : 2,
      dueInMs: msUntil(row.dueAt, at, row.request === null ? lateMsMax : retryMs.max),
      run: () => runRow(row),
    }));
    const rest = (of: keyof typeof restUntil) => restUntil[of] - clock();
    const [balancesInMs, sweepInMs] = [balances.dueInMs(at), sweep.dueInMs()];
    const others = [
      ...(balancesInMs === null
        ? []
        : [
            {
              rank: 3,
              dueInMs: Math.max(balancesInMs, rest("balances")),
              run: () => tryAgain("balances", balances.slice),
            },
          ]),
      ...(sweepInMs === null
        ? []
        : [
            {
              rank: 4,
              dueInMs: Math.max(sweepInMs, rest("sweep")),
              run: () => tryAgain("sweep", sweep.slice),
            },
          ]),
    ];
    return [...rows, ...others];
  }

  /** Does one slice. Returns how long to wait for the next, in ms. */
  async function turn(): Promise<number> {
    const all = jobs();
    if (!mostUrgent(all)) return Math.min(turnMsMax, ...all.map(({ dueInMs }) => dueInMs));
    // The list may change during the wait.
    if (await follow.isFresh()) await mostUrgent(jobs())?.run();
    return 0;
  }

  function mostUrgent(all: readonly Job[]): Job | undefined {
    return all.filter(({ dueInMs }) => dueInMs <= 0).sort((a, b) => a.rank - b.rank)[0];
  }

  /** Does a slice of what has no row on the list, by the next node after each failure. */
  async function tryAgain(of: keyof typeof failed, slice: (node: Node) => Promise<void>): Promise<void> {
    const before = failed[of];
    try {
      await slice(nodes.for(before.times));
      failed[of] = { times: before.times % nodes.count, problem: "" };
    } catch (thrown) {
      if (signal.aborted || isStorageFailure(thrown)) throw thrown;
      const problem = messageOf(thrown);
      if (problem !== before.problem) tellFailed(problem);
      const times = before.times + 1;
      failed[of] = { times, problem };
      restUntil[of] = clock() + backoffMs(times, balancesRestMs);
    }
  }

  async function runRow(row: RereadStore.Reread): Promise<void> {
    const node = nodes.for(row.failures);
    const outcome = await (row.reason === "late" ? readLate : readAll)(row, node).catch((thrown): Outcome => {
      if (signal.aborted || isStorageFailure(thrown)) throw thrown;
      return { kind: "failed", row, problem: messageOf(thrown) };
    });
    if (outcome.kind === "done") return RereadStore.finish(db, row, outcome.problem, now());
    if (outcome.kind === "on") return RereadStore.save(db, { ...outcome.row, dueAt: now() + paceMs });
    const times = row.failures + 1;
    if (outcome.problem !== row.problem) tellFailed(outcome.problem);
    if (row.request !== null && times >= rescanFailuresMax)
      return RereadStore.finish(db, row, outcome.problem, now());
    const pauseMs =
      times <= failuresClose
        ? backoffMs(times, retryMs)
        : Math.min(lateMsMax, retryMs.max * 2 ** ((times - failuresClose) / 8));
    RereadStore.save(db, {
      ...outcome.row,
      failures: times,
      problem: outcome.problem,
      dueAt: now() + Math.round(pauseMs),
    });
  }

  function tellFailed(reason: string): void {
    log.warn("chain.older_blocks", "older blocks could not be read", { reason });
  }

  /** Reads some blocks for these deposits, from the first on, and books what was not recorded. */
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

  /** Books those that are not recorded, once they are seen to be on the chain. Returns how many. */
  async function bookAll(transfers: readonly Transfer[], node: Node): Promise<number> {
    const unknown = transfers.filter((transfer) => !TransferStore.isRecorded(db, transfer));
    const blocks = unknown.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }));
    // What a look has not seen to be gone would be added to.
    if (await isAnyGone(unknown, node)) await follow.readNow();
    const headers = await mustBeOnChain(node.rpc, ...blocks);
    await quietLog(db);
    credit.book({ transfers: unknown, headers }, node);
    // A look sees whether they count; with several nodes it is asked for when another one knows them.
    if (unknown.length > 0 && nodes.count === 1) follow.wake();
    return unknown.length;
  }

  /** Whether some of the newest blocks that paid the same deposits have left the chain. */
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
    // A node that lags tells of nothing, too.
    const mayLag = done.transfers === 0 && head < to + paceOf(node.rpc).blocks(afterMs);
    if (row.request === null && mayLag)
      return {
        kind: "failed",
        row: { ...done, next: null },
        problem: `${node.rpc.host} tells of no transfer in blocks ${row.from} to ${to} to an address that was emptied`,
      };
    return { kind: "done", problem: null };
  }

  /** Looks for the logs of money that is there: near the block in which it came, if the node tells, else in all of them. */
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

  /** All blocks were read, and it is still there. */
  function endLate(row: RereadStore.Reread, more: readonly More[], { rpc }: Node): Outcome {
    const untold = more.filter(({ amount }) => amount !== null);
    transact(db, () => {
      for (const { deposit, amount } of untold) {
        if (amount === null) continue;
        BalanceStore.note(db, deposit.index, amount, now());
        BalanceStore.setCause(db, deposit.index, "untold");
        // It may have come before, when a node did not say so: who compares knows since when the books are in order.
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

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let waitMs: number;
      try {
        waitMs = await turn();
        warnings = [...sweep.warnings(), ...progress()];
      } catch (thrown) {
        if (signal.aborted) return;
        tellFailed(messageOf(thrown));
        waitMs = storageRestMs;
      }
      await bell.wait(waitMs, signal);
    }
  }

  return {
    /** There may be something new on the list. */
    wake: bell.wake,
    isDue: () => jobs().some(({ dueInMs }) => dueInMs <= 0),
    /** What cannot be read again with this node, and how far what is on the list has come. */
    warnings: (): readonly string[] => warnings,
    /** Ends when the signal aborts. */
    running: run(),
  };

  function progress(): string[] {
    const long = paceOf(nodes.for(0).rpc).blocks(longMs);
    return RereadStore.listOpen(db).flatMap(({ reason, from, to, next }) => {
      if (reason !== "late" || to === null || next === null || to - from < long) return [];
      const percent = Math.floor((100 * (next - from)) / (to - from + 1));
      return [`money that came is being looked for in blocks ${from} to ${to}: ${percent} % are read`];
    });
  }
}
