import type { Node } from "../../chain/node/nodes.ts";
import { paceOf } from "../../chain/node/pace.ts";
import { messageOf } from "../../lib/error.ts";
import { backoffMs, createWakeable } from "../../lib/loop.ts";
import { msUntil } from "../../lib/time.ts";
import { isStorageFailure } from "../../store/database.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import type { createBalanceTask } from "../doubt/balances.ts";
import { createSlices, type Outcome, type SliceOptions } from "./slices.ts";
import { createSweep } from "./sweep.ts";

/** How often the database is checked for work, such as a rescan. This does not call a node. */
const turnMsMax = 1_000;

/** Pauses if nothing can be stored, and if balances could not be compared. */
const storageRestMs = 8_000;
const balancesRestMs = { min: 1_000, max: 300_000 };

/** Pause between two slices of a row. */
const paceMs = 20;

/** A failed row is retried after a pause that doubles. */
const retryMs = { min: 1_000, max: 30_000 };
/**
 * After this many failures, an hour's worth, a requested rescan is given up, as somebody may be waiting. Money that no log
 * reports is looked for as long as it is there: ever less often from then on.
 */
const failuresClose = 120;
const lateMsMax = 6 * 3_600_000;

/** Reading the blocks of more than this time is worth reporting. */
const longMs = 10 * 60_000;

type RereadOptions = SliceOptions & { balances: ReturnType<typeof createBalanceTask> };

type Job = { rank: number; dueInMs: number; run(): Promise<void> };

/**
 * Does the work besides the looks, most urgent first, one slice at a time: reads the blocks on the list, compares
 * balances, and reads all logs once more, some time after their blocks were made.
 */
export function startRereading(options: RereadOptions) {
  const { db, log, now, clock, signal, nodes, follow, balances } = options;
  const bell = createWakeable();
  /** The warnings of the last turn: an unreadable database is reported elsewhere. */
  let warnings: readonly string[] = [];
  const slices = createSlices(options);
  const sweep = createSweep(options, slices.bookAll);
  /** When failed work may be retried. */
  const restUntil = { balances: 0, sweep: 0 };
  /** Consecutive failures, and the reason. */
  const failed = { balances: { times: 0, problem: "" }, sweep: { times: 0, problem: "" } };
  /** A rescan can take days: after each of its slices other work has a turn. */
  let wasRescan = false;

  function jobs(): Job[] {
    const at = now();
    const rows = RereadStore.listOpen(db).map((row) => ({
      rank: row.reason === "rescan" ? 1 : 2,
      dueInMs: msUntil(row.dueAt, at, row.request === null ? lateMsMax : retryMs.max),
      run: () => runRow(row),
    }));
    const rest = (of: keyof typeof restUntil) => restUntil[of] - clock();
    const others: Job[] = [];
    const balancesInMs = balances.dueInMs(at);
    if (balancesInMs !== null)
      others.push({
        rank: 3,
        dueInMs: Math.max(balancesInMs, rest("balances")),
        run: () => tryAgain("balances", balances.slice),
      });
    const sweepInMs = sweep.dueInMs();
    if (sweepInMs !== null)
      others.push({
        rank: 4,
        dueInMs: Math.max(sweepInMs, rest("sweep")),
        run: () => tryAgain("sweep", sweep.slice),
      });
    return [...rows, ...others];
  }

  /** Runs one slice. Returns how long to wait for the next, in ms. */
  async function turn(): Promise<number> {
    const all = jobs();
    if (!mostUrgent(all)) return Math.min(turnMsMax, ...all.map(({ dueInMs }) => dueInMs));
    // The list may change during the wait.
    const job = (await follow.isFresh()) ? mostUrgent(jobs()) : undefined;
    wasRescan = job?.rank === 1;
    await job?.run();
    return 0;
  }

  function mostUrgent(all: readonly Job[]): Job | undefined {
    const due = all.filter(({ dueInMs }) => dueInMs <= 0).sort((a, b) => a.rank - b.rank);
    return (wasRescan ? due.find(({ rank }) => rank !== 1) : undefined) ?? due[0];
  }

  /** Runs a slice of work that has no row on the list, with the next node after each failure. */
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
    const outcome = await slices.readOne(row, node).catch((thrown): Outcome => {
      if (signal.aborted || isStorageFailure(thrown)) throw thrown;
      return { kind: "failed", row, problem: messageOf(thrown) };
    });
    if (outcome.kind === "done") return RereadStore.finish(db, row, outcome.problem, now());
    if (outcome.kind === "on") return RereadStore.save(db, { ...outcome.row, dueAt: now() + paceMs });
    const times = row.failures + 1;
    if (outcome.problem !== row.problem) tellFailed(outcome.problem);
    if (row.request !== null && times >= failuresClose)
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
    /** Call it when there may be something new on the list. */
    wake: bell.wake,
    isDue: () => jobs().some(({ dueInMs }) => dueInMs <= 0),
    /** Says what this node cannot read again, and how far the rows of the list have come. */
    warnings: (): readonly string[] => warnings,
    /** Settles when the signal aborts. */
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
