import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, selectAll, selectOne, text } from "../../columns.ts";
import { type Db, transact } from "../../database.ts";

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

/**
 * Addresses allowed by the command line, and those allowed by owners at the desk that are in force at a time (Unix ms).
 */
const inForce = {
  ...allowed,
  from: `(SELECT address, name, created_at FROM allowed_address
    UNION ALL SELECT address, name, created_at FROM wallet_change
      WHERE kind = 'address' AND stopped_at IS NULL AND ready_at <= $at
        AND address NOT IN (SELECT address FROM allowed_address)) AS allowed_address`,
};

/** Allows an address for the command line, at once. If it is already allowed, it gets the new name. */
export function allow(db: Db, address: AllowedAddress): void {
  db.query(`${allowed.insert()} ON CONFLICT (address) DO UPDATE SET name = excluded.name`).run(
    allowed.values(address),
  );
}

/** Revokes an address, whoever allowed it, even while it is still waiting. Returns false if it was not allowed. */
export function remove(db: Db, address: Address, by: string, now: number): boolean {
  return transact(db, () => {
    const stop =
      "UPDATE wallet_change SET stopped_at = ?, stopped_by = ? WHERE address = ? AND stopped_at IS NULL";
    const { changes } = db.query(stop).run(now, by, address);
    return db.query("DELETE FROM allowed_address WHERE address = ?").run(address).changes + changes > 0;
  });
}

export const list = (db: Db, at: number): AllowedAddress[] =>
  selectAll(db, inForce, "ORDER BY created_at, address", { at });

export const byAddress = (db: Db, address: string, at: number): AllowedAddress | null =>
  selectOne(db, inForce, "WHERE address = $address", { address, at });

/** Addresses allowed by the command line. */
export const listOfCommand = (db: Db): AllowedAddress[] =>
  selectAll(db, allowed, "ORDER BY created_at, address");
