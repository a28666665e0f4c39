import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AnvilFailed } from "../../../chain/dev/anvil.ts";
import { attachDevChain, setEthBalance, startDevChain } from "../../../chain/dev/dev-chain.ts";
import { type Environment, parseConfig, readSettings } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { networks } from "../../../domain/wallet/network.ts";
import { startCatcher } from "../../../mail/catcher.ts";
import { databaseFiles, walletFile } from "../../../store/files/data-dir.ts";
import { lockDataDir } from "../../../store/files/lock.ts";
import { startTill } from "../../../till/till.ts";
import { command, notA, UsageError } from "../../command.ts";
import { devDataDir, devEnvironment, rememberDev } from "../../local/data-dir.ts";
import { redactionOf } from "../../redaction.ts";
import { answer } from "../../terminal/output.ts";
import { openLog, runUntilStopped, stoppedBy, stopSignal } from "../../terminal/stop-signal.ts";

/** Where wallets expect a local chain. */
const anvilPortPreferred = 8545;

const portMax = 65_535;

/** The gas account's balance at every start: enough for thousands of settlements. */
const devGasWei = 10n ** 19n;

export const dev = command({
  calls: ["[FLAGS]"],
  flags: {
    reset: { text: "delete the invoices, chain and mails of earlier runs" },
    port: { value: "PORT", text: "where Till listens (default TILL_PORT, or 3000)" },
    "chain-port": {
      value: "PORT",
      text: `where the local chain listens (default ${anvilPortPreferred}, or any port if that is taken)`,
    },
    "data-dir": {
      value: "DIR",
      text: "keep everything in DIR/dev (default TILL_DATA_DIR/dev, or ./data/dev)",
    },
    json: { text: "print one line of JSON when ready, and log as JSON to standard error" },
  },
  about: `The local chain is Anvil: the one installed with the source, the one on PATH (https://getfoundry.sh), or one already running at TILL_RPC_URL. till dev always uses its own chain and wallet, and no mail leaves this machine, whatever TILL_CHAIN, TILL_SMTP_URL and TILL_WALLET_PASSPHRASE say; other settings work as in till serve. Ctrl-C stops everything.

Other commands find it by themselves when they are called in the same directory: till list, till pay, till wallet show.`,
  examples: ["till dev --reset", "till dev --port 3001 --data-dir /tmp/till"],

  async run(values) {
    const signal = stopSignal();
    const variables = {
      ...process.env,
      ...(values["data-dir"] === undefined ? {} : { TILL_DATA_DIR: values["data-dir"] }),
      ...(values.port === undefined ? {} : { TILL_PORT: String(parsePort("--port", values.port)) }),
    };
    const dataDir = devDataDir(variables);
    const environment = devEnvironment(variables, dataDir);
    const closers: (() => void | Promise<void>)[] = [];
    const stop = async () => {
      for (const close of closers.splice(0).reverse()) await close();
    };
    try {
      const lock = lockDataDir(dataDir);
      closers.push(lock.release);
      if (values.reset) forget(dataDir);

      const chain = await openChain(variables, dataDir, values["chain-port"]);
      closers.push(chain.stop);
      const mailDir = join(dataDir, "mail");
      mkdirSync(mailDir, { recursive: true });
      const catcher = await startCatcher({ port: 0, directory: mailDir });
      closers.push(catcher.stop);

      const config = parseConfig(environment, {
        preset: {
          TILL_RPC_URL: chain.rpcUrls.join(),
          TILL_RPC_WS_URL: chain.wsUrl,
          TILL_SMTP_URL: catcher.smtpUrl,
          TILL_MAIL_FROM: settings.MAIL_FROM.default,
          TILL_LOG_FORMAT: values.json ? "json" : "text",
        },
      });
      const stream = values.json ? process.stderr : process.stdout;
      const redact = redactionOf(process.env);
      const opened = openLog(stream, { format: config.logFormat, level: config.logLevel, redact });
      const { log } = opened;
      const wrongChain = Promise.withResolvers<string>();
      const unsound = Promise.withResolvers<Error>();
      const till = await startTill({
        config,
        log,
        stopped: stoppedBy(signal, log),
        dev: { caughtMail: catcher.list, payCommand },
        onUnsound: unsound.resolve,
        onWrongChain: () => wrongChain.resolve("start with --reset to begin anew with this chain"),
      });
      closers.push(till.stop);
      await setEthBalance(chain.rpcUrl, till.gasAddress, devGasWei);
      rememberDev(dataDir, { base_url: till.baseUrl, rpc_url: chain.rpcUrl });
      const usdc = config.network.usdc;
      const ready = { base_url: till.baseUrl, rpc_url: chain.rpcUrl, usdc_address: usdc, data_dir: dataDir };
      answer(values.json, { event: "ready", ...ready }, welcome(ready));
      const chainEnded = chain.ended.then(() => "the local chain ended");
      const ended = Promise.race([wrongChain.promise, unsound.promise, chainEnded]);
      return await runUntilStopped(opened, { signal, stop, ended });
    } finally {
      await stop();
    }
  },
});

type Chain = {
  rpcUrls: readonly string[];
  rpcUrl: string;
  wsUrl: string;
  ended: Promise<unknown>;
  stop(): Promise<void>;
};

async function openChain(environment: Environment, dataDir: string, port?: string): Promise<Chain> {
  const rpcUrls = readSettings(environment, (value) => value("RPC_URL", []));
  const [rpcUrl] = rpcUrls;
  if (rpcUrl && port !== undefined)
    throw new UsageError("--chain-port is for a chain that Till starts: leave it out, or TILL_RPC_URL.");
  if (rpcUrl) {
    // One after the other: two may lead to the same chain.
    for (const url of rpcUrls) await attachDevChain(url);
    return {
      rpcUrls,
      rpcUrl,
      wsUrl: rpcUrl.replace(/^http/, "ws"),
      ended: new Promise(() => {}),
      stop: async () => {},
    };
  }
  const confirmations = Number(environment["TILL_CONFIRMATIONS"] || 1) === 1 ? 1 : 2;
  const start = (port: number) => startDevChain({ dataDir, port, confirmations });
  const wanted = port === undefined ? anvilPortPreferred : parsePort("--chain-port", port);
  const chain = await start(wanted).catch((thrown: unknown) => {
    if (!(thrown instanceof AnvilFailed && thrown.portInUse)) throw thrown;
    if (port === undefined) return start(0);
    throw new Error(
      `port ${wanted} is taken: something else listens there. Choose another with --chain-port, or leave it out.`,
    );
  });
  return {
    rpcUrls: [chain.rpcUrl],
    rpcUrl: chain.rpcUrl,
    wsUrl: chain.wsUrl,
    ended: chain.exited,
    stop: chain.stop,
  };
}

function parsePort(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= portMax) return Number(text);
  throw notA(flag, text, `the number of a port, 1 to ${portMax}`);
}

/** Deletes what earlier runs left, except the lock this run holds. */
function forget(dataDir: string): void {
  const others = ["anvil-state.json", "dev.json", "mail"].map((name) => join(dataDir, name));
  for (const path of [...databaseFiles(dataDir), walletFile(dataDir), ...others])
    rmSync(path, { recursive: true, force: true });
}

/** How to call this Till from a shell: the executable, or the source by its package script. */
const self = import.meta.dir.startsWith("/$bunfs") ? process.execPath : "npx -y bun@1.4.5 till";
const payCommand = `${self} pay`;

function welcome(ready: { base_url: string; rpc_url: string; data_dir: string }): string {
  const { chainId } = networks.anvil;
  return `
  Till is ready.

    Start here   ${ready.base_url}
    Mail         ${ready.base_url}/dev/mail
    Chain        ${ready.rpc_url} (chain id ${chainId}, test USDC)
    Data         ${ready.data_dir}

  Pay an invoice with test money:  ${payCommand} INVOICE_URL
  Ctrl-C stops everything.
`;
}
