import { readReceipt } from "../chain/account/transaction.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import type { Config } from "../config/config.ts";
import * as Usdc from "../domain/usdc.ts";
import { messageOf } from "../lib/error.ts";
import type { Db } from "../store/database.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import { type OnFinding, reporter } from "./finding.ts";

/** For so long a running Till looks, too. */
const lookedAtForMs = 86_400_000;

/** What `till doctor` finds about the transactions that ended withdrawals: a reorganisation may have undone them. */
export async function checkEnded(
  { db, rpc, config, now }: { db: Db; rpc: Rpc; config: Config; now: number },
  onFinding: OnFinding,
): Promise<void> {
  const report = reporter("withdrawals", onFinding);
  try {
    const ended = WithdrawalStore.listEnded(db, config.network.chainId, now - lookedAtForMs);
    for (const { txHash, amount, from, to } of ended) {
      if (txHash === null || (await readReceipt(rpc, txHash))) continue;
      report.warning(
        `The chain does not have transaction ${txHash}, which ended the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from} to ${to}.`,
        "If it left the chain, a running Till finds that within ten minutes and makes the withdrawal again.",
      );
    }
  } catch (thrown) {
    report.wrong(`Withdrawals cannot be compared: ${messageOf(thrown)}.`, "Try again, or with another node.");
  }
}
