import { resolve } from "node:path";
import { settings } from "../../config/settings.ts";
import { accessFault } from "../../lib/file.ts";
import { databaseFile } from "../../store/database.ts";

type Environment = Record<string, string | undefined>;

/** The whole path of TILL_DATA_DIR, the same that `parseConfig` has. Nothing may be there. */
export function dataDirPath(environment: Environment): string {
  return resolve(environment["TILL_DATA_DIR"]?.trim() || settings.DATA_DIR.default);
}

/** The data directory of the environment, which may not be there. Throws what `refuseForeign` throws. */
export function dataDirOf(environment: Environment): string {
  const dataDir = dataDirPath(environment);
  refuseForeign(dataDir);
  return dataDir;
}

/** Throws a DataDirForeign when the directory, the database or one of `files` is there and this user may not read it. */
export function refuseForeign(dataDir: string, ...files: string[]): void {
  // What is in a directory that may not be entered seems not to be there.
  for (const path of [dataDir, databaseFile(dataDir), ...files]) {
    if (accessFault(path) === "EACCES") throw new DataDirForeign(path);
  }
}

class DataDirForeign extends Error {
  override readonly name = "DataDirForeign";
  constructor(path: string) {
    super(`${path} may not be read by this user: run this as the user that Till runs as.`);
  }
}
