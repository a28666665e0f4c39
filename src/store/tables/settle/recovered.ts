import type { Usdc } from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { type Row, columns as table, text, usdc } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** A deposit address where `till recover` found money, and that no invoice or link here has. */
type Recovered = { address: Address; payoutWallet: Address; amount: Usdc };

const columns = table("recovered", {
  address: text<Address>(),
  payoutWallet: text<Address>(),
  amount: usdc(),
});

export function list(db: Db): Recovered[] {
  const rows = db.query<Row<Recovered>, []>(`SELECT ${columns.list} FROM recovered ORDER BY amount DESC`);
  return rows.all().map(columns.fromRow);
}

/** What was found replaces what was found before. Call it in a transaction. */
export function replace(db: Db, found: readonly Recovered[]): void {
  db.run("DELETE FROM recovered");
  for (const each of found) db.query(columns.insert()).run(columns.values(each));
}
