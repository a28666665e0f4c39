import { resolve } from "node:path";
import { settings } from "../../config/settings.ts";
import { accessFault } from "../../lib/file.ts";
import { databaseFile } from "../../store/database.ts";

type Environment = Record<string, string | undefined>;

/** TILL_DATA_DIR as an absolute path, as in `parseConfig`. It need not exist. */
export function dataDirPath(environment: Environment): string {
  return resolve(environment["TILL_DATA_DIR"]?.trim() || settings.DATA_DIR.default);
}

/** The environment's data directory, which need not exist. Throws what `refuseForeign` throws. */
export function dataDirOf(environment: Environment): string {
  const dataDir = dataDirPath(environment);
  refuseForeign(dataDir);
  return dataDir;
}

/** Throws a DataDirForeign when the directory, the database or one of `files` exists and this user may not read it. */
export function refuseForeign(dataDir: string, ...files: string[]): void {
  // The contents of a directory that must not be entered seem absent.
  for (const path of [dataDir, databaseFile(dataDir), ...files]) {
    // A directory may be the empty place of a disk that comes late.
    if (accessFault(path) === "EACCES") throw new DataDirForeign(path, path !== dataDir);
  }
}

class DataDirForeign extends Error {
  override readonly name = "DataDirForeign";
  constructor(
    path: string,
    readonly isLasting: boolean,
  ) {
    super(`${path} may not be read by this user: run this as the user that Till runs as.`);
  }
}
