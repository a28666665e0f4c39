import type { Wallet } from "../chain/account/wallet.ts";
import { checkIdentity } from "../chain/node/identity.ts";
import { createNodes } from "../chain/node/nodes.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../store/database.ts";
import * as ChainStore from "../store/tables/installation/chain.ts";
import { createGasAccount, type GasAccount } from "./gas-account.ts";

type GasNodesDeps = {
  config: Config;
  db: Db;
  now: () => number;
  wallet: Promise<Wallet>;
  /** Ends every call in progress. */
  signal: AbortSignal;
};

export type GasNodes = {
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  /** Runs `work` with the first node that gives usable answers. Throws whatever the last one failed with. */
  withNode<T>(work: (gas: GasAccount) => Promise<T>): Promise<T>;
};

/** The nodes for one user of the gas account. Skips a node on another chain than the data. */
export function createGasNodes({ config, db, now, wallet, signal }: GasNodesDeps): GasNodes {
  const requests = new Map<string, number>();
  const nodes = createNodes({
    ...config,
    usdc: config.network.usdc,
    signal,
    onRequest: (method) => requests.set(method, (requests.get(method) ?? 0) + 1),
    check: ({ rpc }) => checkIdentity(rpc, config, ChainStore.record(db)),
  });

  return {
    requests: () => requests,
    async withNode(work) {
      const opened = await wallet;
      return nodes.ask(({ rpc }) => work(createGasAccount({ config, db, wallet: opened, now }, rpc)));
    },
  };
}
