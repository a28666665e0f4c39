import * as Usdc from "../domain/usdc.ts";
import type { Db } from "../store/database.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import { type Finding, inSentences, type OnFinding } from "./finding.ts";

/** A withdrawal has ended an hour after it was begun; blocks take some time to become final. */
const overdueMs = 1_800_000;

/**
 * What somebody has to look at about Till's wallet. That somebody else has its words is said for as long as it is used:
 * nothing makes them secret again.
 */
export function walletWarnings(db: Db, chainId: number, now: number): Finding[] {
  const findings: Finding[] = [];
  const add = (level: Finding["level"], message: string, advice: string) =>
    findings.push({ check: "wallet", level, message, advice });
  const exposures = WithdrawalStore.listExposures(db, chainId);
  const [exposure] = exposures;
  if (exposure) {
    const { amount, from, failure, txHash } = exposure;
    const how = failure === "cancelled" ? "cancelled" : "used the nonce of";
    const others = exposures.length === 1 ? "" : `, the latest of ${exposures.length}`;
    add(
      "wrong",
      `somebody else has the wallet's 12 words: they ${how} the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from} in ${txHash}${others}`,
      WithdrawalStore.exposureAdvice,
    );
  }
  for (const withdrawal of WithdrawalStore.listPending(db, chainId)) {
    const { amount, from, transactionId, validBeforeSec } = withdrawal;
    const which = `the withdrawal of ${Usdc.formatExact(amount)} USDC from ${from}`;
    const isReverted =
      transactionId !== null && GasTransactionStore.byId(db, transactionId)?.state === "reverted";
    const ends = new Date(validBeforeSec * 1_000).toISOString();
    if (now > validBeforeSec * 1_000 + overdueMs)
      add(
        "warning",
        `${which} was over at ${ends}, and no node has shown how it ended`,
        "give TILL_RPC_URL a node that keeps all logs, and look at the wallet in a block explorer",
      );
    else if (isReverted)
      add(
        "warning",
        `the transaction of ${which} reverted; it is not sent again, and the withdrawal ends at ${ends}`,
        "till wallet withdraw sends it again now; the page of the withdrawal at the desk says what the token has against it",
      );
  }
  const recovered = Usdc.sum(UnsettledStore.listRecovered(db).map(({ amount }) => amount));
  if (recovered > 0n)
    add(
      "warning",
      `recovered money is still at deposit addresses: ${Usdc.formatExact(recovered)} USDC`,
      "till recover --settle moves it",
    );
  for (const { nonce, reason, createdAt } of GasTransactionStore.listLate(db, chainId))
    add(
      "warning",
      `the chain has not taken transaction ${nonce} of the gas account (${reason}) since ${new Date(createdAt).toISOString()}`,
      `look the gas account up in a block explorer: if its next nonce is not ${nonce}, take the node that says so out of TILL_RPC_URL; if it is, Till sends it again by itself once fees and ETH allow`,
    );
  return findings;
}

/** What `till doctor` reports about it. */
export function checkWithdrawals(db: Db, chainId: number, now: number, onFinding: OnFinding): void {
  for (const finding of walletWarnings(db, chainId, now)) onFinding(inSentences(finding));
}
