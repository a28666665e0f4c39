import { existsSync } from "node:fs";
import type { Call } from "../../../chain/contract/settle-call.ts";
import { type Config, parseConfig } from "../../../config/config.ts";
import * as Ether from "../../../domain/ether.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import * as DepositAddress from "../../../domain/wallet/deposit-address.ts";
import type { Network } from "../../../domain/wallet/network.ts";
import { counted } from "../../../lib/text/english.ts";
import { instant, instantOrNull } from "../../../lib/time.ts";
import {
  finishPending,
  prospect as look,
  type Prospect,
  prepare,
  type SettleResult,
  settleNow,
} from "../../../settle/by-hand.ts";
import { describeFee, describeShortage } from "../../../settle/gas-account.ts";
import type { SettlementPlan, SettlementRules } from "../../../settle/settlement.ts";
import { type Db, NoDatabase } from "../../../store/database.ts";
import { databaseFile } from "../../../store/files/data-dir.ts";
import * as UnsettledStore from "../../../store/tables/settle/unsettled.ts";
import { openKnownWallet } from "../../../till/installation.ts";
import { command, type ExitCode, json } from "../../command.ts";
import { dataFlags, environmentOf, refuseForeign, withDatabase } from "../../local/data-dir.ts";
import { openGasAccount, openNode } from "../../local/installation.ts";
import { amountText } from "../../records/format.ts";
import { answer, sayAside } from "../../terminal/output.ts";
import { agreed, refuseUnasked } from "../../terminal/prompt.ts";

/** Time to wait for the transactions; the server or the next call continues with them. */
const waitMsMax = 300_000;

export const settle = command({
  calls: ["[--yes] [FLAGS]", "--print [FLAGS]"],
  flags: {
    print: {
      text: "print the transactions instead of sending them: anybody can send them from any wallet, and the money can only go to the payout wallets; needs no passphrase",
    },
    yes: { text: "do not ask, for scripts" },
    retry: { text: "also retry now what failed before" },
    json,
    ...dataFlags,
  },
  about: `Moves confirmed money from deposit addresses to the payout wallets now. The gas account pays the fee. Shows what will happen and asks first. Reads the variables of till serve; you can run it while the server runs.`,
  examples: ["till settle --print"],

  async run(values) {
    if (!values.print) refuseUnasked(values.yes, "settle");
    // Printing signs nothing, so anybody who may read the database may print.
    const config = parseConfig(environmentOf(values), values.print ? { needs: ["RPC_URL"] } : {});
    refuseForeign(config.dataDir);
    if (!existsSync(databaseFile(config.dataDir))) throw new NoDatabase(config.dataDir);
    const rules = { usdc: config.network.usdc, min: config.settleMin, retry: values.retry };
    return await withDatabase(config.dataDir, (db) =>
      values.print ? print(db, config, rules, values.json) : settleAndTell(db, config, rules, values),
    );
  },
});

async function print(db: Db, config: Config, rules: SettlementRules, json: boolean): Promise<ExitCode> {
  const { chainId } = config.network;
  const rpc = await openNode(db, config);
  const looking = { db, rpc, chainId, confirmations: config.confirmations, now: Date.now };
  const { plan, calls } = await prepare(looking, rules);
  return answer(json, callsJson(calls, chainId), planText(calls, plan, config.network));
}

async function settleAndTell(
  db: Db,
  config: Config,
  rules: SettlementRules,
  { yes, json }: { yes: boolean; json: boolean },
): Promise<ExitCode> {
  const gas = await openGasAccount({ config, db, wallet: await openKnownWallet(db, config) });
  const signal = AbortSignal.timeout(waitMsMax);
  const pending = await finishPending(gas, rules, signal);
  if (pending !== null) throw new Error(pending);
  const prospect = await look(gas, rules);
  const failed = UnsettledStore.listFailed(db, { ...rules, factory: DepositAddress.factory });
  const about = rules.retry ? [] : failed;
  if (prospect.plan.batches.length === 0) {
    const none = settledJson({ transactions: [], obstacle: null });
    return answer(json, none, nothing(prospect.plan, about));
  }
  sayAside(prospectText(prospect, gas.wallet.gasAddress, config.network, about));
  if (prospect.fee.shortage) throw new Error(describeShortage(prospect.fee.shortage));
  if (!(await agreed(yes, "Settle?", "Nothing was settled."))) return 1;
  const settled = await settleNow(gas, rules, prospect.plan, signal);
  const allMoved = settled.transactions.every(({ deposits }) =>
    deposits.every(({ state }) => state === "settled" || state === "empty"),
  );
  const ok = settled.obstacle === null && allMoved;
  return answer(json, settledJson(settled), settledText(settled), ok);
}

/** A sum, for people and programs. */

const usdc = (amounts: Iterable<Usdc.Usdc>) => `${amountText(Usdc.formatExact(Usdc.sum(amounts)))} USDC`;

/** Explains why there is nothing to do. */
function nothing({ unclear }: SettlementPlan, failed: readonly UnsettledStore.UnsettledDeposit[]): string {
  const lines = ["There is nothing to settle now."];
  if (unclear > 0)
    lines.push(
      `${counted(unclear, "deposit")} cannot be judged yet: their money is not where the books say. Somebody else may have moved it, or the node is behind. The running server finds out within a minute.`,
    );
  return [...lines, ...failedLines(failed)].join("\n");
}

/** Describes what will happen, before asking. */
function prospectText(
  { plan, calls, fee }: Prospect,
  gasAddress: Address,
  network: Network,
  failed: readonly UnsettledStore.UnsettledDeposit[],
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

function failedLines(failed: readonly UnsettledStore.UnsettledDeposit[]): string[] {
  return failed.map(({ address, retryAt }) => {
    const at = retryAt === null ? "later" : `after ${instant(retryAt)}`;
    return `The money of ${address} could not be moved. It is tried again ${at}, or now with --retry.`;
  });
}

/** A plan's transactions, for any wallet. */
function planText(calls: readonly Call[], plan: SettlementPlan, network: Network): string {
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

/** Describes what was done. */
function settledText({ transactions, obstacle }: SettleResult): string {
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

function settledJson({ transactions, obstacle }: SettleResult) {
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
