import { messageOf } from "../../lib/error.ts";
import { type Db, faultIn, isStorageFault, openBeside } from "../database.ts";
import type { WholeAnswer } from "./whole.ts";

declare const self: Worker;

let db: Db | null = null;

function check(dataDir: string): WholeAnswer {
  try {
    db = openBeside(dataDir);
    return { fault: faultIn(db) };
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

/** Brings the log into the file as far as nobody reads it just now. A full disk takes none. */
function fold(): void {
  try {
    db?.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (thrown) {
    if (!isStorageFault(thrown)) throw thrown;
  } finally {
    db?.close();
  }
}

self.onmessage = ({ data }: MessageEvent<{ check: string } | "fold">) => {
  if (data !== "fold") return self.postMessage(check(data.check));
  fold();
  process.exit();
};
