import * as Currency from "../bill/currency.ts";
import type { Deposit } from "../payment/deposit.ts";
import * as Outcome from "../payment/outcome.ts";
import type { Closure, Common } from "../receivable/common.ts";
import { faces } from "../receivable/faces.ts";
import * as Usdc from "../usdc.ts";
import type { Bill, Collect, PayerDetails } from "./bill.ts";

export const statuses = ["pending", "confirmed", "partial", "excess", "error", "void"] as const;
export type Status = (typeof statuses)[number];

/** A status reported to the merchant by webhook. */
export type ReportedStatus = Extract<Status, "confirmed" | "partial" | "excess">;

/** A payment link: one payment, one deposit address. */
export type Link = Common & {
  id: number;
  slug: string;
  businessName: string;
  productDescription: string | null;
  status: Status;
  /** Return URL for the payer after payment. */
  successUrl: string | null;
  /** Sites that may frame the checkout; empty means any. */
  embedOrigins: string[];
  /** The payer's address for the receipt; null until given. */
  payerEmail: string | null;
  /** Null when no lines or tax were given. */
  bill: Bill | null;
  /** Null when the payer is asked for nothing. */
  collect: Collect | null;
  payerDetails: PayerDetails | null;
  /** Null until it is paid, and when no tax is stated. */
  receiptNumber: string | null;
  /** The reusable link that it is a payment of; null for a standalone link. */
  reusableId: number | null;
  reusableSlug: string | null;
  /** Number of pieces. */
  quantity: number;
  /** From then on its page asks for no money; payments are counted all the same. Null for no end. */
  expiresAt: number | null;
};

/** For a standalone link. */
export const alone = { reusableId: null, reusableSlug: null, quantity: 1 } as const;

type StatusFacts = Outcome.Amounts & Pick<Closure, "voidedAt" | "markedPaidAt"> & { hasLost: boolean };

/**
 * Derives the status from confirmed money and the merchant's marks, whatever it was before (SPEC section 3.3). If the
 * chain took back a confirmed payment (`hasLost`), the status is an error until the rest covers the amount. A void link
 * stays void, with money or without.
 */
export function status({ hasLost, voidedAt, markedPaidAt, ...facts }: StatusFacts): Status {
  if (voidedAt !== null) return "void";
  const outcome = Outcome.compare(facts);
  if (outcome === "excess") return "excess";
  if (outcome === "full" || markedPaidAt !== null) return "confirmed";
  if (hasLost) return "error";
  return outcome === "none" ? "pending" : "partial";
}

function isReported(status: Status): status is ReportedStatus {
  return status === "confirmed" || status === "partial" || status === "excess";
}

/** Returns whether its page has stopped asking for money; `now` is Unix milliseconds. */
export function isExpired({ expiresAt }: Pick<Link, "expiresAt">, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

/** How long a quoted price holds. */
const priceHoldsMs = 24 * 3_600_000;

/** Rates that the merchant set: exchanges cannot offer better ones. */
const lastingSources: readonly string[] = [Currency.byCaller, Currency.byParity];

/**
 * When its price in USDC ends, in Unix milliseconds, unless money arrives first: a payer who has begun to pay can hold
 * the merchant to it. Null if it never ends.
 */
export function priceEndsAt({ currency, expiresAt }: Pick<Link, "currency" | "expiresAt">): number | null {
  if (currency === null) return null;
  if (lastingSources.includes(currency.source)) return expiresAt;
  return Math.min(currency.fetchedAt + priceHoldsMs, expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Returns whether its price ended before any money arrived: its page asks for none until it is quoted again. */
export function isPriceOver({ status, deposit, ...price }: PriceFacts, now: number): boolean {
  const endsAt = priceEndsAt(price);
  return endsAt !== null && now >= endsAt && status === "pending" && !Usdc.shows(deposit.pending);
}

/** The facts that determine its price and how long that holds. */
export type PriceFacts = Pick<Link, "status" | "currency" | "expiresAt"> & {
  deposit: Pick<Deposit, "pending">;
};

/** A payment sent at the last moment is in a block by then. */
const lateMs = 60_000;

/** When an unpaid link can be quoted again, in Unix milliseconds; null if never. */
export function quotableAt({ currency, expiresAt }: Pick<Link, "currency" | "expiresAt">): number | null {
  const endsAt = priceEndsAt({ currency, expiresAt });
  return endsAt === null || endsAt === expiresAt ? null : endsAt + lateMs;
}

/** The status as the contract's webhook reports it; null for a status that money alone did not bring about. */
export function reportedStatus(facts: StatusFacts): ReportedStatus | null {
  const byMoney = status({ ...facts, markedPaidAt: null });
  return isReported(byMoney) && byMoney === status(facts) ? byMoney : null;
}

/** The checkout page of a link. `baseUrl` has no trailing slash. */
export const checkoutUrl = (baseUrl: string, slug: string) => `${baseUrl}${faces.link.page}${slug}`;
