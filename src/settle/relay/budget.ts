import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import type { GasAccount } from "../gas-account.ts";

const dayMs = 24 * 3_600_000;

/**
 * The most that relays cost in 24 hours, in wei: what was paid, and what those on their way have offered. Those that
 * have offered nothing yet count with `fee` wei for each unit of gas; `without` leaves one out.
 */
export function spending(
  { db, chainId, now }: Pick<GasAccount, "db" | "chainId" | "now">,
  fee: bigint,
  { without, least = 0n }: { without?: number; least?: bigint } = {},
): bigint {
  const { wei, pending } = GasTransactionStore.relaysSpent(db, chainId, now() - dayMs);
  return pending
    .filter(({ id }) => id !== without)
    .reduce((total, { gasLimit, offered }) => {
      const each = offered ?? fee;
      return total + gasLimit * (each > least ? each : least);
    }, wei);
}
