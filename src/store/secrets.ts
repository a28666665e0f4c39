import { secretPrefix } from "../domain/event/webhook-event.ts";
import type { Vault } from "../lib/crypto.ts";
import { world } from "../lib/world.ts";
import type { SealedSecrets } from "./tables/outbox/endpoint.ts";

/**
 * Secrets at rest are sealed with a key derived from the wallet's words, like deposit addresses: the database and its
 * backups reveal none, wallet and passphrase are still all that a restore needs, and there is no second file to lose or
 * leave out of a backup.
 */

const secretBytes = 32;

/**
 * Places of sealed texts, as a vault requires them:
 *
 * ```ts
 * const sealed = vault.seal(secret, placeOf.deposit(deposit.index));
 * ```
 */
export const placeOf = {
  /** A webhook's secret: an invoice or a link shares one sealed text with its events. */
  deposit: (index: number) => `webhook secret of deposit ${index}`,
  /** The secret that signs the events of each payment: sealed again for each payment's deposit. */
  reusableLink: (slug: string) => `webhook secret of reusable link ${slug}`,
  /** Signs the account's events sent to this endpoint; of a chat, its whole address. */
  endpoint: (id: string) => `webhook secret of endpoint ${id}`,
  /** The link by which a customer names the address for a refund. */
  refund: (id: string) => `link of refund ${id}`,
  /** The link by which an owner stops a change requested at the desk. */
  walletChange: (id: string) => `link of wallet change ${id}`,
  /** A setting that holds a password. */
  setting: (name: string) => `setting ${name}`,
  /** The answer to a creation, which contains the new secret. */
  answer: (idempotencyKey: string) => `answer to the request with key ${idempotencyKey}`,
};

/** A new secret for signing a webhook's events: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + world.randomBytes(secretBytes).toString("base64");
}

/** The secrets that sign an endpoint's events at a time in Unix milliseconds. Throws a SealBroken. */
export function openSecrets(
  vault: Vault,
  endpointId: string,
  { secret, oldSecrets }: SealedSecrets,
  now: number,
): { secret: string; oldSecrets: string[] } {
  const open = (sealed: string) => vault.open(sealed, placeOf.endpoint(endpointId));
  const valid = oldSecrets.filter(({ until }) => until > now);
  return { secret: open(secret), oldSecrets: valid.map(({ sealed }) => open(sealed)) };
}
