import { existsSync } from "node:fs";
import { type Db, databaseFile, isDamage, openDatabase, openReadOnly } from "../database.ts";
import { mustBeCurrent, schemaOf, schemaSteps } from "../migrations.ts";
import { isServed } from "./lock.ts";

/**
 * Opens the database as `openDatabase` does, for a command beside a running server. Throws a ServerTooOld when that
 * server has not upgraded the schema to this version: it would continue with tables it does not know.
 */
export function openShared(dataDir: string, steps = schemaSteps): Db {
  if (isServed(dataDir) && isOlder(dataDir, steps.length)) throw new ServerTooOld(dataDir);
  return openDatabase(dataDir, steps);
}

/** Opens the database to read, also beside a server. Throws a NoDatabase, SchemaTooOld or SchemaTooNew. */
export function readShared(dataDir: string): Db {
  const db = openReadOnly(dataDir);
  try {
    mustBeCurrent(db);
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function isOlder(dataDir: string, newest: number): boolean {
  // A server that has just started will create it.
  if (!existsSync(databaseFile(dataDir))) return false;
  const db = openReadOnly(dataDir);
  try {
    return schemaOf(db) < newest;
  } catch (thrown) {
    // The open that follows reports the damage and what to do.
    if (isDamage(thrown)) return false;
    throw thrown;
  } finally {
    db.close();
  }
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
