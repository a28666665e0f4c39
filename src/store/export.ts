import type { Status, WalletType } from "../domain/invoice.ts";
import type { Status as LinkStatus } from "../domain/link.ts";
import * as Usdc from "../domain/usdc.ts";
import { type Db, numberOrNull } from "./database.ts";

/** Days as `YYYY-MM-DD`, both included; null is open. */
export type Days = { from: string | null; to: string | null };

export type ExportedInvoice = {
  id: string;
  sequence: number;
  slug: string;
  issueDate: string;
  dueDate: string;
  status: Status;
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  vendorEmail: string;
  vendorAddress: string | null;
  total: Usdc.Usdc;
  received: Usdc.Usdc;
  completedIn: CompletedIn;
  depositAddress: string;
  walletType: WalletType;
  payoutWallet: string;
  createdAt: number;
  sentAt: number | null;
  notes: string | null;
};

type InvoiceRow = {
  id: string;
  sequence: bigint;
  slug: string;
  issue_date: string;
  due_date: string;
  status: Status;
  merchant_name: string;
  merchant_email: string;
  vendor_name: string;
  vendor_email: string;
  vendor_address: string | null;
  total_amount: bigint;
  received_amount: bigint;
  deposit_index: bigint;
  address: string;
  wallet_type: WalletType;
  payout_wallet: string;
  created_at: bigint;
  sent_at: bigint | null;
  notes: string | null;
};

const issuedIn = "($from IS NULL OR issue_date >= $from) AND ($to IS NULL OR issue_date <= $to)";

/** The invoices issued in these days, in the order of their numbers, one row at a time. */
export function* eachInvoice(db: Db, days: Days): Generator<ExportedInvoice> {
  const rows = db
    .query<InvoiceRow, Days>(
      `SELECT id, sequence, slug, issue_date, due_date, status, merchant_name, merchant_email, vendor_name,
         vendor_email, vendor_address, total_amount, received_amount, deposit_index, address, wallet_type, payout_wallet,
         invoice.created_at, sent_at, notes
       FROM invoice JOIN deposit USING (deposit_index) WHERE ${issuedIn} ORDER BY sequence`,
    )
    .iterate(days);
  for (const row of rows) {
    yield {
      id: row.id,
      sequence: Number(row.sequence),
      slug: row.slug,
      issueDate: row.issue_date,
      dueDate: row.due_date,
      status: row.status,
      merchantName: row.merchant_name,
      merchantEmail: row.merchant_email,
      vendorName: row.vendor_name,
      vendorEmail: row.vendor_email,
      vendorAddress: row.vendor_address,
      total: Usdc.fromMicro(row.total_amount),
      received: Usdc.fromMicro(row.received_amount),
      completedIn: completedIn(db, row.deposit_index, row.total_amount),
      depositAddress: row.address,
      walletType: row.wallet_type,
      payoutWallet: row.payout_wallet,
      createdAt: Number(row.created_at),
      sentAt: numberOrNull(row.sent_at),
      notes: row.notes,
    };
  }
}

/** The block of the confirmed payment with which the amount was there, less what may be short; null while it is not. */
export type CompletedIn = { blockNumber: number; blockHash: string } | null;

function completedIn(db: Db, depositIndex: bigint, expected: bigint): CompletedIn {
  const row = db
    .query<{ block_number: bigint; block_hash: string }, [bigint, bigint, bigint]>(
      `SELECT block_number, block_hash FROM (
         SELECT block_number, block_hash, sum(amount) OVER (ORDER BY block_number, log_index) AS received
         FROM transfer WHERE deposit_index = ? AND confirmed = 1)
       WHERE received >= ? - (SELECT tolerance_amount FROM deposit WHERE deposit_index = ?)
       ORDER BY received LIMIT 1`,
    )
    .get(depositIndex, expected, depositIndex);
  return row && { blockNumber: Number(row.block_number), blockHash: row.block_hash };
}

export type ExportedLink = {
  slug: string;
  status: LinkStatus;
  businessName: string;
  merchantEmail: string;
  productDescription: string | null;
  expected: Usdc.Usdc;
  received: Usdc.Usdc;
  completedIn: CompletedIn;
  depositAddress: string;
  walletType: WalletType;
  payoutWallet: string;
  createdAt: number;
};

type LinkRow = {
  slug: string;
  status: LinkStatus;
  business_name: string;
  merchant_email: string;
  product_description: string | null;
  expected_amount: bigint;
  received_amount: bigint;
  deposit_index: bigint;
  address: string;
  wallet_type: WalletType;
  payout_wallet: string;
  created_at: bigint;
};

/** Every payment link, in the order in which they were made, one row at a time. */
export function* eachLink(db: Db): Generator<ExportedLink> {
  const rows = db
    .query<LinkRow, []>(
      `SELECT slug, status, business_name, merchant_email, product_description, expected_amount, received_amount,
         deposit_index, address, wallet_type, payout_wallet, link.created_at
       FROM link JOIN deposit USING (deposit_index) ORDER BY link.created_at, deposit_index`,
    )
    .iterate();
  for (const row of rows) {
    yield {
      slug: row.slug,
      status: row.status,
      businessName: row.business_name,
      merchantEmail: row.merchant_email,
      productDescription: row.product_description,
      expected: Usdc.fromMicro(row.expected_amount),
      received: Usdc.fromMicro(row.received_amount),
      completedIn: completedIn(db, row.deposit_index, row.expected_amount),
      depositAddress: row.address,
      walletType: row.wallet_type,
      payoutWallet: row.payout_wallet,
      createdAt: Number(row.created_at),
    };
  }
}

export type ExportedItem = {
  sequence: number;
  issueDate: string;
  vendorName: string;
  position: number;
  description: string;
  /** In millionths. */
  quantity: bigint;
  unitPrice: Usdc.Usdc;
  lineTotal: Usdc.Usdc;
};

type ItemRow = {
  sequence: bigint;
  issue_date: string;
  vendor_name: string;
  position: bigint;
  description: string;
  quantity: bigint;
  unit_price: bigint;
  line_total: bigint;
};

/** The line items of those invoices. */
export function* eachItem(db: Db, days: Days): Generator<ExportedItem> {
  const rows = db
    .query<ItemRow, Days>(
      `SELECT sequence, issue_date, vendor_name, position, description, quantity, unit_price, line_total
       FROM line_item JOIN invoice USING (sequence) WHERE ${issuedIn} ORDER BY sequence, position`,
    )
    .iterate(days);
  for (const row of rows) {
    yield {
      sequence: Number(row.sequence),
      issueDate: row.issue_date,
      vendorName: row.vendor_name,
      position: Number(row.position) + 1,
      description: row.description,
      quantity: row.quantity,
      unitPrice: Usdc.fromMicro(row.unit_price),
      lineTotal: Usdc.fromMicro(row.line_total),
    };
  }
}

export type ExportedPayment = {
  blockHash: string;
  blockNumber: number;
  txHash: string;
  payer: string | null;
  amount: Usdc.Usdc;
  confirmed: boolean;
  seenAt: number;
  depositAddress: string;
  /** Of an invoice; null for a payment link. */
  sequence: number | null;
  linkSlug: string | null;
  vendorName: string | null;
  businessName: string | null;
};

type PaymentRow = {
  block_hash: string;
  block_number: bigint;
  tx_hash: string;
  payer: string | null;
  amount: bigint;
  confirmed: bigint;
  seen_at: bigint;
  address: string;
  sequence: bigint | null;
  slug: string | null;
  vendor_name: string | null;
  business_name: string | null;
};

/** Every payment seen since a time (Unix milliseconds), in the order of the chain. */
export function* eachPayment(db: Db, seenSinceMs: number): Generator<ExportedPayment> {
  const rows = db
    .query<PaymentRow, [number]>(
      `SELECT block_hash, block_number, tx_hash, payer, amount, confirmed, seen_at, address, invoice.sequence, link.slug,
         vendor_name, business_name
       FROM transfer JOIN deposit USING (deposit_index) LEFT JOIN invoice USING (deposit_index)
         LEFT JOIN link USING (deposit_index)
       WHERE seen_at >= ? ORDER BY block_number, log_index`,
    )
    .iterate(seenSinceMs);
  for (const row of rows) {
    yield {
      blockHash: row.block_hash,
      blockNumber: Number(row.block_number),
      txHash: row.tx_hash,
      payer: row.payer,
      amount: Usdc.fromMicro(row.amount),
      confirmed: row.confirmed === 1n,
      seenAt: Number(row.seen_at),
      depositAddress: row.address,
      sequence: numberOrNull(row.sequence),
      linkSlug: row.slug,
      vendorName: row.vendor_name,
      businessName: row.business_name,
    };
  }
}
