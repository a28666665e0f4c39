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

/** The networks beside Till's own from which can be paid, and what is on its way from one. */
export function crossingProps({ db, config, now, crossings }: HttpDeps, depositIndex: number): CrossingProps {
  const networks = crossings()?.chains ?? [];
  const newest = CrossingStore.foremost(db, depositIndex);
  if (newest === null || newest.state === "arrived" || isBooked(db, newest))
    return { networks, newest: null };
  const { state, chainId, amount, createdAt } = newest;
  return {
    networks,
    newest: {
      state: state === "attested" && Crossing.isLate(newest, now()) ? "late" : state,
      network: otherChain(config.network.name, chainId)?.label ?? String(chainId),
      amount: amount === null ? null : Usdc.formatExact(amount),
      at: instant(createdAt),
    },
  };
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
