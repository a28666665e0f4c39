import { mustBeOnChain } from "../../chain/node/block.ts";
import type { Node } from "../../chain/node/nodes.ts";
import { topicOf } from "../../chain/transfer/transfer-log.ts";
import type { BlockRef } from "../../domain/payment/block.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import { messageOf } from "../../lib/error.ts";
import { backoffMs, createWakeable } from "../../lib/loop.ts";
import { msUntil } from "../../lib/time.ts";
import { isStorageFailure } from "../../store/database.ts";
import { quietLog } from "../../store/log.ts";
import * as DepositStore from "../../store/tables/invoicing/deposit.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import type { Watching } from "../deposits.ts";
import { type createBalanceTask, listWithMore } from "../doubt/balances.ts";
import type { Follow } from "../follow.ts";
import type { Credit } from "../payment/credit.ts";
import { settledDepthBlocks } from "../scan.ts";
import { beginDayPass, longestPauseMs, nextSliceAt, policies } from "./policy.ts";

/** How often the database is asked whether there is anything to do, such as a rescan. No node notices. */
const turnMsMax = 1_000;

/** When nothing can be stored, and when balances could not be compared. */
const storageRestMs = 8_000;
const balancesRestMs = { min: 1_000, max: 300_000 };

/** What a slice works with: up to the checkpoint the chain has just been read. */
export type Slice = { node: Node; checkpoint: BlockRef; now: number };

type RereadOptions = Watching & {
  credit: Credit;
  follow: Pick<Follow, "wake" | "isFresh">;
  balances: ReturnType<typeof createBalanceTask>;
};

/** What became of a slice. */
type Outcome =
  | { kind: "on"; row: RereadStore.Reread }
  | { kind: "done"; problem: string | null }
  | { kind: "failed"; row: RereadStore.Reread; problem: string };

type Job = { rank: number; dueInMs: number; run(): Promise<void> };

/**
 * Reads blocks again that are on the list, and compares balances: the most urgent item that is due, one slice at a time.
 * What a slice brings is checked to be on the chain of the checkpoint, and booked if that is the checkpoint still.
 */
export function startRereading(options: RereadOptions) {
  const { db, log, now, clock, signal, nodes, deposits, credit, follow, balances } = options;
  const bell = createWakeable();
  /** When the next slice for a reason, or of the balances, may come at the earliest. */
  const restUntil = new Map<RereadStore.RereadReason | "balances", number>();
  const restMs = (of: RereadStore.RereadReason | "balances") => (restUntil.get(of) ?? 0) - clock();
  /** How often in a row balances could not be compared, and why. */
  let failed = { times: 0, problem: "" };

  function jobs(): Job[] {
    const at = now();
    const rows = RereadStore.listOpen(db)
      .filter((row) => row.firstDeposit !== null || deposits.recipients.size > 0)
      .map((row) => ({
        rank: policies[row.reason].rank,
        dueInMs: Math.max(msUntil(row.dueAt, at, longestPauseMs(row.reason)), restMs(row.reason)),
        run: () => runRow(row),
      }));
    const dueInMs = balances.dueInMs(at);
    if (dueInMs === null) return rows;
    // After what somebody waits for, before the passes.
    const rank = (policies.late.rank + policies.recent.rank) / 2;
    return [...rows, { rank, dueInMs: Math.max(dueInMs, restMs("balances")), run: compareBalances }];
  }

  /** Does one slice. Returns how long to wait for the next, in ms. */
  async function turn(): Promise<number> {
    const latest = CheckpointStore.latest(db);
    if (latest) {
      const facts = { checkpoint: latest.number, node: nodes.for(0), deposits, now: now() };
      beginDayPass(db, facts);
    }
    const all = jobs();
    if (!mostUrgent(all)) return Math.min(turnMsMax, ...all.map(({ dueInMs }) => dueInMs));
    // The list may change during the wait.
    if (await follow.isFresh()) await mostUrgent(jobs())?.run();
    return 0;
  }

  function mostUrgent(all: readonly Job[]): Job | undefined {
    return all.filter(({ dueInMs }) => dueInMs <= 0).sort((a, b) => a.rank - b.rank)[0];
  }

  function sliceAfter(times: number): Slice {
    const checkpoint = CheckpointStore.latest(db);
    if (!checkpoint) throw new Error("There is no checkpoint");
    return { node: nodes.for(times), checkpoint, now: now() };
  }

  async function compareBalances(): Promise<void> {
    try {
      await balances.slice(sliceAfter(failed.times));
      failed = { times: failed.times % nodes.count, problem: "" };
    } catch (thrown) {
      if (signal.aborted || isStorageFailure(thrown)) throw thrown;
      const problem = messageOf(thrown);
      if (problem !== failed.problem) tellFailed(problem);
      failed = { times: failed.times + 1, problem };
      restUntil.set("balances", clock() + backoffMs(failed.times, balancesRestMs));
    }
  }

  async function runRow(row: RereadStore.Reread): Promise<void> {
    const { paceMs, failuresMax, retryMs } = policies[row.reason];
    const slice = sliceAfter(row.failures);
    const outcome = await readSlice(row, slice).catch((thrown): Outcome => {
      if (signal.aborted || isStorageFailure(thrown)) throw thrown;
      return { kind: "failed", row, problem: messageOf(thrown) };
    });
    restUntil.set(row.reason, clock() + paceMs);
    if (outcome.kind === "done") return RereadStore.finish(db, row, outcome.problem, now());
    if (outcome.kind === "on") return RereadStore.save(db, outcome.row);
    const times = row.failures + 1;
    // What was announced is often just not there yet.
    if (outcome.problem !== row.problem && row.reason !== "announced") tellFailed(outcome.problem);
    if (failuresMax !== null && times >= failuresMax) {
      if (row.reason === "announced" && row.from > slice.checkpoint.number) followAnother();
      return RereadStore.finish(db, row, outcome.problem, now());
    }
    const dueAt = now() + backoffMs(times, retryMs);
    RereadStore.save(db, { ...outcome.row, failures: times, problem: outcome.problem, dueAt });
  }

  /** The node that is followed does not come to have a block that was announced: another one may. */
  function followAnother(): void {
    if (nodes.count === 1) return;
    nodes.failed();
    follow.wake();
  }

  function tellFailed(reason: string): void {
    log.warn("chain.older_blocks", "older blocks could not be read", { reason });
  }

  /** Reads the next blocks of a row, checks them, and books what was not recorded. */
  async function readSlice(row: RereadStore.Reread, slice: Slice): Promise<Outcome> {
    const { checkpoint, node } = slice;
    const end = Math.min(row.to ?? checkpoint.number, checkpoint.number);
    if (row.next === null) {
      if (row.from > end) return beyond(row, checkpoint);
      RereadStore.begin(db, row, end);
    }
    const next = row.next ?? row.from;
    const listed =
      row.firstDeposit === null || row.lastDeposit === null
        ? null
        : DepositStore.listBetween(db, { first: row.firstDeposit, last: row.lastDeposit });
    const recipients = listed
      ? new Map(listed.map(({ index, address }) => [topicOf(address), index]))
      : deposits.recipients;
    const transfers: Transfer[] = [];
    let readTo = recipients.size === 0 ? end : next - 1;
    for (let calls = 0; calls < policies[row.reason].callsPerSlice && readTo < end; calls++) {
      const some = await node.reader.readSome({ from: readTo + 1, to: end }, recipients);
      transfers.push(...some.transfers);
      readTo = some.to;
    }
    const unknown = transfers.filter((transfer) => !TransferStore.isRecorded(db, transfer));
    const blocks = unknown.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }));
    const headers = await mustBeOnChain(node.rpc, checkpoint, ...blocks);
    await quietLog(db);
    credit.book({ transfers: unknown, headers, checkpoint }, node);
    tellBooked(row.reason, unknown.length);

    const read = { ...row, to: end, next: readTo + 1, transfers: row.transfers + unknown.length };
    if (row.reason === "announced" && transfers.length === 0)
      return { kind: "failed", row, problem: `no transfer in block ${row.from}, where one was announced` };
    if (readTo < end) return { kind: "on", row: goOn(read, end - readTo, slice) };
    RereadStore.save(db, read);
    if (row.reason !== "late" || !listed) return { kind: "done", problem: null };
    return endLate(read, listed, slice);
  }

  /** A row that begins above the checkpoint. */
  function beyond(row: RereadStore.Reread, { number }: BlockRef): Outcome {
    if (row.reason === "announced") {
      follow.wake();
      return { kind: "failed", row, problem: `block ${row.from} is not there yet` };
    }
    return { kind: "done", problem: row.reason === "rescan" ? `the chain is at block ${number} only` : null };
  }

  /** When the next slice comes, after one that went well; with the node that could do it. */
  function goOn(row: RereadStore.Reread, left: number, { node, now: at }: Slice): RereadStore.Reread {
    const { reason } = row;
    const isPass = reason === "day" || reason === "recent";
    const dueAt = isPass
      ? nextSliceAt(db, reason, left, node.reader.range, at)
      : at + policies[reason].paceMs;
    // What is never given up keeps its failures: they say how long to wait when money is still not explained.
    if (policies[reason].failuresMax === null) return { ...row, dueAt };
    return { ...row, dueAt, failures: row.failures % nodes.count, problem: null };
  }

  /** All blocks are read: done, unless an address holds more than the books explain. */
  async function endLate(
    row: RereadStore.Reread,
    late: readonly DepositStore.WatchedDeposit[],
    slice: Slice,
  ): Promise<Outcome> {
    const [first, ...others] = await listWithMore(db, late, slice);
    if (!first) return { kind: "done", problem: null };
    const head = slice.checkpoint.number;
    const to = row.to ?? head;
    const indices = [first, ...others].map(({ index }) => index);
    const rest = { ...row, to: head, firstDeposit: Math.min(...indices), lastDeposit: Math.max(...indices) };
    // What has come since may be what is not explained: those blocks are read first, and then all of them again.
    if (head - to > settledDepthBlocks) return { kind: "on", row: goOn(rest, head - to, slice) };
    const where = others.length === 0 ? first.address : `${first.address} and ${others.length} more`;
    return {
      kind: "failed",
      row: { ...rest, next: row.from },
      problem: `${slice.node.rpc.host} tells of no transfer in blocks ${row.from} to ${to} for money that came to ${where}`,
    };
  }

  function tellBooked(reason: RereadStore.RereadReason, count: number): void {
    if (count === 0 || reason === "announced") return;
    if (reason === "rescan" || reason === "late")
      log.info("payment.found", "payments were found in older blocks", { count });
    else log.warn("chain.incomplete", "the node had left transfers out", { count });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let waitMs: number;
      try {
        waitMs = await turn();
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
    /** Ends when the signal aborts. */
    running: run(),
  };
}
