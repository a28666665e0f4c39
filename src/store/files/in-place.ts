import { type Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { applicationId, runNumbers } from "../migrations.ts";

/** How often the files are looked at, beside the look before each commit. */
const lookEveryMs = 1_000;

/** Where SQLite's file format (section 1.3) has the application id: four bytes, the highest first. */
const idOffset = 68;
const idBytes = 4;

type Watch = {
  /** Looks at the database file, and with `all` at what SQLite keeps beside it. */
  look(all: boolean): void;
  isLost: boolean;
};

const watches = new WeakMap<Database, Watch>();

/**
 * Sees to it from now on that nothing is stored once the files of an open database are no longer those in the data
 * directory, the database first: what goes into a file that was moved, removed or overwritten is lost. Tells `onLost`
 * once. Writes nothing before `begin`, which gives the file a number of this run's own, by which a copy of other content
 * is known. To be stopped after the database is closed: closing a file takes away the locks that SQLite has on it.
 */
export function keepInPlace(
  db: Database,
  files: readonly string[],
  onLost: () => void,
): {
  /** Throws a DatabaseReplaced when the files are others already. */
  begin(): void;
  stop(): void;
} {
  const [file = "", log = ""] = files;
  const identities = files.map(identityOf);
  const handle = openSync(file, "r");
  const bytes = Buffer.alloc(idBytes);
  const idInFile = () =>
    readSync(handle, bytes, 0, idBytes, idOffset) === idBytes ? bytes.readInt32BE() : null;
  const own = applicationId(1 + Math.floor(Math.random() * (runNumbers - 1)));
  /** What the file may say: the id of the last run, which may be in the log alone, until it says the own one. */
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
      // Also for what is written without a transaction.
      db.run("PRAGMA query_only = ON");
      leaveAsItIs(there ? log : null);
      onLost();
    },
  };
  watches.set(db, watch);
  const timer = setInterval(() => watch.look(true), lookEveryMs);
  timer.unref();
  return {
    begin() {
      mustBeInPlace(db);
      ids.push(own);
      mark(db, own);
    },
    stop() {
      clearInterval(timer);
      watches.delete(db);
      closeSync(handle);
    },
  };
}

/** Whether the files of a watched database were found to be others, or gone. Looks at the database file first. */
export function isLost(db: Database): boolean {
  const watch = watches.get(db);
  watch?.look(false);
  return watch?.isLost ?? false;
}

/** Throws a DatabaseReplaced when nothing may be stored any more. Takes about 10 µs. */
export function mustBeInPlace(db: Database): void {
  if (isLost(db)) throw new DatabaseReplaced();
}

/** Gives the database its id. A full disk takes none. */
function mark(db: Database, id: number): void {
  try {
    db.run(`PRAGMA application_id = ${id}`);
  } catch (thrown) {
    if (!(thrown instanceof SQLiteError)) throw thrown;
  }
}

/**
 * When the process ends SQLite would write its log into whatever is in the place of the database now, and the next
 * start would do it if that did not: the process ends without it, and `log` gets another name.
 */
function leaveAsItIs(log: string | null): void {
  process.once("exit", () => {
    if (log !== null) renameSync(log, `${log}.of-overwritten-database`);
    process.kill(process.pid, "SIGKILL");
  });
}

/** Device and number of a file, which a rename takes along; null when there is none. Throws when it cannot be told. */
function identityOf(path: string): string | null {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file ? `${file.dev} ${file.ino}` : null;
}

/** What was not there at first is not missed; nor is what cannot be looked at, of which SQLite says what it is. */
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
