/** Deposit addresses that got money and that this data does not know, as it is older than the chain. */

import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, type Row, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

export type UnknownDeposit = {
  address: Address;
  /** Of the last invoice here: those after it may be on bills too. */
  lastSequence: number;
  foundAt: number;
};

const stored = columns("unknown_deposit", {
  address: text<Address>(),
  lastSequence: integer(),
  foundAt: integer(),
});

/** Returns whether it was not known before. */
export const insert = (db: Db, found: UnknownDeposit): boolean =>
  db.query(stored.insert().replace("INSERT", "INSERT OR IGNORE")).run(stored.values(found)).changes > 0;

/** Those found since a time, the first one first. */
export function list(db: Db, since: number): UnknownDeposit[] {
  const sql = `SELECT ${stored.list} FROM unknown_deposit WHERE found_at >= ? ORDER BY found_at, address`;
  return db.query<Row<UnknownDeposit>, [number]>(sql).all(since).map(stored.fromRow);
}
