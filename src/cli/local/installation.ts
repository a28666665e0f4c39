import { existsSync } from "node:fs";
import type { Wallet } from "../../chain/account/wallet.ts";
import { type Config, type ConfigOptions, type Environment, parseConfig } from "../../config/config.ts";
import { createGasAccount, type GasAccount } from "../../settle/gas-account.ts";
import type { Db } from "../../store/database.ts";
import { databaseFile, walletFile } from "../../store/files/data-dir.ts";
import { NoWallet, openKnownWallet } from "../../till/installation.ts";
import { refuseForeign, withDatabase } from "./data-dir.ts";
import { openNode } from "./node.ts";

export type OpenInstallation = { config: Config; db: Db; wallet: Wallet };

/** Opens the database and the wallet, also beside a running server, and closes them after the work. */
export async function withWallet<T>(
  environment: Environment,
  work: (opened: OpenInstallation) => Promise<T>,
  options?: ConfigOptions,
): Promise<T> {
  const config = parseConfig(environment, options);
  refuseForeign(config.dataDir, walletFile(config.dataDir));
  // Creates no database where there is nothing: the directory may be mistyped.
  if (![databaseFile, walletFile].some((fileIn) => existsSync(fileIn(config.dataDir))))
    throw new NoWallet(walletFile(config.dataDir));
  return await withDatabase(config.dataDir, async (db) =>
    work({ config, db, wallet: await openKnownWallet(db, config) }),
  );
}

/** The gas account on the network of this installation, by the first node that answers. Throws a NoNode. */
export async function openGasAccount(opened: OpenInstallation): Promise<GasAccount> {
  return createGasAccount(opened, await openNode(opened.db, opened.config));
}
