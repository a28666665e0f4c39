import type { RefundedPart } from "../../../domain/link/bill.ts";
import type * as Refund from "../../../domain/payment/refund.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto.ts";
import {
  boolean,
  columns,
  integer,
  orNull,
  type Row,
  selectAll,
  selectEach,
  selectOne,
  sumOf,
  text,
  usdc,
  withAmounts,
} from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";

const stored = columns("refund", {
  number: integer(),
  id: text(),
  depositIndex: integer(),
  merchant: text(),
  amount: usdc(),
  credited: usdc("credited_amount"),
  takenBack: orNull(withAmounts<RefundedPart>()),
  way: text<Refund.Way>(),
  state: text<Refund.State>(),
  reason: orNull(text()),
  note: orNull(text()),
  email: orNull(text()),
  address: orNull(text<Address>("to_address")),
  addressBy: orNull(text<Refund.AddressBy>()),
  claimHash: orNull(text()),
  claimToken: orNull(text()),
  claimEndsAt: orNull(integer()),
  claims: integer(),
  isMailed: boolean(),
  approvedAt: orNull(integer()),
  readyAt: orNull(integer()),
  begunBlock: orNull(integer()),
  failure: orNull(text<NonNullable<Refund.Refund["failure"]>>()),
  withdrawalId: orNull(integer()),
  txHash: orNull(text<Hex>()),
  blockNumber: orNull(integer()),
  createdAt: integer(),
  changedAt: integer(),
  endedAt: orNull(integer()),
});

/**
 * As stored. `number` is its position in the list; `merchant` the normalised one of its invoice or link; `claims`
 * counts the links by which the customer names an address, and `claimHash` and the sealed `claimToken` belong to the
 * newest; `isMailed`: it was mailed, and not shown to anybody at the desk.
 */
export type StoredRefund = ReturnType<typeof stored.fromRow>;

const isNew = stored.omit("number");

export function insert(db: Db, refund: Omit<StoredRefund, "number">): StoredRefund {
  const row = db
    .query<Row<StoredRefund>, ReturnType<typeof isNew.values>>(`${isNew.insert()} RETURNING ${stored.list}`)
    .get(isNew.values(refund));
  if (!row) throw new Error("The new refund was not returned");
  return stored.fromRow(row);
}

/** Columns that may change; the amount never does. */
const changing = {
  way: "way",
  state: "state",
  note: "note",
  email: "email",
  address: "to_address",
  addressBy: "address_by",
  claimHash: "claim_hash",
  claimToken: "claim_token",
  claimEndsAt: "claim_ends_at",
  claims: "claims",
  takenBack: "taken_back",
  isMailed: "is_mailed",
  approvedAt: "approved_at",
  readyAt: "ready_at",
  begunBlock: "begun_block",
  failure: "failure",
  withdrawalId: "withdrawal_id",
  txHash: "tx_hash",
  blockNumber: "block_number",
  endedAt: "ended_at",
} as const satisfies Partial<Record<keyof StoredRefund, string>>;

const assignments = Object.entries(changing).map(([property, column]) => `${column} = $${property}`);

/** Stores a refund's changes as of `now` (Unix milliseconds). Returns the refund. */
export function update(
  db: Db,
  refund: StoredRefund,
  change: Partial<Pick<StoredRefund, keyof typeof changing>>,
  now: number,
): StoredRefund {
  const next = { ...refund, ...change, changedAt: now };
  const { merchant, amount, credited, reason, depositIndex, number, createdAt, ...values } =
    stored.values(next);
  db.query(`UPDATE refund SET ${assignments.join(", ")}, changed_at = $changedAt WHERE id = $id`).run(values);
  return next;
}

/** Records up to which block an approved refund's transfer is known not to be. */
export const setBegun = (db: Db, { id, approvedAt }: StoredRefund, begunBlock: number): void =>
  void db
    .query(
      `UPDATE refund SET begun_block = max(begun_block, $begunBlock)
       WHERE id = $id AND state = 'approved' AND approved_at = $approvedAt`,
    )
    .run({ id, approvedAt, begunBlock });

/** Postpones waiting refunds until at least `until`. */
export const putOff = (db: Db, now: number, until: number): void =>
  void db
    .query("UPDATE refund SET ready_at = max(ready_at, $until) WHERE state = 'approved' AND ready_at > $now")
    .run({ now, until });

export const byId = (db: Db, id: string): StoredRefund | null => selectOne(db, stored, "WHERE id = ?", id);

/** Finds a refund by the hash of its newest claim link. */
export const byClaim = (db: Db, hash: string): StoredRefund | null =>
  selectOne(db, stored, "WHERE claim_hash = ?", hash);

type Filter = {
  limit: number;
  before?: number | undefined;
  state?: Refund.State | undefined;
  deposit?: number | undefined;
  merchant?: string | null;
};

/** Newest first. */
export const list = (db: Db, { limit, before, state, deposit, merchant }: Filter): Page<StoredRefund> =>
  page(db, {
    from: stored,
    equal: { state, deposit_index: deposit, merchant },
    order: ["number"],
    after: before,
    limit,
  });

/** All refunds in one state, oldest first. */
export const listIn = (db: Db, state: Refund.State): StoredRefund[] =>
  selectAll(db, stored, "WHERE state = ? ORDER BY number", state);

/** Refunds that were given back, oldest first. */
export const eachConfirmed = (db: Db): Generator<StoredRefund> =>
  selectEach(db, stored, "WHERE state = 'confirmed' ORDER BY number");

/** Refunds that took back part of a receipt, in order of the days on which they did. */
export const eachTaking = (db: Db): Generator<StoredRefund> =>
  selectEach(
    db,
    stored,
    `WHERE state = 'confirmed' AND taken_back IS NOT NULL
     ORDER BY json_extract(taken_back, '$.issueDate'), number`,
  );

/** Refunds that do not reflect the outcome of their withdrawal yet. */
export const listBehind = (db: Db): StoredRefund[] =>
  selectAll(
    db,
    { ...stored, from: "refund JOIN withdrawal ON withdrawal.id = refund.withdrawal_id" },
    `WHERE (withdrawal.state = 'pending' AND refund.state <> 'sent' AND way = 'till')
       OR (withdrawal.state = 'done' AND (refund.state <> 'confirmed' OR refund.tx_hash IS NOT withdrawal.tx_hash))
       OR (withdrawal.state = 'failed' AND refund.state IN ('sent', 'confirmed') AND way = 'till')
     ORDER BY number`,
  );

/**
 * Refunds by transfers from merchants' own wallets that may still leave the chain: those that do not count yet, and those
 * that have since a time (Unix ms).
 */
export const listSeen = (db: Db, since: number): StoredRefund[] =>
  selectAll(
    db,
    stored,
    `WHERE way = 'wallet' AND tx_hash IS NOT NULL AND state IN ('sent', 'confirmed')
       AND (state = 'sent' OR changed_at >= ?)
     ORDER BY number`,
    since,
  );

/** A deposit's refunds that took back part of its receipt, in that order. */
export const listTaking = (db: Db, depositIndex: number): StoredRefund[] =>
  selectAll(
    db,
    stored,
    "WHERE deposit_index = ? AND taken_back IS NOT NULL AND state <> 'cancelled' ORDER BY number",
    depositIndex,
  );

/** Returns whether what a transaction sent to an address already counts for another refund. */
export const isTaken = (db: Db, txHash: Hex, to: Address): boolean =>
  selectOne(db, stored, "WHERE way = 'wallet' AND tx_hash = $txHash AND to_address = $to", { txHash, to }) !==
  null;

/** An overpaid deposit, and the part of the excess that no refund under way covers. */
export type Owing = {
  depositIndex: number;
  amount: Refund.Refund["amount"];
  /** When its payer asked for it, in Unix milliseconds; null if nobody has. */
  askedAt: number | null;
};

const owing = columns("receivable", {
  depositIndex: integer(),
  amount: usdc("to_refund"),
  askedAt: orNull(integer("refund_asked_at")),
});

/** For the invoice or link with this slug; null if nothing is owed. */
export const owingOf = (db: Db, slug: string): Owing | null =>
  selectAll(
    db,
    owing,
    `WHERE to_refund > 0 AND deposit_index IN (SELECT deposit_index FROM invoice WHERE slug = $slug
       UNION ALL SELECT deposit_index FROM link WHERE slug = $slug)`,
    { slug },
  )[0] ?? null;

/** Records that a payer asks for what is owed; the first time counts. */
export function setAsked(db: Db, depositIndex: number, now: number): void {
  db.query(
    "UPDATE receivable SET refund_asked_at = ? WHERE deposit_index = ? AND to_refund > 0 AND refund_asked_at IS NULL",
  ).run(now, depositIndex);
}

/** Newest deposits first; `merchant` is normalised. */
export const listOwing = (
  db: Db,
  {
    limit,
    before,
    merchant = null,
  }: { limit: number; before?: number | undefined; merchant?: string | null },
): Page<Owing> =>
  page(db, {
    from: owing,
    where: ["to_refund > 0"],
    equal: { merchant },
    order: ["deposit_index"],
    after: before,
    limit,
  });

/** Number of deposits that owe something, the total, and the number of payers asking for it. */
export function sumOwing(db: Db): { count: number; amount: Usdc.Usdc; asked: number } {
  const row = db
    .query<{ count: bigint; amount: number; asked: bigint }, []>(
      `SELECT count(*) AS count, total(to_refund) AS amount, count(refund_asked_at) AS asked
       FROM receivable WHERE to_refund > 0`,
    )
    .get();
  return { count: Number(row?.count ?? 0n), amount: sumOf(row?.amount), asked: Number(row?.asked ?? 0n) };
}

/** The USDC of a deposit that was or is being refunded on the chain. */
export const sumOnChain = (db: Db, depositIndex: number): bigint =>
  BigInt(
    numberOf(
      db,
      "SELECT sum(amount) FROM refund WHERE deposit_index = ? AND state <> 'cancelled' AND way <> 'elsewhere'",
      depositIndex,
    ) ?? 0,
  );

/** What refunds of a deposit give back beyond what was owed: in all, and the part that is still under way. */
export function gifts(db: Db, depositIndex: number): { all: Usdc.Usdc; open: Usdc.Usdc } {
  const row = db
    .query<{ all_sum: bigint; open_sum: bigint }, [number]>(
      `SELECT coalesce(sum(credited_amount), 0) AS all_sum,
         coalesce(sum(credited_amount) FILTER (WHERE state <> 'confirmed'), 0) AS open_sum
       FROM refund WHERE deposit_index = ? AND state <> 'cancelled'`,
    )
    .get(depositIndex);
  return { all: Usdc.fromMicro(row?.all_sum ?? 0n), open: Usdc.fromMicro(row?.open_sum ?? 0n) };
}

/** Number of refunds waiting for somebody at the desk: the customer has named an address, or sending failed. */
export const countReady = (db: Db): number =>
  numberOf(db, "SELECT count(*) FROM refund WHERE state = 'requested' AND to_address IS NOT NULL") ?? 0;

/**
 * Refunds approved in a backup may have been sent since, so they must be reviewed and approved again. Returns how many
 * others may have been sent too: those waiting for somebody, and deposits for which a refund may have been begun since.
 */
export function holdRestored(db: Db): number {
  db.run("UPDATE refund SET state = 'requested' WHERE state = 'approved'");
  return listIn(db, "requested").length + sumOwing(db).count;
}
