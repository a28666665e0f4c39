import type { Deposit } from "../../../domain/payment/deposit.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto.ts";
import { computed, integer, join, type Row, selectOne, columns as table, text, usdc } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

const own = {
  index: integer("deposit_index"),
  address: text<Address>(),
  payoutWallet: text<Address>(),
  salt: text<Hex>(),
  factory: text<Address>(),
  received: usdc("received_amount"),
  pending: usdc("pending_amount"),
};

const stored = table("receivable", {
  ...own,
  expected: usdc("due_amount"),
  tolerance: usdc("due_tolerance"),
});

const credits = table("receivable", {
  net: computed("receivable.expected_amount - receivable.credited_amount", usdc("net_amount")),
  elsewhere: usdc("elsewhere_amount"),
  refunded: usdc("refunded_amount"),
  refunding: usdc("refunding_amount"),
  refundedElsewhere: usdc("refunded_elsewhere_amount"),
});

/** For joins too, under the name `deposit`. */
export const columns = join(stored, credits);

/** The columns that a payment is compared with. */
export const compared = stored.pick("expected", "tolerance", "received");

/** Amounts received. */
export const totals = stored.pick("index", "received", "pending");

/** The columns of a standing, and the address. */
export const listed = join(stored.pick("address", "expected", "tolerance", "received", "pending"), credits);

/** The columns set on creation. */
const terms = table("receivable", {
  ...own,
  expected: usdc("expected_amount"),
  tolerance: usdc("tolerance_amount"),
});

/** Amounts that credit notes and refunds took off a deposit. */
export function credited(db: Db, index: number) {
  const credit = selectOne(db, { ...credits, from: "receivable" }, "WHERE deposit_index = ?", index);
  if (credit === null) throw new Error(`There is no deposit ${index}`);
  return credit;
}

/** The amount a deposit should receive, and its tolerance, before refunds took anything off. */
export function asIssued(db: Db, index: number): Pick<Deposit, "expected" | "tolerance"> {
  const issued = selectOne(db, terms.pick("expected", "tolerance"), "WHERE deposit_index = ?", index);
  if (issued === null) throw new Error(`There is no deposit ${index}`);
  return issued;
}

export type DepositRow = Row<Deposit>;

export const fromRow = (row: DepositRow): Deposit => columns.fromRow(row);

/** The next deposit's index, above whatever a recovery found. Read and use it in one transaction. */
export function nextIndex(db: Db): number {
  const sql = `SELECT max(coalesce((SELECT max(deposit_index) + 1 FROM receivable), 0), deposit_index) FROM next_numbers`;
  return numberOf(db, sql) ?? 0;
}

/** The highest index in use; −1 before there is any. */
export function lastIndex(db: Db): number {
  return numberOf(db, "SELECT max(deposit_index) FROM receivable") ?? -1;
}

/** When the first deposit was created, in Unix ms; null before there is any. */
export function firstMs(db: Db): number | null {
  return numberOf(db, "SELECT created_at FROM receivable ORDER BY deposit_index LIMIT 1");
}

/** Number of deposits from which the pace is measured. */
const pacedMax = 1_000;

export type Pace = { lastMs: number; perHour: number };

/** When the last deposit was created, and how many per hour there were lately; null if there is none. */
export function pace(db: Db): Pace | null {
  const sql = `SELECT min(created_at) AS first, max(created_at) AS last, count(*) AS n
    FROM (SELECT created_at FROM receivable ORDER BY deposit_index DESC LIMIT ${pacedMax})`;
  const { first, last, n } = db.query<Record<string, bigint | null>, []>(sql).get() ?? {};
  if (!last) return null;
  const hours = Math.max(1, Number(last - (first ?? last)) / 3_600_000);
  return { lastMs: Number(last), perHour: Number(n) / hours };
}

/** Number of the latest deposits searched for holes. */
const holedMax = 2_000;

/**
 * The latest ranges of indexes that no deposit here has, with at most `indices` indexes each, counted from their start.
 */
export function listHoles(db: Db, { max, indices }: { max: number; indices: number }) {
  return db
    .query<{ first: bigint; count: bigint }, Record<string, number>>(
      `SELECT first, min(next - first, $indices) AS count FROM (
         SELECT deposit_index + 1 AS first, lead(deposit_index, 1, $next) OVER (ORDER BY deposit_index) AS next
         FROM (SELECT deposit_index FROM receivable ORDER BY deposit_index DESC LIMIT ${holedMax}))
       WHERE next > first ORDER BY first DESC LIMIT $max`,
    )
    .all({ max, indices, next: nextIndex(db) })
    .map(({ first, count }) => ({ first: Number(first), count: Number(count) }));
}

/** Payout wallets of the latest deposits, at most `limit`. */
export function newestPayoutWallets(db: Db, limit: number): Address[] {
  return db
    .query<{ payout_wallet: Address }, [number]>(
      `SELECT payout_wallet FROM (SELECT payout_wallet, deposit_index FROM receivable ORDER BY deposit_index DESC LIMIT ${holedMax})
       GROUP BY payout_wallet ORDER BY max(deposit_index) DESC LIMIT ?`,
    )
    .all(limit)
    .map((row) => row.payout_wallet);
}

const settledBlock = "(SELECT coalesce(max(settled_number), 0) FROM checkpoint)";

/** The columns of a new deposit, for an INSERT with the rest of its invoice or link. */
export const newColumns = {
  ...terms.parameters,
  created_at: "$now",
  changed_at: "$now",
  compare_at: "$compareAt",
  // Blocks that no reorganisation replaces are older than its address, so none of them can pay it.
  created_block: settledBlock,
  explained_block: settledBlock,
};

/** Their parameters. */
export function newValues(deposit: Deposit, now: number) {
  const compareAt = Math.ceil((now + newCompareAfterMs) / newCompareAfterMs) * newCompareAfterMs;
  return { ...terms.values(deposit), now, compareAt };
}

/** Returns whether any deposit exists. */
export function any(db: Db): boolean {
  return db.query("SELECT 1 FROM receivable LIMIT 1").get() !== null;
}

export function byAddress(db: Db, address: Address): Deposit | null {
  const row = db
    .query<DepositRow, [string]>(`SELECT ${columns.list} FROM receivable WHERE address = ?`)
    .get(address);
  return row && fromRow(row);
}

/** The salt of a deposit's address. Throws when there is no such deposit. */
export function salt(db: Db, index: number): Deposit["salt"] {
  const row = db
    .query<{ salt: string }, [number]>("SELECT salt FROM receivable WHERE deposit_index = ?")
    .get(index);
  if (!row) throw new Error(`There is no deposit ${index}`);
  return row.salt as Deposit["salt"];
}

/** Confirmed money at deposit addresses by payout wallet, in micro-USDC, less what was moved on already. */
type UnsettledSum = { payoutWallet: Address; amount: Usdc.Usdc; deposits: number };

export function listUnsettled(db: Db): UnsettledSum[] {
  return db
    .query<{ payout_wallet: string; amount: bigint; deposits: bigint }, []>(
      `SELECT payout_wallet, sum(received_amount - settled_amount) AS amount, count(*) AS deposits FROM receivable
       WHERE received_amount > settled_amount GROUP BY payout_wallet ORDER BY payout_wallet`,
    )
    .all()
    .map((row) => ({
      payoutWallet: row.payout_wallet as Address,
      amount: Usdc.fromMicro(row.amount),
      deposits: Number(row.deposits),
    }));
}

/** Changes the amount due, together with the USDC that credit notes take off it. */
export function setExpected(
  db: Db,
  index: number,
  { expected, tolerance, credited }: Pick<Deposit, "expected" | "tolerance"> & { credited: Usdc.Usdc },
): void {
  db.query(
    `UPDATE receivable SET expected_amount = $expected, tolerance_amount = $tolerance,
       credited_amount = $credited
     WHERE deposit_index = $index`,
  ).run({ index, expected, tolerance, credited });
}

/** Compare balance and books this long after the totals changed: by then every node has the money. */
export const compareAfterMs = 60_000;

/** Compare a new deposit after this or twice this, together with other new ones. */
const newCompareAfterMs = 75_000;

/** The amount received, and what it is compared with. */
export type DepositTotals = ReturnType<typeof compared.fromRow>;

function totalsOf(db: Db, index: number): DepositTotals {
  const row = db
    .query<Row<DepositTotals>, [number]>(`SELECT ${compared.list} FROM receivable WHERE deposit_index = ?`)
    .get(index);
  if (!row) throw new Error(`There is no deposit ${index}`);
  return compared.fromRow(row);
}

/** Takes a credit note off the amount due. Returns the totals afterwards. */
export function credit(
  db: Db,
  index: number,
  { usdc, toReturn }: { usdc: Usdc.Usdc; toReturn: Usdc.Usdc },
): DepositTotals {
  db.query(
    `UPDATE receivable SET credited_amount = credited_amount + $usdc, return_amount = return_amount + $toReturn
     WHERE deposit_index = $index`,
  ).run({ index, usdc, toReturn });
  return totalsOf(db, index);
}

/** Sets a deposit's totals to its undisputed transfers. Returns what was received and what is due. */
export function recompute(db: Db, index: number, now: number): DepositTotals {
  const sums = db
    .query<{ received: bigint; pending: bigint }, [number]>(
      `SELECT coalesce(sum(amount) FILTER (WHERE confirmed = 1), 0) AS received,
         coalesce(sum(amount) FILTER (WHERE confirmed = 0 AND opinion <> 'contradicted'), 0) AS pending
       FROM transfer WHERE deposit_index = ?`,
    )
    .get(index);
  const { received, pending } = sums ?? { received: 0n, pending: 0n };
  db.query(
    `UPDATE receivable SET received_amount = $received, pending_amount = $pending, changed_at = $now,
       compare_at = min(compare_at, $compareAt)
     WHERE deposit_index = $index AND (received_amount <> $received OR pending_amount <> $pending)`,
  ).run({ index, received, pending, now, compareAt: now + compareAfterMs });
  return totalsOf(db, index);
}
