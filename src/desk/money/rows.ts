import type { Address } from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { Locale } from "../../language/locale.ts";
import type { ManagedWallet } from "../../settle/treasury.ts";
import type { Movement, Payout } from "../../store/reports/desk/money.ts";
import * as AllowedAddressStore from "../../store/tables/desk/allowed-address.ts";
import { isExposure } from "../../store/tables/settle/withdrawal.ts";
import type { MovementRow, PayoutRow } from "./movements.tsx";

/** The names of the wallets that receive money. */
type WalletNames = { nameOf(address: Address): string; isManaged(address: Address): boolean };

export function walletNames(
  { db }: Pick<HttpDeps, "db">,
  locale: Locale,
  managed: ReadonlyMap<Address, ManagedWallet>,
): WalletNames {
  const allowed = new Map(AllowedAddressStore.list(db).map(({ address, name }) => [address, name]));
  return {
    isManaged: (address) => managed.has(address),
    nameOf(address) {
      const own = managed.get(address);
      if (own !== undefined)
        return managed.size === 1
          ? locale.say("tillsWallet")
          : locale.say("tillWalletOf", { email: own.email });
      return allowed.get(address) ?? locale.say("ownWalletTitle");
    },
  };
}

export function payoutRows(payouts: readonly Payout[], names: WalletNames): PayoutRow[] {
  return payouts.map(({ wallet, received, waiting, settled, withdrawn }) => ({
    wallet,
    name: names.nameOf(wallet),
    received,
    waiting,
    settled,
    withdrawn: names.isManaged(wallet) ? withdrawn : null,
  }));
}

export function movementRows(
  movements: readonly Movement[],
  names: WalletNames,
  locale: Locale,
): MovementRow[] {
  const whats = {
    settled: locale.say("movedSettled"),
    elsewhere: locale.say("movedElsewhere"),
    withdrawn: locale.say("movedWithdrawn"),
  };
  return movements.map((movement) => ({
    at: movement.at,
    what:
      movement.kind === "withdrawn" && movement.state === "failed"
        ? locale.say("stateFailed")
        : whats[movement.kind],
    detail: detailOf(movement, names, locale),
    href: movement.kind === "withdrawn" ? `/desk/money/withdrawals/${movement.id}` : null,
    state: isExposure(movement.failure) ? "stopped" : movement.state,
    amount: movement.amount,
    txHash: movement.txHash,
  }));
}

function detailOf({ kind, deposits, failed, to, wallets }: Movement, names: WalletNames, locale: Locale) {
  if (kind === "withdrawn") return locale.say("withdrawnTo", { wallet: names.nameOf(to) });
  if (failed > 0) return locale.say("settledFailed", { count: deposits, failed });
  if (wallets > 1) return locale.say("settledToSeveral", { count: deposits });
  return locale.say("settledTo", { count: deposits, wallet: names.nameOf(to) });
}
