import { sleep } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import { atOnce, DatabaseLocked, type Db, noteDamage, transact, transactionOf } from "./database.ts";
import { onDisk, quietLog, SyncFailed, withoutWaiting } from "./log.ts";

type Job = {
  work: () => unknown;
  onCommitted: (value: never) => void;
  resolve: (value: never) => void;
  reject: (thrown: unknown) => void;
  /** When to give up if another process writes all the time, by `world.uptime`. */
  waitsUntil: number;
};

type Outcome = { committed: () => void; tell: () => void };

const waiting = new WeakMap<Db, Job[]>();

/** Once a transaction has taken this long, the rest waits for the next turn: others are answered in between. */
const turnMsMax = 10;

/** How long to wait for another process's write, and how often to look whether it is over. */
const lockedMs = { max: 5_000, look: 20 };

/**
 * Runs `work` as a transaction, and resolves when what it did is on the disk. What is asked for within one turn of the
 * event loop is committed together: waiting for the disk once takes as long as once for each. The event loop does not
 * wait: others may read what is not on the disk yet. A work that throws undoes what it did itself and nothing else; when
 * the commit fails, all of them fail; another process's write is waited for. `onCommitted` is called in the turn of the
 * commit, also when the disk fails then: what is in the database and what is known of it in memory must not differ.
 */
export function transactTogether<T>(
  db: Db,
  work: () => T extends PromiseLike<unknown> ? never : T,
  onCommitted: (value: T) => void = () => {},
): Promise<T> {
  const waitsUntil = world.uptime() + lockedMs.max;
  return new Promise((resolve, reject) => enqueue(db, { work, onCommitted, resolve, reject, waitsUntil }));
}

/** Resolves when no other process writes, or throws a DatabaseLocked: what writes in this turn then need not wait. */
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

/** Inside of a transaction another one is a savepoint. */
function attempt(db: Db, { work, onCommitted, resolve, reject }: Job): Outcome {
  try {
    const value = transactionOf(db)(work) as never;
    return { committed: () => onCommitted(value), tell: () => resolve(value) };
  } catch (thrown) {
    noteDamage(db, thrown);
    // A full disk can undo the whole transaction: what follows would be committed by itself.
    if (!db.inTransaction) throw thrown;
    return { committed: () => {}, tell: () => reject(thrown) };
  }
}

/** The same for what somebody asked to store: what it throws is a StorageFailed when nothing was, or a SyncFailed. */
export async function stored<T>(...asked: Parameters<typeof transactTogether<T>>): Promise<T> {
  try {
    return await transactTogether(...asked);
  } catch (thrown) {
    throw thrown instanceof SyncFailed ? thrown : new StorageFailed({ cause: thrown });
  }
}

/** What `work` answers, with all that it did undone: whether something could be stored now. */
export async function tried<T>(db: Db, work: () => T): Promise<T> {
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
