import { columns, integer, selectOne, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

const stored = columns("book_value", {
  kind: text<Kind>(),
  id: integer(),
  currency: text(),
  rate: text(),
  source: text(),
  rateAt: integer(),
  madeAt: integer(),
});

/** The price of 1 USDC, or for a fee of 1 ETH, at the time of a record. Times are Unix milliseconds. */
export type BookValue = ReturnType<typeof stored.fromRow>;

/** Null while unknown. */
export const find = (db: Db, kind: Kind, id: number): BookValue | null =>
  selectOne(db, stored, "WHERE kind = ? AND id = ?", kind, id);

/** A record created further than this from noon of its issue date was not created on that day. */
const dayMs = 36 * 3_600_000;
const noon = (day: string) => `unixepoch(${day} || 'T12:00:00') * 1000`;
/** If it was created on another day than its issue date, it is valued at noon of that date. */
const issuedAt = (table: string) =>
  `iif(abs(${table}.created_at - ${noon(`${table}.issue_date`)}) <= ${dayMs}, ${table}.created_at, ${noon(`${table}.issue_date`)})`;
const notIn = "->> 'code' IS NOT $currency";

/** Records with a value, their time and their merchant. Sales in the currency of the books need none. */
const valued = {
  withdrawal: {
    id: "withdrawal.id",
    at: "coalesce(gas_transaction.mined_at, withdrawal.created_at)",
    merchant: "coalesce(merchant.email, '')",
    from: `withdrawal LEFT JOIN merchant USING (account_index)
      LEFT JOIN gas_transaction ON gas_transaction.id = transaction_id AND gas_transaction.tx_hash = withdrawal.tx_hash`,
    where: "withdrawal.state = 'done'",
  },
  refund: {
    id: "refund.number",
    at: "coalesce(ended_at, changed_at)",
    merchant: "merchant",
    from: "refund",
    where: "state = 'confirmed'",
  },
  fee: {
    id: "gas_transaction.id",
    at: "mined_at",
    merchant: "''",
    from: "gas_transaction",
    // A rescue may have been on a chain with another native coin.
    where: "fee_wei IS NOT NULL AND mined_at IS NOT NULL AND chain_id = (SELECT chain_id FROM chain)",
  },
  invoice: {
    id: "invoice.deposit_index",
    at: issuedAt("invoice"),
    merchant: "merchant_email",
    from: "invoice JOIN receivable USING (deposit_index)",
    where: `receivable.currency ${notIn}`,
  },
  receipt: {
    id: "receipt.deposit_index",
    at: issuedAt("receipt"),
    merchant: "merchant_email",
    from: "receipt JOIN receivable USING (deposit_index)",
    where: `receivable.currency ${notIn}`,
  },
} as const;

export type Kind = keyof typeof valued;
export const kinds = Object.keys(valued) as Kind[];

/** A record with a value, and whether the value is still missing. */
type Valued = { id: number; madeAt: number; merchantEmail: string; isMissing: boolean };

type ListOptions = { currency: string; below: number | null; limit: number; driftMs: number };

/** The newest records below an id. A value goes missing again when its record's time moved by more than `driftMs`. */
export function list(db: Db, kind: Kind, { currency, below, limit, driftMs }: ListOptions): Valued[] {
  const { id, at, merchant, from, where } = valued[kind];
  const sql = `SELECT ${id} AS id, ${at} AS at, ${merchant} AS merchant, book_value.made_at AS valued_at FROM ${from}
    LEFT JOIN book_value ON book_value.kind = '${kind}' AND book_value.id = ${id} WHERE ${where} ${below === null ? "" : `AND ${id} < ${below}`}
    ORDER BY ${id} DESC LIMIT ${limit}`;
  return db
    .query<{ id: bigint; at: bigint; merchant: string; valued_at: bigint | null }, { currency: string }>(sql)
    .all({ currency })
    .map((row) => ({
      id: Number(row.id),
      madeAt: Number(row.at),
      merchantEmail: row.merchant,
      isMissing: row.valued_at === null || Math.abs(Number(row.valued_at - row.at)) > driftMs,
    }));
}

/** Stores a value, replacing that of a record whose time moved. */
export function save(db: Db, value: BookValue): void {
  db.query(stored.insert().replace("INSERT", "INSERT OR REPLACE")).run(stored.values(value));
}
