import { type Crossing, isOnItsWay, isSeenMinted, type State } from "../../../domain/payment/crossing.ts";
import * as Usdc from "../../../domain/usdc.ts";
import * as Address from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto.ts";
import { integer, orNull, type Row, type SqlValue, columns as table, text, usdc } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import * as DepositTransferStore from "./deposit-transfer.ts";

const columns = table("crossing", {
  id: integer(),
  depositIndex: integer(),
  chainId: integer(),
  txHash: text<Hex>(),
  state: text<State>(),
  amount: orNull(usdc()),
  message: orNull(text<Hex>()),
  attestation: orNull(text<Hex>()),
  createdAt: integer(),
  attestedAt: orNull(integer()),
  endedAt: orNull(integer()),
  nextAt: integer(),
});

const onItsWay = "state IN ('told', 'attested')";

const list = (db: Db, rest: string, values: SqlValue[]) =>
  db
    .query<Row<Crossing>, SqlValue[]>(`SELECT ${columns.list} FROM crossing WHERE ${rest}`)
    .all(...values)
    .map(columns.fromRow);

export type Told = Pick<Crossing, "depositIndex" | "chainId" | "txHash">;

/** Stores what somebody says; what is known already stays, and what was given up is looked for again, as if new. */
export function insert(db: Db, told: Told, now: number): void {
  const isNew = columns.pick("depositIndex", "chainId", "txHash", "createdAt", "nextAt");
  db.query(
    `${isNew.insert({ state: "'told'" })} ON CONFLICT DO UPDATE SET state = excluded.state,
       created_at = excluded.created_at, next_at = excluded.next_at, ended_at = NULL, amount = NULL, message = NULL,
       attestation = NULL, attested_at = NULL WHERE state = 'unknown'`,
  ).run(isNew.values({ ...told, createdAt: now, nextAt: now }));
}

/** Number of a deposit's crossings, beside this one, of which nothing is known. */
export function countUnproved(db: Db, { depositIndex, chainId, txHash }: Told): number {
  const sql = `SELECT count(*) FROM crossing
    WHERE deposit_index = ? AND amount IS NULL AND NOT (chain_id = ? AND tx_hash = ?)`;
  return numberOf(db, sql, depositIndex, chainId, txHash) ?? 0;
}

/**
 * A deposit's crossings that the contract would have minted and that are not among its transfers, the attested ones first:
 * the watcher may see a transfer long before the contract is asked again, or after that. Of equal ones, what is known to
 * be minted is the first to be among them, then what was given up.
 */
function listUnbooked(db: Db, depositIndex: number): Crossing[] {
  const rest = `deposit_index = ? AND amount IS NOT NULL
    ORDER BY state = 'attested' DESC, state = 'unknown' DESC, id DESC`;
  const signed = list(db, rest, [depositIndex]);
  const isUnbooked = new Set<Crossing>();
  for (const [amount, equal] of Map.groupBy(signed, (crossing) => crossing.amount ?? Usdc.zero)) {
    const from = Math.min(...equal.map((crossing) => (isSeenMinted(crossing) ? 0 : crossing.createdAt)));
    const minted = { depositIndex, payer: Address.zero, amount };
    const seen = DepositTransferStore.listEqual(db, minted, equal.length).filter(
      ({ seenAt }) => seenAt >= from,
    );
    for (const crossing of equal.slice(0, equal.length - seen.length)) isUnbooked.add(crossing);
  }
  return signed.filter((crossing) => isUnbooked.has(crossing) && !isSeenMinted(crossing));
}

/**
 * The crossing that matters most: one that comes for certain, else that is told, else the newest if it was given up and
 * has not come; null if there is none. `isOver` says which of those that were minted is expected no longer.
 */
export function foremost(
  db: Db,
  depositIndex: number,
  isOver: (minted: Crossing) => boolean,
): Crossing | null {
  const unbooked = listUnbooked(db, depositIndex);
  const coming = unbooked.find(
    (crossing) => isOnItsWay(crossing) || (crossing.state === "arrived" && !isOver(crossing)),
  );
  if (coming) return coming;
  const rest = "deposit_index = ? ORDER BY state = 'told' DESC, id DESC LIMIT 1";
  const [left] = list(db, rest, [depositIndex]);
  const isSaid =
    left?.state === "told" ||
    (left?.state === "unknown" && (left.amount === null || unbooked.some(({ id }) => id === left.id)));
  return left && isSaid ? left : null;
}

/** A deposit's crossings that can be minted. */
export const listAttested = (db: Db, depositIndex: number): Crossing[] =>
  listUnbooked(db, depositIndex).filter(({ state }) => state === "attested");

/** What arrives of the deposit's attested crossings, of those attested since then (Unix ms). */
export const attested = (db: Db, depositIndex: number, sinceMs = 0): Usdc.Usdc =>
  listAttested(db, depositIndex)
    .filter(({ attestedAt }) => (attestedAt ?? 0) >= sinceMs)
    .reduce((sum, { amount }) => Usdc.fromMicro(sum + (amount ?? 0n)), Usdc.zero);

/** Deposits whose crossings were attested before then (Unix ms) and have not come, the longest waiting first. */
export function listUndelivered(
  db: Db,
  before: number,
  limit: number,
): { deposits: readonly number[]; hasMore: boolean } {
  const rest = `${onItsWay} AND attested_at < ? ORDER BY attested_at`;
  const shown = list(db, rest, [before]).filter(({ amount }) => Usdc.shows(amount ?? Usdc.zero));
  const late = new Set(shown.map(({ id }) => id));
  const deposits = [...new Set(shown.map(({ depositIndex }) => depositIndex))].filter((index) =>
    listAttested(db, index).some(({ id }) => late.has(id)),
  );
  return { deposits: deposits.slice(0, limit), hasMore: deposits.length > limit };
}

/**
 * Those about which Circle or the chain is to be asked by now, the longest due first; includes those planned after
 * `latest`, when the clock was ahead.
 */
export const listDue = (db: Db, now: number, latest: number, limit: number): Crossing[] =>
  list(db, `${onItsWay} AND (next_at <= ? OR next_at > ?) ORDER BY next_at LIMIT ?`, [now, latest, limit]);

/** When the next one is due, in Unix milliseconds; null if none is on its way. */
export const nextDueAt = (db: Db): number | null =>
  numberOf(db, `SELECT min(next_at) FROM crossing WHERE ${onItsWay}`);

type Change = Partial<Pick<Crossing, "state" | "amount" | "message" | "attestation" | "attestedAt">>;

/** Records what was found out; one that ends, ends now. */
export function update(db: Db, crossing: Crossing, change: Change & { nextAt: number }, now: number): void {
  const changed = { ...crossing, ...change };
  const written = columns.pick(
    ...(["state", "amount", "message", "attestation", "attestedAt", "endedAt", "nextAt"] as const),
  );
  const sets = Object.entries(written.parameters).map(([name, parameter]) => `${name} = ${parameter}`);
  db.query(`UPDATE crossing SET ${sets.join(", ")} WHERE id = $id AND ${onItsWay}`).run({
    ...written.values({ ...changed, endedAt: isOnItsWay(changed) ? null : now }),
    id: crossing.id,
  });
}
