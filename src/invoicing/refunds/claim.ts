import * as Refund from "../../domain/payment/refund.ts";
import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import { newToken, tokenHash, type Vault } from "../../lib/crypto.ts";
import type { Db } from "../../store/database.ts";
import { placeOf } from "../../store/secrets.ts";
import type { StoredRefund } from "../../store/tables/invoicing/refund.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";

/** A claim link for the customer of a refund: its token, sealed for the mail, and the hash to find it by. */
export function newClaim(vault: Vault, id: string, at: number) {
  const token = newToken();
  return {
    claimHash: tokenHash(token),
    claimToken: vault.seal(token, placeOf.refund(id)),
    claimEndsAt: at + Refund.claimMs,
  };
}

/** Mails the customer the link. Call it in a transaction. */
export function mailClaim(db: Db, { depositIndex, id, claims }: StoredRefund, createdAt: number): void {
  MailStore.insertOnce(db, { depositIndex, kind: "refund", occasion: `${id}.claim.${claims}`, createdAt });
}

/**
 * When the customer's own word began to vouch for the address: they read the mail that asked for it, which nobody can
 * with access to the desk alone. Null if that is uncertain: anybody may name an address at a link that was handed over,
 * and somebody at the desk can change the customer's email to their own.
 */
export function vouchedAt({ addressBy, email, claimEndsAt }: StoredRefund, owner: Receivable): number | null {
  const isSure = addressBy === "mail" && email !== null && faceOf(owner).issuedEmail === email;
  return isSure && claimEndsAt !== null ? claimEndsAt - Refund.claimMs : null;
}
