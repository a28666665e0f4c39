import { existsSync } from "node:fs";
import { type Config, type Environment, parseConfig } from "../config.ts";
import * as DepositAddress from "../domain/deposit-address.ts";
import { finishPending, prepare, prospect, settleNow } from "../service/settle-now.ts";
import type * as Settlement from "../service/settlement.ts";
import { openBeside } from "../store/beside.ts";
import { closeDatabase, type Db, databaseFile, NoDatabase } from "../store/database.ts";
import * as SettlementStore from "../store/settlement.ts";
import { confirm, refuseUnasked } from "./ask.ts";
import { command, type ExitCode, json as jsonFlag } from "./command.ts";
import { refuseForeign } from "./data-dir.ts";
import { dataFlags, environmentOf } from "./dev-data.ts";
import { openKnownWallet } from "./installation-wallet.ts";
import { openNode } from "./node.ts";
import { openGasAccount } from "./opened.ts";
import { say, sayAside, sayJson } from "./output.ts";
import * as Words from "./settle-words.ts";

/** So long the command stays with what it began; the server or the next call goes on with it. */
const waitMsMax = 300_000;

export const settle = command({
  calls: ["[--yes] [FLAGS]", "--print [FLAGS]"],
  flags: {
    print: {
      text: "print the transactions instead of sending them: anybody can send them from any wallet, and the money can only go to the payout wallets. Needs no passphrase",
    },
    yes: { text: "do not ask, for scripts" },
    retry: { text: "retry now what failed before, too" },
    json: jsonFlag,
    ...dataFlags,
  },
  about: `Moves what is confirmed at deposit addresses to the payout wallets now. The gas account pays the fee. It shows what will happen and asks. Works with the variables of till serve, also beside a running server.`,
  examples: ["till settle --print"],

  async run(values) {
    if (!values.print) refuseUnasked(values.yes, "settle");
    const environment = environmentOf(values);
    const config = values.print ? parseWithoutPassphrase(environment) : parseConfig(environment);
    refuseForeign(config.dataDir);
    if (!existsSync(databaseFile(config.dataDir))) throw new NoDatabase(config.dataDir);
    const db = openBeside(config.dataDir);
    try {
      const { network, settleMin: min, logRange } = config;
      const rules = { usdc: network.usdc, min, logRange, retry: values.retry };
      return values.print
        ? await print(db, config, rules, values.json)
        : await settleAndTell(db, config, rules, values);
    } finally {
      closeDatabase(db);
    }
  },
});

/** Nothing is signed, so whoever may read the database may print. */
function parseWithoutPassphrase(given: Environment): Config {
  const { TILL_WALLET_PASSPHRASE: _, TILL_WALLET_PASSPHRASE_FILE: __, ...environment } = given;
  return parseConfig(environment, { TILL_WALLET_PASSPHRASE: "not used" });
}

async function print(
  db: Db,
  config: Config,
  rules: Settlement.SettlementRules,
  json: boolean,
): Promise<ExitCode> {
  const { chainId } = config.network;
  const rpc = await openNode(db, config);
  const looking = { db, rpc, chainId, confirmations: config.confirmations, now: Date.now };
  const { plan, factory, calls } = await prepare(looking, rules);
  if (factory.kind === "impossible") throw new Error(factory.reason);
  if (json) sayJson(Words.callsJson(calls, chainId));
  else say(Words.planText(calls, plan, config.network));
  return 0;
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
  const found = await prospect(gas, rules);
  const failed = SettlementStore.listFailed(db, { ...rules, factory: DepositAddress.factory });
  const about = rules.retry ? [] : failed;
  if (found.plan.batches.length === 0) {
    if (json) sayJson(Words.settledJson({ transactions: [], obstacle: null }));
    else say(Words.nothing(found.plan, about));
    return 0;
  }
  sayAside(Words.prospectText(found, gas.wallet.gasAddress, config.network, about));
  if (found.obstacle !== null) throw new Error(found.obstacle);
  if (!yes && !(await confirm("Settle?"))) {
    sayAside("Nothing was settled.");
    return 1;
  }
  const settled = await settleNow(gas, rules, found, signal);
  if (json) sayJson(Words.settledJson(settled));
  else say(Words.settledText(settled));
  const allMoved = settled.transactions.every(({ deposits }) =>
    deposits.every(({ state }) => state === "settled" || state === "empty"),
  );
  return settled.obstacle === null && allMoved ? 0 : 1;
}
