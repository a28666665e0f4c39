import * as Crossing from "../../domain/payment/crossing.ts";
import * as Usdc from "../../domain/usdc.ts";
import { otherChain } from "../../domain/wallet/elsewhere.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { instant } from "../../lib/time.ts";
import { crossingShown } from "../../store/reports/on-its-way.ts";

/** Of a payment from another network: the state, where it comes from, what arrives, and when somebody told of it. */
export type CrossingProps = {
  networks: readonly { chainId: number; label: string }[];
  newest: {
    state: "told" | "attested" | "late" | "unknown" | "over";
    network: string;
    amount: string | null;
    at: string;
  } | null;
};

type CrossingDeps = Pick<HttpDeps, "db" | "config" | "now" | "crossings" | "isDelayed">;

/** The networks beside Till's own from which can be paid, and what is on its way from one. */
export function crossingProps(deps: CrossingDeps, depositIndex: number): CrossingProps {
  const { config, now, crossings } = deps;
  const networks = crossings()?.chains ?? [];
  const newest = crossingShown(deps, depositIndex);
  if (newest === null) return { networks, newest: null };
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

function stateNow(crossing: Crossing.Crossing, now: number): NonNullable<CrossingProps["newest"]>["state"] {
  if (crossing.state === "arrived") return "attested";
  if (crossing.state === "unknown") return crossing.amount === null ? "unknown" : "over";
  return crossing.state === "attested" && Crossing.isLate(crossing, now) ? "late" : crossing.state;
}
