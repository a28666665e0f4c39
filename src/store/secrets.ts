import { randomBytes } from "node:crypto";
import { secretPrefix } from "../domain/event/webhook-event.ts";
import type { Vault } from "../lib/crypto.ts";

/**
 * Secrets at rest are sealed with a key derived from the wallet's words, like deposit addresses: the database and its
 * backups reveal none, wallet and passphrase are still all that a restore needs, and there is no second file to lose or
 * leave out of a backup.
 */

const secretBytes = 32;

/** A sealed secret belongs to its deposit, so an invoice or a link shares one text with its events. */
const secretPlace = (depositIndex: number) => `webhook secret of deposit ${depositIndex}`;
const reusablePlace = (slug: string) => `webhook secret of reusable link ${slug}`;
const answerPlace = (idempotencyKey: string) => `answer to the request with key ${idempotencyKey}`;

/** A new secret for signing a webhook's events: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString("base64");
}

export function sealSecret(vault: Vault, secret: string, depositIndex: number): string {
  return vault.seal(secret, secretPlace(depositIndex));
}

/** Throws a SealBroken. */
export function openSecret(vault: Vault, sealed: string, depositIndex: number): string {
  return vault.open(sealed, secretPlace(depositIndex));
}

/**
 * For a reusable link, whose secret signs the events of each payment: it is sealed again for each payment's deposit.
 */
export function sealReusableSecret(vault: Vault, secret: string, slug: string): string {
  return vault.seal(secret, reusablePlace(slug));
}

/** Throws a SealBroken. */
export function openReusableSecret(vault: Vault, sealed: string, slug: string): string {
  return vault.open(sealed, reusablePlace(slug));
}

/** The answer to a creation contains the new secret. */
export function sealAnswer(vault: Vault, body: string, idempotencyKey: string): string {
  return vault.seal(body, answerPlace(idempotencyKey));
}

/** Throws a SealBroken. */
export function openAnswer(vault: Vault, sealed: string, idempotencyKey: string): string {
  return vault.open(sealed, answerPlace(idempotencyKey));
}
