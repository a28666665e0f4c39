import { constants, setPriority } from "node:os";
import { messageOf } from "../../lib/error.ts";
import {
  atOnce,
  type Db,
  faultIn,
  isLocked,
  isStorageFailure,
  numberOf,
  openBeside,
  openReadOnly,
} from "../database.ts";
import { databaseFile } from "./data-dir.ts";
import { stateOf } from "./in-place.ts";
import type { ThreadAnswer, ThreadTask } from "./thread.ts";

/** The work of one thread with the database, in the thread or wherever it is made. */
export function createThreadWork() {
  let db: Db | null = null;
  /** The file as it was checked, until the first checkpoint. */
  let checked: { file: string; state: string | null } | null = null;

  function open(dataDir: string): ThreadAnswer {
    const file = databaseFile(dataDir);
    db = openBeside(dataDir);
    checked = { file, state: stateOf(file) };
    return { fault: null };
  }

  function check(dataDir: string): ThreadAnswer {
    open(dataDir);
    const fault = db && faultIn(db);
    db?.run("PRAGMA shrink_memory");
    return { fault };
  }

  /**
   * Brings the part of the log that nobody is reading into the database, unless the file has changed since the check or
   * is another one: the log may not belong to it. On a full disk the log stays.
   */
  function checkpoint(): ThreadAnswer {
    const isChanged = checked !== null && stateOf(checked.file) !== checked.state;
    checked = null;
    try {
      if (db && !isChanged && bringIn(db)) beginLog(db);
      return { fault: null };
    } catch (thrown) {
      // Whoever writes just now begins the log.
      if (isLocked(thrown)) return { fault: null };
      if (isStorageFailure(thrown)) return { error: messageOf(thrown) };
      throw thrown;
    }
  }

  return {
    answerTo(task: Exclude<ThreadTask, "end">): ThreadAnswer {
      try {
        if (task === "checkpoint") return checkpoint();
        if ("open" in task) return open(task.open);
        return "check" in task ? check(task.check) : checkInUse(task.checkInUse);
      } catch (thrown) {
        return { error: messageOf(thrown) };
      }
    },
    close: () => db?.close(),
  };
}

/** Reads all of a database that is in use, as the one who may wait. */
function checkInUse(dataDir: string): ThreadAnswer {
  // On Linux this is for the calling thread alone.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
  using reader = openReadOnly(dataDir);
  return { fault: faultIn(reader) };
}

/** Returns whether all of the log, and something, is in the database now. */
function bringIn(of: Db): boolean {
  type Result = Record<"busy" | "log" | "checkpointed", bigint>;
  const result = of.query<Result, []>("PRAGMA wal_checkpoint(PASSIVE)").get();
  return result?.busy === 0n && result.log > 0n && result.log === result.checkpointed;
}

/** Makes the first commit to a log that begins anew. SQLite waits for the disk with it, whoever makes it. */
function beginLog(of: Db): void {
  const version = numberOf(of, "PRAGMA user_version");
  atOnce(of, () => of.run(`PRAGMA user_version = ${version}`));
}
