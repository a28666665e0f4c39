import type { TakenBack } from "../../../domain/link/bill.ts";
import type * as Refund from "../../../domain/payment/refund.ts";
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
  takenBack: orNull(withAmounts<TakenBack>()),
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
 * As stored. `number` is its place in the list; `merchant` that of its invoice or link, in its normal form; `claimHash`
 * and the sealed `claimToken` are of the newest of so many `claims`, the links by which the customer names an address;
 * `isMailed`: nobody was shown it at the desk.
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

/** Everything that may change; the amount never does. */
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

/** Stores a refund as it is from `now` on (Unix milliseconds). Returns it. */
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

/** What waits to be sent, waits until then at least. */
export const putOff = (db: Db, now: number, until: number): void =>
  void db
    .query("UPDATE refund SET ready_at = max(ready_at, $until) WHERE state = 'approved' AND ready_at > $now")
    .run({ now, until });

export const byId = (db: Db, id: string): StoredRefund | null => selectOne(db, stored, "WHERE id = ?", id);

/** By the hash of the newest link. */
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

/** All in one state, the oldest first. */
export const listIn = (db: Db, state: Refund.State): StoredRefund[] =>
  selectAll(db, stored, "WHERE state = ? ORDER BY number", state);

/** Those that were given back, the oldest first. */
export const eachConfirmed = (db: Db): Generator<StoredRefund> =>
  selectEach(db, stored, "WHERE state = 'confirmed' ORDER BY number");

/** Those that took something back of a receipt, in the order of the days on which they did. */
export const eachTaking = (db: Db): Generator<StoredRefund> =>
  selectEach(
    db,
    stored,
    `WHERE state = 'confirmed' AND taken_back IS NOT NULL
     ORDER BY json_extract(taken_back, '$.issueDate'), number`,
  );

/** Those that do not say what became of their withdrawal, and that. */
export const listBehind = (db: Db): StoredRefund[] =>
  selectAll(
    db,
    { ...stored, from: "refund JOIN withdrawal ON withdrawal.id = refund.withdrawal_id" },
    `WHERE (withdrawal.state = 'pending' AND refund.state <> 'sent' AND way = 'till')
       OR (withdrawal.state = 'done' AND (refund.state <> 'confirmed' OR refund.tx_hash IS NOT withdrawal.tx_hash))
       OR (withdrawal.state = 'failed' AND refund.state IN ('sent', 'confirmed') AND way = 'till')
     ORDER BY number`,
  );

/** Transfers from merchants' own wallets that were seen since a time (Unix ms): they may leave the chain again. */
export const listSeen = (db: Db, since: number): StoredRefund[] =>
  selectAll(
    db,
    stored,
    `WHERE way = 'wallet' AND tx_hash IS NOT NULL AND state IN ('sent', 'confirmed') AND changed_at >= ?
     ORDER BY number`,
    since,
  );

/** The refunds of a deposit that took something back of its receipt, in that order. */
export const listTaking = (db: Db, depositIndex: number): StoredRefund[] =>
  selectAll(
    db,
    stored,
    "WHERE deposit_index = ? AND taken_back IS NOT NULL AND state <> 'cancelled' ORDER BY number",
    depositIndex,
  );

/** Whether a transaction is what gave back another refund. */
export const isTaken = (db: Db, txHash: Hex): boolean =>
  selectOne(db, stored, "WHERE way = 'wallet' AND tx_hash = ?", txHash) !== null;

/** A deposit of which more came than is owed, and how much of that no refund is under way for. */
export type Owing = {
  depositIndex: number;
  amount: Refund.Refund["amount"];
  /** When its payer asked for it, in Unix milliseconds; null when nobody has. */
  askedAt: number | null;
};

const owing = columns("receivable", {
  depositIndex: integer(),
  amount: usdc("to_refund"),
  askedAt: orNull(integer("refund_asked_at")),
});

/** Of the invoice or link with this slug; null when nothing is owed. */
export const owingOf = (db: Db, slug: string): Owing | null =>
  selectAll(
    db,
    owing,
    `WHERE to_refund > 0 AND deposit_index IN (SELECT deposit_index FROM invoice WHERE slug = $slug
       UNION ALL SELECT deposit_index FROM link WHERE slug = $slug)`,
    { slug },
  )[0] ?? null;

/** Notes that a payer asks for what is owed; asked again, the first time stays. */
export function setAsked(db: Db, depositIndex: number, now: number): void {
  db.query(
    "UPDATE receivable SET refund_asked_at = ? WHERE deposit_index = ? AND to_refund > 0 AND refund_asked_at IS NULL",
  ).run(now, depositIndex);
}

/** The newest deposits first; `merchant` in its normal form. */
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

/** How many deposits owe something, what in all, in micro-USDC, and how many payers ask for it. */
export function sumOwing(db: Db): { count: number; amount: bigint; asked: number } {
  const row = db
    .query<{ count: bigint; amount: bigint; asked: bigint }, []>(
      `SELECT count(*) AS count, coalesce(sum(to_refund), 0) AS amount, count(refund_asked_at) AS asked
       FROM receivable WHERE to_refund > 0`,
    )
    .get();
  return { count: Number(row?.count ?? 0n), amount: row?.amount ?? 0n, asked: Number(row?.asked ?? 0n) };
}

/** What of a deposit goes back in USDC, or did. */
export const sumOnChain = (db: Db, depositIndex: number): bigint =>
  BigInt(
    numberOf(
      db,
      "SELECT sum(amount) FROM refund WHERE deposit_index = ? AND state <> 'cancelled' AND way <> 'elsewhere'",
      depositIndex,
    ) ?? 0,
  );

/** How many wait for somebody at the desk: the customer has said where, or sending failed. */
export const countReady = (db: Db): number =>
  numberOf(db, "SELECT count(*) FROM refund WHERE state = 'requested' AND to_address IS NOT NULL") ?? 0;

/** The newest block that was read. */
export const newestBlock = (db: Db): number =>
  numberOf(db, "SELECT coalesce(max(block_number), 0) FROM checkpoint") ?? 0;

/**
 * What a backup says is approved may have been sent since: somebody looks before it is approved again. Returns how much
 * else can have been, too: what waits for somebody, and deposits of which a refund can have been begun since.
 */
export function holdRestored(db: Db): number {
  db.run("UPDATE refund SET state = 'requested' WHERE state = 'approved'");
  return listIn(db, "requested").length + sumOwing(db).count;
}
