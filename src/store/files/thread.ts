import { workerUrl } from "../../lib/file.ts";
import { type Timer, world } from "../../lib/world.ts";
import { DatabaseDamaged, type Db } from "../database.ts";
import { canAskForLength, checkpointBy } from "../log.ts";
import { isSound, setSound } from "./in-place.ts";

/**
 * The tasks of the thread: to open a data directory's database, with a full check or without, then checkpoints, and its
 * end. Another thread checks a database in use.
 */
export type ThreadTask = { open: string } | { check: string } | { checkInUse: string } | "checkpoint" | "end";

/** The fault of the database, null if there is none, or why the task could not be done. */
export type ThreadAnswer = { fault: string | null } | { error: string };

type Hooks = {
  /** Called when the database may be written. */
  begin?: () => void;
  /** Called with the reason when the log cannot be brought in, once until it can. */
  onKept?: (reason: string) => void;
  /** Called when the check beside the work finds damage, or fails; nothing is written any more. */
  onUnsound?: (failure: Error) => void;
};

/** A check beside the work begins this much later: reads of the start come first. */
const lateMs = 5_000;

/**
 * Does in threads of their own what takes long with the database of a data directory: reads all of it, ten seconds per
 * GB, and brings its log into it. Until it is found to be whole, `db` refuses writes: serving a damaged one could miss a
 * payment, or give one invoice's address to another. A database that is as Till closed it was whole then: it can be
 * written at once, and is checked meanwhile.
 */
export function startDatabaseThread(
  db: Db,
  dataDir: string,
  { begin = () => {}, onKept = () => {}, onUnsound = () => {} }: Hooks = {},
) {
  db.run("PRAGMA query_only = ON");
  const stopped = Promise.withResolvers<ThreadAnswer>();
  const thread = startThread();
  let late: Timer | undefined;
  let reader: ReturnType<typeof startThread> | null = null;
  let isServing = false;
  let wasKept = false;
  const ended = thread.ended.then(() => {
    if (isServing) checkpointBy(db, null);
  });

  async function checkpoint(): Promise<void> {
    const answer = await thread.ask("checkpoint");
    const isKept = "error" in answer;
    if (isKept && !wasKept) onKept(answer.error);
    wasKept = isKept;
  }

  async function start(): Promise<void> {
    const wasSound = isSound(db);
    const answer = await Promise.race([
      thread.ask(wasSound ? { open: dataDir } : { check: dataDir }),
      stopped.promise,
    ]);
    try {
      const fault = faultOf(answer);
      if (fault !== null) throw fault;
      setSound(db, true);
      db.run("PRAGMA query_only = OFF");
      begin();
      isServing = true;
      if (canAskForLength(db)) checkpointBy(db, checkpoint);
      else void checkpoint();
      if (wasSound) late = world.setTimeout(checkInUse, lateMs);
    } catch (thrown) {
      // It may be busy reading for seconds, deaf to this; the process may exit without it.
      thread.terminate();
      throw thrown;
    }
  }

  async function checkInUse(): Promise<void> {
    reader = startThread();
    const answer = await reader.ask({ checkInUse: dataDir });
    reader.terminate();
    const fault = faultOf(answer);
    if (!isServing || fault === null) return;
    setSound(db, false);
    db.run("PRAGMA query_only = ON");
    onUnsound(fault);
  }

  function faultOf(answer: ThreadAnswer): Error | null {
    if ("error" in answer) return new Error(`The database could not be checked: ${answer.error}`);
    return answer.fault === null ? null : new DatabaseDamaged(db.filename, answer.fault);
  }

  return {
    /** Resolves when the database may be written. Rejects with a DatabaseDamaged, or as `begin` does. */
    whole: start(),
    /** Ends the thread, and an unfinished check with it; `whole` then rejects. */
    stop() {
      stopped.resolve({ error: "it was stopped" });
      world.clearTimeout(late);
      reader?.terminate();
      if (!isServing) return;
      isServing = false;
      checkpointBy(db, null);
      thread.end();
    },
    /** Resolves once nothing of it writes, or can write, to the database. */
    ended,
  };
}

function startThread() {
  const worker = world.thread(workerUrl("store/files/thread-worker"));
  const ended = Promise.withResolvers<void>();
  /** The callers waiting for an answer: answers come in order. */
  const waiting: ((answer: ThreadAnswer) => void)[] = [];
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
    ended.resolve();
  });
  return {
    ask(task: ThreadTask): Promise<ThreadAnswer> {
      worker.postMessage(task);
      return new Promise((resolve) => waiting.push(resolve));
    },
    end: () => worker.postMessage("end" satisfies ThreadTask),
    terminate(): void {
      worker.unref();
      worker.terminate();
      ended.resolve();
    },
    ended: ended.promise,
  };
}
