import { closeDatabase, type Db } from "../../../src/store/database.ts";
import { makeDataDir, openNewDatabase } from "./data-dir.ts";

/** Of the test that runs. */
export let db: Db;
export let dir: ReturnType<typeof makeDataDir>;

/** For `beforeEach` or `beforeAll`: an empty database in a directory of its own. */
export function makeDatabase(): void {
  dir = makeDataDir();
  db = openNewDatabase(dir.path);
}

/** For `afterEach` or `afterAll`. */
export function removeDatabase(): void {
  closeDatabase(db);
  dir.remove();
}
