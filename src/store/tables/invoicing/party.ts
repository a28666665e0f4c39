import type { LanguageCode } from "../../../domain/language.ts";
import * as Email from "../../../domain/party/email.ts";
import type { Party, PartyRole, SavedParty } from "../../../domain/party/party.ts";
import { boolean, columns, integer, json, orNull, type Row, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

/** Saved sellers and buyers, by mail address in any spelling. */
const stored = columns("saved_party", {
  role: text<PartyRole>(),
  email: text(),
  name: orNull(text()),
  address: orNull(text()),
  details: orNull(json<Party>()),
  paymentTerms: orNull(text()),
  usdParity: boolean(),
  language: orNull(text<LanguageCode>()),
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

/** Returns whether a merchant counts 1 USDC as 1 USD. */
export const hasParity = (db: Db, email: string): boolean => find(db, "merchant", email)?.usdParity ?? false;

/** Replaces what was saved before. */
export function save(db: Db, role: PartyRole, email: string, party: SavedParty, now: number): void {
  db.query(stored.insert().replace("INSERT", "INSERT OR REPLACE")).run(
    stored.values({ ...party, role, email: Email.normalize(email), changedAt: now }),
  );
}

/** The highest account of a merchant; 0 if there is none. */
export const lastAccount = (db: Db): number => numberOf(db, "SELECT max(account_index) FROM merchant") ?? 0;

/** The accounts of the latest merchants, at most `limit`. */
export function newestAccounts(db: Db, limit: number): number[] {
  return db
    .query<{ account: bigint }, [number]>(
      "SELECT account_index AS account FROM merchant ORDER BY account_index DESC LIMIT ?",
    )
    .all(limit)
    .map(({ account }) => Number(account));
}

/** A merchant's wallet account (1, 2, 3, …; account 0 pays for gas), assigned on first use. `email` is normalised. */
export function accountIndex(db: Db, email: string): number {
  const row = db
    .query<{ account_index: bigint }, [string]>("SELECT account_index FROM merchant WHERE email = ?")
    .get(email);
  if (row) return Number(row.account_index);
  const added = db
    .query<{ account_index: bigint }, [string]>(
      `INSERT INTO merchant (email, account_index)
       VALUES (?, (SELECT max(coalesce((SELECT max(account_index) FROM merchant), 0) + 1, account_index) FROM next_numbers))
       RETURNING account_index`,
    )
    .get(email);
  if (!added) throw new Error("The new merchant was not returned");
  return Number(added.account_index);
}

/** Records a wallet account found on the chain whose merchant is unknown. */
export function recoverAccount(db: Db, accountIndex: number): void {
  db.query("INSERT INTO merchant (email, account_index) VALUES (?, ?) ON CONFLICT DO NOTHING").run(
    `recovered-${accountIndex}`,
    accountIndex,
  );
}

type Merchant = { email: string; accountIndex: number };

/** The merchants with a wallet account, in order of assignment; all of them by default. */
export function listAccounts(db: Db, limit = -1): Merchant[] {
  return db
    .query<{ email: string; account_index: bigint }, [number]>(
      "SELECT email, account_index FROM merchant ORDER BY account_index LIMIT ?",
    )
    .all(limit)
    .map((row) => ({ email: row.email, accountIndex: Number(row.account_index) }));
}
