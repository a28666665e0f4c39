import type { Address } from "../wallet/address.ts";

/** The merchant's defaults for new invoices and links; null where not set. */
export type Profile = Readonly<{
  /** Like `merchant_name`, `merchant_email` and `merchant_address` in a request. */
  name: string | null;
  email: string | null;
  address: string | null;
  /** Days from today to the due date of a new invoice. */
  dueDays: number;
  /** Notes at the end of a new invoice. */
  notes: string | null;
  /** Where the money goes: the merchant's own wallet, or null for the one that Till manages. */
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
