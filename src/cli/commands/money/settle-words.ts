/** What `till settle` says to people and programs. */

import type { Call } from "../../../chain/contract/settle-call.ts";
import * as Ether from "../../../domain/ether.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import * as DepositAddress from "../../../domain/wallet/deposit-address.ts";
import type { Network } from "../../../domain/wallet/network.ts";
import { counted } from "../../../lib/text/english.ts";
import { instant, instantOrNull } from "../../../lib/time.ts";
import { describeFee } from "../../../settle/gas-account.ts";
import type { SettlementPlan } from "../../../settle/settlement.ts";
import type { Prospect, SettleResult } from "../../../settle/settler.ts";
import type { UnsettledDeposit } from "../../../store/tables/settle/unsettled.ts";
import { amountText } from "../../terminal/output.ts";

const usdc = (amounts: Iterable<Usdc.Usdc>) => `${amountText(Usdc.formatExact(Usdc.sum(amounts)))} USDC`;

/** Why there is nothing to do. */
export function nothing({ unclear }: SettlementPlan, failed: readonly UnsettledDeposit[]): string {
  const lines = ["There is nothing to settle now."];
  if (unclear > 0)
    lines.push(
      `${counted(unclear, "deposit")} cannot be judged yet: their money is not where the books say. Somebody else may have moved it, or the node is behind. The running server finds out within a minute.`,
    );
  return [...lines, ...failedLines(failed)].join("\n");
}

/** What will happen, before asking. */
export function prospectText(
  { plan, calls, fee }: Prospect,
  gasAddress: Address,
  network: Network,
  failed: readonly UnsettledDeposit[],
): string {
  const deposits = plan.batches.flat();
  const transactions = counted(plan.batches.length, "transaction");
  return [
    `Settle ${counted(deposits.length, "deposit")}, ${usdc(deposits.map((d) => d.balance))}, on ${network.label}`,
    ...payouts(plan),
    `  in ${transactions}${calls.length > plan.batches.length ? ", and one before that creates Till's factory" : ""}`,
    `  fee ${describeFee(fee)}, for at most ${calls.reduce((sum, call) => sum + call.gasLimit, 0n)} gas, paid by the gas account ${gasAddress}, which has ${Ether.format(fee.balance)} ETH`,
    ...failedLines(failed),
  ].join("\n");
}

function payouts({ batches }: SettlementPlan): string[] {
  const byWallet = Map.groupBy(batches.flat(), (deposit) => deposit.payoutWallet);
  return [...byWallet].map(([wallet, deposits]) => {
    const amount = usdc(deposits.map((deposit) => deposit.balance));
    return `  ${amount} to ${wallet} (${counted(deposits.length, "deposit")})`;
  });
}

function failedLines(failed: readonly UnsettledDeposit[]): string[] {
  return failed.map(({ address, retryAt }) => {
    const at = retryAt === null ? "later" : `after ${instant(retryAt)}`;
    return `The money of ${address} could not be moved. It is tried again ${at}, or now with --retry.`;
  });
}

/** A plan's transactions, for any wallet. */
export function planText(calls: readonly Call[], plan: SettlementPlan, network: Network): string {
  if (calls.length === 0) return nothing(plan, []);
  const total = usdc(plan.batches.flat().map((deposit) => deposit.balance));
  return [`These move ${total}:`, ...payouts(plan), "", callsText(calls, network)].join("\n");
}

/** Transactions for any wallet. */
export function callsText(calls: readonly Call[], network: Network): string {
  const blocks = calls.map(({ to, data, gasLimit }, at) => {
    const what = to === DepositAddress.deployer ? "creates Till's factory, once for each chain" : "settles";
    return [
      `Transaction ${at + 1} of ${calls.length}: ${what}`,
      `  chain id  ${network.chainId} (${network.label})`,
      `  to        ${to}`,
      `  value     0`,
      `  gas       ${gasLimit}`,
      `  data      ${data}`,
    ].join("\n");
  });
  return [
    ...blocks,
    "Send them in this order, and with this gas limit: with less, deposits would be left out.",
  ].join("\n\n");
}

export function callsJson(calls: readonly Call[], chainId: number) {
  return {
    chain_id: chainId,
    transactions: calls.map(({ to, data, gasLimit }) => ({
      to,
      value: "0",
      gas: gasLimit.toString(),
      data,
    })),
  };
}

/** What was done. */
export function settledText({ transactions, obstacle }: SettleResult): string {
  const lines = transactions.map(({ txHash, deposits }) => {
    const moved = deposits.filter(({ state }) => state === "settled");
    const amount = usdc(moved.map((deposit) => deposit.amount));
    return txHash === null
      ? `Begun: a transaction for ${counted(deposits.length, "deposit")}.`
      : `Settled ${counted(moved.length, "deposit")}, ${amount} (${txHash}).`;
  });
  const deposits = transactions.flatMap((transaction) => transaction.deposits);
  for (const { address, state, retryAt } of deposits) {
    if (state === "empty") lines.push(`${address} was empty: somebody else has flushed it.`);
    if (state !== "failed" || retryAt === null) continue;
    lines.push(`The money of ${address} could not be moved. It is tried again after ${instant(retryAt)}.`);
  }
  if (transactions.length === 0 && obstacle === null)
    lines.push("The running server was faster: it is settling this.");
  if (obstacle !== null)
    lines.push(`${obstacle} The running server, or the next till settle, continues what was begun.`);
  return lines.join("\n");
}

export function settledJson({ transactions, obstacle }: SettleResult) {
  const settled = transactions.flatMap(({ deposits }) => deposits.map(({ amount }) => amount));
  return {
    settled: Usdc.formatExact(Usdc.sum(settled)),
    transactions: transactions.map(({ txHash, deposits }) => ({
      tx_hash: txHash,
      deposits: deposits.map(({ address, payoutWallet, state, amount, retryAt }) => ({
        deposit_address: address,
        payout_wallet: payoutWallet,
        state,
        amount: Usdc.formatExact(amount),
        retry_at: instantOrNull(retryAt),
      })),
    })),
    detail: obstacle,
  };
}
