import { slugOf } from "../../lib/crypto.ts";
import * as Currency from "../bill/currency.ts";
import type * as Tax from "../bill/tax.ts";
import * as Usdc from "../usdc.ts";
import type { Address } from "../wallet/address.ts";
import type { Link } from "./link.ts";

/** The most pieces that one payment can be for. */
export const quantityLimit = 1_000;

/** What one payment is of: so many pieces at a price each, or what the payer chooses from `min` to `max`. */
export type Price =
  | { kind: "fixed"; each: Usdc.Billed; quantityMax: number }
  | { kind: "chosen"; min: Usdc.Billed; max: Usdc.Billed };

/** What each payment has from the link that it was begun with. */
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

/** A payment link that is paid many times. Each payment that is begun is a link of its own, with its own address. */
export type ReusableLink = InheritedFields &
  Pick<Link, "id" | "slug" | "walletType" | "createdAt" | "voidedAt" | "voidReason"> & {
    price: Price;
    /** What the price is in; null for USDC. Each payment is quoted when it is begun, unless the caller said the rate. */
    currency: Currency.Asked | null;
    /** Within the price of each payment; null when nothing was said of tax. */
    tax: Tax.Tax | null;
    /** The caller's wallet for `byo`, null for `managed`. */
    wallet: Address | null;
    /** From then on no payment can be begun; those that were go on. */
    expiresAt: number | null;
  };

export function inheritedOf(link: ReusableLink): InheritedFields {
  return Object.fromEntries(inherited.map((field) => [field, link[field]])) as InheritedFields;
}

export const statuses = ["open", "closed"] as const;
type Status = (typeof statuses)[number];

/** Whether payments can be begun. `now` is Unix time in milliseconds. */
export function status(
  { voidedAt, expiresAt }: Pick<ReusableLink, "voidedAt" | "expiresAt">,
  now: number,
): Status {
  return voidedAt !== null || (expiresAt !== null && now >= expiresAt) ? "closed" : "open";
}

/** What a payer typed: only one of the two matters, as the price is. */
type TypedChoice = { quantity: string; amount: string };

/** What a payment will be of. */
export type Choice = { expected: Usdc.Billed; quantity: number };

/** A typed field that cannot be taken: it says nothing that could be read, or more or less than is allowed. */
export type ChoiceFault = "quantity" | "amountForm" | "amountTooSmall" | "amountTooLarge";

type ChoiceResult = { ok: true; choice: Choice } | { ok: false; fault: ChoiceFault };

/**
 * What a payer chose of a price in a currency; `mark` is the decimal mark of their language. Nothing is rounded or guessed.
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

/** The least and the most that one payment can be of. */
export const boundsOf = (price: Price): readonly Usdc.Billed[] =>
  price.kind === "fixed" ? [price.each, times(price.each, price.quantityMax)] : [price.min, price.max];

/** What so many pieces cost. */
export function times(each: Usdc.Billed, quantity: number): Usdc.Billed {
  return Usdc.fromMicro(each * BigInt(quantity));
}

/**
 * The slug of the link of a payment that was begun with a form. The same form with the same choice is the same payment,
 * however often it is sent; nobody who does not know the form's token finds it.
 */
export function paymentSlug(reusable: ReusableLink, token: string, { expected, quantity }: Choice): string {
  return slugOf(["payment", reusable.slug, token, expected, quantity].join(" "));
}
