import type { Db } from "./database.ts";

/** Another process is asked about at most this often: SQLite locks the file for it, which takes long. */
const othersAgeMsMax = 10;

/**
 * Returns what gives a text that is another one after every change to the database: at once after one by this
 * connection (`total_changes`), within `othersAgeMsMax` after one by another (`data_version`). Neither looks into a
 * table.
 */
export function createVersion(db: Db): () => string {
  const own = db.query<{ own: bigint }, []>("SELECT total_changes() AS own");
  const others = db.query<{ data_version: bigint }, []>("PRAGMA data_version");
  let seen: bigint | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - seenAt > othersAgeMsMax) {
      seen = others.get()?.data_version;
      seenAt = now;
    }
    return `${own.get()?.own} ${seen}`;
  };
}
