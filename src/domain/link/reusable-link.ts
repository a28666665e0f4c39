import { slugOf } from "../../lib/crypto.ts";
import * as Currency from "../bill/currency.ts";
import type * as Tax from "../bill/tax.ts";
import * as Usdc from "../usdc.ts";
import type { Address } from "../wallet/address.ts";
import type { Link } from "./link.ts";

/** Maximum number of pieces in one payment. */
export const quantityLimit = 1_000;

/** The price of one payment: pieces at a fixed price each, or an amount from `min` to `max` that the payer chooses. */
export type Price =
  | { kind: "fixed"; each: Usdc.Billed; quantityMax: number }
  | { kind: "chosen"; min: Usdc.Billed; max: Usdc.Billed };

/** Fields that each payment inherits from its reusable link. */
const inherited = [
  "merchantEmail",
  "businessName",
  "productDescription",
  "successUrl",
  "embedOrigins",
  "reference",
  "metadata",
  "language",
  "webhookUrl",
  "webhookEvents",
  "collect",
] as const satisfies (keyof Link)[];

type InheritedFields = Pick<Link, (typeof inherited)[number]>;

/**
 * A payment link that can be paid many times. Each payment that is begun is a link of its own, with its own address.
 */
export type ReusableLink = InheritedFields &
  Pick<Link, "id" | "slug" | "walletType" | "createdAt" | "voidedAt" | "voidReason"> & {
    price: Price;
    /**
     * The currency of the price; null for USDC. Each payment is quoted when it is begun, unless the caller gave a rate.
     */
    currency: Currency.RequestedCurrency | null;
    /** Included in the price of each payment; null when no tax is stated. */
    tax: Tax.Tax | null;
    /** The caller's wallet for `byo`, null for `managed`. */
    wallet: Address | null;
    /** From then on no payment can be begun; those already begun continue. Null for no end. */
    expiresAt: number | null;
  };

export function inheritedOf(link: ReusableLink): InheritedFields {
  return Object.fromEntries(inherited.map((field) => [field, link[field]])) as InheritedFields;
}

export const statuses = ["open", "closed"] as const;
type Status = (typeof statuses)[number];

/** Returns whether payments can be begun. `now` is Unix time in milliseconds. */
export function status(
  { voidedAt, expiresAt }: Pick<ReusableLink, "voidedAt" | "expiresAt">,
  now: number,
): Status {
  return voidedAt !== null || (expiresAt !== null && now >= expiresAt) ? "closed" : "open";
}

/** The payer's input; the price decides which of the two applies. */
type TypedChoice = { quantity: string; amount: string };

/** The amount and quantity of a payment. */
export type Choice = { expected: Usdc.Billed; quantity: number };

/** Why an input is refused: it cannot be read, or is outside the allowed range. */
export type ChoiceFault = "quantity" | "amountForm" | "amountTooSmall" | "amountTooLarge";

type ChoiceResult = { ok: true; choice: Choice } | { ok: false; fault: ChoiceFault };

/**
 * Reads the payer's choice for a price in a currency; `mark` is the decimal mark of the payer's language. Nothing is
 * rounded or guessed.
 */
export function choose(
  price: Price,
  typed: TypedChoice,
  mark: string,
  code: Currency.Code = "USDC",
): ChoiceResult {
  if (price.kind === "fixed") {
    const digits = Usdc.plainDigits(typed.quantity.trim());
    const quantity = /^\d{1,4}$/.test(digits) ? Number(digits) : 0;
    if (quantity < 1 || quantity > price.quantityMax) return { ok: false, fault: "quantity" };
    return { ok: true, choice: { quantity, expected: times(price.each, quantity) } };
  }
  const amount = Currency.parseTyped(typed.amount, mark, code);
  if (amount === null) return { ok: false, fault: "amountForm" };
  if (amount < price.min) return { ok: false, fault: "amountTooSmall" };
  if (amount > price.max) return { ok: false, fault: "amountTooLarge" };
  return { ok: true, choice: { quantity: 1, expected: amount } };
}

/** The smallest and the largest amount of one payment. */
export const boundsOf = (price: Price): readonly Usdc.Billed[] =>
  price.kind === "fixed" ? [price.each, times(price.each, price.quantityMax)] : [price.min, price.max];

/** The price of several pieces. */
export function times(each: Usdc.Billed, quantity: number): Usdc.Billed {
  return Usdc.fromMicro(each * BigInt(quantity));
}

/**
 * The slug of a payment begun with a form. Sending the same form with the same choice again gives the same payment;
 * nobody can find it without knowing the form's token.
 */
export function paymentSlug(reusable: ReusableLink, token: string, { expected, quantity }: Choice): string {
  return slugOf(["payment", reusable.slug, token, expected, quantity].join(" "));
}
