import { workerUrl } from "../../lib/worker-url.ts";
import { DatabaseDamaged, type Db } from "../database.ts";

/** The worker's answer: what is wrong with the database, null when it is whole, or why it could not tell. */
export type WholeAnswer = { fault: string | null } | { error: string };

type WholeCheck = {
  /** Rejects with a DatabaseDamaged, or as `begin` does. */
  done: Promise<void>;
  /** Stops an unfinished check; `done` then rejects. */
  stop(): void;
  /** Resolves once nothing of it writes, or can write, to the database. */
  ended: Promise<void>;
};

/**
 * Reads the whole database of a data directory, in a thread of its own since that takes a second per GB. Until it is
 * found to be whole, `db` refuses writes: serving a damaged one could miss a payment, or give one invoice's address to
 * another. Then calls `begin`, and has the thread checkpoint what that wrote: half a second on a busy disk.
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
        // It may be busy reading for seconds, deaf to this; the process may exit without it.
        worker.terminate();
        ended.resolve();
        throw thrown;
      }
    }),
    stop: () => resolve({ error: "it was stopped" }),
    ended: ended.promise,
  };
}
