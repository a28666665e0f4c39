import type { Address } from "../../../domain/wallet/address.ts";
import type { Db } from "../../database.ts";

/** Account 0 of the wallet that this installation began with; null before there was one. */
export function gasAddress(db: Db): Address | null {
  const row = db.query<{ gas_address: string }, []>("SELECT gas_address FROM wallet").get();
  return row && (row.gas_address as Address);
}

export function setGasAddress(db: Db, address: Address): void {
  db.query("INSERT INTO wallet (id, gas_address) VALUES (1, ?)").run(address);
}
