import type { Database } from "bun:sqlite";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { ownerOnlyFile } from "../../lib/file.ts";

/**
 * How Till left a database: the state of its file, in a file beside it. As long as both agree, nothing has changed the
 * database since, and a start need not wait for the check. They differ once Till has opened it, as that sets the file's
 * mode: after a process that was killed the check comes first. What the log holds has checksums.
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
