import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import { newId, newToken, tokenHash, type Vault } from "../lib/crypto.ts";
import { type Db, transact } from "../store/database.ts";
import { ownersOf, tellOwners, unsureMs } from "../store/reports/owners.ts";
import { placeOf } from "../store/secrets.ts";
import * as AllowedAddressStore from "../store/tables/desk/allowed-address.ts";
import * as ToldChangeStore from "../store/tables/desk/told-change.ts";
import * as WalletChangeStore from "../store/tables/settle/wallet-change.ts";

const dayMs = 86_400_000;

/** This machine's clock, and the newest block's time as just read from a node, in Unix ms. */
export type Clocks = { now: number; headAt: number };

/** The earlier of both clocks: setting the machine's clock forward must not unlock anything. */
export const sureOf = ({ now, headAt }: Clocks): number => Math.min(now, headAt);

/** The change an owner requests. */
export type ChangeRequest =
  | { kind: "address"; address: Address; name: string }
  | { kind: "limit"; amount: Usdc.Usdc | null };

/** `vouchedAt`: when the customer's own word, given by mail, began to vouch for the address; null if it does not. */
type Waiting = { hasMailServer: boolean; vouchedAt?: number | null };

/**
 * How long a change requested at the desk waits before money can follow it, in ms: another address, a higher limit, a
 * refund, or wallets named by a new API key. One day; three if no mail tells the owners, or if a thief may have seen to
 * that: the recipients of notices, or where new money goes, changed in the last three days. An address that the
 * customer vouches for does not wait, unless there was such a change in the three days before they were asked, or
 * since.
 */
export function waitMs(db: Db, { hasMailServer, vouchedAt = null }: Waiting, clocks: Clocks): number {
  const sure = sureOf(clocks);
  const isUnsureAt = (at: number) => ToldChangeStore.anySince(db, at - unsureMs);
  if (vouchedAt !== null && !isUnsureAt(Math.min(sure, vouchedAt))) return 0;
  return hasMailServer && ownersOf(db).length > 0 && !isUnsureAt(sure) ? dayMs : unsureMs;
}

/** When money could go to an address that an owner added now, and whether that takes longer than usual. */
export function readyAtNow(db: Db, waiting: Waiting, clocks: Clocks): { readyAt: number; isLong: boolean } {
  const ms = waitMs(db, waiting, clocks);
  return { readyAt: Math.max(clocks.now, clocks.headAt) + ms, isLong: ms > dayMs };
}

/** Returns whether a limit is no higher than the one in force. */
export function isLower(db: Db, amount: Usdc.Usdc | null, clocks: Clocks): boolean {
  const held = WalletChangeStore.limitAt(db, sureOf(clocks));
  return amount !== null && (held === null || amount <= held);
}

/**
 * Stores a requested change and queues the mails about it. `isProven`: the owner gave proof, without which a limit must
 * be lower.
 */
export function askForChange(
  db: Db,
  request: ChangeRequest,
  {
    by,
    isProven,
    clocks,
    vault,
    hasMailServer,
  }: { by: string; isProven: boolean; clocks: Clocks; vault: Vault; hasMailServer: boolean },
): void {
  const { now } = clocks;
  const id = newId("chg");
  const token = newToken();
  transact(db, () => {
    const isAtOnce = request.kind === "limit" && isLower(db, request.amount, clocks);
    if (!isAtOnce && !isProven)
      throw new Error("A limit that was lower is higher now: somebody else changed it.");
    if (isAtOnce) WalletChangeStore.stopWaitingLimits(db, by, now, sureOf(clocks));
    WalletChangeStore.insert(db, {
      address: null,
      name: null,
      amount: null,
      ...request,
      id,
      createdAt: now,
      createdBy: by,
      // If the machine's clock is behind, it takes effect later than planned, never sooner.
      readyAt: isAtOnce ? 0 : readyAtNow(db, { hasMailServer }, clocks).readyAt,
      token: vault.seal(token, placeOf.walletChange(id)),
      tokenHash: tokenHash(token),
    });
    tellOwners(db, id, now);
  });
}

/** The change of a link that stops it; null for any other text. */
export const ofLink = (db: Db, token: string) => WalletChangeStore.byToken(db, tokenHash(token));

/** The rest of the daily limit; null without a limit. */
export function leftOf(
  db: Db,
  chainId: number,
  clocks: Clocks,
): { limit: Usdc.Usdc; left: Usdc.Usdc } | null {
  const at = sureOf(clocks);
  const limit = WalletChangeStore.limitAt(db, at);
  if (limit === null) return null;
  const gone = WalletChangeStore.sumSince(db, chainId, at - dayMs);
  return { limit, left: gone < limit ? Usdc.fromMicro(limit - gone) : Usdc.zero };
}

/**
 * Returns why the desk, or a refund, may not pay this now, as a sentence; null if it may. Call it where the payment is
 * stored.
 */
export function outflowFault(
  db: Db,
  { chainId, to, amount }: { chainId: number; to: Address; amount: Usdc.Usdc },
  clocks: Clocks,
  isRefund: boolean,
): string | null {
  // The list may have become shorter since the form was shown.
  if (!isRefund && AllowedAddressStore.byAddress(db, to, sureOf(clocks)) === null)
    return `${to} is not allowed any more, or not yet.`;
  const day = leftOf(db, chainId, clocks);
  if (day === null || amount <= day.left) return null;
  const [limit, left] = [day.limit, day.left].map(Usdc.formatExact);
  return `At most ${limit} USDC leave Till's wallets in 24 hours, and ${left} USDC are left of it.`;
}
