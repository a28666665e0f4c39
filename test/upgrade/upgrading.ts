/**
 * A later Till that upgrades a data directory: `bun upgrading.ts DATA_DIR [POINT] [STEP]`. With a point it kills itself
 * there, just before or after one of its statements; with a step the disk is full from then on. At its end it says how many
 * points there are, or what a person would read.
 */
import { Database } from "bun:sqlite";
import { messageOf } from "../../src/lib/error.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { laterSteps } from "./later.ts";

const [dataDir = "", point = "0", fullAt = "0"] = process.argv.slice(2);
let points = 0;

function pass(): void {
  points += 1;
  if (points === Number(point)) process.kill(process.pid, "SIGKILL");
}

/** SQLite refuses every page beyond this number with the error of a full disk. */
function fillUp(db: Database): void {
  const { page_count } = db.query("PRAGMA page_count").get() as { page_count: bigint };
  db.query(`PRAGMA max_page_count = ${page_count}`).get();
}

const run = Database.prototype.run;
/** Statement by statement: a kill may come in the midst of a step. */
Database.prototype.run = function (this: Database, sql: string, ...values: []) {
  if (laterSteps.indexOf(sql) === Number(fullAt)) fillUp(this);
  const parts = laterSteps.slice(1).includes(sql) ? sql.split(/(?<=;)\n/) : [sql];
  let last = run.call(this, "SELECT 1");
  for (const part of parts) {
    pass();
    last = run.call(this, part, ...values);
    pass();
  }
  return last;
} as typeof run;

const statement = Object.getPrototypeOf(new Database(":memory:").query("SELECT 1")) as Record<
  "run" | "get",
  (...values: unknown[]) => unknown
>;
for (const name of ["run", "get"] as const) {
  const plain = statement[name];
  statement[name] = function (this: unknown, ...values: unknown[]) {
    pass();
    const result = plain.apply(this, values);
    pass();
    return result;
  };
}

try {
  closeDatabase(openDatabase(dataDir, laterSteps));
  console.log(points);
} catch (thrown) {
  console.log(messageOf(thrown));
  process.exitCode = 1;
}
