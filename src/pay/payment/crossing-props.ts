import * as Crossing from "../../domain/payment/crossing.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import { otherChain } from "../../domain/wallet/elsewhere.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { instant } from "../../lib/time.ts";
import * as CrossingStore from "../../store/tables/watch/crossing.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";

/** Of a payment from another network: the state, where it comes from, what arrives, and when somebody told of it. */
export type CrossingProps = {
  networks: readonly { chainId: number; label: string }[];
  newest: {
    state: "told" | "attested" | "late" | "unknown";
    network: string;
    amount: string | null;
    at: string;
  } | null;
};

type CrossingDeps = Pick<HttpDeps, "db" | "config" | "now" | "crossings" | "isDelayed">;

/** The networks beside Till's own from which can be paid, and what is on its way from one. */
export function crossingProps(
  { db, config, now, crossings, isDelayed }: CrossingDeps,
  depositIndex: number,
): CrossingProps {
  const networks = crossings()?.chains ?? [];
  const newest = CrossingStore.foremost(db, depositIndex);
  if (newest === null || isBooked(db, newest) || (isOver(newest, now()) && !isDelayed()))
    return { networks, newest: null };
  const { chainId, amount, createdAt } = newest;
  return {
    networks,
    newest: {
      state: stateNow(newest, now()),
      network: otherChain(config.network.name, chainId)?.label ?? String(chainId),
      amount: amount === null ? null : Usdc.formatExact(amount),
      at: instant(createdAt),
    },
  };
}

/**
 * The watcher may see it after the contract was asked: nobody is to pay it once more meanwhile. A chain that was last read
 * longer ago is delayed.
 */
const bookedWithinMs = 60_000;

/** Returns whether it was minted, and what arrived is in the books unless the chain is delayed, or was never known. */
const isOver = ({ state, amount, endedAt }: Crossing.Crossing, now: number): boolean =>
  state === "arrived" && (amount === null || Math.abs(now - (endedAt ?? now)) > bookedWithinMs);

function stateNow(crossing: Crossing.Crossing, now: number): NonNullable<CrossingProps["newest"]>["state"] {
  if (crossing.state === "arrived") return "attested";
  return crossing.state === "attested" && Crossing.isLate(crossing, now) ? "late" : crossing.state;
}

/**
 * True if it is among the transfers: the watcher may see it before the contract is asked again, and what is counted
 * already must not stand for what is still due.
 */
function isBooked(db: HttpDeps["db"], { depositIndex, amount, createdAt }: Crossing.Crossing): boolean {
  if (amount === null) return false;
  const minted = { depositIndex, payer: Address.zero, amount };
  const [last] = DepositTransferStore.listEqual(db, minted, 1);
  return last !== undefined && last.seenAt >= createdAt;
}
