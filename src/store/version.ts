import type { Db } from "./database.ts";

/**
 * A text that is another one after every change to the database, by this connection (`total_changes`) or another
 * (`data_version`). Neither looks into a table.
 */
export function of(db: Db): string {
  const own = db.query<{ own: bigint }, []>("SELECT total_changes() AS own").get();
  const others = db.query<{ data_version: bigint }, []>("PRAGMA data_version").get();
  return `${own?.own} ${others?.data_version}`;
}
