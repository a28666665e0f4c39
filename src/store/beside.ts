import { existsSync } from "node:fs";
import { type Db, databaseFile, openDatabase, openReadOnly } from "./database.ts";
import { isServed } from "./lock.ts";
import { newestSchema, schemaOf } from "./migrations.ts";

/**
 * Opens the database as `openDatabase` does, for a command that works beside a running server. Throws a ServerTooOld
 * when that server has not brought the schema to this version: it would go on with tables that it does not know.
 */
export function openBeside(dataDir: string): Db {
  if (existsSync(databaseFile(dataDir))) {
    const found = openReadOnly(dataDir);
    try {
      if (schemaOf(found) < newestSchema && isServed(dataDir)) throw new ServerTooOld(dataDir);
    } finally {
      found.close();
    }
  }
  return openDatabase(dataDir);
}

class ServerTooOld extends Error {
  override readonly name = "ServerTooOld";
  constructor(dataDir: string) {
    super(
      `The Till that serves ${dataDir} is of an earlier version than this command. Stop it and start it again with ` +
        "this version; then run the command again.",
    );
  }
}
