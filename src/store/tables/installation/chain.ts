import type { ChainIdentity } from "../../../domain/wallet/network.ts";
import type { Db } from "../../database.ts";

/** The chain that the data belongs to; null before the first contact with a node. */
export function identity(db: Db): ChainIdentity | null {
  const row = db
    .query<{ chain_id: bigint; genesis_hash: string }, []>("SELECT chain_id, genesis_hash FROM chain")
    .get();
  return row && { chainId: Number(row.chain_id), genesisHash: row.genesis_hash };
}

/** Written once, at the first contact with a node. */
function setIdentity(db: Db, { chainId, genesisHash }: ChainIdentity): void {
  db.query("INSERT INTO chain (id, chain_id, genesis_hash) VALUES (1, ?, ?)").run(chainId, genesisHash);
}

/** The identity as an object to read and write. */
export function record(db: Db): { read(): ChainIdentity | null; write(identity: ChainIdentity): void } {
  return { read: () => identity(db), write: (identity) => setIdentity(db, identity) };
}
