import { readIdentity } from "../chain/block.ts";
import type { Rpc } from "../chain/rpc.ts";
import type { Config } from "../config.ts";
import * as ChainStore from "../store/chain.ts";
import type { Db } from "../store/database.ts";

/**
 * Makes sure that a node is of the configured chain and of the one that the data was made with, which the first
 * node to be asked decides for good. Throws a WrongChain, or what the node's answers make it throw.
 */
export async function checkIdentity(rpc: Rpc, db: Db, { network, dataDir }: Config): Promise<void> {
  const found = await readIdentity(rpc);
  if (found.chainId !== network.chainId) {
    throw new WrongChain(
      `${rpc.host} is a node of chain ${found.chainId}; ${network.label} is chain ${network.chainId}`,
    );
  }
  const known = ChainStore.identity(db);
  if (!known) return ChainStore.setIdentity(db, found);
  if (known.chainId !== found.chainId || known.genesisHash !== found.genesisHash) {
    throw new WrongChain(
      `${rpc.host} is another chain than the one that ${dataDir} was made with: ` +
        `its first block is ${found.genesisHash}, not ${known.genesisHash}`,
    );
  }
}

/** The node and the data belong to different chains: nothing that this node says concerns them. */
export class WrongChain extends Error {
  override readonly name = "WrongChain";
}
