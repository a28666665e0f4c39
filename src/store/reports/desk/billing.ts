import type { Address } from "../../../domain/wallet/address.ts";
import type { Db } from "../../database.ts";

/** Who billed last, and into which wallet. */
type Billing = {
  name: string;
  email: string;
  /** Null for a link, which has none. */
  address: string | null;
  /** The merchant's own wallet; null for the managed one. */
  payoutWallet: Address | null;
};

/** From the newest invoice, and from the newest link; null where there is none. */
export function newestBilling(db: Db): {
  invoice: Billing | null;
  link: Billing | null;
  isLinkNewer: boolean;
} {
  const read = (sql: string) => db.query<BillingRow, []>(sql).get();
  const invoice = read(
    `SELECT merchant_name AS name, merchant_email AS email, merchant_address AS address, wallet_type, payout_wallet,
       invoice.created_at
     FROM invoice JOIN deposit USING (deposit_index) ORDER BY sequence DESC LIMIT 1`,
  );
  const link = read(
    `SELECT business_name AS name, merchant_email AS email, NULL AS address, wallet_type, payout_wallet, link.created_at
     FROM link JOIN deposit USING (deposit_index) ORDER BY id DESC LIMIT 1`,
  );
  const isLinkNewer = link !== null && (invoice === null || link.created_at > invoice.created_at);
  return { invoice: invoice && billing(invoice), link: link && billing(link), isLinkNewer };
}

type BillingRow = {
  name: string;
  email: string;
  address: string | null;
  wallet_type: string;
  payout_wallet: string;
  created_at: bigint;
};

const billing = ({
  name,
  email,
  address,
  wallet_type: type,
  payout_wallet: wallet,
}: BillingRow): Billing => ({
  name,
  email,
  address,
  payoutWallet: type === "byo" ? (wallet as Address) : null,
});
