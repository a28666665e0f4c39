import { existsSync } from "node:fs";
import type { Wallet } from "../../chain/account/wallet.ts";
import { checkIdentity } from "../../chain/node/probe.ts";
import { createRpc, type Rpc } from "../../chain/node/rpc.ts";
import { type Config, type ConfigOptions, type Environment, parseConfig } from "../../config/config.ts";
import { messageOf } from "../../lib/error.ts";
import { createGasAccount, type GasAccount } from "../../settle/gas-account.ts";
import type { Db } from "../../store/database.ts";
import { databaseFile, walletFile } from "../../store/files/data-dir.ts";
import * as ChainStore from "../../store/tables/installation/chain.ts";
import { NoWallet, openKnownWallet } from "../../till/installation.ts";
import { UsageError } from "../command.ts";
import { patiently } from "../terminal/output.ts";
import { refuseForeign, withDatabase } from "./data-dir.ts";

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

/** Opens the gas account on this installation's network, through the first node that responds. Throws a NoNode. */
export async function openGasAccount(opened: OpenInstallation): Promise<GasAccount> {
  return createGasAccount(opened, await openNode(opened.db, opened.config));
}

/** Opens the first node of TILL_RPC_URL that responds, on the right chain. Throws a NoNode with every node's reason. */
export async function openNode(db: Db, config: Config): Promise<Rpc> {
  const reasons: string[] = [];
  for (const url of config.rpcUrls) {
    const rpc = createRpc({ url });
    try {
      const identity = checkIdentity(rpc, config, ChainStore.record(db));
      await patiently(`Waiting for the node at ${new URL(url).host} to answer …`, identity);
      return rpc;
    } catch (thrown) {
      reasons.push(messageOf(thrown));
    }
  }
  throw new NoNode(reasons);
}

/** Returns the node of --rpc-url, on any chain. Throws a UsageError unless it is an http(s) URL. */
export function namedNode(url: string): Rpc {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError("--rpc-url is not an http(s) URL.");
  return createRpc({ url });
}

class NoNode extends Error {
  override readonly name = "NoNode";
  constructor(reasons: readonly string[]) {
    super(`No node of TILL_RPC_URL can be used: ${reasons.join("; ")}`);
  }
}
