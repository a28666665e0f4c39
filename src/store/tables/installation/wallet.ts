import type { Address } from "../../../domain/wallet/address.ts";
import { type Db, numberOf, textOf } from "../../database.ts";

/** Account 0 of this installation's first wallet; null until there is one. */
export function gasAddress(db: Db): Address | null {
  return textOf<Address>(db, "SELECT gas_address FROM wallet");
}

export function setGasAddress(db: Db, address: Address): void {
  db.query("INSERT INTO wallet (id, gas_address) VALUES (1, ?)").run(address);
}

/** When the words were shown, or somebody confirmed having them, in Unix ms; null while nobody may have a copy. */
export function wordsAt(db: Db): number | null {
  return numberOf(db, "SELECT words_at FROM wallet");
}

export function setWordsAt(db: Db, now: number): void {
  db.query("UPDATE wallet SET words_at = ?").run(now);
}
