import { columns, integer, orNull, text } from "../../columns.ts";
import { type Db, transact } from "../../database.ts";

const stored = columns("payment_value", {
  depositIndex: integer(),
  txHash: text(),
  currency: text(),
  rate: text(),
  source: text(),
  rateAt: integer(),
  paidAt: integer(),
});

/** The price of 1 USDC at the time of a payment. Times are Unix milliseconds. */
export type PaymentValue = ReturnType<typeof stored.fromRow>;

/** For a LEFT JOIN with `transfer` by deposit and transaction. */
export const columnsOrNull = columns("payment_value", {
  valueCurrency: orNull(text("currency")),
  rate: orNull(text()),
  rateSource: orNull(text("source")),
  rateAt: orNull(integer()),
});

/** A position in the list of payments, newest first. */
export type PaymentCursor = { madeAt: number; amount: bigint; blockHash: string; logIndex: number };

/** A payment, and whether its value is still missing. */
export type ValuedPayment = PaymentCursor & {
  depositIndex: number;
  txHash: string;
  isMissing: boolean;
  /** The payee. */
  merchantEmail: string;
};

type PaymentRow = {
  made_at: bigint;
  amount: bigint;
  block_hash: string;
  log_index: bigint;
  deposit_index: bigint;
  tx_hash: string;
  merchant_email: string;
  paid_at: bigint | null;
};

/**
 * Confirmed payments below a position, or the newest. A value goes missing again when its payment moved to a block more
 * than `driftMs` earlier or later.
 */
export function list(
  db: Db,
  { below, limit, driftMs }: { below: PaymentCursor | null; limit: number; driftMs: number },
): ValuedPayment[] {
  const place = "(made_at, transfer.amount, block_hash, log_index)";
  const rows = db
    .query<PaymentRow, (number | bigint | string)[]>(
      `SELECT made_at, transfer.amount, block_hash, log_index, deposit_index, transfer.tx_hash, paid_at,
         merchant_email
       FROM (SELECT * FROM transfer WHERE confirmed = 1 ${below ? `AND ${place} < (?, ?, ?, ?)` : ""}
         ORDER BY made_at DESC, amount DESC, block_hash DESC, log_index DESC LIMIT ?) AS transfer
       LEFT JOIN payment_value USING (deposit_index, tx_hash)
       JOIN receivable USING (deposit_index)`,
    )
    .all(...(below ? [below.madeAt, below.amount, below.blockHash, below.logIndex] : []), limit);
  return rows.map((row) => ({
    madeAt: Number(row.made_at),
    amount: row.amount,
    blockHash: row.block_hash,
    logIndex: Number(row.log_index),
    depositIndex: Number(row.deposit_index),
    txHash: row.tx_hash,
    merchantEmail: row.merchant_email,
    isMissing: row.paid_at === null || Math.abs(Number(row.paid_at - row.made_at)) > driftMs,
  }));
}

/** Stores values, replacing those of payments that moved. */
export function save(db: Db, values: readonly PaymentValue[]): void {
  const insert = db.query<unknown, ReturnType<typeof stored.values>[]>(
    stored.insert().replace("INSERT", "INSERT OR REPLACE"),
  );
  transact(db, () => {
    for (const value of values) insert.run(stored.values(value));
  });
}

/** Removes the values of payments that left the chain. */
export function removeLost(db: Db): void {
  db.run(
    `DELETE FROM payment_value WHERE (deposit_index, tx_hash) IN (SELECT deposit_index, tx_hash FROM lost_transfer)
       AND NOT EXISTS (SELECT 1 FROM transfer WHERE transfer.deposit_index = payment_value.deposit_index
         AND transfer.tx_hash = payment_value.tx_hash)`,
  );
}
