import type { Address } from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { within } from "../../lib/loop.ts";
import { type Clocks, sureOf } from "../../settle/wallet-change.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import { isKnownWallet } from "../../store/reports/desk/money.ts";
import * as AllowedAddressStore from "../../store/tables/desk/allowed-address.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";

/** A node's answer about an address that is to receive money. */
export type AddressReport = {
  /** The reason why it is refused. */
  fault: string | null;
  /** A remark to read before accepting it. */
  remark: string | null;
  /** True if no node responded. */
  isUnseen: boolean;
};

const nodeWaitMs = 4_000;

/** Returns both clocks; null if no node reports the chain's. */
export async function clocksNow({
  treasury,
  now,
}: Pick<HttpDeps, "treasury" | "now">): Promise<Clocks | null> {
  // A node that fails says nothing; the form mentions it.
  const asked = treasury()
    ?.headAt()
    .catch(() => null);
  const headAt = asked === undefined ? null : await within(asked, nodeWaitMs);
  return headAt == null ? null : { now: now(), headAt };
}

/**
 * True if new invoices, links and shops may pay a wallet from now on: one that already receives payments, or an address
 * whose waiting period for withdrawals is over. Any wallet before anything is billed: nobody pays to another than they
 * expect.
 */
export async function mayTake(
  deps: Pick<HttpDeps, "db" | "treasury" | "now">,
  wallet: Address,
): Promise<boolean> {
  const { db } = deps;
  if (isKnownWallet(db, wallet) || newestBilling(db) === null) return true;
  const clocks = await clocksNow(deps);
  return clocks !== null && AllowedAddressStore.byAddress(db, wallet, sureOf(clocks)) !== null;
}

const remarks = { contract: "walletContract", unused: "walletUnused", unseen: "walletUnseen" } as const;

export async function lookAt(
  { treasury, config: { network } }: Pick<HttpDeps, "treasury" | "config">,
  { locale }: DeskFrame,
  address: Address,
): Promise<AddressReport> {
  const sight = (await treasury()?.lookAt(address)) ?? "unseen";
  const values = { network: network.label };
  if (sight === "blocked") return { fault: locale.say("walletBlocked"), remark: null, isUnseen: false };
  const remark = sight === "used" ? null : locale.say(remarks[sight], values);
  return { fault: null, remark, isUnseen: sight === "unseen" };
}

/** True if the form's page showed the current remark: a node may say more by then. A missing response is no news. */
export const wasTold = (form: URLSearchParams, { remark, isUnseen }: AddressReport): boolean =>
  remark === null || isUnseen || form.get("seen") === remark;
