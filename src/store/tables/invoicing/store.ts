import * as Email from "../../../domain/party/email.ts";
import type { Store } from "../../../domain/party/store.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, orNull, selectAll, selectOne, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

const stored = columns("store", {
  id: text(),
  merchantEmail: text(),
  name: text(),
  wallet: orNull(text<Address>("wallet_address")),
  currency: orNull(text()),
  createdAt: integer(),
});

/** Creates a merchant's store, or changes the existing one, which keeps its id. Returns it. */
export function put(db: Db, store: Store): Store {
  db.query(
    `${stored.insert({ merchant: "$merchant" })} ON CONFLICT (merchant) DO UPDATE SET
       merchant_email = excluded.merchant_email, name = excluded.name,
       wallet_address = excluded.wallet_address, currency = excluded.currency`,
  ).run({ ...stored.values(store), merchant: Email.normalize(store.merchantEmail) });
  const [row] = selectAll(db, stored, "WHERE merchant = ?", Email.normalize(store.merchantEmail));
  if (row === undefined) throw new Error("The store was not stored");
  return row;
}

export const find = (db: Db, id: string): Store | null => selectOne(db, stored, "WHERE id = ?", id);

/** Oldest first. */
export const list = (db: Db): Store[] => selectAll(db, stored, "ORDER BY created_at, id");
