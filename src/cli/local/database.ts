import { closeDatabase, type Db } from "../../store/database.ts";
import { openShared, readShared } from "../../store/files/lock.ts";

/** Works on the database, also beside a running server, and closes it. Throws what `openShared` throws. */
export async function withDatabase<T>(dataDir: string, work: (db: Db) => T | Promise<T>): Promise<T> {
  const db = openShared(dataDir);
  try {
    return await work(db);
  } finally {
    closeDatabase(db);
  }
}

/** The same, but creates no database in a mistyped directory. Throws what `readShared` throws, too. */
export async function withKnownDatabase<T>(dataDir: string, work: (db: Db) => T | Promise<T>): Promise<T> {
  readShared(dataDir).close();
  return await withDatabase(dataDir, work);
}

/** Reads the database and closes it. Throws what `readShared` throws. */
export async function readDatabase<T>(dataDir: string, work: (db: Db) => T | Promise<T>): Promise<T> {
  const db = readShared(dataDir);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}
