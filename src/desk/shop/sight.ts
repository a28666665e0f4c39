import type { Address } from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { within } from "../../lib/loop.ts";
import { type Clocks, sureOf } from "../../settle/wallet-change.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import { isKnownWallet } from "../../store/reports/desk/money.ts";
import * as AllowedAddressStore from "../../store/tables/desk/allowed-address.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";

/** What a node says of an address that money is to go to. */
export type Seen = {
  /** Why it cannot be taken. */
  fault: string | null;
  /** What somebody should know before they take it. */
  remark: string | null;
  /** Whether no node said anything. */
  isUnseen: boolean;
};

const nodeWaitMs = 4_000;

/** Both clocks; null while no node tells the chain's. */
export async function clocksNow({
  treasury,
  now,
}: Pick<HttpDeps, "treasury" | "now">): Promise<Clocks | null> {
  // A node that fails says nothing; the form says so.
  const asked = treasury()
    ?.headAt()
    .catch(() => null);
  const headAt = asked === undefined ? null : await within(asked, nodeWaitMs);
  return headAt == null ? null : { now: now(), headAt };
}

/**
 * Whether new invoices, links and shops may pay a wallet from now on: one that payments go to already, or an address that
 * waited until the desk may withdraw to it. Before anything is billed, any: nobody pays to another than they expect.
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
): Promise<Seen> {
  const sight = (await treasury()?.lookAt(address)) ?? "unseen";
  const values = { network: network.label };
  if (sight === "blocked") return { fault: locale.say("walletBlocked"), remark: null, isUnseen: false };
  const remark = sight === "used" ? null : locale.say(remarks[sight], values);
  return { fault: null, remark, isUnseen: sight === "unseen" };
}

/** Whether the page that a form is of said what is known now: a node may say more by then. That none says anything is no news. */
export const wasTold = (form: URLSearchParams, { remark, isUnseen }: Seen): boolean =>
  remark === null || isUnseen || form.get("seen") === remark;
