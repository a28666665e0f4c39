import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import type { GasAccount } from "../gas-account.ts";

const dayMs = 24 * 3_600_000;

/**
 * The most that relays cost in 24 hours, in wei: what was paid, and what those on their way have offered. Those that
 * have offered nothing yet count with `fee` wei for each unit of gas; no other counts with less than `least`.
 * `inFavourOf` is left out, and what comes after it and has offered nothing: of several that wait the first goes first.
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
