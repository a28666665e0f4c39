import type { Database } from "bun:sqlite";
import { readableCopy } from "./files/copies.ts";
import { differencesFrom, fingerprintOf, newestFingerprint } from "./fingerprint.ts";
import schema from "./schema.sql" with { type: "text" };

/**
 * How a database file says what it is, in two numbers of SQLite's file header:
 * - `user_version` is the number of its schema: 1, 2, 3, …; 0 in a new file.
 * - `application_id` has "Tn" in its upper half, and in its lower half the number of the run that uses the file
 *   (`in-place.ts`); 0 in a file that no run has used, such as a backup.
 */
const mark = 0x546e;
/** "Ti", "Tl" and "Tm": of versions before the first release, whose data this one does not read. */
const earlyMarks: readonly number[] = [0x5469, 0x546c, 0x546d];
/** How many numbers of runs there are, 0 included. */
export const runNumbers = 2 ** 16;

/** The `application_id` of a database of Till in use by this run. */
export const applicationId = (run: number) => mark * runNumbers + run;

/** Each step takes the schema one version further, the first from nothing to version 1. A released step never changes. */
export const schemaSteps: readonly string[] = [`${schema}\nPRAGMA application_id = ${applicationId(0)}`];

/** The schema of this Till. */
export const newestSchema = schemaSteps.length;

/** A database's schema number; 0 when it is new. Throws a NotOfTill for another program's file, and a SchemaTooEarly. */
export function schemaOf(db: Database): number {
  const number = (sql: string) => Number(Object.values(db.query(sql).get() ?? [0])[0]);
  const id = number("PRAGMA application_id");
  const version = number("PRAGMA user_version");
  if (Math.floor(id / runNumbers) === mark) return version;
  if (earlyMarks.includes(Math.floor(id / runNumbers))) throw new SchemaTooEarly(db.filename);
  if (id === 0 && version === 0 && number("SELECT count(*) FROM sqlite_schema") === 0) return 0;
  throw new NotOfTill(db.filename);
}

/**
 * A database's schema number, as `schemaOf`, of one that these steps make. Throws a SchemaTooNew, or a SchemaDiffers, too.
 */
export function knownSchemaOf(db: Database, steps = schemaSteps): number {
  // In one transaction: another process may be upgrading it.
  return db.transaction(() => {
    const version = schemaOf(db);
    if (version > steps.length) throw new SchemaTooNew(db.filename, version, steps.length);
    const made = steps.slice(0, version);
    const isNewest = steps === schemaSteps && version === steps.length;
    if (version === 0 || (isNewest && fingerprintOf(db, made) === newestFingerprint)) return version;
    const differences = differencesFrom(db, made);
    if (differences.length > 0) throw new SchemaDiffers(db.filename, version, differences);
    return version;
  })();
}

/**
 * Upgrades the schema to the version of `steps`, one transaction per step, of a database whose schema is known.
 */
export function migrate(db: Database, steps = schemaSteps): void {
  if (schemaOf(db) >= steps.length) return;
  // A step may rebuild a table that others refer to; foreign keys are checked at the end of each step.
  db.run("PRAGMA foreign_keys = OFF");
  try {
    for (const [index, sql] of steps.entries()) {
      db.transaction(() => {
        // Another process may have been faster: look again under the write lock.
        if (schemaOf(db) > index) return;
        db.run(sql);
        const dangling = db.query("PRAGMA foreign_key_check").get();
        if (dangling !== null)
          throw new Error(`Schema ${index + 1} leaves ${JSON.stringify(dangling, textOfBigint)}`);
        db.run(`PRAGMA user_version = ${index + 1}`);
      }).immediate();
    }
  } finally {
    db.run("PRAGMA foreign_keys = ON");
  }
}

const textOfBigint = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

/** Throws what `knownSchemaOf` throws, or a SchemaTooOld: a read-only command cannot upgrade the schema. */
export function mustBeCurrent(db: Database): void {
  if (knownSchemaOf(db) < newestSchema) throw new SchemaTooOld();
}

class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
  readonly isLasting = true;
  constructor(file: string, version: number, newest: number) {
    const copy = readableCopy(file, newest);
    const back =
      copy === null
        ? "a backup from before the upgrade: till restore FILE --force."
        : `the copy from before the upgrade: till restore ${copy} --force.`;
    super(
      `${file} was written by a later version of Till (schema ${version}; this one knows ${newest}). ` +
        `Start that version; or go back to this one with ${back} Without --force it only says what came since, and would ` +
        "be left behind.",
    );
  }
}

/** So many differences are named. */
const namedMax = 3;

/** A database that this Till cannot use, whatever is tried: `what` is wrong with it, and what to do. */
export class SchemaUnusable extends Error {
  override readonly name: string = "SchemaUnusable";
  readonly isLasting = true;
  constructor(
    readonly what: string,
    readonly advice: string,
  ) {
    super(`${what} ${advice}`);
  }
}

class SchemaDiffers extends SchemaUnusable {
  override readonly name = "SchemaDiffers";
  constructor(file: string, version: number, differences: readonly string[]) {
    super(
      `${file} has schema ${version}, but not as this Till makes it: ${named(differences)}. A build of Till that is no ` +
        "release wrote it, or another program changed it.",
      "Use the build that wrote it, or restore a backup that a release made.",
    );
  }
}

function named(differences: readonly string[]): string {
  const first = differences.slice(0, namedMax).join(", ");
  const rest = differences.length - namedMax;
  return rest > 0 ? `${first}, and ${rest} more` : first;
}

class SchemaTooEarly extends SchemaUnusable {
  override readonly name = "SchemaTooEarly";
  constructor(file: string) {
    super(
      `${file} was written by a version of Till from before its first release, and this one cannot read it.`,
      "Keep running that version until all in it is paid and settled, and begin with an empty data directory here.",
    );
  }
}

class SchemaTooOld extends Error {
  override readonly name = "SchemaTooOld";
  constructor() {
    super("the database was written by an earlier version of Till. till serve upgrades it when it starts.");
  }
}

export class NotOfTill extends Error {
  override readonly name = "NotOfTill";
  readonly isLasting = true;
  constructor(file: string) {
    super(
      `${file} is not a database of Till. Nothing was changed. TILL_DATA_DIR says where Till keeps its data.`,
    );
  }
}
