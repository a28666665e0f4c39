import type { Address } from "../domain/address.ts";
import type { Invoice, LineItem, Status, WalletType } from "../domain/invoice.ts";
import * as Quantity from "../domain/quantity.ts";
import * as Usdc from "../domain/usdc.ts";
import { type Db, numberOrNull } from "./database.ts";
import * as DepositStore from "./deposit.ts";
import { where } from "./where.ts";

type InvoiceRow = DepositStore.DepositRow & {
  sequence: bigint;
  id: string;
  slug: string;
  merchant_email: string;
  merchant_name: string;
  merchant_address: string;
  vendor_name: string;
  vendor_email: string;
  vendor_address: string | null;
  issue_date: string;
  due_date: string;
  notes: string | null;
  total_amount: bigint;
  status: Status;
  wallet_type: WalletType;
  webhook_url: string | null;
  created_at: bigint;
  sent_at: bigint | null;
};

type LineItemRow = { description: string; quantity: bigint; unit_price: bigint; line_total: bigint };

const select = `SELECT sequence, id, slug, merchant_email, merchant_name, merchant_address, vendor_name,
    vendor_email, vendor_address, issue_date, due_date, notes, total_amount, status, wallet_type, webhook_url,
    invoice.created_at, sent_at, ${DepositStore.columns}
  FROM invoice JOIN deposit USING (deposit_index)`;

function fromRow(db: Db, row: InvoiceRow): Invoice {
  return {
    id: row.id,
    sequence: Number(row.sequence),
    slug: row.slug,
    merchantEmail: row.merchant_email,
    merchantName: row.merchant_name,
    merchantAddress: row.merchant_address,
    vendorName: row.vendor_name,
    vendorEmail: row.vendor_email,
    vendorAddress: row.vendor_address,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    notes: row.notes,
    lineItems: lineItems(db, row.sequence),
    total: Usdc.fromMicro(row.total_amount),
    status: row.status,
    walletType: row.wallet_type,
    webhookUrl: row.webhook_url,
    deposit: DepositStore.fromRow(row),
    createdAt: Number(row.created_at),
    sentAt: numberOrNull(row.sent_at),
  };
}

function lineItems(db: Db, sequence: bigint): LineItem[] {
  return db
    .query<LineItemRow, [bigint]>(
      "SELECT description, quantity, unit_price, line_total FROM line_item WHERE sequence = +? ORDER BY position",
    )
    .all(sequence)
    .map((row) => ({
      description: row.description,
      quantity: Quantity.fromMillionths(row.quantity),
      unitPrice: Usdc.fromMicro(row.unit_price),
      lineTotal: Usdc.fromMicro(row.line_total),
    }));
}

/**
 * The number that the next invoice takes. Read and used in one transaction, so that none is left out; only a restored
 * backup can make it start higher.
 */
export function nextSequence(db: Db): number {
  const row = db
    .query<{ next: bigint }, []>(
      "SELECT max(coalesce((SELECT max(sequence) FROM invoice), 0) + 1, sequence) AS next FROM floor",
    )
    .get();
  return Number(row?.next ?? 1n);
}

export function insert(db: Db, invoice: Invoice, sealedSecret: string | null): void {
  db.query(
    `INSERT INTO invoice (sequence, id, slug, deposit_index, merchant_email, merchant_name, merchant_address,
       vendor_name, vendor_email, vendor_address, issue_date, due_date, notes, total_amount, status,
       wallet_type, webhook_url, webhook_secret, created_at, sent_at)
     VALUES ($sequence, $id, $slug, $depositIndex, $merchantEmail, $merchantName, $merchantAddress,
       $vendorName, $vendorEmail, $vendorAddress, $issueDate, $dueDate, $notes, $total, $status,
       $walletType, $webhookUrl, $webhookSecret, $createdAt, $sentAt)`,
  ).run({
    sequence: invoice.sequence,
    id: invoice.id,
    slug: invoice.slug,
    depositIndex: invoice.deposit.index,
    merchantEmail: invoice.merchantEmail,
    merchantName: invoice.merchantName,
    merchantAddress: invoice.merchantAddress,
    vendorName: invoice.vendorName,
    vendorEmail: invoice.vendorEmail,
    vendorAddress: invoice.vendorAddress,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    notes: invoice.notes,
    total: invoice.total,
    status: invoice.status,
    walletType: invoice.walletType,
    webhookUrl: invoice.webhookUrl,
    webhookSecret: sealedSecret,
    createdAt: invoice.createdAt,
    sentAt: invoice.sentAt,
  });
  for (const [position, item] of invoice.lineItems.entries()) {
    db.query(
      `INSERT INTO line_item (sequence, position, description, quantity, unit_price, line_total)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(invoice.sequence, position, item.description, item.quantity, item.unitPrice, item.lineTotal);
  }
}

export function byId(db: Db, id: string): Invoice | null {
  const row = db.query<InvoiceRow, [string]>(`${select} WHERE id = +?`).get(id);
  return row && fromRow(db, row);
}

export function bySlug(db: Db, slug: string): Invoice | null {
  const row = db.query<InvoiceRow, [string]>(`${select} WHERE slug = +?`).get(slug);
  return row && fromRow(db, row);
}

export function bySequence(db: Db, sequence: number): Invoice | null {
  const row = db.query<InvoiceRow, [number]>(`${select} WHERE sequence = +?`).get(sequence);
  return row && fromRow(db, row);
}

/** What a payment is compared with and what is told of it, without the rest of the record. */
export type Payable = Pick<Invoice, "sequence" | "id" | "total" | "status" | "sentAt" | "webhookUrl"> & {
  tolerance: Usdc.Usdc;
  /** Sealed; null without a webhook. */
  sealedSecret: string | null;
};

type PayableRow = Pick<
  InvoiceRow,
  "sequence" | "id" | "total_amount" | "status" | "sent_at" | "webhook_url"
> & {
  webhook_secret: string | null;
  tolerance_amount: bigint;
};

export function payableByDeposit(db: Db, depositIndex: number): Payable | null {
  const row = db
    .query<PayableRow, [number]>(
      `SELECT sequence, id, total_amount, status, sent_at, webhook_url, webhook_secret, tolerance_amount
       FROM invoice JOIN deposit USING (deposit_index) WHERE deposit_index = ?`,
    )
    .get(depositIndex);
  return (
    row && {
      sequence: Number(row.sequence),
      id: row.id,
      total: Usdc.fromMicro(row.total_amount),
      tolerance: Usdc.fromMicro(row.tolerance_amount),
      status: row.status,
      sentAt: numberOrNull(row.sent_at),
      webhookUrl: row.webhook_url,
      sealedSecret: row.webhook_secret,
    }
  );
}

/** What a poll needs, without the rest of the record. */
export function statusById(db: Db, id: string): { status: Status; dueDate: string } | null {
  const row = db
    .query<{ status: Status; due_date: string }, [string]>(
      "SELECT status, due_date FROM invoice WHERE id = ?",
    )
    .get(id);
  return row && { status: row.status, dueDate: row.due_date };
}

export type ListFilter = {
  limit: number;
  /** Only invoices with a lower number than this one. */
  before?: number;
  status?: Status;
  /** With the day that counts as today. */
  overdue?: { value: boolean; today: string };
  slug?: string;
  sequence?: number;
  /** The deposit address. */
  address?: Address;
};

/** Newest first. Asks for one more than `limit` rows, to tell whether there are more. */
export function list(db: Db, filter: ListFilter): { invoices: Invoice[]; hasMore: boolean } {
  const { limit, overdue, ...given } = filter;
  const isOverdue = "(due_date < $today AND status <> 'paid')";
  const conditions = {
    before: "sequence < $before",
    status: "status = $status",
    slug: "slug = $slug",
    sequence: "sequence = $sequence",
    address: "address = $address",
    today: overdue?.value ? isOverdue : `NOT ${isOverdue}`,
  };
  const { sql, values } = where(conditions, { ...given, today: overdue?.today });
  const rows = db
    .query<InvoiceRow, Record<string, string | number>>(
      `${select} WHERE ${sql} ORDER BY sequence DESC LIMIT $limit`,
    )
    .all({ ...values, limit: limit + 1 });
  const invoices = rows.slice(0, limit).map((row) => fromRow(db, row));
  return { invoices, hasMore: rows.length > limit };
}

/** Sealed; null without a webhook. */
export function sealedSecret(db: Db, sequence: number): string | null {
  const row = db
    .query<{ webhook_secret: string | null }, [number]>(
      "SELECT webhook_secret FROM invoice WHERE sequence = ?",
    )
    .get(sequence);
  return row?.webhook_secret ?? null;
}

export function setStatus(db: Db, sequence: number, status: Status): void {
  db.query("UPDATE invoice SET status = ? WHERE sequence = ?").run(status, sequence);
}

export function setSent(db: Db, sequence: number, sentAt: number, status: Status): void {
  db.query("UPDATE invoice SET sent_at = ?, status = ? WHERE sequence = ?").run(sentAt, status, sequence);
}
