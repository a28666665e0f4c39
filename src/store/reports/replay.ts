import type { Status as InvoiceStatus, WalletType } from "../../domain/bill/invoice.ts";
import type { Status as LinkStatus } from "../../domain/link/link.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Db, numberOrNull } from "../database.ts";
import {
  type DepositName,
  type DepositRow,
  columns as depositColumns,
  fromRow as depositFromRow,
} from "../tables/invoicing/deposit.ts";

/** A deposit with everything its totals and its owner's status must follow from. */
export type StoredDeposit = Deposit & {
  /** The sums of its transfers. */
  confirmedSum: Usdc.Usdc;
  pendingSum: Usdc.Usdc;
  invoice: {
    status: InvoiceStatus;
    total: Usdc.Usdc;
    /** In the currency of the invoice. */
    billed: Usdc.Billed;
    /** What lines, discount and taxes add up to. */
    sum: Usdc.Usdc;
    /** The amount due before any credit note, and what those take off it. */
    expected: Usdc.Usdc;
    toReturn: Usdc.Usdc;
    returnSum: Usdc.Usdc;
    /** Its credit notes' sum as stored, and as the notes themselves say, in its currency. */
    credited: Usdc.Billed;
    creditSum: Usdc.Billed;
    sentAt: number | null;
  } | null;
  link: { slug: string; status: LinkStatus; hasLost: boolean } | null;
  name: DepositName | null;
  voidedAt: number | null;
  markedPaidAt: number | null;
  walletType: WalletType | null;
  merchantEmail: string | null;
};

type Row = DepositRow & {
  confirmed_sum: bigint;
  pending_sum: bigint;
  number: string | null;
  voided_at: bigint | null;
  marked_paid_at: bigint | null;
  invoice_status: InvoiceStatus | null;
  total_amount: bigint | null;
  billed: bigint | null;
  sum: bigint | null;
  expected_amount: bigint;
  return_amount: bigint;
  return_sum: bigint;
  credited_amount: bigint | null;
  credit_sum: bigint;
  sent_at: bigint | null;
  slug: string | null;
  link_status: LinkStatus | null;
  has_lost: bigint;
  wallet_type: WalletType | null;
  merchant_email: string | null;
};

/** Every deposit, in the order of its index, one row at a time. */
export function* eachDeposit(db: Db): Generator<StoredDeposit> {
  const rows = db
    .query<Row, []>(
      `SELECT ${depositColumns.list},
         (SELECT coalesce(sum(amount), 0) FROM transfer
           WHERE transfer.deposit_index = deposit.deposit_index AND confirmed = 1) AS confirmed_sum,
         (SELECT coalesce(sum(amount), 0) FROM transfer
           WHERE transfer.deposit_index = deposit.deposit_index AND confirmed = 0 AND opinion <> 'contradicted') AS pending_sum,
         coalesce(invoice.voided_at, link.voided_at) AS voided_at,
         coalesce(invoice.marked_paid_at, link.marked_paid_at) AS marked_paid_at,
         invoice.number, invoice.status AS invoice_status, invoice.total_amount, invoice.sent_at,
         expected_amount, deposit.return_amount, invoice.credited_amount,
         (SELECT coalesce(sum(return_amount), 0) FROM credit_note WHERE credit_note.invoice = invoice.sequence) AS return_sum,
         (SELECT coalesce(sum(CAST(totals ->> '$.total.micro' AS INTEGER)), 0) FROM credit_note
           WHERE credit_note.invoice = invoice.sequence) AS credit_sum,
         coalesce(CAST(invoice.currency ->> '$.total.micro' AS INTEGER), invoice.total_amount) AS billed,
         (SELECT sum(line_total) FROM line_item WHERE line_item.sequence = invoice.sequence)
           - coalesce(invoice.totals ->> '$.discount.micro', 0)
           + iif(prices_include_tax, 0, coalesce(invoice.totals ->> '$.tax.micro', 0)) AS sum,
         link.slug, link.status AS link_status,
         EXISTS (SELECT 1 FROM lost_transfer WHERE lost_transfer.deposit_index = deposit.deposit_index) AS has_lost,
         coalesce(invoice.wallet_type, link.wallet_type) AS wallet_type,
         coalesce(invoice.merchant_email, link.merchant_email) AS merchant_email
       FROM deposit LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)
       ORDER BY deposit.deposit_index`,
    )
    .iterate();
  for (const row of rows) yield fromRow(row);
}

function fromRow(row: Row): StoredDeposit {
  const { number, invoice_status, slug, link_status } = row;
  return {
    ...depositFromRow(row),
    confirmedSum: Usdc.fromMicro(row.confirmed_sum),
    pendingSum: Usdc.fromMicro(row.pending_sum),
    invoice:
      invoice_status === null
        ? null
        : {
            status: invoice_status,
            total: Usdc.fromMicro(row.total_amount ?? 0n),
            billed: Usdc.fromMicro(row.billed ?? 0n),
            sum: Usdc.fromMicro(row.sum ?? 0n),
            expected: Usdc.fromMicro(row.expected_amount),
            toReturn: Usdc.fromMicro(row.return_amount),
            returnSum: Usdc.fromMicro(row.return_sum),
            credited: Usdc.fromMicro(row.credited_amount ?? 0n),
            creditSum: Usdc.fromMicro(row.credit_sum),
            sentAt: numberOrNull(row.sent_at),
          },
    link:
      slug === null || link_status === null
        ? null
        : { slug, status: link_status, hasLost: row.has_lost === 1n },
    name: number !== null ? { invoice: number } : slug !== null ? { link: slug } : null,
    voidedAt: numberOrNull(row.voided_at),
    markedPaidAt: numberOrNull(row.marked_paid_at),
    walletType: row.wallet_type,
    merchantEmail: row.merchant_email,
  };
}

/** The public names of the newest invoice and link, to find out whether a server serves this database. */
export function newestNames(db: Db): { invoice: string | null; link: string | null } {
  const row = db
    .query<{ invoice: string | null; link: string | null }, []>(
      `SELECT (SELECT id FROM invoice ORDER BY sequence DESC LIMIT 1) AS invoice,
         (SELECT slug FROM link ORDER BY id DESC LIMIT 1) AS link`,
    )
    .get();
  return row ?? { invoice: null, link: null };
}
