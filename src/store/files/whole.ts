import { workerUrl } from "../../lib/worker-url.ts";
import { DatabaseDamaged, type Db } from "../database.ts";

/** What the worker answers: what is wrong with the database, null when it is whole, or why it could not tell. */
export type WholeAnswer = { fault: string | null } | { error: string };

export type WholeCheck = {
  /** Rejects with a DatabaseDamaged. */
  done: Promise<void>;
  /** Ends it early, when it has not ended: `done` rejects then. */
  stop(): void;
};

/**
 * Reads all of the database of a data directory, in a thread of its own as that takes a second for each GB. Until it
 * was found to be whole, `db` refuses to write: serving a damaged one could take a payment for unknown, or give the
 * address of one invoice to another.
 */
export function checkWhole(db: Db, dataDir: string): WholeCheck {
  db.run("PRAGMA query_only = ON");
  const worker = new Worker(workerUrl("store/files/whole-worker"));
  const { promise: answer, resolve } = Promise.withResolvers<WholeAnswer>();
  worker.addEventListener("message", ({ data }: MessageEvent<WholeAnswer>) => resolve(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    resolve({ error: event.message });
  });
  worker.postMessage(dataDir);
  return {
    done: answer.then((told) => {
      worker.terminate();
      if ("error" in told) throw new Error(`The database could not be checked: ${told.error}`);
      if (told.fault !== null) throw new DatabaseDamaged(db.filename, told.fault);
      db.run("PRAGMA query_only = OFF");
    }),
    stop: () => resolve({ error: "it was stopped" }),
  };
}
