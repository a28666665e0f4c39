import { existsSync } from "node:fs";
import type { Rpc } from "../../../chain/node/rpc.ts";
import {
  type Config,
  ConfigError,
  type Environment,
  parseConfig,
  withStored,
} from "../../../config/config.ts";
import { checkBalances, checkEnded } from "../../../doctor/check-balances.ts";
import { checkDatabase, checkDataDir, checkNumbers, checkWallet } from "../../../doctor/check-data.ts";
import { checkElsewhere, checkNode, checkSocket } from "../../../doctor/check-node.ts";
import {
  checkApiKeys,
  checkExposure,
  checkMail,
  checkRates,
  checkSite,
} from "../../../doctor/check-services.ts";
import { checkSignIn } from "../../../doctor/check-sign-in.ts";
import { checkFindings, databaseFindings } from "../../../doctor/database-findings.ts";
import { type OnFinding, type OnProgress, reporter } from "../../../doctor/finding.ts";
import { checkOriginals, replayStored } from "../../../doctor/replay.ts";
import { replayChain } from "../../../doctor/replay-chain.ts";
import type { Finding } from "../../../domain/finding.ts";
import type { Vault } from "../../../lib/crypto.ts";
import { wrap } from "../../../lib/text/english.ts";
import { printable } from "../../../lib/text/text.ts";
import { type Db, openReadOnly } from "../../../store/database.ts";
import { databaseFile } from "../../../store/files/data-dir.ts";
import * as ChainStore from "../../../store/tables/installation/chain.ts";
import { readStored } from "../../../till/settings.ts";
import { command, parseBlock } from "../../command.ts";
import { dataDirPath, dataFlags, environmentOf } from "../../local/data-dir.ts";
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
    const findings: Checked[] = [];
    const redact = redactionOf(environment);
    const screen = values.json ? null : createScreen();
    await examine(
      environment,
      from,
      ({ about: check, level, message, advice }) => {
        const finding = { check, level, message: redact(message), advice };
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

/** As `--json` prints it. */
type Checked = { check: string } & Pick<Finding<string>, "level" | "message" | "advice">;

async function examine(
  environment: Environment,
  from: number | null,
  onFinding: OnFinding,
  progress: OnProgress,
): Promise<void> {
  const environmentConfig = checkConfig(environment, onFinding);
  const dataDir = environmentConfig?.dataDir ?? dataDirPath(environment);
  const isOurs = checkDataDir(dataDir, onFinding);
  const opened = isOurs && existsSync(databaseFile(dataDir)) ? openReadOnly(dataDir) : null;
  try {
    progress("the database");
    const db = isOurs && checkDatabase(opened, dataDir, onFinding) ? opened : null;
    if (!environmentConfig) return;
    progress("the wallet");
    const wallet = isOurs ? await checkWallet(environmentConfig, db, onFinding) : null;
    const config = db ? withDesk(environmentConfig, db, wallet?.vault ?? null, onFinding) : environmentConfig;
    if (db) checkNumbers(config, db, onFinding);
    if (isOurs) checkApiKeys(config, db, onFinding);
    checkExposure(config, onFinding);
    progress("the nodes");
    const recorded = db && ChainStore.identity(db);
    let node: Rpc | null = null;
    for (const url of config.rpcUrls) {
      const rpc = await checkNode(url, { config, recorded, now: Date.now }, onFinding);
      node ??= rpc;
    }
    await checkSocket(config, onFinding);
    await checkElsewhere(config, onFinding);
    progress("the mail server");
    // Anew each time: a running Till changes it meanwhile.
    const find = () => (db === null ? [] : databaseFindings(db, config, Date.now()));
    await checkMail(config, find, onFinding);
    await checkRates(config, db, onFinding);
    await checkSignIn(config, onFinding);
    await checkSite(config, { db, vault: wallet?.vault ?? null, find }, onFinding);
    if (!db) return;
    checkFindings(find(), { db, config, now: Date.now() }, onFinding);
    replayStored(db, wallet, onFinding, progress);
    checkOriginals(db, onFinding, progress);
    if (!node) return;
    await checkEnded({ db, rpc: node, config, now: Date.now() }, onFinding);
    await checkBalances({ db, rpc: node, config, all: from !== null }, onFinding, progress);
    await replayChain({ db, rpc: node, config, from }, onFinding, progress);
  } finally {
    opened?.close();
  }
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

/** Adds the settings made at the desk, which the server uses too. */
function withDesk(environmentConfig: Config, db: Db, vault: Vault | null, onFinding: OnFinding): Config {
  const read = readStored(db, vault);
  const { config, faults } = withStored(environmentConfig, read.stored);
  const report = reporter("settings", onFinding);
  for (const { sentence } of [...read.faults, ...faults])
    report.warning(`A setting of the desk is left out: ${sentence}`, "Set it again at the desk.");
  return config;
}

const marks = {
  ok: { sign: "✓", word: "ok", color: 32 },
  warning: { sign: "!", word: "remark", color: 33 },
  wrong: { sign: "✗", word: "wrong", color: 31 },
} as const;

function verdictOf(wrong: number, hasRemarks: boolean): string {
  if (wrong > 1) return `${wrong} things are wrong.`;
  if (wrong === 1) return "One thing is wrong.";
  return hasRemarks ? "Nothing is wrong. See the remarks (!) above." : "All is well.";
}

/** Findings line by line; on a terminal in colour, with the current check below. */
function createScreen() {
  const { stdout, stderr } = process;
  const colours = stdout.isTTY === true && !process.env["NO_COLOR"];
  const clear = () => {
    if (stderr.isTTY) stderr.write("\r\u001b[K");
  };
  return {
    show({ check, level, message, advice }: Checked) {
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
      say(`\n${verdictOf(wrong, hasRemarks)}`);
    },
  };
}
