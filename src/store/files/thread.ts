import { workerUrl } from "../../lib/worker-url.ts";
import { checkpointBy } from "../checkpoint.ts";
import { DatabaseDamaged, type Db, textOf } from "../database.ts";

/** What the thread is asked for, in this order: a check of a data directory's database, checkpoints, its end. */
export type ThreadTask = { check: string } | "checkpoint" | "end";

/** What is wrong with the database, null when nothing is, or why the task could not be done. */
export type ThreadAnswer = { fault: string | null } | { error: string };

type DatabaseThread = {
  /** Rejects with a DatabaseDamaged, or as `begin` does. */
  whole: Promise<void>;
  /** Ends the thread, and an unfinished check with it; `whole` then rejects. */
  stop(): void;
  /** Resolves once nothing of it writes, or can write, to the database. */
  ended: Promise<void>;
};

/**
 * Does in a thread of its own what takes long with the database of a data directory: reads all of it first, a second
 * per GB, and brings its log into it from then on. Until it is found to be whole, `db` refuses writes: serving a damaged
 * one could miss a payment, or give one invoice's address to another. Then calls `begin`. Calls `onKept` with the reason
 * when the log cannot be brought in, once until it can.
 */
export function startDatabaseThread(
  db: Db,
  dataDir: string,
  begin = () => {},
  onKept: (reason: string) => void = () => {},
): DatabaseThread {
  db.run("PRAGMA query_only = ON");
  const worker = new Worker(workerUrl("store/files/thread-worker"));
  const stopped = Promise.withResolvers<ThreadAnswer>();
  const ended = Promise.withResolvers<void>();
  /** Those who wait for an answer: they come in order. */
  const waiting: ((answer: ThreadAnswer) => void)[] = [];
  let isServing = false;
  let wasKept = false;
  function ask(task: ThreadTask): Promise<ThreadAnswer> {
    worker.postMessage(task);
    return new Promise((resolve) => waiting.push(resolve));
  }
  function fail(error: string): void {
    for (const resolve of waiting.splice(0)) resolve({ error });
  }
  worker.addEventListener("message", ({ data }: MessageEvent<ThreadAnswer>) => waiting.shift()?.(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    fail(event.message);
  });
  worker.addEventListener("close", () => {
    fail("the thread has ended");
    if (isServing) checkpointBy(db, null);
    ended.resolve();
  });

  async function checkpoint(): Promise<void> {
    const answer = await ask("checkpoint");
    const isKept = "error" in answer;
    if (isKept && !wasKept) onKept(answer.error);
    wasKept = isKept;
  }

  async function start(): Promise<void> {
    const answer = await Promise.race([ask({ check: dataDir }), stopped.promise]);
    try {
      if ("error" in answer) throw new Error(`The database could not be checked: ${answer.error}`);
      if (answer.fault !== null) throw new DatabaseDamaged(db.filename, answer.fault);
      db.run("PRAGMA query_only = OFF");
      begin();
      isServing = true;
      if (canAskForLength(db)) checkpointBy(db, checkpoint);
      else void checkpoint();
    } catch (thrown) {
      // It may be busy reading for seconds, deaf to this; the process may exit without it.
      worker.terminate();
      ended.resolve();
      throw thrown;
    }
  }
  return {
    whole: start(),
    stop() {
      stopped.resolve({ error: "it was stopped" });
      if (!isServing) return;
      isServing = false;
      checkpointBy(db, null);
      worker.postMessage("end");
    },
    ended: ended.promise,
  };
}

/** On macOS, Bun takes the system's SQLite, which may be older: there SQLite goes on to do it at commits. */
function canAskForLength(db: Db): boolean {
  const version = textOf(db, "SELECT sqlite_version()") ?? "";
  return Bun.semver.order(version, "3.51.0") >= 0;
}
