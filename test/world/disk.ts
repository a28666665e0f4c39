import { Database } from "bun:sqlite";
import type { Hash } from "node:crypto";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Db } from "../../src/store/database.ts";
import type { Random } from "../support/random.ts";
import type { Life, Time } from "./time.ts";

/** SQLite's write-ahead log: a header, then frames of a header and a page each (file format, section 4.1). */
const logHeaderBytes = 32;
const frameBytes = 24 + 4_096;

/** In the index of the log (WAL format, section 2.1): how many frames are committed, and which log this is. */
const framesOffset = 16;
const saltOffset = 32;

type LogEnd = { frames: number; salt: string };

export const makeDir = () => mkdtempSync(join(tmpdir(), "till-world-"));

export type Disk = ReturnType<typeof createDisk>;

/** Told when SQLite is to wait for the disk at a commit, and when not. */
const watchers = new Map<string, (waits: boolean) => void>();

const { query } = Database.prototype;
Database.prototype.query = function (this: Database, sql: string) {
  if (sql.startsWith("PRAGMA synchronous")) watchers.get(this.filename)?.(sql.endsWith("FULL"));
  return query.call(this, sql);
} as typeof query;

/**
 * The directory of a Till, of which it is known what a power cut would leave: what SQLite itself waited for the disk with,
 * and what of its log Till had synced.
 */
export function createDisk(time: Time, random: Random, template: string) {
  const dir = makeDir();
  cpSync(template, dir, { recursive: true });
  const file = join(dir, "till.db");
  const bytes = Buffer.alloc(8);
  let index: number | null = null;
  let kept: LogEnd = { frames: 0, salt: "" };
  /** Where the log ended when the last commit that did not wait was over. */
  let unwaited: LogEnd = kept;
  let isFailing = false;

  function logEnd(): LogEnd {
    if (index === null && existsSync(`${file}-shm`)) index = openSync(`${file}-shm`, "r");
    if (index === null) return { frames: 0, salt: "" };
    readSync(index, bytes, 0, 4, framesOffset);
    const frames = bytes.readUInt32LE();
    readSync(index, bytes, 0, 8, saltOffset);
    return { frames, salt: bytes.toString("hex") };
  }

  const isOther = (a: LogEnd, b: LogEnd) => a.frames !== b.frames || a.salt !== b.salt;

  /** A commit after the last one that did not wait has brought all before it to the disk. */
  function look(): LogEnd {
    const end = logEnd();
    if (isOther(end, unwaited)) kept = end;
    return end;
  }

  watchers.set(file, (waits) => {
    if (waits) unwaited = logEnd();
    else look();
  });

  return {
    dir,
    /** How often a power cut would have lost something: otherwise cuts try nothing. */
    sync(life: Life, done: (error: Error | null) => void): void {
      const end = look();
      const ms = random.chance(0.02) ? random.between(100, 2_000) : random.between(1, 20);
      time.after(
        ms,
        () => {
          if (isFailing) return done(Object.assign(new Error("the disk failed"), { code: "EIO" }));
          if (kept.salt !== end.salt || kept.frames < end.frames) kept = end;
          done(null);
        },
        life,
      );
    },
    fail(fails: boolean): void {
      isFailing = fails;
    },
    /** What is left of it, in a directory of its own. With the power goes what was not synced. */
    after(cut: "kill" | "power"): { dir: string; lostFrames: number } {
      const end = look();
      const left = makeDir();
      cpSync(dir, left, { recursive: true, filter: (path) => !path.endsWith("-shm") });
      if (cut === "kill" || end.frames === 0 || !existsSync(join(left, "till.db-wal")))
        return { dir: left, lostFrames: 0 };
      const frames = end.salt === kept.salt ? kept.frames : 0;
      truncateSync(
        join(left, "till.db-wal"),
        Math.min(Bun.file(join(left, "till.db-wal")).size, logHeaderBytes + frames * frameBytes),
      );
      return { dir: left, lostFrames: end.frames - frames };
    },
    remove(): void {
      watchers.delete(file);
      if (index !== null) closeSync(index);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Adds all that is stored. */
export function addRows(digest: Hash, db: Db): void {
  for (const { name } of db
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all())
    for (const row of db.query(`SELECT * FROM "${name}"`).values())
      digest.update(`${name} ${row.join(" ")}\n`);
}
