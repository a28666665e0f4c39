import type { CreditNote } from "../../../domain/bill/credit-note.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { IssuedReceipt } from "../../../domain/link/bill.ts";
import type { Link } from "../../../domain/link/link.ts";
import {
  billed,
  boolean,
  columns,
  computed,
  integer,
  join,
  orNull,
  selectEach,
  text,
} from "../../columns.ts";
import type { Db } from "../../database.ts";
import * as CreditNoteStore from "../../tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../tables/invoicing/invoice.ts";
import * as LinkStore from "../../tables/invoicing/link.ts";
import * as PaymentValueStore from "../../tables/invoicing/payment-value.ts";
import * as ReceiptStore from "../../tables/invoicing/receipt.ts";
import * as ReceivableStore from "../../tables/invoicing/receivable.ts";
import * as EventStore from "../../tables/outbox/event.ts";
import * as MailStore from "../../tables/outbox/mail.ts";
import * as DepositTransferStore from "../../tables/watch/deposit-transfer.ts";
import * as TransferStore from "../../tables/watch/transfer.ts";

/** Days as `YYYY-MM-DD`, both included; null for no bound. */
export type DayRange = { from: string | null; to: string | null };

/** Which day of an invoice counts: the last day of its delivery, if it names one, or its issue date. */
export type TaxPeriod = "supply" | "issue";

const dayIn = (day: string) => `($from IS NULL OR ${day} >= $from) AND ($to IS NULL OR ${day} <= $to)`;
const issuedIn = dayIn("issue_date");
const suppliedIn = dayIn("coalesce(delivery ->> 'day', delivery ->> 'to', issue_date)");

/** When the amount was paid, in Unix milliseconds; null while unpaid, or paid in another way. */
type Paid = { paidAt: number | null };

type ExportedInvoice = InvoiceStore.InvoiceHead & Paid;

/** The invoices issued in these days, or supplied, in order of number, one row at a time. */
export function* eachInvoice(db: Db, days: DayRange, by: TaxPeriod = "issue"): Generator<ExportedInvoice> {
  const inDays = by === "issue" ? issuedIn : suppliedIn;
  for (const invoice of selectEach(db, InvoiceStore.head, `WHERE ${inDays} ORDER BY sequence`, days))
    yield { ...invoice, paidAt: DepositTransferStore.paidAt(db, invoice.deposit) };
}

/** Invoices issued up to a day that were sent to nobody, as far as Till knows. */
export const eachDraft = (db: Db, to: string): Generator<InvoiceStore.InvoiceHead> =>
  selectEach(db, InvoiceStore.head, "WHERE status = 'draft' AND issue_date <= ? ORDER BY sequence", to);

/** A credit note with its invoice. */
export type ExportedCreditNote = { note: CreditNote; invoice: Invoice };

/** The credit notes issued in these days, in order of number, one at a time. */
export function* eachCreditNote(db: Db, days: DayRange): Generator<ExportedCreditNote> {
  for (const note of CreditNoteStore.each(db, days)) {
    const invoice = InvoiceStore.ofCreditNote(db, note);
    yield { note, invoice };
  }
}

type ExportedLink = LinkStore.LinkHead & Paid;

/** Every payment link, in order of creation, one row at a time. */
export function* eachLink(db: Db): Generator<ExportedLink> {
  for (const link of selectEach(db, LinkStore.head, "ORDER BY link.created_at, deposit_index"))
    yield { ...link, paidAt: DepositTransferStore.paidAt(db, link.deposit) };
}

/** A numbered receipt with its link. */
export type ExportedReceipt = { receipt: IssuedReceipt; link: Link & Paid };

/** The receipts issued in these days, in order of number, one at a time. */
export function* eachReceipt(db: Db, days: DayRange): Generator<ExportedReceipt> {
  for (const { depositIndex, ...receipt } of ReceiptStore.each(db, days)) {
    const link = LinkStore.byDeposit(db, depositIndex);
    if (link) yield { receipt, link: { ...link, paidAt: DepositTransferStore.paidAt(db, link.deposit) } };
  }
}

const item = {
  ...join(
    join(InvoiceStore.lineItem, columns("line_item", { position: integer() })),
    join(
      join(InvoiceStore.total, ReceivableStore.tagged),
      columns("invoice", {
        number: text(),
        issueDate: text(),
        vendorName: text(),
        status: text<Invoice["status"]>(),
        credited: billed("credited_amount"),
        sentAt: orNull(integer()),
        depositIndex: integer(),
      }),
    ),
  ),
  from: "line_item JOIN invoice USING (sequence) JOIN receivable USING (deposit_index)",
};

/** With its position in its invoice, from 0. */
export type ExportedItem = Omit<ReturnType<typeof item.fromRow>, "depositIndex"> & {
  deposit: { index: number };
};

/** The line items of those invoices. */
export function* eachItem(db: Db, days: DayRange): Generator<ExportedItem> {
  const rows = selectEach(db, item, `WHERE ${issuedIn} ORDER BY sequence, position`, days);
  for (const { depositIndex: index, ...read } of rows) yield { ...read, deposit: { index } };
}

/** The invoice or the payment link of a deposit. The other's columns are null. */
export const owner = join(
  join(
    columns("invoice", { number: orNull(text()), vendorName: orNull(text()) }),
    columns("link", { linkSlug: orNull(text("slug")), businessName: orNull(text()) }),
  ),
  columns("receivable", {
    reference: orNull(text()),
    receiptNumber: computed(
      "(SELECT receipt.number FROM receipt WHERE receipt.deposit_index = receivable.deposit_index)",
      orNull(text()),
    ),
    customerEmail: computed("coalesce(invoice.vendor_email, link.payer_email)", orNull(text())),
  }),
);

/** Joins a table with a `deposit_index` to `owner`. */
export const joinOwner = `JOIN receivable USING (deposit_index) LEFT JOIN invoice USING (deposit_index)
  LEFT JOIN link USING (deposit_index)`;

/** Returns whether Till relayed the payment for a payer who signed it. */
const isSigned = columns("transfer", {
  isSigned: computed(
    `EXISTS (SELECT 1 FROM relay WHERE relay.deposit_index = transfer.deposit_index
      AND relay.tx_hash = transfer.tx_hash AND relay.payer = transfer.payer
      AND relay.amount = transfer.amount AND relay.state IN ('mined', 'confirmed'))`,
    boolean(),
  ),
});

const payment = {
  ...join(
    join(
      join(join(TransferStore.columns, columns("receivable", { depositAddress: text("address") })), owner),
      isSigned,
    ),
    PaymentValueStore.columnsOrNull,
  ),
  from: `transfer ${joinOwner} LEFT JOIN payment_value USING (deposit_index, tx_hash)`,
};

type ExportedPayment = ReturnType<typeof payment.fromRow>;

/** Every payment seen since a time (Unix milliseconds), in chain order. */
export const eachPayment = (db: Db, seenSinceMs: number): Generator<ExportedPayment> =>
  selectEach(db, payment, "WHERE seen_at >= ? ORDER BY block_number, log_index", seenSinceMs);

/** Returns whether anybody may have seen an invoice: it was or may have been mailed, or its page was opened. */
export const isIssued = (
  db: Db,
  { sentAt, deposit: { index } }: { sentAt: number | null; deposit: { index: number } },
): boolean =>
  sentAt !== null || MailStore.mayArrive(db, index) || EventStore.count(db, index, "invoice.opened") > 0;
