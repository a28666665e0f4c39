import { existsSync } from "node:fs";
import { type Config, parseConfig } from "../../../config/config.ts";
import * as DepositAddress from "../../../domain/wallet/deposit-address.ts";
import { describeShortage } from "../../../settle/gas-account.ts";
import type * as Settlement from "../../../settle/settlement.ts";
import { finishPending, prospect as look, prepare, settleNow } from "../../../settle/settler.ts";
import { type Db, databaseFile, NoDatabase } from "../../../store/database.ts";
import * as UnsettledStore from "../../../store/tables/settle/unsettled.ts";
import { openKnownWallet } from "../../../till/installation.ts";
import { command, type ExitCode, json as jsonFlag } from "../../command.ts";
import { dataFlags, environmentOf, refuseForeign, withDatabase } from "../../local/data-dir.ts";
import { openGasAccount } from "../../local/installation.ts";
import { openNode } from "../../local/node.ts";
import { answer, sayAside } from "../../terminal/output.ts";
import { agreed, refuseUnasked } from "../../terminal/prompt.ts";
import * as Words from "./settle-words.ts";

/** How long to wait for the transactions; the server or the next call continues with them. */
const waitMsMax = 300_000;

export const settle = command({
  calls: ["[--yes] [FLAGS]", "--print [FLAGS]"],
  flags: {
    print: {
      text: "print the transactions instead of sending them: anybody can send them from any wallet, and the money can only go to the payout wallets; needs no passphrase",
    },
    yes: { text: "do not ask, for scripts" },
    retry: { text: "also retry now what failed before" },
    json: jsonFlag,
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

async function print(
  db: Db,
  config: Config,
  rules: Settlement.SettlementRules,
  json: boolean,
): Promise<ExitCode> {
  const { chainId } = config.network;
  const rpc = await openNode(db, config);
  const looking = { db, rpc, chainId, confirmations: config.confirmations, now: Date.now };
  const { plan, calls } = await prepare(looking, rules);
  return answer(json, Words.callsJson(calls, chainId), Words.planText(calls, plan, config.network));
}

async function settleAndTell(
  db: Db,
  config: Config,
  rules: Settlement.SettlementRules,
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
    const nothing = Words.settledJson({ transactions: [], obstacle: null });
    return answer(json, nothing, Words.nothing(prospect.plan, about));
  }
  sayAside(Words.prospectText(prospect, gas.wallet.gasAddress, config.network, about));
  if (prospect.fee.shortage) throw new Error(describeShortage(prospect.fee.shortage));
  if (!(await agreed(yes, "Settle?", "Nothing was settled."))) return 1;
  const settled = await settleNow(gas, rules, prospect.plan, signal);
  const allMoved = settled.transactions.every(({ deposits }) =>
    deposits.every(({ state }) => state === "settled" || state === "empty"),
  );
  const ok = settled.obstacle === null && allMoved;
  return answer(json, Words.settledJson(settled), Words.settledText(settled), ok);
}
