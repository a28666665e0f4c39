import type { Address } from "../wallet/address.ts";

/** What new invoices and links start from, as the merchant wrote it. What was not written is null. */
export type Profile = Readonly<{
  /** As `merchant_name`, `merchant_email` and `merchant_address` of a request. */
  name: string | null;
  email: string | null;
  address: string | null;
  /** Days from today to the due date of a new invoice. */
  dueDays: number;
  /** At the foot of a new invoice. */
  notes: string | null;
  /** Where the money goes: a wallet of the merchant's own, or null for the one that Till manages. */
  payoutWallet: Address | null;
}>;

export const plainProfile: Profile = {
  name: null,
  email: null,
  address: null,
  dueDays: 14,
  notes: null,
  payoutWallet: null,
};

export const dueDaysMax = 365;
