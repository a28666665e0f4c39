import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AnvilFailed } from "../chain/anvil.ts";
import { attachDevChain, setEthBalance, startDevChain } from "../chain/dev-chain.ts";
import { type Environment, parseConfig } from "../config.ts";
import { networks } from "../domain/network.ts";
import { createLog } from "../lib/log.ts";
import { startCatcher } from "../mail/catcher.ts";
import type { SettingName } from "../settings.ts";
import { databaseFiles, walletFile } from "../store/database.ts";
import { lockDataDir } from "../store/lock.ts";
import type { Command } from "./command.ts";
import { dataDirPath } from "./data-dir.ts";
import { say, sayJson } from "./output.ts";
import { redactionOf } from "./redaction.ts";
import { runUntilStopped, stopSignal } from "./stop-signal.ts";
import { startTill } from "./till.ts";

/** Where wallets expect a local chain. */
const anvilPortPreferred = 8545;

/** What the gas account gets at every start: enough for thousands of settlements. */
const devGasWei = 10n ** 19n;

/** Protects nothing: the wallet of development holds test money. */
const devPassphrase = "development";

/**
 * What development decides by itself, also in a terminal that has the settings of a real Till: its chain, its wallet,
 * and that no mail leaves this machine.
 */
const ownSettings: readonly SettingName[] = [
  "CHAIN",
  "RPC_WS_URL",
  "SMTP_URL",
  "WALLET_PASSPHRASE",
  "WALLET_PASSPHRASE_FILE",
];

export const dev: Command = {
  help: `Usage: till dev [--json] [--reset]

  --json   print one line of JSON when ready, and log as JSON to standard error
  --reset  forget the invoices, the chain and the mails of earlier runs first

Everything is kept in a directory "dev" inside TILL_DATA_DIR (default ./data). The local chain is Anvil: the one that
is installed with the source, else the one on PATH (https://getfoundry.sh), or one that is running already, at
TILL_RPC_URL. Its chain and its wallet are always its own, and no mail leaves this machine, whatever TILL_CHAIN,
TILL_SMTP_URL and TILL_WALLET_PASSPHRASE say; TILL_PORT and the other settings work as for till serve. Ctrl-C stops
everything.

Example:
  till dev --reset`,

  async run(args) {
    const { values } = parseArgs({
      args,
      options: { json: { type: "boolean", default: false }, reset: { type: "boolean", default: false } },
    });
    const signal = stopSignal();
    const dataDir = join(dataDirPath(process.env), "dev");
    const environment: Environment = {
      ...process.env,
      ...Object.fromEntries(ownSettings.map((name) => [`TILL_${name}`, undefined])),
      TILL_DATA_DIR: dataDir,
    };
    const closers: (() => void | Promise<void>)[] = [];
    const stop = async () => {
      for (const close of closers.splice(0).reverse()) await close();
    };
    try {
      const lock = lockDataDir(dataDir);
      closers.push(lock.release);
      if (values.reset) forget(dataDir);

      const chain = await openChain(environment, dataDir);
      closers.push(chain.stop);
      const mailDir = join(dataDir, "mail");
      mkdirSync(mailDir, { recursive: true });
      const catcher = await startCatcher({ port: 0, directory: mailDir });
      closers.push(catcher.stop);

      const config = parseConfig(environment, {
        TILL_CHAIN: "anvil",
        TILL_RPC_URL: chain.rpcUrl,
        TILL_RPC_WS_URL: chain.wsUrl,
        TILL_SMTP_URL: catcher.smtpUrl,
        TILL_MAIL_FROM: "Till <till@localhost>",
        TILL_WALLET_PASSPHRASE: devPassphrase,
        TILL_LOG_FORMAT: values.json ? "json" : "text",
      });
      const write = values.json ? console.error : console.log;
      const redact = redactionOf(process.env);
      const log = createLog({ format: config.logFormat, level: config.logLevel, write, redact });
      const wrongChain = Promise.withResolvers<string>();
      const till = await startTill({
        config,
        log,
        caughtMail: catcher.list,
        onWrongChain: () => wrongChain.resolve("start with --reset to begin anew with this chain"),
      });
      closers.push(till.stop);
      await setEthBalance(chain.rpcUrl, till.gasAddress, devGasWei);
      const usdc = config.network.usdc;
      if (values.json) {
        const ready = {
          base_url: till.baseUrl,
          rpc_url: chain.rpcUrl,
          usdc_address: usdc,
          data_dir: dataDir,
        };
        sayJson({ event: "ready", ...ready });
      } else {
        say(welcome({ baseUrl: till.baseUrl, rpcUrl: chain.rpcUrl, dataDir }));
      }
      const chainEnded = chain.ended.then(() => "the local chain ended");
      const ended = Promise.race([wrongChain.promise, chainEnded]);
      return await runUntilStopped(log, { signal, stop, ended });
    } finally {
      await stop();
    }
  },
};

type Chain = { rpcUrl: string; wsUrl: string; ended: Promise<unknown>; stop(): Promise<void> };

async function openChain(environment: Environment, dataDir: string): Promise<Chain> {
  const given = environment["TILL_RPC_URL"]?.trim();
  if (given) {
    await attachDevChain(given);
    return {
      rpcUrl: given,
      wsUrl: given.replace(/^http/, "ws"),
      ended: new Promise(() => {}),
      stop: async () => {},
    };
  }
  const confirmations = Number(environment["TILL_CONFIRMATIONS"] || 1) === 1 ? 1 : 2;
  const start = (port: number) => startDevChain({ dataDir, port, confirmations });
  const chain = await start(anvilPortPreferred).catch((thrown: unknown) => {
    if (thrown instanceof AnvilFailed && thrown.portInUse) return start(0);
    throw thrown;
  });
  return { rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl, ended: chain.exited, stop: chain.stop };
}

/** Removes what earlier runs left, but not the lock that this run holds. */
function forget(dataDir: string): void {
  const others = ["anvil-state.json", "mail"].map((name) => join(dataDir, name));
  for (const path of [...databaseFiles(dataDir), walletFile(dataDir), ...others])
    rmSync(path, { recursive: true, force: true });
}

/** How this Till is called from a shell: the executable, or the source by way of the package script. */
const self = import.meta.dir.startsWith("/$bunfs") ? process.execPath : "npx -y bun@1.4.5 till";

function welcome({ baseUrl, rpcUrl, dataDir }: { baseUrl: string; rpcUrl: string; dataDir: string }): string {
  const { chainId } = networks.anvil;
  return `
  Till is ready.

    Start here   ${baseUrl}
    Mail         ${baseUrl}/dev/mail
    Chain        ${rpcUrl} (chain id ${chainId}, test USDC)
    Data         ${dataDir}

  Pay an invoice with test money:  ${self} pay INVOICE_URL
  Ctrl-C stops everything.
`;
}
