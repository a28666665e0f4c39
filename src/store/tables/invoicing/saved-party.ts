import * as Email from "../../../domain/party/email.ts";
import type { Party, PartyRole, SavedParty } from "../../../domain/party/party.ts";
import { boolean, columns, integer, json, orNull, type Row, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** Saved sellers and buyers, by mail address in any spelling. */
const stored = columns("saved_party", {
  role: text<PartyRole>(),
  email: text(),
  name: orNull(text()),
  address: orNull(text()),
  details: orNull(json<Party>()),
  paymentTerms: orNull(text()),
  usdParity: boolean(),
  changedAt: integer(),
});

const saved = stored.omit("role", "email", "changedAt");

/** Null when nothing was saved. */
export function find(db: Db, role: PartyRole, email: string): SavedParty | null {
  const row = db
    .query<Row<SavedParty>, [PartyRole, string]>(
      `SELECT ${saved.list} FROM saved_party WHERE role = ? AND email = ?`,
    )
    .get(role, Email.normalize(email));
  return row && saved.fromRow(row);
}

/** Whether a merchant counts 1 USDC as 1 USD. */
export const hasParity = (db: Db, email: string): boolean => find(db, "merchant", email)?.usdParity ?? false;

/** Replaces what was saved before. */
export function save(db: Db, role: PartyRole, email: string, party: SavedParty, now: number): void {
  db.query(stored.insert().replace("INSERT", "INSERT OR REPLACE")).run(
    stored.values({ ...party, role, email: Email.normalize(email), changedAt: now }),
  );
}
