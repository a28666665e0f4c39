import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makePrivate, OpenToOthers } from "../../lib/file.ts";

const ownerOnlyDir = 0o700;

/** Makes the data directory, readable by its owner alone. Throws a DataDirUnusable or an OpenToOthers when it cannot. */
export function prepareDataDir(dataDir: string): void {
  inDataDir(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: ownerOnlyDir });
    makePrivate(dataDir, ownerOnlyDir);
  });
}

/** Does something with the data directory or a file in it. Throws as `prepareDataDir` does. */
export function inDataDir(dataDir: string, work: () => void): void {
  try {
    work();
  } catch (thrown) {
    throw thrown instanceof OpenToOthers ? thrown : new DataDirUnusable(dataDir, { cause: thrown });
  }
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, "till.db");
}

/** The database, and what SQLite keeps beside it while it is used. */
export function databaseFiles(dataDir: string): string[] {
  return ["", "-wal", "-shm"].map((end) => `${databaseFile(dataDir)}${end}`);
}

/** Held by the process that serves the data directory. */
export function lockFile(dataDir: string): string {
  return join(dataDir, "till.lock");
}

/** The encrypted wallet, which the chain room reads and writes. */
export function walletFile(dataDir: string): string {
  return join(dataDir, "wallet.age");
}

export class DataDirUnusable extends Error {
  override readonly name = "DataDirUnusable";
  constructor(dataDir: string, options: ErrorOptions) {
    super(
      `The data directory ${dataDir} cannot be used. It must belong, with all files in it, to the user that Till runs ` +
        "as, on a writable disk with room; TILL_DATA_DIR chooses another",
      options,
    );
  }
}
