import { sleep } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import { atOnce, DatabaseLocked, type Db, noteDamage, transact, transactionOf } from "./database.ts";
import { onDisk, quietLog, SyncFailed, withoutWaiting } from "./log.ts";

type Job = {
  work: () => unknown;
  onCommitted: (value: never) => void;
  resolve: (value: never) => void;
  reject: (thrown: unknown) => void;
  /** When to give up if another process keeps writing, by `world.uptime`. */
  waitsUntil: number;
};

type Outcome = { committed: () => void; tell: () => void };

const waiting = new WeakMap<Db, Job[]>();

/**
 * Once a transaction has taken this long, the remaining work waits for the next turn, so that others are served in
 * between.
 */
const turnMsMax = 10;

/** How long to wait for another process's write, and how often to check. */
const lockedMs = { max: 5_000, look: 20 };

/**
 * Runs `work` in a transaction and resolves once its changes are on the disk. Everything requested within one turn of
 * the event loop is committed together, as waiting for the disk once takes no longer than for a single change. The
 * event loop does not wait: others may read data that is not on the disk yet. A work that throws rolls back its own
 * changes only; if the commit fails, all of them fail. Waits for another process's write. `onCommitted` is called in
 * the turn of the commit, even if the disk fails then, so that memory never differs from the database.
 */
export function transactTogether<T>(
  db: Db,
  work: () => T extends PromiseLike<unknown> ? never : T,
  onCommitted: (value: T) => void = () => {},
): Promise<T> {
  const waitsUntil = world.uptime() + lockedMs.max;
  return new Promise((resolve, reject) => enqueue(db, { work, onCommitted, resolve, reject, waitsUntil }));
}

/**
 * Resolves when no other process is writing, so that writes in this turn need not wait; otherwise throws a
 * DatabaseLocked.
 */
export async function unlocked(db: Db): Promise<void> {
  const waitsUntil = world.uptime() + lockedMs.max;
  for (;;) {
    try {
      return atOnce(db, () => transact(db, () => {}));
    } catch (thrown) {
      if (!(thrown instanceof DatabaseLocked) || world.uptime() > waitsUntil) throw thrown;
      await sleep(lockedMs.look);
    }
  }
}

function enqueue(db: Db, job: Job): void {
  const jobs = waiting.get(db);
  if (jobs) {
    jobs.push(job);
    return;
  }
  waiting.set(db, [job]);
  world.setImmediate(() => void commit(db));
}

async function commit(db: Db): Promise<void> {
  await quietLog(db);
  const jobs = waiting.get(db) ?? [];
  waiting.delete(db);
  try {
    const outcomes = atOnce(db, () => withoutWaiting(db, () => transact(db, () => attemptSome(db, jobs))));
    for (const job of jobs.splice(outcomes.length)) enqueue(db, job);
    for (const { committed } of outcomes) committed();
    await onDisk(db);
    for (const { tell } of outcomes) tell();
  } catch (thrown) {
    const isPatient = ({ waitsUntil }: Job) =>
      thrown instanceof DatabaseLocked && world.uptime() < waitsUntil;
    const { again = [], failed = [] } = Object.groupBy(jobs, (job) => (isPatient(job) ? "again" : "failed"));
    for (const { reject } of failed) reject(thrown);
    if (again.length === 0) return;
    waiting.set(db, again);
    world.setTimeout(() => void commit(db), lockedMs.look);
  }
}

function attemptSome(db: Db, jobs: readonly Job[]): Outcome[] {
  const endsAt = world.uptime() + turnMsMax;
  const outcomes: Outcome[] = [];
  for (const job of jobs) {
    outcomes.push(attempt(db, job));
    if (world.uptime() > endsAt) break;
  }
  return outcomes;
}

/** Inside a transaction another one is a savepoint. */
function attempt(db: Db, { work, onCommitted, resolve, reject }: Job): Outcome {
  try {
    const value = transactionOf(db)(work) as never;
    return { committed: () => onCommitted(value), tell: () => resolve(value) };
  } catch (thrown) {
    noteDamage(db, thrown);
    // A full disk can roll back the whole transaction; further statements would then be committed on their own.
    if (!db.inTransaction) throw thrown;
    return { committed: () => {}, tell: () => reject(thrown) };
  }
}

/** Like `transactTogether`, for a user's request: throws a StorageFailed if nothing was stored, or a SyncFailed. */
export async function stored<T>(...asked: Parameters<typeof transactTogether<T>>): Promise<T> {
  try {
    return await transactTogether(...asked);
  } catch (thrown) {
    throw thrown instanceof SyncFailed ? thrown : new StorageFailed({ cause: thrown });
  }
}

/** Returns the result of `work` after rolling back its changes, to find out whether something could be stored now. */
export async function rehearse<T>(db: Db, work: () => T): Promise<T> {
  const undone = new Error("undone");
  let value: T;
  const working = stored(db, () => {
    value = work();
    throw undone;
  });
  return working.catch((thrown: Error) => {
    if (thrown.cause !== undone) throw thrown;
    return value;
  });
}

export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(options: ErrorOptions) {
    super("Nothing was saved. See the server log.", options);
  }
}
