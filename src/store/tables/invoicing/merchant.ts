import type { Db } from "../../database.ts";

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

/** Notes a wallet account that was found on the chain, and whose merchant nobody knows any more. */
export function recover(db: Db, accountIndex: number): void {
  db.query("INSERT INTO merchant (email, account_index) VALUES (?, ?) ON CONFLICT DO NOTHING").run(
    `recovered-${accountIndex}`,
    accountIndex,
  );
}

type Merchant = { email: string; accountIndex: number };

/** The merchants with a wallet account, in order of assignment; all of them by default. */
export function list(db: Db, limit = -1): Merchant[] {
  return db
    .query<{ email: string; account_index: bigint }, [number]>(
      "SELECT email, account_index FROM merchant ORDER BY account_index LIMIT ?",
    )
    .all(limit)
    .map((row) => ({ email: row.email, accountIndex: Number(row.account_index) }));
}
