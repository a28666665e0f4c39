import type { Wallet } from "../../chain/account/wallet.ts";
import type { Config } from "../../config/config.ts";
import type * as Currency from "../../domain/bill/currency.ts";
import { alone, type Link } from "../../domain/link/link.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Common from "../../domain/receivable/common.ts";
import type { Billed, Usdc } from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import { newSlug } from "../../lib/crypto.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import { newSecret, placeOf } from "../../store/secrets.ts";
import type { Claim } from "../../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../../store/tables/installation/idempotency.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import { nextDeposit, openedWallet } from "../next-deposit.ts";
import type { PriceTotal, Pricing } from "../price.ts";

/** Fields that Till adds to a request for a link. */
type NewLinkFields =
  | "id"
  | "slug"
  | "status"
  | "walletType"
  | "payerEmail"
  | "deposit"
  | "currency"
  | "createdAt"
  | "payerDetails"
  | "receiptNumber"
  | keyof typeof alone
  | keyof Common.Closure;

/** A checked request; see SPEC section 4.8. */
export type NewLink = Omit<Link, NewLinkFields> & {
  /** Its price, in its currency. */
  billed: Billed;
  /** Null for USDC. */
  currency: Currency.RequestedCurrency | null;
  /** The caller's wallet for `byo`; null for `managed`. */
  wallet: Address | null;
};

/** The webhook's secret, shown only this once; null without a webhook. */
export type CreatedLink = { link: Link; webhookSecret: string | null };

/** A claim is stored in the link's own transaction. */
export type CreateLink = (
  request: NewLink,
  claim: Claim | null,
  origin?: LinkStore.Origin,
) => Promise<CreatedLink>;

export type CreateLinkDeps = {
  db: Db;
  wallet: Promise<Wallet>;
  now: () => number;
  price: Pricing;
  config: Pick<Config, "tolerance" | "limits">;
  /** Called before anybody sees the address, so that the chain is already watched for it. */
  onDeposit: (deposit: Deposit) => void;
};

/**
 * Stores a payment link with its own deposit address in one transaction. Needs no node. Throws a WalletUnavailable,
 * whatever `price` throws, or a StorageFailed if nothing was stored.
 */
export function createLinkCreator({ db, wallet, now, config, ...deps }: CreateLinkDeps): CreateLink {
  return async (request, claim, origin) => {
    const opened = await openedWallet(wallet);
    const { billed: _, ...input } = { ...request, ...(await deps.price(request)) };
    const createdAt = now();
    const webhookSecret = request.webhookUrl && newSecret();
    const link = await stored(
      db,
      () => {
        const link = { ...input, ...alone, slug: newSlug(), webhookSecret };
        const row = insertLink(db, opened, link, { tolerance: config.tolerance, createdAt, origin });
        if (claim) IdempotencyStore.insert(db, claim, row.slug, createdAt);
        return row;
      },
      ({ deposit }) => deps.onDeposit(deposit),
    );
    return { link, webhookSecret };
  };
}

/** Stores a link with the next deposit. Call it in a transaction. */
export function insertLink(
  db: Db,
  wallet: Wallet,
  { wallet: callersWallet, total: expected, webhookSecret, ...fields }: LinkToStore,
  {
    tolerance,
    createdAt,
    origin,
  }: { tolerance: Usdc; createdAt: number; origin?: LinkStore.Origin | undefined },
): Link {
  const { merchantEmail } = fields;
  const request = { merchantEmail, wallet: callersWallet, expected, tolerance };
  const deposit = nextDeposit(db, wallet, request);
  const link: Omit<Link, "id"> = {
    ...fields,
    status: "pending",
    payerEmail: null,
    payerDetails: null,
    receiptNumber: null,
    walletType: callersWallet ? "byo" : "managed",
    deposit,
    createdAt,
    ...Common.open,
  };
  const sealed = webhookSecret && wallet.vault.seal(webhookSecret, placeOf.deposit(deposit.index));
  return { ...link, id: LinkStore.insert(db, link, sealed, origin) };
}

type LinkToStore = Omit<NewLink, "billed" | "currency"> &
  PriceTotal &
  Pick<Link, "slug" | keyof typeof alone> & { webhookSecret: string | null };
