import { randomBytes } from "node:crypto";
import { secretPrefix } from "../domain/event/webhook-event.ts";
import type { Vault } from "../lib/crypto/vault.ts";

/**
 * Secrets at rest are sealed with a key that comes from the wallet's words, as deposit addresses do: so the
 * database and its backups give none away, wallet and passphrase are still all that a restored installation
 * needs, and there is no second file to lose, to copy along or to forget in a backup.
 */

const secretBytes = 32;

/** A sealed secret belongs to its deposit: with an invoice or a link and with its events, it is the same text. */
const secretPlace = (depositIndex: number) => `webhook secret of deposit ${depositIndex}`;
const reusablePlace = (slug: string) => `webhook secret of reusable link ${slug}`;
const answerPlace = (idempotencyKey: string) => `answer to the request with key ${idempotencyKey}`;

/** A new secret to sign a webhook's events with: `whsec_` and 32 random bytes in base64. */
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

/** Of a reusable link: it signs the events of each of its payments, for whose deposits it is sealed anew. */
export function sealReusableSecret(vault: Vault, secret: string, slug: string): string {
  return vault.seal(secret, reusablePlace(slug));
}

/** Throws a SealBroken. */
export function openReusableSecret(vault: Vault, sealed: string, slug: string): string {
  return vault.open(sealed, reusablePlace(slug));
}

/** The answer to a creation holds the secret that it made. */
export function sealAnswer(vault: Vault, body: string, idempotencyKey: string): string {
  return vault.seal(body, answerPlace(idempotencyKey));
}

/** Throws a SealBroken. */
export function openAnswer(vault: Vault, sealed: string, idempotencyKey: string): string {
  return vault.open(sealed, answerPlace(idempotencyKey));
}
