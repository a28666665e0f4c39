import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, selectAll, selectOne, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** An address the desk may send Till's money to. */
export type AllowedAddress = {
  address: Address;
  /** The name people gave it. */
  name: string;
  /** Unix time in milliseconds. */
  createdAt: number;
};

const allowed = columns("allowed_address", {
  address: text<Address>(),
  name: text(),
  createdAt: integer(),
});

/** An address that is allowed already gets the new name. */
export function allow(db: Db, address: AllowedAddress): void {
  db.query(`${allowed.insert()} ON CONFLICT (address) DO UPDATE SET name = excluded.name`).run(
    allowed.values(address),
  );
}

/** Returns false when it was not allowed. */
export function remove(db: Db, address: Address): boolean {
  return db.query("DELETE FROM allowed_address WHERE address = ?").run(address).changes > 0;
}

export const list = (db: Db): AllowedAddress[] => selectAll(db, allowed, "ORDER BY created_at, address");

export const byAddress = (db: Db, address: string): AllowedAddress | null =>
  selectOne(db, allowed, "WHERE address = ?", address);
