import type { ChainIdentity } from "../../domain/wallet/network.ts";
import { readIdentity } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/** Where the identity of the chain is kept that the data was made with. */
type IdentityRecord = { read(): ChainIdentity | null; write(identity: ChainIdentity): void };

/** The chain that is configured, and the data. */
type ExpectedChain = { network: { chainId: number; label: string }; dataDir: string };

/**
 * Makes sure that a node is of the configured chain and of the one that the data was made with, which the first node to
 * be asked decides for good. Throws a WrongChain, or when the node fails or answers nonsense.
 */
export async function checkIdentity(
  rpc: Rpc,
  { network, dataDir }: ExpectedChain,
  record: IdentityRecord,
): Promise<void> {
  const identity = await readIdentity(rpc);
  if (identity.chainId !== network.chainId) {
    throw new WrongChain(
      `${rpc.host} is a node of chain ${identity.chainId}; ${network.label} is chain ${network.chainId}`,
    );
  }
  const recorded = record.read();
  if (!recorded) return record.write(identity);
  if (recorded.chainId !== identity.chainId || recorded.genesisHash !== identity.genesisHash) {
    throw new WrongChain(
      `${rpc.host} is another chain than the one that ${dataDir} was made with: ` +
        `its first block is ${identity.genesisHash}, not ${recorded.genesisHash}`,
    );
  }
}

/** The node and the data belong to different chains: nothing that this node says concerns them. */
export class WrongChain extends Error {
  override readonly name = "WrongChain";
}
