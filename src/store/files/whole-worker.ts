import { statSync } from "node:fs";
import { messageOf } from "../../lib/error.ts";
import { type Db, databaseFile, faultIn, isStorageFault, openBeside } from "../database.ts";
import type { WholeAnswer } from "./whole.ts";

declare const self: Worker;

let checked: { db: Db; file: string; state: string | null } | null = null;

function check(dataDir: string): WholeAnswer {
  const file = databaseFile(dataDir);
  try {
    const db = openBeside(dataDir);
    checked = { db, file, state: stateOf(file) };
    return { fault: faultIn(db) };
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

/**
 * Checkpoints the part of the log that nobody is reading, unless the file has changed since the check or is another
 * one: the log may not belong to it. On a full disk the log stays.
 */
function fold(): void {
  if (checked === null) return;
  const { db, file, state } = checked;
  try {
    if (stateOf(file) === state) db.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (thrown) {
    if (!isStorageFault(thrown)) throw thrown;
  } finally {
    db.close();
  }
}

/** Differs after every change to the file and for every other file; null when there is none. */
function stateOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.ctimeNs}` : null;
}

self.onmessage = ({ data }: MessageEvent<{ check: string } | "fold">) => {
  if (data !== "fold") return self.postMessage(check(data.check));
  fold();
  process.exit();
};
