import { existsSync } from "node:fs";
import type { Rpc } from "../chain/rpc.ts";
import type { Wallet } from "../chain/wallet.ts";
import { type Config, type Environment, parseConfig } from "../config.ts";
import { type GasAccount, timing } from "../service/gas-transaction.ts";
import { openBeside } from "../store/beside.ts";
import { closeDatabase, type Db, databaseFile, walletFile } from "../store/database.ts";
import { refuseForeign } from "./data-dir.ts";
import { NoWallet, openKnownWallet } from "./installation-wallet.ts";
import { openNode } from "./node.ts";

export type Opened = { config: Config; db: Db; wallet: Wallet };

/** Commands that ask no node need none in the environment. */
export const noNode = { TILL_RPC_URL: "http://127.0.0.1:9" };

/** Opens the database and the wallet, also beside a running server, and closes them when the work is done. */
export async function withWallet<T>(
  environment: Environment,
  work: (opened: Opened) => Promise<T>,
  preset = {},
): Promise<T> {
  const config = parseConfig(environment, preset);
  refuseForeign(config.dataDir, walletFile(config.dataDir));
  // Where there is nothing, no database is made: the directory may be mistyped.
  if (![databaseFile, walletFile].some((fileIn) => existsSync(fileIn(config.dataDir))))
    throw new NoWallet(walletFile(config.dataDir));
  const db = openBeside(config.dataDir);
  try {
    return await work({ config, db, wallet: await openKnownWallet(db, config) });
  } finally {
    closeDatabase(db);
  }
}

/** The gas account on the network of this installation, by the first node that answers. Throws a NoNode. */
export async function openGasAccount(opened: Opened): Promise<GasAccount> {
  const { config, db } = opened;
  return gasAccountAt(opened, await openNode(db, config), config.network.chainId);
}

/** The gas account on a chain: it has the same address on all of them, and nonces and ETH of its own on each. */
export function gasAccountAt({ config, db, wallet }: Opened, rpc: Rpc, chainId: number): GasAccount {
  return { db, rpc, wallet, chainId, confirmations: config.confirmations, now: Date.now, timing };
}
