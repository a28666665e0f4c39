import type { Wallet } from "../chain/wallet.ts";
import type { Address } from "../domain/address.ts";
import type { Deposit } from "../domain/deposit.ts";
import type { Link } from "../domain/link.ts";
import type { Usdc } from "../domain/usdc.ts";
import { newSlug } from "../lib/id.ts";
import type { Db } from "../store/database.ts";
import { transactTogether } from "../store/group-commit.ts";
import type { Claim } from "../store/idempotency.ts";
import * as IdempotencyStore from "../store/idempotency.ts";
import * as LinkStore from "../store/link.ts";
import { makeDeposit } from "./make-deposit.ts";
import { openedWallet, stored } from "./unavailable.ts";
import { newSecret, sealSecret } from "./webhook-secret.ts";

/** A checked request; see SPEC section 4.8. */
export type NewLink = {
  merchantEmail: string;
  businessName: string;
  expected: Usdc;
  productDescription: string | null;
  /** The caller's wallet for `byo`, null for `managed`. */
  wallet: Address | null;
  successUrl: string | null;
  embedOrigins: string[];
  webhookUrl: string | null;
};

/** With a claim, the request is remembered in the same transaction as what it makes. */
export type CreateLink = (request: NewLink, claim: Claim | null) => Promise<Link>;

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
    const link = await stored(() =>
      transactTogether(db, () => {
        const { merchantEmail } = request;
        const deposit = makeDeposit(
          db,
          opened,
          { merchantEmail, wallet: callersWallet, expected, tolerance },
          createdAt,
        );
        const made: Omit<Link, "id"> = {
          ...fields,
          slug: newSlug(),
          status: "pending",
          walletType: callersWallet ? "byo" : "managed",
          deposit,
          createdAt,
        };
        if (claim) IdempotencyStore.insert(db, claim, made.slug, createdAt);
        const secret = made.webhookUrl && sealSecret(opened.vault, newSecret(), deposit.index);
        return { ...made, id: LinkStore.insert(db, made, secret) };
      }),
    );
    onDeposit(link.deposit);
    return link;
  };
}
