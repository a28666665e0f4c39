import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import { newId, newToken, tokenHash, type Vault } from "../lib/crypto.ts";
import { type Db, transact } from "../store/database.ts";
import { ownersOf } from "../store/reports/owners.ts";
import { placeOf } from "../store/secrets.ts";
import * as AllowedAddressStore from "../store/tables/desk/allowed-address.ts";
import * as AuditStore from "../store/tables/desk/audit.ts";
import * as SettingStore from "../store/tables/installation/setting.ts";
import * as OwnerMailStore from "../store/tables/outbox/owner-mail.ts";
import * as WalletChangeStore from "../store/tables/settle/wallet-change.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Where nobody may hear of it by mail. */
const longMs = 72 * hourMs;

/** The machine's clock, and the newest block's as a node just told it, in Unix ms. */
export type Clocks = { now: number; headAt: number };

/** What has come by both clocks: setting the machine's forward opens nothing. */
export const sureOf = ({ now, headAt }: Clocks): number => Math.min(now, headAt);

/** What an owner asks for. */
export type ChangeWish =
  | { kind: "address"; address: Address; name: string }
  | { kind: "limit"; amount: Usdc.Usdc | null };

/** After these, who is told may be somebody else than before. */
const tellingDeeds = ["person.email", "person.remove", "person.role", "profile.save", "person.keep"];
const tellingSettings = ["SMTP_URL", "MAIL_FROM"];

/**
 * How long a change waits, in ms: a day, or three where no mail tells the owners, and where a thief may just have seen to
 * that: the mail server, the owners, or their addresses changed in the last three days.
 */
export function waitMs(db: Db, hasMailServer: boolean, clocks: Clocks): number {
  const since = sureOf(clocks) - longMs;
  const isNew =
    AuditStore.anySince(db, tellingDeeds, since) ||
    SettingStore.list(db).some(({ name, changedAt }) => tellingSettings.includes(name) && changedAt > since);
  return hasMailServer && ownersOf(db).length > 0 && !isNew ? dayMs : longMs;
}

/** Whether a limit lets less pass than what holds. */
export function isLower(db: Db, amount: Usdc.Usdc | null, clocks: Clocks): boolean {
  const held = WalletChangeStore.limitAt(db, sureOf(clocks));
  return amount !== null && (held === null || amount <= held);
}

/** Stores what an owner asked for and the mails that tell of it. `isProven`: with a proof, without which it must be lower. */
export function askForChange(
  db: Db,
  wish: ChangeWish,
  {
    by,
    isProven,
    clocks,
    vault,
    hasMailServer,
  }: { by: string; isProven: boolean; clocks: Clocks; vault: Vault; hasMailServer: boolean },
): void {
  const { now, headAt } = clocks;
  const [id, token] = [newId("chg"), newToken()];
  transact(db, () => {
    const isAtOnce = wish.kind === "limit" && isLower(db, wish.amount, clocks);
    if (!isAtOnce && !isProven)
      throw new Error("A limit that was lower is higher now: somebody else changed it.");
    if (isAtOnce) WalletChangeStore.stopWaitingLimits(db, by, now, sureOf(clocks));
    WalletChangeStore.insert(db, {
      ...{ address: null, name: null, amount: null, ...wish },
      id,
      createdAt: now,
      createdBy: by,
      // Should the machine's clock be behind, it comes later than planned and never sooner.
      readyAt: isAtOnce ? 0 : Math.max(now, headAt) + waitMs(db, hasMailServer, clocks),
      token: vault.seal(token, placeOf.walletChange(id)),
      tokenHash: tokenHash(token),
    });
    for (const to of ownersOf(db)) OwnerMailStore.insert(db, id, to, now);
  });
}

/** The change of a link; null for any other text. */
export const ofLink = (db: Db, token: string) => WalletChangeStore.byToken(db, tokenHash(token));

/** What the limit still lets pass; null without one. */
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

/** Why the desk, or a refund, may not pay this now, as a sentence; null when it may. Call it where it is stored. */
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
