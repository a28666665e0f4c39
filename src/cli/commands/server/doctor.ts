import type { Wallet } from "../../../chain/account/wallet.ts";
import type { Rpc } from "../../../chain/node/rpc.ts";
import { type Config, ConfigError, type Environment, parseConfig } from "../../../config/config.ts";
import { checkBackup } from "../../../doctor/backup-warnings.ts";
import { checkBalances } from "../../../doctor/check-balances.ts";
import { checkDatabase, checkDataDir, checkNumbers, checkWallet } from "../../../doctor/check-data.ts";
import { checkEnded } from "../../../doctor/check-ended.ts";
import { checkNode, checkSocket } from "../../../doctor/check-node.ts";
import {
  checkApiKeys,
  checkExposure,
  checkMail,
  checkRates,
  checkSite,
} from "../../../doctor/check-services.ts";
import { type Finding, type OnFinding, type OnProgress, reporter } from "../../../doctor/finding.ts";
import { checkPayments } from "../../../doctor/payment-warnings.ts";
import { checkRelays } from "../../../doctor/relay-state.ts";
import { replayStored } from "../../../doctor/replay.ts";
import { replayChain } from "../../../doctor/replay-chain.ts";
import { checkWithdrawals } from "../../../doctor/wallet-warnings.ts";
import { wrap } from "../../../lib/text/english.ts";
import { printable } from "../../../lib/text/text.ts";
import { type Db, NoDatabase, openReadOnly } from "../../../store/database.ts";
import * as InstallationStore from "../../../store/tables/installation/installation.ts";
import { command } from "../../command.ts";
import { dataDirPath } from "../../local/data-dir.ts";
import { dataFlags, environmentOf } from "../../local/dev-data.ts";
import { parseBlock } from "../../local/parse.ts";
import { redactionOf } from "../../redaction.ts";
import { print, say, sayJson, widthOf } from "../../terminal/output.ts";

export const doctor = command({
  calls: ["[FLAGS]"],
  flags: {
    from: {
      value: "BLOCK",
      text: "compare the chain with the database from this block, with as many calls as it takes (default: from the oldest deposit, with at most 500)",
    },
    json: { text: "print all findings as JSON" },
    ...dataFlags,
  },
  about: `Checks the configuration, data directory, database, wallet, node, mail server, base URL and clock, and recomputes every amount and status from the database and the chain. Changes nothing and mails nothing. Reads the variables of till serve, whether or not a server runs. Exit code 1 means that something is wrong; a remark (!) alone is not.`,
  examples: ["till doctor --from 23456789"],

  async run(values) {
    const environment = environmentOf(values);
    const from = values.from === undefined ? null : parseBlock("--from", values.from);
    const findings: Finding[] = [];
    const redact = redactionOf(environment);
    const screen = values.json ? null : createScreen();
    await examine(
      environment,
      from,
      (said) => {
        const finding = { ...said, message: redact(said.message) };
        findings.push(finding);
        screen?.show(finding);
      },
      (text) => screen?.progress(text),
    );
    const wrong = findings.filter((finding) => finding.level === "wrong").length;
    if (values.json) sayJson({ ok: wrong === 0, findings });
    else
      screen?.end(
        wrong,
        findings.some((finding) => finding.level === "warning"),
      );
    return wrong === 0 ? 0 : 1;
  },
});

async function examine(
  environment: Environment,
  from: number | null,
  onFinding: OnFinding,
  progress: OnProgress,
): Promise<void> {
  const config = checkConfig(environment, onFinding);
  const dataDir = config?.dataDir ?? dataDirPath(environment);
  const isOurs = checkDataDir(dataDir, onFinding);
  const db = isOurs ? openIfThere(dataDir) : null;
  try {
    progress("the database");
    const readable = isOurs && checkDatabase(db, dataDir, onFinding) ? db : null;
    if (config) await examineRest(config, { db: readable, isOurs }, from, onFinding, progress);
  } finally {
    db?.close();
  }
}

type Data = {
  db: Db | null;
  /** Whether this user may access the data directory. */
  isOurs: boolean;
};

async function examineRest(
  config: Config,
  { db, isOurs }: Data,
  from: number | null,
  onFinding: OnFinding,
  progress: OnProgress,
): Promise<void> {
  if (db) checkNumbers(config, db, onFinding);
  progress("the wallet");
  const wallet: Wallet | null = isOurs ? await checkWallet(config, db, onFinding) : null;
  if (isOurs) checkApiKeys(config, db, onFinding);
  checkExposure(config, onFinding);
  progress("the nodes");
  const recorded = db && InstallationStore.chain(db);
  let node: Rpc | null = null;
  for (const url of config.rpcUrls) {
    const rpc = await checkNode(url, { config, recorded, now: Date.now }, onFinding);
    node ??= rpc;
  }
  await checkSocket(config, onFinding);
  progress("the mail server");
  await checkMail(config, db, onFinding);
  await checkRates(config, db, onFinding);
  await checkSite(config, db, wallet?.vault ?? null, onFinding);
  if (!db) return;
  checkBackup(db, Date.now(), onFinding);
  checkPayments(db, Date.now(), onFinding);
  checkWithdrawals(db, config.network.chainId, Date.now(), onFinding);
  checkRelays(db, config, Date.now(), onFinding);
  replayStored(db, wallet, onFinding, progress);
  if (!node) return;
  await checkEnded({ db, rpc: node, config, now: Date.now() }, onFinding);
  await checkBalances({ db, rpc: node, config, all: from !== null }, onFinding, progress);
  await replayChain({ db, rpc: node, config, from }, onFinding, progress);
}

function checkConfig(environment: Environment, onFinding: OnFinding): Config | null {
  const report = reporter("configuration", onFinding);
  try {
    const config = parseConfig(environment);
    report.ok("All TILL_… variables are valid.");
    return config;
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    for (const fault of thrown.faults)
      report.wrong(fault, "Correct it and run till doctor again, with the variables of till serve.");
    return null;
  }
}

function openIfThere(dataDir: string): Db | null {
  try {
    return openReadOnly(dataDir);
  } catch (thrown) {
    if (thrown instanceof NoDatabase) return null;
    throw thrown;
  }
}

const marks = {
  ok: { sign: "✓", word: "ok", color: 32 },
  warning: { sign: "!", word: "remark", color: 33 },
  wrong: { sign: "✗", word: "wrong", color: 31 },
} as const;

/** Findings line by line; on a terminal in colour, with the current check below. */
function createScreen() {
  const { stdout, stderr } = process;
  const colours = stdout.isTTY === true && !process.env["NO_COLOR"];
  const clear = () => {
    if (stderr.isTTY) stderr.write("\r\u001b[K");
  };
  return {
    show({ check, level, message, advice }: Finding) {
      clear();
      const { sign, word, color } = marks[level];
      const mark = `${sign} ${word.padEnd(6)}`;
      const line = `${colours ? `\u001b[${color}m${mark}\u001b[0m` : mark} ${check}: ${printable(message)}`;
      for (const part of wrap(line, widthOf(stdout), 9)) print(part);
      for (const part of advice === null ? [] : wrap(`         → ${printable(advice)}`, widthOf(stdout), 11))
        print(part);
    },
    progress(text: string) {
      clear();
      if (stderr.isTTY) stderr.write(`… ${text}`);
    },
    end(wrong: number, hasRemarks: boolean) {
      clear();
      const right = hasRemarks ? "Nothing is wrong. See the remarks (!) above." : "All is well.";
      say(`\n${wrong === 0 ? right : wrong === 1 ? "One thing is wrong." : `${wrong} things are wrong.`}`);
    },
  };
}
