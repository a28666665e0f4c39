import type { Database } from "bun:sqlite";
import business from "./schema/business.sql" with { type: "text" };
import creditNote from "./schema/credit-note.sql" with { type: "text" };
import desk from "./schema/desk.sql" with { type: "text" };
import deskLists from "./schema/desk-lists.sql" with { type: "text" };
import installation from "./schema/installation.sql" with { type: "text" };
import invoicing from "./schema/invoicing.sql" with { type: "text" };
import lifecycle from "./schema/lifecycle.sql" with { type: "text" };
import operation from "./schema/operation.sql" with { type: "text" };
import outbox from "./schema/outbox.sql" with { type: "text" };
import paymentValue from "./schema/payment-value.sql" with { type: "text" };
import recovery from "./schema/recovery.sql" with { type: "text" };
import relay from "./schema/relay.sql" with { type: "text" };
import savedParty from "./schema/saved-party.sql" with { type: "text" };
import settle from "./schema/settle.sql" with { type: "text" };
import tax from "./schema/tax.sql" with { type: "text" };
import watch from "./schema/watch.sql" with { type: "text" };

/**
 * How a database file says what it is, in two numbers of SQLite's file header:
 * - `user_version` is the number of its schema: 1, 2, 3, …; 0 in a new file.
 * - `application_id` has "Ti" in its upper half, and in its lower half the number of the run that uses the file
 *   (`in-place.ts`); 0 in a file that no run has used, such as a backup.
 */
const mark = 0x5469;
/** How many numbers of runs there are, 0 included. */
export const runNumbers = 2 ** 16;

/** The `application_id` of a database of Till in use by this run. */
export const applicationId = (run: number) => mark * runNumbers + run;

/**
 * Each step takes the schema one version further, the first from nothing to version 1. A released step never changes.
 * Amounts are micro-USDC, times Unix milliseconds, hashes and addresses text with 0x.
 */
export const schemaSteps: readonly string[] = [
  [installation, invoicing, watch, outbox, settle, `PRAGMA application_id = ${applicationId(0)}`].join("\n"),
  lifecycle,
  [desk, deskLists].join("\n"),
  relay,
  tax,
  [business, savedParty, paymentValue, creditNote].join("\n"),
  operation,
  recovery,
];

/** The schema of this Till. */
export const newestSchema = schemaSteps.length;

/** A database's schema number; 0 when it is new. Throws a NotOfTill for another program's file. */
export function schemaOf(db: Database): number {
  const number = (sql: string) => Number(Object.values(db.query(sql).get() ?? [0])[0]);
  const id = number("PRAGMA application_id");
  const version = number("PRAGMA user_version");
  if (Math.floor(id / runNumbers) === mark) return version;
  if (id === 0 && version === 0 && number("SELECT count(*) FROM sqlite_schema") === 0) return 0;
  throw new NotOfTill(db.filename);
}

/**
 * Upgrades the schema to the version of `steps`, one transaction per step. Throws a NotOfTill, or a SchemaTooNew when a
 * later Till has written the database.
 */
export function migrate(db: Database, steps = schemaSteps): void {
  const version = schemaOf(db);
  mustNotBeNewer(version, steps);
  if (version === steps.length) return;
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

/** Throws a SchemaTooNew or a SchemaTooOld: a read-only command cannot upgrade the schema. */
export function mustBeCurrent(db: Database): void {
  const version = schemaOf(db);
  mustNotBeNewer(version);
  if (version < newestSchema) throw new SchemaTooOld();
}

export function mustNotBeNewer(version: number, steps = schemaSteps): void {
  if (version > steps.length) throw new SchemaTooNew(version, steps.length);
}

class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
  readonly isLasting = true;
  constructor(version: number, newest: number) {
    super(
      `The database was written by a later version of Till (schema ${version}; this one knows ${newest}). ` +
        "Use that version, or restore a backup made before the upgrade.",
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
