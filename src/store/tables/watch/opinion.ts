import type { Transfer } from "../../../domain/payment/transfer.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { integer, join, orNull, type Row, columns as table, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { columns, type Key } from "./transfer.ts";

/** After this long without another node's answer, in ms, the first node's word counts, unless told otherwise. */
export const silenceMsMax = 60_000;

/** Other nodes' opinions about transfers that one node reported: see the columns of `transfer`. */

type Opinion = "none" | "open" | "attested" | "alone" | "contradicted" | "doubted";

const asked = join(
  join(columns, table("receivable", { address: text<Address>() })),
  table("transfer", {
    toldBy: orNull(text()),
    opinion: text<Opinion>(),
    /** Since when nodes have been asked in vain, in Unix milliseconds; null before the first time. */
    askedAt: orNull(integer()),
  }),
);

/** A transfer to ask a node about. */
export type Inquiry = ReturnType<typeof asked.fromRow>;

/** This many of the largest transfers to each deposit never wait for those to other deposits. */
const perDeposit = 5;

/**
 * Transfers to ask about now: first the largest few of each deposit, as anybody can send any number of small ones, and
 * among them those that waited longest. Includes those scheduled after `latest`: the clock was ahead when they were.
 */
export function listDue(db: Db, now: number, latest: number, limit: number): Inquiry[] {
  return db
    .query<Row<Inquiry>, Record<string, number>>(
      `WITH due AS (
         SELECT block_hash, log_index, ask_at,
           (row_number() OVER (PARTITION BY deposit_index ORDER BY amount DESC) - 1) / $perDeposit AS turn
         FROM transfer INDEXED BY transfer_to_ask_in_turn
         WHERE ask_at IS NOT NULL AND (ask_at <= $now OR ask_at > $latest)
         ORDER BY turn, ask_at LIMIT $limit)
       SELECT ${asked.list}
       FROM due JOIN transfer USING (block_hash, log_index) JOIN receivable USING (deposit_index)
       ORDER BY due.turn, due.ask_at`,
    )
    .all({ now, latest, limit, perDeposit })
    .map(asked.fromRow);
}

/** When to ask about the next transfer, in Unix milliseconds; null when there is none. */
export function nextAskAt(db: Db): number | null {
  return numberOf(db, "SELECT min(ask_at) FROM transfer WHERE ask_at IS NOT NULL");
}

/** Asks again about everything open, at once: the configured nodes may have changed. */
export function askAllAgain(db: Db, now: number): void {
  db.query("UPDATE transfer SET ask_at = ?, asked_at = NULL WHERE ask_at IS NOT NULL").run(now);
}

export type OpinionChange = {
  opinion: Opinion;
  /** The node that attests or contradicts it. */
  by: string | null;
  askedAt: number | null;
  askAt: number | null;
};

/** Returns whether the transfer is confirmed; null if it is no longer recorded. */
export function save(
  db: Db,
  { blockHash, logIndex }: Key,
  { opinion, by, askedAt, askAt }: OpinionChange,
): { confirmed: boolean } | null {
  const row = db
    .query<{ confirmed: bigint }, Record<string, string | number | null>>(
      `UPDATE transfer SET opinion = $opinion, opinion_by = coalesce($by, opinion_by), asked_at = $askedAt,
         ask_at = $askAt
       WHERE block_hash = $blockHash AND log_index = $logIndex RETURNING confirmed`,
    )
    .get({ blockHash, logIndex, opinion, by, askedAt, askAt });
  return row && { confirmed: row.confirmed === 1n };
}

/** `at`: when it was confirmed, in Unix milliseconds; null if it no longer counts. */
export function setConfirmed(db: Db, { blockHash, logIndex }: Key, at: number | null): void {
  db.query("UPDATE transfer SET confirmed = ?, confirmed_at = ? WHERE block_hash = ? AND log_index = ?").run(
    at !== null,
    at,
    blockHash,
    logIndex,
  );
}

/** Returns whether another node confirms what the same transaction paid the deposit in another block. */
export function isAttestedElsewhere(db: Db, { depositIndex, txHash, blockHash }: Transfer): boolean {
  return (
    db
      .query(
        `SELECT 1 FROM transfer WHERE deposit_index = ? AND tx_hash = ? AND block_hash <> ?
           AND opinion = 'attested' LIMIT 1`,
      )
      .get(depositIndex, txHash, blockHash) !== null
  );
}

/** Asks every node whether it knows a deposit's largest confirmed transfers. They still count meanwhile. */
export function doubt(db: Db, depositIndex: number, now: number, limit: number): void {
  db.query(
    `UPDATE transfer SET opinion = 'doubted', asked_at = NULL, ask_at = $now
     WHERE deposit_index = $depositIndex AND (block_hash, log_index) IN
       (SELECT block_hash, log_index FROM transfer
        WHERE deposit_index = $depositIndex AND confirmed = 1
          AND (opinion IN ('none', 'attested') OR opinion = 'alone' AND ask_at IS NULL)
        ORDER BY amount DESC LIMIT $limit)`,
  ).run({ depositIndex, now, limit });
}

/** The hashes of the latest transactions that nodes disagree about. */
export function listContradicted(db: Db, limit: number): string[] {
  return db
    .query<{ tx_hash: string }, [number]>(
      `SELECT tx_hash FROM transfer WHERE ask_at IS NOT NULL AND opinion = 'contradicted'
       ORDER BY seen_at DESC LIMIT ?`,
    )
    .all(limit)
    .map((row) => row.tx_hash);
}

type OpinionCounts = {
  /** Nodes disagree about them, so they do not count. */
  contradicted: number;
  /** They count on one node's word, as no other answers. */
  alone: number;
  /** Unanswered for longer than `silenceMsMax`, so they do not count. */
  waiting: number;
};

export function tally(db: Db, now: number): OpinionCounts {
  const rows = db
    .query<{ opinion: Opinion; count: bigint }, [number]>(
      `SELECT opinion, count(*) AS count FROM transfer
       WHERE ask_at IS NOT NULL AND (opinion <> 'open' OR coalesce(asked_at, seen_at) <= ?) GROUP BY opinion`,
    )
    .all(now - silenceMsMax);
  const of = (opinion: Opinion) => Number(rows.find((row) => row.opinion === opinion)?.count ?? 0n);
  return { contradicted: of("contradicted"), alone: of("alone"), waiting: of("open") };
}

/** When the first transfer waiting for another node was seen, in Unix milliseconds; null if none waits. */
export function waitingSince(db: Db): number | null {
  return numberOf(db, "SELECT min(seen_at) FROM transfer WHERE ask_at IS NOT NULL AND opinion = 'open'");
}
