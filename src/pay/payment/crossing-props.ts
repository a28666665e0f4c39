import * as Crossing from "../../domain/payment/crossing.ts";
import * as Usdc from "../../domain/usdc.ts";
import { otherChain } from "../../domain/wallet/elsewhere.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { instant } from "../../lib/time.ts";
import * as CrossingStore from "../../store/tables/watch/crossing.ts";

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
  const isExpectedNoLonger = (minted: Crossing.Crossing) => !isDelayed() && isOver(minted, now());
  const newest = CrossingStore.foremost(db, depositIndex, isExpectedNoLonger);
  if (newest === null) return { networks, newest };
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

/** Returns whether what was minted would be in the books by now, unless the chain is delayed. */
const isOver = ({ endedAt }: Crossing.Crossing, now: number): boolean =>
  Math.abs(now - (endedAt ?? now)) > bookedWithinMs;

function stateNow(crossing: Crossing.Crossing, now: number): NonNullable<CrossingProps["newest"]>["state"] {
  if (crossing.state === "arrived") return "attested";
  return crossing.state === "attested" && Crossing.isLate(crossing, now) ? "late" : crossing.state;
}
