import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import type { GasAccount } from "../gas-account.ts";

const dayMs = 24 * 3_600_000;

/**
 * Maximum cost of relays in the last 24 hours, in wei: what was paid, and what pending ones have offered. Those without
 * an offer yet count with `fee` wei per unit of gas, and none counts with less than `least`. Leaves out `inFavourOf`,
 * and later ones without an offer: of several that wait, the first goes first.
 */
export function spending(
  { db, chainId, now }: Pick<GasAccount, "db" | "chainId" | "now">,
  fee: bigint,
  { inFavourOf, least = 0n }: { inFavourOf?: GasTransactionStore.GasTransaction; least?: bigint } = {},
): bigint {
  const { wei, pending } = GasTransactionStore.relaysSpent(db, chainId, now() - dayMs);
  const counts = ({ id, nonce, offered }: (typeof pending)[number]) =>
    id !== inFavourOf?.id && (offered !== null || nonce < (inFavourOf?.nonce ?? Number.POSITIVE_INFINITY));
  return pending.filter(counts).reduce((total, { gasLimit, offered }) => {
    const each = offered ?? fee;
    return total + gasLimit * (each > least ? each : least);
  }, wei);
}
