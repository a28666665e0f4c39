import type { Config } from "../../config/config.ts";
import * as Currency from "../../domain/bill/currency.ts";
import * as Bill from "../../domain/link/bill.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import { newSlug } from "../../lib/crypto.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import { newSecret, placeOf } from "../../store/secrets.ts";
import type { Claim } from "../../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import { openedWallet } from "../next-deposit.ts";
import type { PriceTotal } from "../price.ts";
import { type CreateLinkDeps, insertLink } from "./create-link.ts";

/** A checked request for a reusable link. */
export type NewReusableLink = Omit<
  Reusable.ReusableLink,
  "id" | "slug" | "walletType" | "createdAt" | "voidedAt" | "voidReason"
>;

/** The webhook's secret, shown only this once; null without a webhook. */
export type CreatedReusableLink = { reusable: Reusable.ReusableLink; webhookSecret: string | null };

/** A claim is stored in the link's own transaction. */
export type CreateReusableLink = (
  request: NewReusableLink,
  claim: Claim | null,
) => Promise<CreatedReusableLink>;

/**
 * Stores a reusable link: no deposit, no address, nothing to watch. Throws a WalletUnavailable, whatever `price`
 * throws, or a StorageFailed if nothing was stored.
 */
export function createReusableLinkCreator({
  db,
  wallet,
  now,
  price,
}: Pick<CreateLinkDeps, "db" | "wallet" | "now" | "price">): CreateReusableLink {
  return async (request, claim) => {
    const { vault } = await openedWallet(wallet);
    // Visitors should never be the ones to find that its payments cannot be quoted.
    for (const billed of Reusable.boundsOf(request.price)) await price({ ...request, billed });
    const webhookSecret = request.webhookUrl && newSecret();
    const isNew = {
      ...request,
      slug: newSlug(),
      walletType: request.wallet ? ("byo" as const) : ("managed" as const),
      createdAt: now(),
      voidedAt: null,
      voidReason: null,
    };
    const sealed = webhookSecret && vault.seal(webhookSecret, placeOf.reusableLink(isNew.slug));
    const id = await stored(db, () => {
      if (claim) IdempotencyStore.insert(db, claim, isNew.slug, isNew.createdAt);
      return ReusableStore.insert(db, isNew, sealed);
    });
    return { reusable: { ...isNew, id }, webhookSecret };
  };
}

/**
 * Closes a reusable link for good, unless it is already closed; payments already begun continue. Throws a
 * StorageFailed.
 */
export type VoidReusableLink = (slug: string, reason: string, claim: Claim | null) => Promise<void>;

export function createReusableLinkVoider({ db, now }: Pick<CreateLinkDeps, "db" | "now">): VoidReusableLink {
  return (slug, voidReason, claim) =>
    stored(db, () => {
      const voidedAt = now();
      if (claim) IdempotencyStore.insert(db, claim, slug, voidedAt);
      ReusableStore.setVoided(db, slug, { voidedAt, voidReason });
    });
}

/** A visitor's choice, and the slug for the payment's link; see `Reusable.paymentSlug`. */
export type PaymentStart = Pick<Reusable.Choice, "quantity"> & {
  reusable: Reusable.ReusableLink;
  slug: string;
  /** Its price. Quoted beforehand, as nothing that slow may happen between the caller's checks and this. */
  priced: PriceTotal;
};

/** The bill of a payment, including its tax; null without tax. */
function billOf(reusable: Reusable.ReusableLink, { total, currency }: PriceTotal, quantity: number) {
  const { tax, productDescription, businessName } = reusable;
  const billed = currency?.total ?? Usdc.asBilled(total);
  const description = productDescription ?? businessName;
  const code = Currency.codeOf({ currency });
  return tax && Bill.ofOne({ description, quantity, total: billed, tax }, { pricesIncludeTax: true, code });
}

/** Payments begun longer ago are not counted. */
const unpaidForMs = 86_400_000;

/** Returns whether so many of its payments are unpaid that the oldest expires for a new one. */
export function isFullOfUnpaid(db: Db, { limits }: Pick<Config, "limits">, id: number, now: number): boolean {
  const max = limits.UNPAID;
  return max > 0 && ReusableStore.unpaidSince(db, id, now - unpaidForMs, max) >= max;
}

type BeginPayment = (begin: PaymentStart) => Promise<void>;

/**
 * Creates the link of one payment of a reusable link; does nothing if one with this slug exists, or the reusable link
 * is closed by then. Throws a WalletUnavailable, a SealBroken, or a StorageFailed if nothing was stored.
 */
export function createPaymentBeginner(deps: CreateLinkDeps): BeginPayment {
  const { db, config, now } = deps;
  return async ({ reusable, slug, priced, quantity }) => {
    const wallet = await openedWallet(deps.wallet);
    const sealed = ReusableStore.sealedSecret(db, reusable.id);
    const webhookSecret = sealed && wallet.vault.open(sealed, placeOf.reusableLink(reusable.slug));
    const { id: reusableId, slug: reusableSlug } = reusable;
    await stored(
      db,
      () => {
        // The same form may arrive twice at once.
        if (LinkStore.statusBySlug(db, slug)) return null;
        const current = ReusableStore.bySlug(db, reusableSlug) ?? reusable;
        if (Reusable.status(current, now()) === "closed") return null;
        const request = {
          ...Reusable.inheritedOf(reusable),
          wallet: reusable.wallet,
          ...priced,
          expiresAt: null,
          bill: billOf(reusable, priced, quantity),
        };
        if (isFullOfUnpaid(db, config, reusableId, now()))
          ReusableStore.expireOldest(db, reusableId, now() - unpaidForMs, now());
        const link = { ...request, reusableId, reusableSlug, quantity, slug, webhookSecret };
        return insertLink(db, wallet, link, { tolerance: config.tolerance, createdAt: now() }).deposit;
      },
      (deposit) => {
        if (deposit) deps.onDeposit(deposit);
      },
    );
  };
}
