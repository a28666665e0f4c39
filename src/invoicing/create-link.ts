import type { Wallet } from "../chain/account/wallet.ts";
import type { Deposit } from "../domain/deposit.ts";
import * as Invoice from "../domain/invoice.ts";
import type { Link } from "../domain/link.ts";
import type { Usdc } from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import { newSlug } from "../lib/crypto/id.ts";
import type { Db } from "../store/database.ts";
import { stored, transactTogether } from "../store/group-commit.ts";
import { newSecret, sealSecret } from "../store/secrets.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import { makeDeposit } from "./make-deposit.ts";
import { openedWallet } from "./opened-wallet.ts";

/** A checked request; see SPEC section 4.8. */
export type NewLink = Omit<
  Link,
  "id" | "slug" | "status" | "walletType" | "payerEmail" | "deposit" | "createdAt" | keyof Invoice.Closed
> & {
  expected: Usdc;
  /** The caller's wallet for `byo`, null for `managed`. */
  wallet: Address | null;
};

/** The webhook's secret, which is shown this once; null without a webhook. */
export type CreatedLink = { link: Link; webhookSecret: string | null };

/** With a claim, the request is remembered in the same transaction as what it makes. */
export type CreateLink = (request: NewLink, claim: Claim | null) => Promise<CreatedLink>;

export type CreateLinkDeps = {
  db: Db;
  wallet: Promise<Wallet>;
  now: () => number;
  /** A payment that is short by no more than this counts as all of it. */
  tolerance: Usdc;
  /** Told at once, before the address is shown to anybody, so that the chain is watched for it. */
  onDeposit: (deposit: Deposit) => void;
};

/**
 * Stores a payment link with a deposit address of its own, in one transaction. Throws a WalletUnavailable, or a
 * StorageFailed when nothing was stored. No node is needed for it.
 */
export function createLinkCreator({ db, wallet, now, tolerance, onDeposit }: CreateLinkDeps): CreateLink {
  return async (request, claim) => {
    const opened = await openedWallet(wallet);
    const createdAt = now();
    const { wallet: callersWallet, expected, ...fields } = request;
    const webhookSecret = fields.webhookUrl && newSecret();
    const link = await stored(() =>
      transactTogether(db, () => {
        const { merchantEmail } = request;
        const deposit = makeDeposit(
          db,
          opened,
          { merchantEmail, wallet: callersWallet, expected, tolerance },
          createdAt,
        );
        const isNew: Omit<Link, "id"> = {
          ...fields,
          slug: newSlug(),
          status: "pending",
          payerEmail: null,
          walletType: callersWallet ? "byo" : "managed",
          deposit,
          createdAt,
          ...Invoice.open,
        };
        if (claim) IdempotencyStore.insert(db, claim, isNew.slug, createdAt);
        const sealed = webhookSecret && sealSecret(opened.vault, webhookSecret, deposit.index);
        return { ...isNew, id: LinkStore.insert(db, isNew, sealed) };
      }),
    );
    onDeposit(link.deposit);
    return { link, webhookSecret };
  };
}
