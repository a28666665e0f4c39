import { world } from "../lib/world.ts";
import type { Db } from "./database.ts";

/** Check for another process's changes at most this often: SQLite locks the file for that, which is slow. */
const othersAgeMsMax = 10;

/**
 * Returns a function whose text differs after every change to the database: at once for changes by this connection
 * (`total_changes`), within `othersAgeMsMax` for changes by another (`data_version`). Neither reads a table.
 */
export function createVersion(db: Db): () => string {
  const own = db.query<{ own: bigint }, []>("SELECT total_changes() AS own");
  const others = db.query<{ data_version: bigint }, []>("PRAGMA data_version");
  let seen: bigint | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = world.uptime();
    if (now - seenAt > othersAgeMsMax) {
      seen = others.get()?.data_version;
      seenAt = now;
    }
    return `${own.get()?.own} ${seen}`;
  };
}
