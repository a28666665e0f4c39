import type { Db } from "../../database.ts";

/**
 * The wallet account of a merchant (1, 2, 3, …; account 0 pays for gas), given out on first use. `email` is
 * in its normal form.
 */
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

type Merchant = { email: string; accountIndex: number };

/** The merchants with an account in the wallet, in the order in which they got it; all of them unless told. */
export function list(db: Db, limit = -1): Merchant[] {
  return db
    .query<{ email: string; account_index: bigint }, [number]>(
      "SELECT email, account_index FROM merchant ORDER BY account_index LIMIT ?",
    )
    .all(limit)
    .map((row) => ({ email: row.email, accountIndex: Number(row.account_index) }));
}
