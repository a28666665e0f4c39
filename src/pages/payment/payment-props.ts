import type { Locale } from "../../language/locale.ts";

/** Amounts are USDC decimals (`"1500.00"`, or with six decimals when there is a fraction of a cent). */
export type PaymentProps = {
  locale: Locale;
  /** A payment link's `pending` is `sent` here and its `confirmed` is `paid`. Only links know `error`. */
  status: "draft" | "sent" | "partial" | "paid" | "excess" | "error" | "void";
  /** Why it is void, in lines of the merchant's; null unless it is. */
  voidReason: string | null;
  /** It counts as paid because the merchant says so: money alone has not paid all of it. */
  isMarked: boolean;
  /** Money came, or is on its way, although it is void or marked as paid. */
  isUnexpected: boolean;
  overdue: boolean;
  /** Whether a payment link's time is over: no more is asked for. */
  expired: boolean;
  /** When that will be, as ISO 8601, and how far away that is if it is near; null for never, or when it has been. */
  payBy: { at: string; left: string | null } | null;
  /** `YYYY-MM-DD`; null for a payment link. */
  dueDate: string | null;
  /** With its credit notes. */
  total: string;
  /** Confirmed. */
  received: string;
  /** Total less what is confirmed; zero when that counts as all of it. */
  remaining: string;
  /** What was paid beyond the total. */
  excess: string;
  /** What the merchant owes because of credit notes, in words; null when that is nothing. */
  owedBack: string | null;
  /** What has been seen and does not count yet; null when there is none. */
  pending: string | null;
  /** What somebody has signed and what does not show as a transfer yet; null when there is none. */
  signed: { amount: string; txHash: string | null } | null;
  /** The last payment that was signed failed, and no money has come since. */
  signedFailed: boolean;
  /** Whether a wallet in the browser may pay by a signature. */
  canSign: boolean;
  /** Where the browsers of phones' wallets reach this page; null when they cannot. */
  pageUrl: string | null;
  /** As a payer knows it: "Base". */
  networkLabel: string;
  depositAddress: string;
  usdcAddress: string;
  chainId: number;
  /** `remaining` in micro-USDC, a decimal integer. */
  remainingMicro: string;
  /** With so much of that, in micro-USDC, the rest is not asked for. */
  leastMicro: string;
  /** EIP-681, for what remains. */
  paymentUri: string;
  /** The QR code of `paymentUri`, as an image's data URL. */
  paymentQr: string;
  /** The same of the bare address. */
  addressQr: string;
  /** A block explorer's URL without a trailing slash. */
  explorer: string | null;
  /** The PDF of the receipt: there is one once it is paid. */
  receiptUrl: string;
  /** The largest ones. */
  transfers: readonly PaymentTransfer[];
  /** How many there are besides. */
  otherTransfers: number;
  /** Payments are detected late just now. */
  delayed: boolean;
};

export type PaymentTransfer = {
  txHash: string;
  amount: string;
  /** The address that sent it. */
  from: string;
  confirmations: number;
  /** null when the chain says itself what is final. */
  confirmationsNeeded: number | null;
  confirmed: boolean;
  /** ISO 8601. */
  madeAt: string;
};
