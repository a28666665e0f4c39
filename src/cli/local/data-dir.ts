import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "../../config/config.ts";
import { type SettingName, settings } from "../../config/settings.ts";
import { accessFailure } from "../../lib/file.ts";
import { isLoopbackHost } from "../../lib/net/host.ts";
import { closeDatabase, type Db } from "../../store/database.ts";
import { databaseFile, walletFile } from "../../store/files/data-dir.ts";
import { isServed, openShared, readShared } from "../../store/files/lock.ts";
import { UsageError } from "../command.ts";
import { sayAside } from "../terminal/output.ts";

/** A command's data directory and database, and how commands find those of `till dev`. */

/** Returns TILL_DATA_DIR as an absolute path, as in `parseConfig`. It need not exist. */
export function dataDirPath(environment: Environment): string {
  return resolve(environment["TILL_DATA_DIR"]?.trim() || settings.DATA_DIR.default);
}

/** Returns the environment's data directory, which need not exist. Throws what `refuseForeign` throws. */
export function dataDirOf(environment: Environment): string {
  const dataDir = dataDirPath(environment);
  refuseForeign(dataDir);
  return dataDir;
}

/** Throws a DataDirForeign if the directory, the database or one of `files` exists and this user may not read it. */
export function refuseForeign(dataDir: string, ...files: string[]): void {
  // The contents of a directory that must not be entered seem absent.
  for (const path of [dataDir, databaseFile(dataDir), ...files]) {
    // A directory may be the empty mount point of a disk that comes later.
    if (accessFailure(path) === "EACCES") throw new DataDirForeign(path, path !== dataDir);
  }
}

/** Works on the database, also beside a running server, and closes it. Throws what `openShared` throws. */
export async function withDatabase<T>(dataDir: string, work: (db: Db) => T | Promise<T>): Promise<T> {
  const db = openShared(dataDir);
  try {
    return await work(db);
  } finally {
    closeDatabase(db);
  }
}

/** The same, but creates no database in a mistyped directory. Also throws what `readShared` throws. */
export async function withKnownDatabase<T>(dataDir: string, work: (db: Db) => T | Promise<T>): Promise<T> {
  readShared(dataDir).close();
  return await withDatabase(dataDir, work);
}

/** Reads the database and closes it. Throws what `readShared` throws. */
export async function readDatabase<T>(dataDir: string, work: (db: Db) => T | Promise<T>): Promise<T> {
  const db = readShared(dataDir);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** Protects nothing: development's wallet holds test money. */
const devPassphrase = "development";

/**
 * Settings that development decides itself, even in a terminal with a real Till's settings: its chain, its wallet, and
 * that no mail leaves this machine.
 */
const ownSettings: readonly SettingName[] = [
  "CHAIN",
  "RPC_URL",
  "RPC_WS_URL",
  "SMTP_URL",
  "WALLET_PASSPHRASE",
  "WALLET_PASSPHRASE_FILE",
];

/** Addresses of a `till dev` that runs, or ran last. */
type DevAddresses = { base_url: string; rpc_url: string };

/** Written at every start. Also distinguishes the directory from a real Till's. */
const addressesFile = (dataDir: string) => join(dataDir, "dev.json");

export function rememberDev(dataDir: string, addresses: DevAddresses): void {
  writeFileSync(addressesFile(dataDir), `${JSON.stringify(addresses)}\n`);
}

/** Returns the directory of `till dev` in TILL_DATA_DIR, or TILL_DATA_DIR itself if it is one. It need not exist. */
export function devDataDir(environment: Environment): string {
  const base = dataDirPath(environment);
  return existsSync(addressesFile(base)) ? base : join(base, "dev");
}

/** Returns the addresses of the `till dev` running on TILL_DATA_DIR; null if none runs, or not on this machine. */
export function runningDev(environment: Environment): DevAddresses | null {
  const dataDir = devDataDir(environment);
  const addresses = readAddresses(dataDir);
  if (addresses === null || !isServed(dataDir)) return null;
  return isLoopbackHost(new URL(addresses.base_url).hostname) ? addresses : null;
}

/** Returns development's settings, replacing a real Till's. */
export function devEnvironment(environment: Environment, dataDir: string): Environment {
  return {
    ...environment,
    ...Object.fromEntries(ownSettings.map((name) => [`TILL_${name}`, undefined])),
    TILL_DATA_DIR: dataDir,
    TILL_CHAIN: "anvil",
    TILL_WALLET_PASSPHRASE: devPassphrase,
  };
}

/** The flags of commands that use the data directory. */
export const dataFlags = {
  "data-dir": { value: "DIR", text: "where Till keeps its data (default TILL_DATA_DIR, or ./data)" },
  dev: { text: "use the data, chain and wallet of till dev" },
} as const;

export type DataValues = { "data-dir": string | undefined; dev: boolean };

/**
 * Returns a command's environment. For the data of `till dev` it is development's own: with --dev, in its directory,
 * and where there is neither another installation nor a setting of one. `guess: false` is for commands that create one.
 * Throws a UsageError if --dev finds nothing.
 */
export function environmentOf(values: DataValues, { guess = true }: { guess?: boolean } = {}): Environment {
  const dir = values["data-dir"];
  const environment = dir === undefined ? process.env : { ...process.env, TILL_DATA_DIR: dir };
  const base = dataDirPath(environment);
  const dataDir = devDataDir(environment);
  const addresses = readAddresses(dataDir);
  if (values.dev && addresses === null)
    throw new UsageError(
      `there is no data of till dev in ${dataDir}: start till dev first, or name its place with --data-dir.`,
    );
  const isGuess = !values.dev && dataDir !== base;
  if (addresses === null || (isGuess && !(guess && isUnused(base, environment)))) return environment;
  if (isGuess) sayAside(`This is about the test money of till dev, in ${dataDir}.`);
  return {
    ...devEnvironment(environment, dataDir),
    TILL_PORT: new URL(addresses.base_url).port,
    TILL_RPC_URL: addresses.rpc_url,
    TILL_RPC_WS_URL: addresses.rpc_url.replace(/^http/, "ws"),
  };
}

/** True if nobody has begun a real installation here. */
function isUnused(base: string, environment: Environment): boolean {
  return (
    !existsSync(databaseFile(base)) &&
    !existsSync(walletFile(base)) &&
    ownSettings.every((name) => !environment[`TILL_${name}`]?.trim())
  );
}

/** Returns the file's contents; null if it is missing or damaged. */
function readAddresses(dataDir: string): DevAddresses | null {
  const file = addressesFile(dataDir);
  if (!existsSync(file)) return null;
  try {
    const { base_url, rpc_url } = JSON.parse(readFileSync(file, "utf8"));
    return URL.canParse(base_url) && URL.canParse(rpc_url) ? { base_url, rpc_url } : null;
  } catch {
    return null;
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
