import { statSync } from "node:fs";
import { messageOf } from "../../lib/error.ts";
import {
  atOnce,
  type Db,
  databaseFile,
  faultIn,
  isLocked,
  isStorageFault,
  numberOf,
  openBeside,
} from "../database.ts";
import type { ThreadAnswer, ThreadTask } from "./thread.ts";

declare const self: Worker;

let db: Db | null = null;
/** The file as it was checked, until the first checkpoint. */
let checked: { file: string; state: string | null } | null = null;

function check(dataDir: string): ThreadAnswer {
  const file = databaseFile(dataDir);
  try {
    db = openBeside(dataDir);
    checked = { file, state: stateOf(file) };
    const fault = faultIn(db);
    db.run("PRAGMA shrink_memory");
    return { fault };
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
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
    if (isStorageFault(thrown)) return { error: messageOf(thrown) };
    throw thrown;
  }
}

/** Whether all of the log, and something, is in the database now. */
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

/** Differs after every change to the file and for every other file; null when there is none. */
function stateOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.ctimeNs}` : null;
}

self.onmessage = ({ data }: MessageEvent<ThreadTask>) => {
  if (data === "end") {
    db?.close();
    process.exit();
  }
  self.postMessage(data === "checkpoint" ? checkpoint() : check(data.check));
};
