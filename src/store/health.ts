import { statfsSync } from "node:fs";
import { messageOf } from "../lib/error.ts";
import type { Db } from "./database.ts";

/** Below this the next payments may no longer fit on the disk. */
const freeBytesMin = 100 * 1024 * 1024;

/** What is wrong with the database and its disk, one sentence each; empty when all is well. */
export function storageProblems(db: Db, dataDir: string): string[] {
  try {
    db.query("SELECT chain_id FROM chain").get();
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize >= freeBytesMin) return [];
    return [`the disk of ${dataDir} has only ${Math.floor((bavail * bsize) / 1024 / 1024)} MiB left`];
  } catch (thrown) {
    return [`the database cannot be read: ${messageOf(thrown)}`];
  }
}
