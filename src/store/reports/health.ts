import { statfsSync, statSync } from "node:fs";
import { messageOf } from "../../lib/error.ts";
import { atOnce, type Db, transact } from "../database.ts";
import { databaseFiles } from "../files/data-dir.ts";
import { DatabaseReplaced, isLost } from "../files/in-place.ts";

/** Below this the next payments may not fit on the disk. */
const freeBytesMin = 100 * 1024 * 1024;

/** Write at most this often to see whether the disk still accepts writes. */
const probeIntervalMs = 10_000;
const probeIntervalFailingMs = 1_000;
const probeBytes = 16 * 1024;

/** Returns a function that lists problems of the database and its disk, one sentence each. */
export function createStorageHealth(db: Db, dataDir: string, now: () => number): () => string[] {
  let probedAt = Number.NEGATIVE_INFINITY;
  let fault: string | null = null;
  return () => {
    if (isLost(db)) return [new DatabaseReplaced().message];
    const intervalMs = fault === null ? probeIntervalMs : probeIntervalFailingMs;
    // The clock may have been set back.
    if (Math.abs(now() - probedAt) >= intervalMs) {
      probedAt = now();
      // A database known to be locked is not waited for again.
      fault = fault === null ? probe(db) : atOnce(db, () => probe(db));
    }
    return fault === null ? diskProblems(dataDir) : [fault];
  };
}

/** Returns a sentence if there is too little space. */
export function diskProblems(dataDir: string): string[] {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= freeBytesMin) return [];
  return [`the disk of ${dataDir} has only ${Math.floor((bavail * bsize) / 1024 / 1024)} MiB left`];
}

/** Free space means little under a quota or on a read-only disk: only a write tells. */
function probe(db: Db): string | null {
  try {
    transact(db, () => void db.query("INSERT INTO probe (content) VALUES (zeroblob(?))").run(probeBytes));
    transact(db, () => void db.query("DELETE FROM probe").run());
    return null;
  } catch (thrown) {
    return `the database cannot be written: ${messageOf(thrown)}`;
  }
}

/** The database's size on disk, including the files SQLite keeps beside it. */
export function databaseBytes(dataDir: string): number {
  const sizes = databaseFiles(dataDir).map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((total, size) => total + size, 0);
}
