import type { ChainIdentity } from "../../../domain/wallet/network.ts";
import type { Db } from "../../database.ts";

/** The chain that the data belongs to; null before the first contact with a node. */
export function chain(db: Db): ChainIdentity | null {
  const row = db
    .query<{ chain_id: bigint; genesis_hash: string }, []>("SELECT chain_id, genesis_hash FROM chain")
    .get();
  return row && { chainId: Number(row.chain_id), genesisHash: row.genesis_hash };
}

/** Written once, at the first contact with a node. */
function setChain(db: Db, { chainId, genesisHash }: ChainIdentity): void {
  db.query("INSERT INTO chain (id, chain_id, genesis_hash) VALUES (1, ?, ?)").run(chainId, genesisHash);
}

/** The identity as an object to read and write. */
export function chainRecord(db: Db): { read(): ChainIdentity | null; write(identity: ChainIdentity): void } {
  return { read: () => chain(db), write: (identity) => setChain(db, identity) };
}

/** The newest known backup; null if there is none. `madeAt` in Unix ms. */
export function newestBackup(db: Db): { madeAt: number; hasWallet: boolean } | null {
  const row = db
    .query<{ made_at: bigint; has_wallet: bigint }, []>("SELECT made_at, has_wallet FROM backup_made")
    .get();
  return row && { madeAt: Number(row.made_at), hasWallet: row.has_wallet === 1n };
}

export function noteBackup(db: Db, madeAt: number, hasWallet: boolean): void {
  db.query("REPLACE INTO backup_made (id, made_at, has_wallet) VALUES (1, ?, ?)").run(
    madeAt,
    hasWallet ? 1 : 0,
  );
}

/** Call it after a restore: whether the backups in the database still exist is unknown. */
export function forgetBackups(db: Db): void {
  db.run("DELETE FROM backup_made");
}
