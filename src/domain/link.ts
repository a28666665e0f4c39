import type { Deposit } from "./deposit.ts";
import type { WalletType } from "./invoice.ts";
import * as Outcome from "./outcome.ts";

export const statuses = ["pending", "confirmed", "partial", "excess", "error"] as const;
export type Status = (typeof statuses)[number];

/** A status that the merchant hears of by webhook. */
export type ReportedStatus = Extract<Status, "confirmed" | "partial" | "excess">;

/** A payment link: one payment, one deposit address. */
export type Link = {
  id: number;
  slug: string;
  merchantEmail: string;
  businessName: string;
  productDescription: string | null;
  status: Status;
  walletType: WalletType;
  /** Where the payer can go back to once it is paid. */
  successUrl: string | null;
  /** The sites that may frame the checkout; none means any. */
  embedOrigins: string[];
  webhookUrl: string | null;
  deposit: Deposit;
  /** Unix time in milliseconds. */
  createdAt: number;
};

/**
 * The status is a function of confirmed money, whatever it was before (SPEC section 3.3). A confirmed payment that
 * the chain took back (`hasLost`) is an error for as long as the rest does not cover the amount.
 */
export function status(facts: Outcome.Facts & { hasLost: boolean }): Status {
  switch (Outcome.compare(facts)) {
    case "none":
      return facts.hasLost ? "error" : "pending";
    case "partial":
      return facts.hasLost ? "error" : "partial";
    case "full":
      return "confirmed";
    case "excess":
      return "excess";
  }
}

export function isReported(status: Status): status is ReportedStatus {
  return status === "confirmed" || status === "partial" || status === "excess";
}

/** Where people pay. `baseUrl` is without a trailing slash. */
export const checkoutUrl = (baseUrl: string, slug: string) => `${baseUrl}/pay/${slug}`;
