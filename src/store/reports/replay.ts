import type { InvoiceCurrency } from "../../domain/bill/currency.ts";
import type { Status as InvoiceStatus } from "../../domain/bill/invoice.ts";
import type { Status as LinkStatus } from "../../domain/link/link.ts";
import type { WalletType } from "../../domain/receivable/common.ts";
import {
  billed,
  boolean,
  columns,
  computed,
  integer,
  join,
  orNull,
  type Row,
  text,
  usdc,
  withAmounts,
} from "../columns.ts";
import type { Db } from "../database.ts";
import * as DepositStore from "../tables/invoicing/deposit.ts";
import type * as ReceivableStore from "../tables/invoicing/receivable.ts";

/** Stored totals and status of a deposit, with the values they must follow from. */
const sums = columns("receivable", {
  confirmedSum: computed(
    `(SELECT coalesce(sum(amount), 0) FROM transfer
      WHERE transfer.deposit_index = receivable.deposit_index AND confirmed = 1)`,
    usdc(),
  ),
  pendingSum: computed(
    `(SELECT coalesce(sum(amount), 0) FROM transfer
      WHERE transfer.deposit_index = receivable.deposit_index AND confirmed = 0 AND opinion <> 'contradicted')`,
    usdc(),
  ),
  /** As issued or quoted, before anything was taken off. */
  issued: computed("receivable.expected_amount", usdc("issued_amount")),
  currency: orNull(withAmounts<InvoiceCurrency>()),
  voidedAt: orNull(integer()),
  markedPaidAt: orNull(integer()),
  walletType: text<WalletType>(),
  merchantEmail: text(),
});

const invoice = columns("invoice", {
  number: text(),
  status: computed("invoice.status", text<InvoiceStatus>("invoice_status")),
  /** In the currency of the invoice. */
  billed: computed(
    "coalesce(CAST(receivable.currency ->> '$.total.micro' AS INTEGER), receivable.expected_amount)",
    billed(),
  ),
  /** The sum of lines, discount and taxes. */
  sum: computed(
    `(SELECT coalesce(sum(line_total), 0) FROM line_item WHERE line_item.sequence = invoice.sequence)
       - coalesce(invoice.totals ->> '$.discount.micro', 0)
       + iif(prices_include_tax, 0, coalesce(invoice.totals ->> '$.tax.micro', 0))`,
    usdc(),
  ),
  /** The part of its credit notes that was already paid. */
  toReturn: computed("receivable.return_amount", usdc("return_amount")),
  returnSum: computed(
    `(SELECT coalesce(sum(return_amount), 0) FROM credit_note
      WHERE credit_note.invoice = invoice.sequence)`,
    usdc(),
  ),
  /** The sum of its credit notes as stored, and as computed from the notes, in its currency. */
  credited: billed("credited_amount"),
  creditSum: computed(
    `(SELECT coalesce(sum(CAST(totals ->> '$.total.micro' AS INTEGER)), 0) FROM credit_note
      WHERE credit_note.invoice = invoice.sequence)`,
    billed(),
  ),
  sentAt: orNull(integer()),
});

const link = columns("link", {
  slug: text(),
  status: computed("link.status", text<LinkStatus>("link_status")),
  hasLost: computed(
    "EXISTS (SELECT 1 FROM lost_transfer WHERE lost_transfer.deposit_index = receivable.deposit_index)",
    boolean(),
  ),
});

const own = join(DepositStore.columns, sums);

export type StoredDeposit = ReturnType<typeof fromRow>;

type StoredRow = Row<ReturnType<typeof own.fromRow>> &
  Row<ReturnType<typeof invoice.fromRow>> &
  Row<ReturnType<typeof link.fromRow>>;

/** Every deposit, in the order of its index, one row at a time. */
export function* eachDeposit(db: Db): Generator<StoredDeposit> {
  const rows = db
    .query<StoredRow, []>(
      `SELECT ${own.list}, ${invoice.list}, ${link.list}
       FROM receivable LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)
       ORDER BY receivable.deposit_index`,
    )
    .iterate();
  for (const row of rows) yield fromRow(row);
}

function fromRow(row: StoredRow) {
  const ofInvoice = row["number"] === null ? null : invoice.fromRow(row);
  const ofLink = row["slug"] === null ? null : link.fromRow(row);
  const name: ReceivableStore.DepositName | null = ofInvoice
    ? { invoice: ofInvoice.number }
    : ofLink && { link: ofLink.slug };
  return { ...own.fromRow(row), name, invoice: ofInvoice, link: ofLink };
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
