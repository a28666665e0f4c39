import { type Db, transact } from "./database.ts";

type Job = { work: () => unknown; resolve: (value: never) => void; reject: (thrown: unknown) => void };

const waiting = new WeakMap<Db, Job[]>();

/**
 * Runs `work` as a transaction, and resolves when what it did is on the disk. What is asked for within one turn of the
 * event loop is committed together: waiting for the disk once takes as long as once for each. A work that throws undoes
 * what it did itself and nothing else; when the commit fails, all of them fail.
 */
export function transactTogether<T>(
  db: Db,
  work: () => T extends PromiseLike<unknown> ? never : T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const jobs = waiting.get(db);
    const job: Job = { work, resolve, reject };
    if (jobs) {
      jobs.push(job);
      return;
    }
    waiting.set(db, [job]);
    setImmediate(() => commit(db));
  });
}

function commit(db: Db): void {
  const jobs = waiting.get(db) ?? [];
  waiting.delete(db);
  try {
    const settle = transact(db, () => jobs.map((job) => attempt(db, job)));
    for (const tell of settle) tell();
  } catch (thrown) {
    for (const { reject } of jobs) reject(thrown);
  }
}

/** Inside of a transaction another one is a savepoint. */
function attempt(db: Db, { work, resolve, reject }: Job): () => void {
  try {
    const value = db.transaction(work)() as never;
    return () => resolve(value);
  } catch (thrown) {
    // A full disk can undo the whole transaction: what follows would be committed by itself.
    if (!db.inTransaction) throw thrown;
    return () => reject(thrown);
  }
}

/** Runs a transaction that stores something new. Throws a StorageFailed when it did not. */
export async function stored<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new StorageFailed({ cause: thrown });
  }
}

export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(options: ErrorOptions) {
    super("Nothing was saved. See the server log.", options);
  }
}
