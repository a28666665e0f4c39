import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { makePrivate, ownerOnlyFile } from "../../lib/file.ts";
import { type Db, isDamage, isDiskFailure, openDatabase, openReadOnly } from "../database.ts";
import { mustBeCurrent, schemaOf, schemaSteps } from "../migrations.ts";
import { DataDirUnusable, databaseFile, lockFile, prepareDataDir } from "./data-dir.ts";

/**
 * Makes this process the only one that serves a data directory. The lock is SQLite's own, held by an open transaction
 * on a file beside the database: the system drops it however the process ends. Throws a DataDirInUse when another
 * process holds it, or a DataDirUnusable.
 */
export function lockDataDir(dataDir: string): Lock {
  prepareDataDir(dataDir);
  return lockBy(lockFile(dataDir), dataDir);
}

export type Lock = { release(): void };

/** Like `lockDataDir`, by a file of any name; `dataDir` is named in a DataDirInUse. */
export function lockBy(file: string, dataDir: string): Lock {
  const db = new Database(file, { create: true });
  makePrivate(file, ownerOnlyFile);
  try {
    db.run("BEGIN IMMEDIATE");
    db.run("DROP TABLE IF EXISTS holder");
    db.run("CREATE TABLE holder (pid INTEGER NOT NULL, place TEXT NOT NULL) STRICT");
    db.run("INSERT INTO holder (pid, place) VALUES (?, ?)", [process.pid, place()]);
    db.run("COMMIT");
    db.run("BEGIN IMMEDIATE");
  } catch (thrown) {
    const holder = holderOf(db);
    db.close();
    if (thrown instanceof SQLiteError && thrown.code === "SQLITE_BUSY")
      throw new DataDirInUse(dataDir, holder);
    if (isDamage(thrown)) throw new LockDamaged(file);
    if (isDiskFailure(thrown)) throw new DataDirUnusable(dataDir, { cause: thrown });
    throw thrown;
  }
  held.add(db);
  return {
    release() {
      held.delete(db);
      db.close();
    },
  };
}

/** An unreferenced database is closed by the garbage collector, which would drop the lock. */
const held = new Set<Database>();

/** Returns whether a process is serving a data directory. Takes no lock and creates no file. */
export function isServed(dataDir: string): boolean {
  const file = lockFile(dataDir);
  if (!existsSync(file)) return false;
  using db = new Database(file, { readwrite: true });
  try {
    db.run("BEGIN IMMEDIATE");
    db.run("ROLLBACK");
    return false;
  } catch (thrown) {
    if (thrown instanceof SQLiteError && thrown.code === "SQLITE_BUSY") return true;
    throw thrown;
  }
}

type Holder = { pid: number; place: string };

/** Names the space of process ids: a container counts its own, and so does each machine. */
function place(): string {
  const spaceOfIds = "/proc/self/ns/pid";
  return `${hostname()} ${existsSync(spaceOfIds) ? readlinkSync(spaceOfIds) : ""}`;
}

function holderOf(db: Database): Holder | null {
  try {
    return db.query<Holder, []>("SELECT pid, place FROM holder").get();
  } catch (thrown) {
    // The holder may be writing this right now; the message then goes without it.
    if (thrown instanceof SQLiteError) return null;
    throw thrown;
  }
}

function whoIs(holder: Holder | null): string {
  if (holder === null) return "Another Till";
  if (holder.place === place()) return `Another Till (process ${holder.pid})`;
  return "Another Till, in another container or on another machine,";
}

export class DataDirInUse extends Error {
  override readonly name = "DataDirInUse";
  constructor(dataDir: string, holder: Holder | null) {
    super(
      `${whoIs(holder)} already serves ${dataDir}. Stop it first, or give this one a TILL_DATA_DIR of its own.`,
    );
  }
}

class LockDamaged extends Error {
  override readonly name = "LockDamaged";
  readonly isLasting = true;
  constructor(file: string) {
    super(
      `The lock ${file} is damaged. It holds nothing else: delete it while no Till runs, and start again.`,
    );
  }
}

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
  using db = openReadOnly(dataDir);
  try {
    return schemaOf(db) < newest;
  } catch (thrown) {
    // The open that follows reports the damage and what to do.
    if (isDamage(thrown)) return false;
    throw thrown;
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
