/** Funded deposit addresses that this data does not know, as it is older than the chain. */

import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, type Row, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

export type UnknownDeposit = {
  address: Address;
  /** The last invoice in this data: later numbers may already be on bills too. */
  lastSequence: number;
  foundAt: number;
};

const stored = columns("unknown_deposit", {
  address: text<Address>(),
  lastSequence: integer(),
  foundAt: integer(),
});

/** Returns whether it was unknown before. */
export const insert = (db: Db, found: UnknownDeposit): boolean =>
  db.query(stored.insert().replace("INSERT", "INSERT OR IGNORE")).run(stored.values(found)).changes > 0;

/** Addresses found since a time, earliest first. */
export function list(db: Db, since: number): UnknownDeposit[] {
  const sql = `SELECT ${stored.list} FROM unknown_deposit WHERE found_at >= ? ORDER BY found_at, address`;
  return db.query<Row<UnknownDeposit>, [number]>(sql).all(since).map(stored.fromRow);
}
