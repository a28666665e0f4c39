import * as Currency from "../bill/currency.ts";
import type { Deposit } from "../payment/deposit.ts";
import * as Outcome from "../payment/outcome.ts";
import type { Closure, Common } from "../receivable/common.ts";
import * as Usdc from "../usdc.ts";
import type { Bill, Collect, PayerDetails } from "./bill.ts";

export const statuses = ["pending", "confirmed", "partial", "excess", "error", "void"] as const;
export type Status = (typeof statuses)[number];

/** A status that the merchant hears of by webhook. */
export type ReportedStatus = Extract<Status, "confirmed" | "partial" | "excess">;

/** A payment link: one payment, one deposit address. */
export type Link = Common & {
  id: number;
  slug: string;
  businessName: string;
  productDescription: string | null;
  status: Status;
  /** Where the payer can go back to once it is paid. */
  successUrl: string | null;
  /** The sites that may frame the checkout; none means any. */
  embedOrigins: string[];
  /** Where the payer wants a receipt; null while nobody said. */
  payerEmail: string | null;
  /** Null when nothing was said of lines or tax. */
  bill: Bill | null;
  /** Null when the payer is asked for nothing. */
  collect: Collect | null;
  payerDetails: PayerDetails | null;
  /** Null until it is paid, and when nothing was said of tax. */
  receiptNumber: string | null;
  /** The reusable link that it is a payment of; null for a link by itself. */
  reusableId: number | null;
  reusableSlug: string | null;
  /** How many pieces it is for. */
  quantity: number;
  /** From then on its page asks for no money; what comes counts all the same. */
  expiresAt: number | null;
};

/** Of a link that is no payment of a reusable one. */
export const alone = { reusableId: null, reusableSlug: null, quantity: 1 } as const;

type StatusFacts = Outcome.Amounts & Pick<Closure, "voidedAt" | "markedPaidAt"> & { hasLost: boolean };

/**
 * The status is a function of confirmed money and of what the merchant said, whatever it was before (SPEC section 3.3).
 * A confirmed payment that the chain took back (`hasLost`) is an error for as long as the rest does not cover the
 * amount. What is void stays void, with money or without.
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

/** Whether its page asks for no more money; `now` is Unix milliseconds. */
export function isExpired({ expiresAt }: Pick<Link, "expiresAt">, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

/** How long a price stays as it was quoted. */
const priceHoldsMs = 24 * 3_600_000;

/** The merchant's own word: no exchange has a better rate. */
const lastingSources: readonly string[] = [Currency.byCaller, Currency.byParity];

/**
 * Until when its price in USDC holds, in Unix milliseconds, unless money comes before: who has begun to pay holds the
 * merchant to it. Null when it holds for good.
 */
export function priceEndsAt({ currency, expiresAt }: Pick<Link, "currency" | "expiresAt">): number | null {
  if (currency === null) return null;
  if (lastingSources.includes(currency.source)) return expiresAt;
  return Math.min(currency.fetchedAt + priceHoldsMs, expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Whether its price has ended before any money came: nobody is asked for it until it is quoted again. */
export function isPriceOver({ status, deposit, ...price }: PriceFacts, now: number): boolean {
  const endsAt = priceEndsAt(price);
  return endsAt !== null && now >= endsAt && status === "pending" && !Usdc.shows(deposit.pending);
}

/** What its price depends on, and how long that holds. */
export type PriceFacts = Pick<Link, "status" | "currency" | "expiresAt"> & {
  deposit: Pick<Deposit, "pending">;
};

/** A payment sent at the last moment is in a block by then. */
const lateMs = 60_000;

/** When an unpaid link can be quoted again, in Unix milliseconds; null when never. */
export function quotableAt({ currency, expiresAt }: Pick<Link, "currency" | "expiresAt">): number | null {
  const endsAt = priceEndsAt({ currency, expiresAt });
  return endsAt === null || endsAt === expiresAt ? null : endsAt + lateMs;
}

/** The status as the contract's webhook reports it: null for one that money alone has not made. */
export function reportedStatus(facts: StatusFacts): ReportedStatus | null {
  const byMoney = status({ ...facts, markedPaidAt: null });
  return isReported(byMoney) && byMoney === status(facts) ? byMoney : null;
}

/** Where people pay. `baseUrl` is without a trailing slash. */
export const checkoutUrl = (baseUrl: string, slug: string) => `${baseUrl}/pay/${slug}`;
