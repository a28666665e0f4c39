import { type Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
import { ownerOnlyFile } from "../../lib/file.ts";
import { world } from "../../lib/world.ts";
import { applicationId, runNumbers } from "../migrations.ts";

/** How often to check the files, besides the check before each commit. */
const lookEveryMs = 1_000;

/** Offset of the application id in SQLite's file format (section 1.3): four bytes, big-endian. */
const idOffset = 68;
const idBytes = 4;

type Watch = {
  /** Checks the database file, and with `all` the files that SQLite keeps beside it. */
  look(all: boolean): void;
  isLost: boolean;
};

const watches = new WeakMap<Database, Watch>();

/** Never closed, also by the garbage collector: SQLite would write their logs into files that are not theirs. */
const lost = new Set<Database>();

/**
 * From now on, stores nothing once the files of an open database are no longer those in the data directory: whatever
 * goes into a file that was moved, removed or overwritten is lost. Calls `onLost` once. `begin` makes the first write:
 * it gives the file this run's own number, by which a copy with other content is recognised. Call `stop` only after the
 * database is closed: closing a file drops the locks that SQLite holds on it.
 */
export function keepInPlace(db: Database, files: readonly string[], onLost: () => void) {
  const [file = "", log = ""] = files;
  const identities = files.map(identityOf);
  const handle = openSync(file, "r");
  const bytes = Buffer.alloc(idBytes);
  const idInFile = () =>
    readSync(handle, bytes, 0, idBytes, idOffset) === idBytes ? bytes.readInt32BE() : null;
  const own = applicationId(1 + Math.floor(world.random() * (runNumbers - 1)));
  /** The ids the file may have: the last run's, which may be in the log alone, until this run's own appears. */
  const { application_id: idInLog } = db.query("PRAGMA application_id").get() as { application_id: bigint };
  let ids = [idInFile(), Number(idInLog)];

  const watch: Watch = {
    isLost: false,
    look(all) {
      if (watch.isLost) return;
      const there = (all ? files : [file]).every((path, at) => isSame(path, identities[at] ?? null));
      const id = idInFile();
      if (id === own) ids = [own];
      if (there && ids.includes(id)) return;
      watch.isLost = true;
      lost.add(db);
      // Stops writes outside transactions too.
      db.run("PRAGMA query_only = ON");
      leaveAsItIs(there ? log : null);
      onLost();
    },
  };
  watches.set(db, watch);
  const timer = world.setInterval(() => watch.look(true), lookEveryMs);
  timer.unref();
  return {
    /** Throws a DatabaseReplaced when the files have already changed. */
    begin() {
      mustBeInPlace(db);
      ids.push(own);
      mark(db, own);
    },
    stop() {
      world.clearInterval(timer);
      watches.delete(db);
      closeSync(handle);
    },
  };
}

/** Returns whether a watched database's files have been replaced or are gone. Checks the database file first. */
export function isLost(db: Database): boolean {
  const watch = watches.get(db);
  watch?.look(false);
  return watch?.isLost ?? false;
}

/** Throws a DatabaseReplaced when nothing may be stored any more. Takes about 10 µs. */
export function mustBeInPlace(db: Database): void {
  if (isLost(db)) throw new DatabaseReplaced();
}

/** Writes this run's id into the database, unless the disk is full. */
function mark(db: Database, id: number): void {
  try {
    db.run(`PRAGMA application_id = ${id}`);
  } catch (thrown) {
    if (!(thrown instanceof SQLiteError)) throw thrown;
  }
}

/**
 * On exit SQLite would write its log into whatever file is now in the database's place, and otherwise the next start
 * would. So the process kills itself first, and `log` gets another name.
 */
function leaveAsItIs(log: string | null): void {
  process.once("exit", () => {
    if (log !== null) renameSync(log, `${log}.of-overwritten-database`);
    process.kill(process.pid, "SIGKILL");
  });
}

/** Device and inode of a file, which a rename keeps; null when there is none. Throws when they cannot be read. */
function identityOf(path: string): string | null {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file ? `${file.dev} ${file.ino}` : null;
}

/** A file that did not exist at first is not missed, nor one that cannot be read: SQLite reports that. */
function isSame(path: string, identity: string | null): boolean {
  if (identity === null) return true;
  try {
    return identityOf(path) === identity;
  } catch {
    return true;
  }
}

export class DatabaseReplaced extends Error {
  override readonly name = "DatabaseReplaced";
  constructor() {
    super(
      "The database in use is no longer till.db in the data directory: that was moved, removed or overwritten while " +
        "Till ran. Nothing is stored any more, and no payment is credited. Stop Till, put the right database in its " +
        "place (till restore FILE brings a backup back), and start Till again.",
    );
  }
}

/**
 * The state of the database file as Till left it, in a file beside it. While both agree, nothing has changed the
 * database since, and a start need not wait for the check. They differ once anything was written into it, which Till does
 * soon after each start: after a process was killed, the check comes first. What is still in the log has checksums.
 */

/** Open databases that are whole, or were when they were last closed and have been changed by SQLite alone since. */
const sound = new WeakSet<Database>();

/** To be called before the database is opened. */
export function isAsClosed(file: string): boolean {
  try {
    return readFileSync(noteFile(file), "utf8") === stateOf(file);
  } catch {
    // Without a note the check comes first.
    return false;
  }
}

export function setSound(db: Database, isSound: boolean): void {
  if (isSound) sound.add(db);
  else sound.delete(db);
}

export const isSound = (db: Database): boolean => sound.has(db);

/** To be called once the database is closed. */
export function noteClosed(db: Database): void {
  if (!sound.has(db)) return;
  try {
    writeFileSync(noteFile(db.filename), stateOf(db.filename) ?? "", { mode: ownerOnlyFile });
  } catch {
    // On a full disk the next start does the check first.
  }
}

/** Differs after every change to the file and for every other file; null when there is none. */
export function stateOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.ctimeNs}` : null;
}

const noteFile = (file: string) => `${file}.closed`;
