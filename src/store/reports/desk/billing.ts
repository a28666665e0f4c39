import type { Address } from "../../../domain/wallet/address.ts";
import type { Db } from "../../database.ts";

/** The latest merchant to bill, with their wallet. */
type Billing = {
  name: string;
  email: string;
  /** Null for a link, and when no newest invoice of this merchant has one. */
  address: string | null;
  /** The merchant's own wallet; null for the managed one. */
  payoutWallet: Address | null;
};

/** Taken from the newest invoice or link; null before the first. */
export function newestBilling(db: Db): Billing | null {
  const read = (sql: string) => db.query<BillingRow, []>(sql).get();
  const invoice = read(
    `SELECT merchant_name AS name, merchant_email AS email, merchant_address AS address, wallet_type, payout_wallet,
       invoice.created_at
     FROM invoice JOIN receivable USING (deposit_index) ORDER BY sequence DESC LIMIT 1`,
  );
  const link = read(
    `SELECT business_name AS name, merchant_email AS email, NULL AS address, wallet_type, payout_wallet, link.created_at
     FROM link JOIN receivable USING (deposit_index) ORDER BY id DESC LIMIT 1`,
  );
  const reusable = read(
    `SELECT business_name AS name, merchant_email AS email, NULL AS address, wallet_type,
       wallet_address AS payout_wallet, created_at
     FROM reusable_link ORDER BY id DESC LIMIT 1`,
  );
  const [newest] = [invoice, link, reusable]
    .filter((row) => row !== null)
    .sort((a, b) => Number(b.created_at - a.created_at));
  if (!newest) return null;
  return {
    name: newest.name,
    email: newest.email,
    address: invoice?.email === newest.email ? invoice.address : null,
    payoutWallet: newest.wallet_type === "byo" ? (newest.payout_wallet as Address) : null,
  };
}

type BillingRow = {
  name: string;
  email: string;
  address: string | null;
  wallet_type: string;
  /** Null for the managed wallet of a reusable link. */
  payout_wallet: string | null;
  created_at: bigint;
};
