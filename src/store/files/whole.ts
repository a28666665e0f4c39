import { workerUrl } from "../../lib/worker-url.ts";
import { DatabaseDamaged, type Db } from "../database.ts";

/** What the worker answers: what is wrong with the database, null when it is whole, or why it could not tell. */
export type WholeAnswer = { fault: string | null } | { error: string };

type WholeCheck = {
  /** Rejects with a DatabaseDamaged, or as `begin` does. */
  done: Promise<void>;
  /** Ends it early, when it has not ended: `done` rejects then. */
  stop(): void;
  /** Resolves when nothing of it writes to the database any more, or can. */
  ended: Promise<void>;
};

/**
 * Reads all of the database of a data directory, in a thread of its own as that takes a second for each GB. Until it
 * was found to be whole, `db` refuses to write: serving a damaged one could take a payment for unknown, or give the
 * address of one invoice to another. Then calls `begin`, and has the thread checkpoint what it wrote: on a busy disk
 * that takes half a second.
 */
export function checkWhole(db: Db, dataDir: string, begin = () => {}): WholeCheck {
  db.run("PRAGMA query_only = ON");
  const worker = new Worker(workerUrl("store/files/whole-worker"));
  const { promise: answer, resolve } = Promise.withResolvers<WholeAnswer>();
  const ended = Promise.withResolvers<void>();
  worker.addEventListener("message", ({ data }: MessageEvent<WholeAnswer>) => resolve(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    resolve({ error: event.message });
  });
  worker.addEventListener("close", () => ended.resolve());
  worker.postMessage({ check: dataDir });
  return {
    done: answer.then((reply) => {
      try {
        if ("error" in reply) throw new Error(`The database could not be checked: ${reply.error}`);
        if (reply.fault !== null) throw new DatabaseDamaged(db.filename, reply.fault);
        db.run("PRAGMA query_only = OFF");
        begin();
        worker.postMessage("fold");
      } catch (thrown) {
        // It may be reading for seconds yet, deaf to this; the process may end without it.
        worker.terminate();
        ended.resolve();
        throw thrown;
      }
    }),
    stop: () => resolve({ error: "it was stopped" }),
    ended: ended.promise,
  };
}
